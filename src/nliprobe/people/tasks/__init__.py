"""Tasks for people: one module per kind of question, what it shows, what it takes as an answer, what a vote is."""

from __future__ import annotations

from nliprobe.base.registry import Registry
from nliprobe.people.tasks._declared import DeclaredTask, Field
from nliprobe.people.tasks._task import Task

TASKS: Registry[Task] = Registry("task", __name__)

__all__ = ["TASKS", "DeclaredTask", "Field", "Task"]
