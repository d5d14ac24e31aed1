"""Progress bars on standard error when it is a terminal, and plain lines when it is a log file."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import TYPE_CHECKING, Self

from nliprobe.cli._output import echo
from nliprobe.report.terminal import new_console

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import ProgressColumn


class LiveBars:
    """Shows bars while it is entered, and prints lines that stay above them."""

    def __init__(self, *, live: bool = True) -> None:
        self._live = live and sys.stderr.isatty()
        self._bars: Bars | None = None

    def columns(self) -> list[ProgressColumn]:
        """Return the columns of a bar, from left to right."""
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

        return [
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
        ]

    def __enter__(self) -> Self:
        if self._live:
            from rich.progress import Progress as Bars

            self._bars = Bars(*self.columns(), console=new_console(sys.stderr), transient=True)
            self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bars is not None:
            self._bars.stop()

    def say(self, line: str) -> None:
        """Print a line above the bars."""
        if self._bars is not None:
            self._bars.console.print(line, highlight=False)
        else:
            echo(line, err=True)
