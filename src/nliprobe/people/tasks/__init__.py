"""Tasks for people: one module per kind of question, with what it shows, what it takes as an answer, and what votes say."""

from __future__ import annotations

from nliprobe.base.registry import Registry
from nliprobe.people.tasks._task import Task

TASKS: Registry[Task] = Registry("task", __name__)

__all__ = ["TASKS", "Task"]
