"""Models: one file per adapter, and systems (a model with its representation, premise control and label map)."""

from __future__ import annotations

from nliprobe.base.registry import Registry
from nliprobe.models.base import Model

MODELS: Registry[Model] = Registry("model", __name__)

__all__ = ["MODELS", "Model"]
