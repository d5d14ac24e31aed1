"""Expectations: how often what cases expect of their answers, beside those to their bases, holds or is broken."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from nliprobe.analysis.cases import DEFAULT_CERTAINTY, NONE, NOT_ASKED, RunData, Slice, SystemAnswers
from nliprobe.analysis.documents import ExpectationCounts, ExpectationEntry, Rate
from nliprobe.analysis.outcomes import judge_expectations
from nliprobe.analysis.scores import ends
from nliprobe.task.case import Certainty
from nliprobe.task.outcomes import BROKEN, HOLDS, NOT_APPLICABLE, UNANSWERED
from nliprobe.task.rules import bases_needed, needs_probabilities

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def expectations(
    data: RunData, *, certainty: Collection[Certainty] = DEFAULT_CERTAINTY, seed: int = 0
) -> list[ExpectationEntry]:
    """Count the outcomes of expectations by system, corpus and probe.

    Args:
        data: the run.
        certainty: which cases count; the rest are counted as uncertain.
        seed: of the resampling behind the intervals.
    """
    cases = data.cases
    wanted = cases.wanted(certainty)
    entries: list[ExpectationEntry] = []
    for part in cases.slices():
        expecting = cases.expects[part.rows] != NONE
        if expecting.any():
            own = part._replace(rows=part.rows[expecting], clusters=part.clusters[expecting])
            counted = (_counted(data, system, own, wanted, seed) for system in data.systems)
            entries.extend(entry for entry in counted if entry is not None)
    order = {system.name: place for place, system in enumerate(data.systems)}
    return sorted(entries, key=lambda entry: order[entry["system"]])


def _counted(
    data: RunData, system: SystemAnswers, part: Slice, wanted: NDArray[np.bool_], seed: int
) -> ExpectationEntry | None:
    import numpy as np

    from nliprobe.stats.bootstrap import generator, ratio_intervals

    cases, answers = data.cases, system.answers
    base = cases.base[part.rows]
    asked = (answers[part.rows] != NOT_ASKED) & ((base == NONE) | (answers[base] != NOT_ASKED))
    if not asked.any():
        return None
    chosen = asked & wanted[part.rows]
    rows, clusters = part.rows[chosen], part.clusters[chosen]
    outcomes = judge_expectations(cases, rows, answers, system.probabilities, system.partition)
    size = int(clusters.max()) + 1 if len(clusters) else 0
    decided = (outcomes == HOLDS) | (outcomes == BROKEN)
    above = np.bincount(clusters[outcomes == BROKEN], minlength=size)
    below = np.bincount(clusters[decided], minlength=size)
    random = generator(seed, "checks", system.name, part.corpus, part.probe)
    (interval,) = ratio_intervals(above[:, None], below[:, None], random)
    count, n = int(above.sum()), int(below.sum())
    numbers = cases.expects[rows]
    rules = [cases.rules[number] for number in np.unique(cases.expects[part.rows]).tolist()]
    return ExpectationEntry(
        system=system.name,
        corpus=part.corpus,
        probe=part.probe,
        **_counts(outcomes),
        groups=len(np.unique(clusters)),
        uncertain=int((asked & ~wanted[part.rows]).sum()),
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
