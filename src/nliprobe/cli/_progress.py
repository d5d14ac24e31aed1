"""The progress of a run on standard error: rate, time left, and nothing when nobody looks."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from nliprobe.cli._bars import LiveBars

if TYPE_CHECKING:
    from rich.progress import ProgressColumn, TaskID


class RunProgress(LiveBars):
    """A bar for the whole run and one for the shard at hand; in a log file one line per shard."""

    def __init__(self) -> None:
        super().__init__()
        self._whole: TaskID | None = None
        self._task: TaskID | None = None
        self._cases = 0
        self._started = time.monotonic()

    def columns(self) -> list[ProgressColumn]:
        """The rate stands before the time left."""
        from rich.progress import TextColumn

        *first, left = super().columns()
        return [*first, TextColumn("{task.fields[rate]}"), left]

    def begin(self, pairs: int | None) -> None:
        """The run begins."""
        if self._bars is not None:
            self._whole = self._bars.add_task("pairs", total=pairs, rate="")

    def start(self, system: str, shard: int, inputs: int, known: int) -> None:
        """A shard begins for a system."""
        if self._bars is None:
            return
        if self._task is not None:
            self._bars.remove_task(self._task)
        label = f"{system[:40]} · shard {shard + 1}"
        self._task = self._bars.add_task(label, total=inputs, completed=known, rate="")
        self._shard_started, self._asked = time.monotonic(), 0

    def advance(self, inputs: int) -> None:
        """Inputs were answered."""
        if self._bars is not None and self._task is not None:
            self._asked += inputs
            rate = self._asked / max(time.monotonic() - self._shard_started, 1e-9)
            self._bars.update(self._task, advance=inputs, rate=f"{rate:,.0f}/s")

    def shard_done(self, shard: int, cases: int, pairs: int) -> None:
        """A shard is complete for all systems."""
        self._cases += cases
        rate = self._cases / max(time.monotonic() - self._started, 1e-9)
        if self._bars is not None and self._whole is not None:
            self._bars.update(self._whole, advance=pairs, rate=f"{rate:,.0f} cases/s")
            return
        self.say(f"shard {shard + 1}: {self._cases:,} cases done, {rate:,.0f}/s")
