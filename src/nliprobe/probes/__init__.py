"""Probes: one file per probe, and suites with the probe ``gold`` that each of them has.

A probe turns a pair into cases whose right answers are known or constrained.
"""

from __future__ import annotations

from nliprobe.base.registry import Registry
from nliprobe.probes.base import Probe

PROBES: Registry[Probe] = Registry("probe", __name__)

__all__ = ["PROBES", "Probe"]
