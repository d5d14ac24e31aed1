"""The progress of training on standard error: the steps, the time left and the loss."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nliprobe.cli._bars import LiveBars

if TYPE_CHECKING:
    from rich.progress import TaskID


class TrainingProgress(LiveBars):
    """Shows a bar over the steps of one training, and lines that stay; in a log file only the lines."""

    def __init__(self, *, quiet: bool) -> None:
        super().__init__(live=not quiet)
        self._quiet = quiet
        self._task: TaskID | None = None

    def begin(self, steps: int, done: int) -> None:
        """Show that training begins, or continues after some steps."""
        if done:
            self.say(f"continuing after {done:,} of {steps:,} steps")
        if self._bars is not None:
            if self._task is not None:
                self._bars.remove_task(self._task)
            self._task = self._bars.add_task("training", total=steps, completed=done)

    def advance(self, loss: float | None) -> None:
        """Count one step, and show its loss."""
        if self._bars is not None and self._task is not None:
            name = "training" if loss is None else f"training, loss {loss:.3f}"
            self._bars.update(self._task, advance=1, description=name)

    def say(self, line: str) -> None:
        """Print a line above the bar, unless the command is quiet."""
        if not self._quiet:
            super().say(line)
