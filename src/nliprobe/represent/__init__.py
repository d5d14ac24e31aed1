"""Representations, which turn a premise into the segments a model reads, and premise controls."""

from __future__ import annotations

from nliprobe.base.registry import Registry
from nliprobe.represent._base import Representation

REPRESENTATIONS: Registry[Representation] = Registry("representation", __name__)

__all__ = ["REPRESENTATIONS", "Representation"]
