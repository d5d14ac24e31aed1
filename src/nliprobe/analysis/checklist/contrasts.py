"""Contrasts: how much better a system is on the benchmarks of a run than on its checklist."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from nliprobe.analysis.cases import NOT_ASKED, RunData, Slice, SystemAnswers
from nliprobe.analysis.checklist.documents import CapabilityEntry, Contrast
from nliprobe.analysis.scores import ends
from nliprobe.task.case import IDENTITY, Certainty
from nliprobe.task.outcomes import HOLDS, gold_table

if TYPE_CHECKING:
    from nliprobe.stats.intervals import Interval


def contrasts(
    data: RunData,
    overall: Sequence[CapabilityEntry],
    checklist: Collection[str],
    *,
    certainty: Collection[Certainty],
    seed: int,
) -> list[Contrast]:
    """Compare the accuracy of each system on the other corpora of the run with that on the checklist.

    Args:
        data: the run.
        overall: the scores of the systems on the whole checklist.
        checklist: the corpora that the checklist comes from.
        certainty: which cases count.
        seed: of the resampling behind the intervals.
    """
    from nliprobe.stats.intervals import Interval
    from nliprobe.stats.two_sample import difference_of_rates

    here = {entry["system"]: entry for entry in overall}
    parts = [part for part in data.cases.slices() if part.probe == IDENTITY and part.corpus not in checklist]
    found: list[Contrast] = []
    for system in data.systems:
        mine = here.get(system.name)
        if mine is None or mine["accuracy"] is None:
            continue
        own = None if mine["ci95"] is None else Interval(*mine["ci95"])
        for part in parts:
            n, accuracy, interval = _score(data, system, part, certainty, seed)
            if n:
                found.append(
                    Contrast(
                        system=system.name,
                        corpus=part.corpus,
                        n=n,
                        accuracy=accuracy,
                        checklist_accuracy=mine["accuracy"],
                        difference=accuracy - mine["accuracy"],
                        ci95=ends(difference_of_rates(mine["accuracy"], own, accuracy, interval)),
                    )
                )
    return found


def _score(
    data: RunData, system: SystemAnswers, part: Slice, certainty: Collection[Certainty], seed: int
) -> tuple[int, float, Interval | None]:
    import numpy as np

    from nliprobe.stats.bootstrap import generator, ratio_intervals
    from nliprobe.stats.intervals import wilson

    answers, gold = system.answers[part.rows], data.cases.gold[part.rows]
    chosen = (gold != 0) & (answers != NOT_ASKED) & data.cases.wanted(certainty)[part.rows]
    n = int(chosen.sum())
    if not n:
        return 0, 0.0, None
    table = gold_table(data.partitions[part.corpus].join(system.partition)) == HOLDS
    right = table[gold[chosen], answers[chosen]]
    correct = int(right.sum())
    _, clusters = np.unique(part.clusters[chosen], return_inverse=True)
    sizes = np.bincount(clusters)
    if len(sizes) == n:
        return n, correct / n, wilson(correct, n)
    hits = np.bincount(clusters[right], minlength=len(sizes))
    random = generator(seed, "contrast", system.name, part.corpus)
    return n, correct / n, ratio_intervals(hits[:, None], sizes[:, None], random)[0]
