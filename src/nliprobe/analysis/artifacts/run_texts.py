"""The texts of the cases of a run, as they were asked."""

from __future__ import annotations

from collections.abc import Iterator
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
    """Reads the texts of cases: those of their pairs, changed by their edits."""

    def __init__(self, run: RunFolder, cases: Cases) -> None:
        import polars as pl

        self._cases = cases
        # The number of a case's pair is its place here.
        self._pairs = run.read("pairs", ["kind", "premise", "hypothesis"])
        edits = run.read("cases", ["case_id", "edits"])
        ids = pl.DataFrame({"case_id": cases.ids})
        self._edits: pl.Series = ids.join(edits, on="case_id", how="left", maintain_order="left")["edits"]

    def of(self, rows: NDArray[np.int64]) -> Texts:
        """Count the words of some cases, given their row numbers."""
        return read_texts(self._texts(rows))

    def _texts(self, rows: NDArray[np.int64]) -> Iterator[tuple[Premise, str]]:
        pairs = self._pairs[self._cases.pair[rows]]
        last, premise = "", cast_premise("text", "")
        for (kind, written, hypothesis), edits in zip(pairs.iter_rows(), self._edits.gather(rows), strict=True):
            # Pairs of one premise are mostly consecutive, so a table is seldom parsed twice.
            if written != last:
                last, premise = written, cast_premise(kind, written)
            yield apply_edits(premise, hypothesis, edits_from_json(edits)) if edits else (premise, hypothesis)


def cast_premise(kind: str, written: str) -> Premise:
    """Return the premise that a run holds as a text."""
    return Table.from_json(written) if kind == "table" else written
