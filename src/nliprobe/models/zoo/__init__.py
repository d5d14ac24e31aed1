"""Networks that can be trained, one file each; the modules they are made of stand beside them."""

from __future__ import annotations

from nliprobe.base.registry import Registry
from nliprobe.models.network import Network

NETWORKS: Registry[Network] = Registry("network", __name__)

__all__ = ["NETWORKS", "Network"]
