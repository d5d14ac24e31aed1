"""Expectations: how often what cases expect of their answers holds or is broken.

Cases that expect only moves between labels are in the transitions instead: each failure is counted in one place.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from nliprobe.analysis.cases import DEFAULT_CERTAINTY, RunData
from nliprobe.analysis.documents import ExpectationCounts, ExpectationEntry
from nliprobe.analysis.judged import judge_changed
from nliprobe.analysis.outcomes import judge_expectations
from nliprobe.analysis.scores import rate_of
from nliprobe.analysis.slices import AskedSlice, asked_slices
from nliprobe.task.case import Certainty
from nliprobe.task.outcomes import BROKEN, HOLDS, NOT_APPLICABLE, UNANSWERED

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def expectations(data: RunData, *, certainty: Collection[Certainty] = DEFAULT_CERTAINTY) -> list[ExpectationEntry]:
    """Count the outcomes of expectations by system, corpus and probe.

    Args:
        data: the run.
        certainty: which cases count; the rest are counted as uncertain.
    """
    cases = data.cases
    wanted = cases.wanted(certainty)
    return [_entry(data, item, wanted) for item in asked_slices(data, cases.expecting, with_bases=True)]


def _entry(data: RunData, item: AskedSlice, wanted: NDArray[np.bool_]) -> ExpectationEntry:
    import numpy as np

    cases, system, part = data.cases, item.system, item.part
    counted = item.counted(wanted)
    outcomes = judge_expectations(
        cases, counted.rows, system.answers, system.unchanged, system.probabilities, system.partition
    )
    decided = (outcomes == HOLDS) | (outcomes == BROKEN)
    numbers = cases.expects[counted.rows]
    changed = judge_changed(data, item, wanted)
    return ExpectationEntry(
        system=system.name,
        corpus=part.corpus,
        probe=part.probe,
        **_counts(outcomes),
        groups=len(np.unique(counted.clusters)),
        unchanged=item.not_reached(wanted),
        uncertain=item.uncertain(wanted),
        rate=rate_of(outcomes[decided] == BROKEN, counted.clusters[decided]),
        changed=rate_of(changed.happened, changed.clusters),
        rules={
            cases.rule_texts[number]: _counts(outcomes[numbers == number]) for number in np.unique(numbers).tolist()
        },
    )


def _counts(outcomes: NDArray[np.uint8]) -> ExpectationCounts:
    return ExpectationCounts(
        n=len(outcomes),
        holds=int((outcomes == HOLDS).sum()),
        broken=int((outcomes == BROKEN).sum()),
        not_applicable=int((outcomes == NOT_APPLICABLE).sum()),
        unanswered=int((outcomes == UNANSWERED).sum()),
    )
