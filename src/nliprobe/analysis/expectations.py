"""Expectations: how often what cases expect of their answers holds or is broken."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from nliprobe.analysis.cases import DEFAULT_CERTAINTY, NONE, RunData
from nliprobe.analysis.documents import ExpectationCounts, ExpectationEntry, Rate
from nliprobe.analysis.outcomes import judge_expectations
from nliprobe.analysis.scores import ends, share_interval
from nliprobe.analysis.slices import AskedSlice, asked_slices
from nliprobe.task.case import Certainty
from nliprobe.task.outcomes import BROKEN, HOLDS, NOT_APPLICABLE, UNANSWERED
from nliprobe.task.rules import bases_needed, needs_probabilities

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def expectations(data: RunData, *, certainty: Collection[Certainty] = DEFAULT_CERTAINTY) -> list[ExpectationEntry]:
    """Count the outcomes of expectations by system, corpus and probe.

    Args:
        data: the run.
        certainty: which cases count; the rest are counted as uncertain.
    """
    expecting, wanted = data.cases.expects != NONE, data.cases.wanted(certainty)
    return [_entry(data, item, wanted) for item in asked_slices(data, expecting, with_bases=True)]


def _entry(data: RunData, item: AskedSlice, wanted: NDArray[np.bool_]) -> ExpectationEntry:
    import numpy as np

    cases, system, part = data.cases, item.system, item.part
    counted = item.counted(wanted)
    outcomes = judge_expectations(cases, counted.rows, system.answers, system.probabilities, system.partition)
    decided = (outcomes == HOLDS) | (outcomes == BROKEN)
    broken = outcomes[decided] == BROKEN
    count, n = int(broken.sum()), len(broken)
    interval = share_interval(broken, counted.clusters[decided])
    numbers = cases.expects[counted.rows]
    rules = [cases.rules[number] for number in np.unique(cases.expects[part.rows]).tolist()]
    return ExpectationEntry(
        system=system.name,
        corpus=part.corpus,
        probe=part.probe,
        **_counts(outcomes),
        groups=len(np.unique(counted.clusters)),
        uncertain=item.uncertain(wanted),
        rate=Rate(n=n, count=count, rate=count / n if n else None, ci95=ends(interval) if n else None),
        transitions_tell=all(bases_needed(rule) == 1 and not needs_probabilities(rule) for rule in rules),
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
