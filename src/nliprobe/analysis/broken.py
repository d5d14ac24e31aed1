"""Which cases a system fails: its answer is not the gold label, or breaks what the case expects."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from nliprobe.analysis.cases import NONE, NOT_ASKED, Cases, RunData, SystemAnswers
from nliprobe.analysis.outcomes import judge_expectations
from nliprobe.task.outcomes import BROKEN, gold_table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Answers to bases as one number: a mask, or for two bases their masks in one number above all masks.
_MASKS = 8


class Broken(NamedTuple):
    """The cases that one system fails, by their rows.

    Attributes:
        rows: the cases, in the order of the run.
        wrong: whether a pair asked as it is has another gold label; accuracy on derived cases is in the scores.
        unmet: whether what the case expects is broken.
    """

    rows: NDArray[np.int64]
    wrong: NDArray[np.bool_]
    unmet: NDArray[np.bool_]

    def where(self, chosen: NDArray[np.bool_] | NDArray[np.int64]) -> Broken:
        """Return some of them, by marks or by places."""
        return Broken(self.rows[chosen], self.wrong[chosen], self.unmet[chosen])


def broken_cases(data: RunData, system: SystemAnswers) -> Broken:
    """Find the cases that a system fails, whatever their certainty."""
    import numpy as np

    cases = data.cases
    asked = system.answers != NOT_ASKED
    answer = np.where(asked, system.answers, 0)
    by_gold = np.stack([gold_table(data.partitions[name].join(system.partition)) for name in cases.corpora])
    wrong = cases.as_they_are & (by_gold[cases.corpus, cases.gold, answer] == BROKEN)
    rows = np.arange(len(asked))
    expected = judge_expectations(cases, rows, system.answers, system.unchanged, system.probabilities, system.partition)
    unmet = expected == BROKEN
    found = np.flatnonzero(asked & (wrong | unmet))
    return Broken(found, wrong[found], unmet[found])


def answers_before(cases: Cases, system: SystemAnswers, rows: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return the answers to the bases of some cases as numbers that :func:`before_words` reads; 0 for none."""
    import numpy as np

    answer = np.where(system.answers == NOT_ASKED, 0, system.answers)
    of_two = cases.second[rows] != NONE
    one = np.where(cases.base[rows] == NONE, 0, answer[cases.base[rows]])
    two = _MASKS + _MASKS * answer[cases.first[rows]] + answer[cases.second[rows]]
    before: NDArray[np.uint8] = np.where(of_two, two, one).astype(np.uint8)
    return before


def bases_of(before: int) -> tuple[int, ...]:
    """Return the masks of the answers to the bases, given one of the numbers of :func:`answers_before`."""
    return divmod(before - _MASKS, _MASKS) if before >= _MASKS else (before,) if before else ()


def strata(cases: Cases, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a number per case for its corpus and probe."""
    import numpy as np

    numbers: NDArray[np.int64] = cases.corpus[rows].astype(np.int64) * len(cases.probes) + cases.probe[rows]
    return numbers


def first_of_each(cases: Cases, rows: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """Choose the first cases of each corpus and probe in the order of their ids; return their places in ``rows``.

    Case ids are hashes, so these are a random sample, the same for every system that fails them.
    """
    import numpy as np
    import polars as pl

    frame = pl.DataFrame({"stratum": strata(cases, rows), "case_id": cases.ids.gather(rows)}).with_row_index("place")
    chosen = frame.sort("case_id").group_by("stratum", maintain_order=True).head(most)
    return chosen["place"].to_numpy().astype(np.int64)
