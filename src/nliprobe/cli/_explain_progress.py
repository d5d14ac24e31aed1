"""The progress of explanations on standard error: masks that were asked, vectors that were made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nliprobe.cli._bars import LiveBars

if TYPE_CHECKING:
    from rich.progress import TaskID


class ExplainProgress(LiveBars):
    """Shows how many masks and vectors there are so far; a log file is told nothing."""

    def __init__(self) -> None:
        super().__init__()
        self._tasks: dict[str, TaskID] = {}

    def advance(self, what: str, count: int) -> None:
        """Count what was done."""
        if self._bars is None:
            return
        if what not in self._tasks:
            self._tasks[what] = self._bars.add_task(what, total=None)
        self._bars.update(self._tasks[what], advance=count)
