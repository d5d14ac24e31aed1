"""The progress of training on standard error: steps, time left, the loss, and nothing when nobody looks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nliprobe.cli._bars import LiveBars

if TYPE_CHECKING:
    from rich.progress import TaskID


class TrainingProgress(LiveBars):
    """A bar over the steps of one training; lines for what is worth keeping. In a log file the lines only."""

    def __init__(self, *, quiet: bool) -> None:
        super().__init__(live=not quiet)
        self._quiet = quiet
        self._task: TaskID | None = None

    def begin(self, steps: int, done: int) -> None:
        """Training begins, or goes on after some steps."""
        if done:
            self.say(f"going on after {done:,} of {steps:,} steps")
        if self._bars is not None:
            if self._task is not None:
                self._bars.remove_task(self._task)
            self._task = self._bars.add_task("training", total=steps, completed=done)

    def advance(self, loss: float | None) -> None:
        """A step was made."""
        if self._bars is not None and self._task is not None:
            name = "training" if loss is None else f"training, loss {loss:.3f}"
            self._bars.update(self._task, advance=1, description=name)

    def say(self, line: str) -> None:
        """A line above the bar, unless nothing should be said."""
        if not self._quiet:
            super().say(line)
