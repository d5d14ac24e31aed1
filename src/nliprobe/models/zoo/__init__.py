"""Networks that can be trained, one per file; their torch modules are in files next to them."""

from __future__ import annotations

from nliprobe.base.registry import Registry
from nliprobe.models.network import Network

NETWORKS: Registry[Network] = Registry("network", __name__)

__all__ = ["NETWORKS", "Network"]
