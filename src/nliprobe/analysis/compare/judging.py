"""Judging: what one side of comparisons got right, worked out once for however many sides it is compared with."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from nliprobe.analysis.cases import DEFAULT_CERTAINTY, NONE, NOT_ASKED
from nliprobe.analysis.outcomes import judge_expectations
from nliprobe.task.outcomes import NOT_APPLICABLE, gold_table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.analysis.compare.pairing import Side
    from nliprobe.task.case import Certainty
    from nliprobe.task.labels import Partition

Kind = Literal["gold", "expects"]
KINDS: tuple[Kind, ...] = ("gold", "expects")


class Judge:
    """Judges the answers of one side; arrays over all its cases are kept, because many comparisons look at them."""

    def __init__(self, side: Side, certainty: Collection[Certainty] = DEFAULT_CERTAINTY) -> None:
        self.side = side
        self._certainty = certainty
        self._outcomes: dict[Partition, NDArray[np.uint8]] = {}

    @cached_property
    def sure(self) -> NDArray[np.bool_]:
        """The cases that count, because their expectation is as certain as was asked for."""
        return self.side.cases.wanted(self._certainty)

    @cached_property
    def asked(self) -> dict[Kind, NDArray[np.bool_]]:
        """The cases that the side was asked and that have a gold label, or expect something."""
        import numpy as np

        cases = self.side.cases
        asked: NDArray[np.bool_] = self.side.answers != NOT_ASKED
        answerable = (cases.expects != NONE) & ((cases.base == NONE) | asked[cases.base])
        return {"gold": np.logical_and(asked, cases.gold != 0), "expects": np.logical_and(asked, answerable)}

    def judge(self, rows: NDArray[np.int64], partition: Partition, kind: Kind) -> NDArray[np.uint8]:
        """Judge some cases by their gold labels or expectations, as places in ``OUTCOMES``."""
        side = self.side
        if kind == "gold":
            found: NDArray[np.uint8] = gold_table(partition)[side.cases.gold[rows], side.answers[rows]]
            return found
        if partition not in self._outcomes:
            self._outcomes[partition] = self._expected(partition)
        return self._outcomes[partition][rows]

    def _expected(self, partition: Partition) -> NDArray[np.uint8]:
        import numpy as np

        side = self.side
        outcomes = np.full(len(side.answers), NOT_APPLICABLE, dtype=np.uint8)
        rows = np.flatnonzero(self.asked["expects"])
        outcomes[rows] = judge_expectations(
            side.cases, rows, side.answers, side.unchanged, side.probabilities, partition
        )
        return outcomes
