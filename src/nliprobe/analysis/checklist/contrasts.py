"""Contrasts: how much better a system is on the benchmarks of a run than on its checklist."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from nliprobe.analysis.cases import RunData
from nliprobe.analysis.checklist.documents import CapabilityEntry, Contrast
from nliprobe.analysis.scores import ends, interval_of, right_answers, share_interval
from nliprobe.analysis.slices import asked_slices
from nliprobe.task.case import IDENTITY, Certainty


def contrasts(
    data: RunData,
    overall: Sequence[CapabilityEntry],
    checklist: Collection[str],
    *,
    certainty: Collection[Certainty],
) -> list[Contrast]:
    """Compare the accuracy of each system on the other corpora of the run with its accuracy on the checklist.

    Args:
        data: the run.
        overall: the scores of the systems on the whole checklist.
        checklist: the corpora that the checklist comes from.
        certainty: which cases count.
    """
    from nliprobe.stats.two_sample import difference_of_rates

    by_system = {entry["system"]: entry for entry in overall}
    wanted = data.cases.wanted(certainty) & (data.cases.gold != 0)
    rows: list[Contrast] = []
    for item in asked_slices(data):
        system, part = item.system, item.counted(wanted)
        whole = by_system.get(system.name)
        if whole is None or whole["accuracy"] is None or part.probe != IDENTITY or part.corpus in checklist:
            continue
        right = right_answers(data, system, part)
        if not len(right):
            continue
        n, correct = len(right), int(right.sum())
        interval = share_interval(right, part.clusters)
        difference = difference_of_rates(whole["accuracy"], interval_of(whole["ci95"]), correct / n, interval)
        rows.append(
            Contrast(
                system=system.name,
                corpus=part.corpus,
                n=n,
                accuracy=correct / n,
                checklist_accuracy=whole["accuracy"],
                difference=correct / n - whole["accuracy"],
                ci95=ends(difference),
            )
        )
    return rows
