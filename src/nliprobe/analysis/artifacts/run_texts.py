"""The texts of the cases of a run, as they were asked."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from typing import TYPE_CHECKING

from nliprobe.analysis.artifacts.texts import Texts, read_texts
from nliprobe.store.frames import row_count
from nliprobe.task.edits import apply_edits, edits_from_json
from nliprobe.task.pair import Premise
from nliprobe.task.table import Table

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from nliprobe.analysis.cases import Cases
    from nliprobe.store.run import RunFolder
# Rows whose texts are gathered together, so that the texts of a run are never copied as a whole.
_AT_ONCE = 32_768
# Shards of pairs that stay in memory: cases follow one another as their pairs do, but for swapped and chained ones.
_SHARDS = 4
# How a pair is written: the kind of its premise, the premise, the hypothesis.
_Written = tuple[str, str, str]


class RunTexts:
    """Reads the texts of cases: those of their pairs, changed by their edits.

    Args:
        run: the run folder.
        cases: its cases.
        edited: whether cases that probes made will be asked for; without them, a run of a million edits is read fast.
    """

    def __init__(self, run: RunFolder, cases: Cases, *, edited: bool) -> None:
        import polars as pl

        self._cases = cases
        self._pairs = _WrittenPairs(run)
        self._edits: pl.Series | None = None
        if edited:
            edits = run.read("cases", ["case_id", "edits"])
            ids = pl.DataFrame({"case_id": cases.ids})
            self._edits = ids.join(edits, on="case_id", how="left", maintain_order="left")["edits"]

    def of(self, rows: NDArray[np.int64]) -> Texts:
        """Count the words of some cases, given their row numbers."""
        return read_texts(self._texts(rows))

    def _texts(self, rows: NDArray[np.int64]) -> Iterator[tuple[Premise, str]]:
        last: tuple[str, str] | None = None
        premise: Premise = ""
        for (kind, written, hypothesis), edits in self._written(rows):
            # Pairs of one premise are mostly consecutive, so a table is seldom parsed twice.
            if (kind, written) != last:
                last = kind, written
                premise = Table.from_json(written) if kind == "table" else written
            yield apply_edits(premise, hypothesis, edits_from_json(edits)) if edits else (premise, hypothesis)

    def _written(self, rows: NDArray[np.int64]) -> Iterator[tuple[_Written, str | None]]:
        """Yield what is written of the pair of each row, and of its edits."""
        for start in range(0, len(rows), _AT_ONCE):
            some = rows[start : start + _AT_ONCE]
            made = repeat(None, len(some)) if self._edits is None else self._edits.gather(some)
            yield from zip(self._pairs.at(self._cases.pair[some]), made, strict=True)


class _WrittenPairs:
    """Reads what is written of pairs, a few shards at a time; the number of a pair is its place in the run."""

    def __init__(self, run: RunFolder) -> None:
        import numpy as np

        self._run = run
        self._paths = run.readable("pairs")
        self._starts = np.cumsum([0, *map(row_count, self._paths)])
        self._opened: dict[int, pl.DataFrame] = {}

    def at(self, places: NDArray[np.int64]) -> Iterator[_Written]:
        import numpy as np

        shards = np.searchsorted(self._starts, places, side="right") - 1
        for part in np.split(np.arange(len(places)), np.flatnonzero(np.diff(shards)) + 1):
            if len(part):
                shard = int(shards[part[0]])
                yield from self._shard(shard)[places[part] - self._starts[shard]].iter_rows()

    def _shard(self, number: int) -> pl.DataFrame:
        if number not in self._opened:
            if len(self._opened) == _SHARDS:
                del self._opened[next(iter(self._opened))]
            self._opened[number] = self._run.read_shard("pairs", self._paths[number], ["kind", "premise", "hypothesis"])
        return self._opened[number]
