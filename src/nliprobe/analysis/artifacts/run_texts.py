"""The texts of the cases of a run, as they were asked."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from typing import TYPE_CHECKING

from nliprobe.analysis.artifacts.texts import Texts, read_texts
from nliprobe.task.edits import apply_edits, edits_from_json
from nliprobe.task.pair import Premise
from nliprobe.task.table import Table

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from nliprobe.analysis.cases import Cases
    from nliprobe.store.run import RunFolder


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
        # The number of a case's pair is its place here.
        self._pairs = run.read("pairs", ["kind", "premise", "hypothesis"])
        self._edits: pl.Series | None = None
        if edited:
            edits = run.read("cases", ["case_id", "edits"])
            ids = pl.DataFrame({"case_id": cases.ids})
            self._edits = ids.join(edits, on="case_id", how="left", maintain_order="left")["edits"]

    def of(self, rows: NDArray[np.int64]) -> Texts:
        """Count the words of some cases, given their row numbers."""
        return read_texts(self._texts(rows))

    def _texts(self, rows: NDArray[np.int64]) -> Iterator[tuple[Premise, str]]:
        pairs = self._pairs[self._cases.pair[rows]]
        made = repeat(None, len(rows)) if self._edits is None else self._edits.gather(rows)
        last: tuple[str, str] | None = None
        premise: Premise = ""
        for (kind, written, hypothesis), edits in zip(pairs.iter_rows(), made, strict=True):
            # Pairs of one premise are mostly consecutive, so a table is seldom parsed twice.
            if (kind, written) != last:
                last = kind, written
                premise = Table.from_json(written) if kind == "table" else written
            yield apply_edits(premise, hypothesis, edits_from_json(edits)) if edits else (premise, hypothesis)
