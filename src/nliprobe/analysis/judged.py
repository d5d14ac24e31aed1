"""Judged cases: those of one rate, and whether the thing that the rate counts happened in each."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from nliprobe.analysis.cases import NONE, RunData
from nliprobe.analysis.outcomes import judge_expectations
from nliprobe.analysis.scores import right_answers
from nliprobe.analysis.slices import AskedSlice
from nliprobe.analysis.transitions import prohibited_moves
from nliprobe.task.outcomes import BROKEN, HOLDS, UNANSWERED, coarse_masks

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Judged(NamedTuple):
    """The cases of one rate: their rows, whether the event happened and could have, their groups, the unanswered."""

    rows: NDArray[np.int64]
    happened: NDArray[np.bool_]
    possible: NDArray[np.bool_]
    clusters: NDArray[np.int64]
    silent: NDArray[np.int64]

    def among(self, chosen: NDArray[np.bool_]) -> Judged:
        """Return those that are marked, given a mark per case of the run."""
        inside = chosen[self.rows]
        return Judged(
            self.rows[inside],
            self.happened[inside],
            self.possible[inside],
            self.clusters[inside],
            self.silent[chosen[self.silent]],
        )


def judge_right(data: RunData, item: AskedSlice, wanted: NDArray[np.bool_]) -> Judged:
    """Judge which labelled cases are answered as their gold label says; no answer counts as wrong."""
    import numpy as np

    counted = item.counted(wanted & (data.cases.gold != 0))
    right = right_answers(data, item.system, counted)
    silent = counted.rows[item.system.answers[counted.rows] == 0]
    return Judged(counted.rows, right, np.ones(len(right), dtype=bool), counted.clusters, silent)


def judge_broken(data: RunData, item: AskedSlice, wanted: NDArray[np.bool_]) -> Judged:
    """Judge which expectations are broken, among the cases that can be judged."""
    cases, system = data.cases, item.system
    counted = item.counted(wanted)
    outcomes = judge_expectations(
        cases, counted.rows, system.answers, system.unchanged, system.probabilities, system.partition
    )
    decided = (outcomes == HOLDS) | (outcomes == BROKEN)
    part = counted.where(decided)
    # A relation that allows every move from an answer cannot be broken there.
    bound = prohibited_moves(cases, system.partition).max(axis=2)
    possible = ~cases.related[part.rows] | bound[cases.expects[part.rows], system.answers[cases.base[part.rows]]]
    silent = counted.rows[outcomes == UNANSWERED]
    return Judged(part.rows, outcomes[decided] == BROKEN, possible, part.clusters, silent)


def judge_changed(data: RunData, item: AskedSlice, wanted: NDArray[np.bool_]) -> Judged:
    """Judge in which cases the label differs from that of the base, among those with one base and both answers."""
    import numpy as np

    cases, answers = data.cases, item.system.answers
    counted = item.counted(wanted)
    based = counted.where(cases.base[counted.rows] != NONE)
    answered = (answers[cases.base[based.rows]] != 0) & (answers[based.rows] != 0)
    part = based.where(answered)
    coarse = coarse_masks(item.system.partition)
    changed = coarse[answers[cases.base[part.rows]]] != coarse[answers[part.rows]]
    return Judged(part.rows, changed, np.ones(len(changed), dtype=bool), part.clusters, based.rows[~answered])


def judge_silent(data: RunData, item: AskedSlice, wanted: NDArray[np.bool_]) -> Judged:
    """Judge which cases have no answer, whether or not anything was expected of it."""
    import numpy as np

    part = item.counted(wanted)
    silent = item.system.answers[part.rows] == 0
    return Judged(part.rows, silent, np.ones(len(silent), dtype=bool), part.clusters, part.rows[silent])
