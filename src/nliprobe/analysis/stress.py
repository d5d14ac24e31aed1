"""Stress tests (Naik et al. 2018): how much accuracy is lost where the label stays, and what is right on new pairs."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from nliprobe.analysis.cases import DEFAULT_CERTAINTY, LIKELY, NONE, RunData, Slice, SystemAnswers
from nliprobe.analysis.constant import best_constant
from nliprobe.analysis.controls import best_control
from nliprobe.analysis.rates import Rate
from nliprobe.analysis.scores import difference_ends, ends, rate_of, share_interval
from nliprobe.analysis.slices import asked_slices
from nliprobe.analysis.stress_documents import StressEntry, StressLabel
from nliprobe.analysis.two_way_documents import ControlValue
from nliprobe.task.case import Certainty
from nliprobe.task.labels import Partition
from nliprobe.task.outcomes import HOLDS, coarse_masks, gold_table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PREFIX = "stress."


def is_stress_test(probe: str) -> bool:
    """Tell whether a probe is one of the stress tests, by its name."""
    return probe.startswith(PREFIX)


def stress(data: RunData, *, certainty: Collection[Certainty] = DEFAULT_CERTAINTY) -> list[StressEntry]:
    """Score every system in every stress test of every corpus, beside the same pairs as they were.

    Args:
        data: the run.
        certainty: which cases count; those whose label is likely only have entries of their own.
    """
    if not any(map(is_stress_test, data.cases.probes)):
        return []
    wanted = data.cases.wanted(certainty)
    apart = data.cases.wanted(LIKELY) & ~wanted
    entries: list[StressEntry] = []
    for item in asked_slices(data):
        if not is_stress_test(item.part.probe):
            continue
        for likely, chosen in ((False, wanted), (True, apart)):
            entries += _entry(data, item.system, item.counted(chosen), likely=likely)
    return entries


def _entry(data: RunData, system: SystemAnswers, part: Slice, *, likely: bool) -> Iterator[StressEntry]:
    """Yield the entry of one system and slice, if it has labelled cases whose originals were asked, too."""
    import numpy as np

    cases = data.cases
    base = cases.base[part.rows]
    derived = bool(len(base)) and bool((base != NONE).all())
    if derived:
        part = part.where(system.asked(base))
    labelled = part.where(cases.gold[part.rows] != 0)
    rows, clusters = labelled.rows, labelled.clusters
    if not len(rows):
        return
    partition = data.partitions[part.corpus].join(system.partition)
    right = gold_table(partition) == HOLDS
    gold, answers = cases.gold[rows], system.answers[rows]
    stressed = right[gold, answers]
    original = right[gold, system.answers[cases.base[rows]]] if derived else None
    yield StressEntry(
        system=system.name,
        corpus=part.corpus,
        test=part.probe,
        likely=likely,
        n=len(rows),
        groups=len(np.unique(clusters)),
        unanswered=int((answers == 0).sum()),
        unlabelled=len(part.rows) - len(rows),
        original=None if original is None else float(original.mean()),
        original_ci95=None if original is None else ends(share_interval(original, clusters)),
        stressed=float(stressed.mean()),
        stressed_ci95=ends(share_interval(stressed, clusters)),
        drop=None if original is None else (int(original.sum()) - int(stressed.sum())) / len(rows),
        drop_ci95=None if original is None else difference_ends(original, stressed, clusters),
        changed=_changed(system.answers[cases.base[rows]], answers, clusters, partition) if derived else None,
        unreached=int(system.unchanged[rows].sum()) if derived else 0,
        constant=best_constant(gold, partition),
        control=_best_control(data, system, labelled),
        labels=_labels(gold, original, stressed, clusters, partition),
        partition=str(partition),
    )


def _changed(
    before: NDArray[np.uint8], after: NDArray[np.uint8], clusters: NDArray[np.int64], partition: Partition
) -> Rate:
    """Count how often the answer changed, as far as corpus and system tell labels apart."""
    coarse = coarse_masks(partition)
    both = (before != 0) & (after != 0)
    return rate_of((coarse[before] != coarse[after])[both], clusters[both])


def _labels(
    gold: NDArray[np.uint8],
    original: NDArray[np.bool_] | None,
    stressed: NDArray[np.bool_],
    clusters: NDArray[np.int64],
    partition: Partition,
) -> dict[str, StressLabel]:
    coarse = coarse_masks(partition)[gold]
    labels: dict[str, StressLabel] = {}
    for block in partition.blocks:
        own = coarse == block.mask
        if own.any():
            labels[str(block)] = StressLabel(
                n=int(own.sum()),
                original=None if original is None else float(original[own].mean()),
                stressed=float(stressed[own].mean()),
                ci95=ends(share_interval(stressed[own], clusters[own])),
            )
    return labels


def _best_control(data: RunData, system: SystemAnswers, part: Slice) -> ControlValue | None:
    """Return what the best control gets on the same cases, in labels that it and the system tell apart."""

    def share(control: SystemAnswers) -> float | None:
        rows = part.rows[control.asked(part.rows)]
        right = gold_table(data.partitions[part.corpus].join(system.partition).join(control.partition)) == HOLDS
        return float(right[data.cases.gold[rows], control.answers[rows]].mean()) if len(rows) else None

    best = best_control(data, system, share)
    return None if best is None else ControlValue(system=best[0].name, value=best[1])
