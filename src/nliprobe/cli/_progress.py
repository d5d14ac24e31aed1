"""The progress of a run on standard error: the rate and the time left."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from nliprobe.cli._bars import LiveBars

if TYPE_CHECKING:
    from rich.progress import ProgressColumn, TaskID


class RunProgress(LiveBars):
    """Shows a bar for the whole run and one for the current shard; in a log file one line per shard."""

    def __init__(self) -> None:
        super().__init__()
        self._whole: TaskID | None = None
        self._shard_task: TaskID | None = None
        self._cases = 0
        self._started = time.monotonic()

    def columns(self) -> list[ProgressColumn]:
        """Return the columns of a bar, with the rate before the time left."""
        from rich.progress import TextColumn

        *first, left = super().columns()
        return [*first, TextColumn("{task.fields[rate]}", markup=False), left]

    def begin(self, pairs: int | None) -> None:
        """Show that the run begins."""
        if self._bars is not None:
            self._whole = self._bars.add_task("pairs", total=pairs, rate="")

    def start(self, system: str, shard: int, inputs: int, known: int) -> None:
        """Show that a system begins a shard."""
        if self._bars is None:
            return
        if self._shard_task is not None:
            self._bars.remove_task(self._shard_task)
        label = f"{system[:40]} · shard {shard + 1}"
        self._shard_task = self._bars.add_task(label, total=inputs, completed=known, rate="")
        self._shard_started, self._asked = time.monotonic(), 0

    def advance(self, inputs: int) -> None:
        """Count inputs that were answered."""
        if self._bars is not None and self._shard_task is not None:
            self._asked += inputs
            rate = self._asked / max(time.monotonic() - self._shard_started, 1e-9)
            self._bars.update(self._shard_task, advance=inputs, rate=f"{rate:,.0f}/s")

    def shard_done(self, shard: int, cases: int, pairs: int) -> None:
        """Show that all systems have finished a shard."""
        self._cases += cases
        rate = self._cases / max(time.monotonic() - self._started, 1e-9)
        if self._bars is not None and self._whole is not None:
            self._bars.update(self._whole, advance=pairs, rate=f"{rate:,.0f} cases/s")
            return
        self.say(f"shard {shard + 1}: {self._cases:,} cases done, {rate:,.0f}/s")
