"""The progress of training on standard error: steps, time left, the loss, and nothing when nobody looks."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import TYPE_CHECKING, Self

import click

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import TaskID


class TrainingProgress:
    """A bar over the steps of one training; lines for what is worth keeping. In a log file the lines only."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._bars: Bars | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        if sys.stderr.isatty() and not self._quiet:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
            from rich.progress import Progress as Bars

            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
            self._bars = Bars(*columns, console=Console(stderr=True), transient=True)
            self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bars is not None:
            self._bars.stop()

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
        """A line above the bar."""
        if self._quiet:
            return
        if self._bars is not None:
            self._bars.console.print(line, highlight=False)
        else:
            click.echo(line, err=True)
