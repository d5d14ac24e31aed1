"""Checks: how often what a case demands of its answer, beside its base's, holds or is broken."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from nliprobe.analysis.cases import DEFAULT_CERTAINTY, NONE, NOT_ASKED, RunData, Slice, SystemAnswers
from nliprobe.analysis.check_outcomes import checked_rows
from nliprobe.analysis.documents import CheckCounts, CheckEntry, Rate
from nliprobe.analysis.outcome_codes import BROKEN, HOLDS, NOT_APPLICABLE, UNANSWERED
from nliprobe.analysis.scores import ends
from nliprobe.task.case import Certainty
from nliprobe.task.check_forms import rule_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def checks(data: RunData, *, certainty: Collection[Certainty] = DEFAULT_CERTAINTY, seed: int = 0) -> list[CheckEntry]:
    """Count the outcomes of checks by system, corpus and probe.

    Args:
        data: the run.
        certainty: which cases count; the rest are counted as uncertain.
        seed: of the resampling behind the intervals.
    """
    cases = data.cases
    wanted = cases.wanted(certainty)
    found: list[CheckEntry] = []
    for part in cases.slices():
        checked = cases.check[part.rows] != NONE
        if checked.any():
            own = part._replace(rows=part.rows[checked], clusters=part.clusters[checked])
            entries = (_counted(data, system, own, wanted, seed) for system in data.systems)
            found.extend(entry for entry in entries if entry is not None)
    order = {system.name: place for place, system in enumerate(data.systems)}
    return sorted(found, key=lambda entry: order[entry["system"]])


def _counted(
    data: RunData, system: SystemAnswers, part: Slice, wanted: NDArray[np.bool_], seed: int
) -> CheckEntry | None:
    import numpy as np

    from nliprobe.stats.bootstrap import generator, ratio_intervals

    cases, answers = data.cases, system.answers
    base = cases.base[part.rows]
    asked = (answers[part.rows] != NOT_ASKED) & ((base == NONE) | (answers[base] != NOT_ASKED))
    if not asked.any():
        return None
    chosen = asked & wanted[part.rows]
    rows, clusters = part.rows[chosen], part.clusters[chosen]
    outcomes = checked_rows(cases, rows, answers, system.probabilities, system.partition)
    size = int(clusters.max()) + 1 if len(clusters) else 0
    decided = (outcomes == HOLDS) | (outcomes == BROKEN)
    above = np.bincount(clusters[outcomes == BROKEN], minlength=size)
    below = np.bincount(clusters[decided], minlength=size)
    random = generator(seed, "checks", system.name, part.corpus, part.probe)
    (interval,) = ratio_intervals(above[:, None], below[:, None], random)
    count, n = int(above.sum()), int(below.sum())
    numbers, texts = cases.check[rows], [rule_text(rule) for rule in cases.rules]
    return CheckEntry(
        system=system.name,
        corpus=part.corpus,
        probe=part.probe,
        **_counts(outcomes),
        groups=len(np.unique(clusters)),
        uncertain=int((asked & ~wanted[part.rows]).sum()),
        rate=Rate(n=n, count=count, rate=count / n if n else None, ci95=ends(interval) if n else None),
        checks={
            text: _counts(outcomes[np.isin(numbers, [place for place, other in enumerate(texts) if other == text])])
            for text in dict.fromkeys(texts[number] for number in np.unique(numbers).tolist())
        },
    )


def _counts(outcomes: NDArray[np.uint8]) -> CheckCounts:
    return CheckCounts(
        n=len(outcomes),
        holds=int((outcomes == HOLDS).sum()),
        broken=int((outcomes == BROKEN).sum()),
        not_applicable=int((outcomes == NOT_APPLICABLE).sum()),
        unanswered=int((outcomes == UNANSWERED).sum()),
    )
