"""The progress of making a study on standard error: a bar per step, or in a log file a line when one is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nliprobe.cli._bars import LiveBars

if TYPE_CHECKING:
    from rich.progress import TaskID


class StudyProgress(LiveBars):
    """Shows how far each step is."""

    def __init__(self) -> None:
        super().__init__()
        self._tasks: dict[str, TaskID] = {}

    def tell(self, what: str, done: int, total: int) -> None:
        """Show that so much of a step is done."""
        if self._bars is None:
            if done == total:
                self.say(f"{what}: {total:,} done")
            return
        if what not in self._tasks:
            self._tasks[what] = self._bars.add_task(what, total=total)
        self._bars.update(self._tasks[what], completed=done)
