"""Faces of tasks: how an item is shown, how a form becomes an answer, and how an answer is said in words."""

from __future__ import annotations

from nliprobe.base.registry import Registry
from nliprobe.studio.work.faces._face import Face

FACES: Registry[Face] = Registry("page for the task", __name__)

__all__ = ["FACES", "Face"]
