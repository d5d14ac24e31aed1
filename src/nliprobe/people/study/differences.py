"""Differences between stages, for the same participants and the same templates."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from nliprobe.people.study.stage_data import StageData, interval_ends, rounded
from nliprobe.task.study_results import Measure, StageDifference

if TYPE_CHECKING:
    from nliprobe.stats.crossed import Places

_LEVEL = 0.95


def stage_differences(data: Sequence[StageData]) -> list[StageDifference]:
    """Compare every two stages that have the same answers to choose from; scores only of bids."""
    pairs = [(one, two) for one, two in combinations(data, 2) if one.stage.answers == two.stage.answers]
    bids = [(one, two) for one, two in pairs if one.points is not None and two.points is not None]
    families: list[tuple[Measure, list[tuple[StageData, StageData]]]] = [
        ("accuracy", pairs),
        ("agreement", pairs),
        ("score", bids),
    ]
    return [_difference(one, two, measure, len(some)) for measure, some in families for one, two in some]


def _difference(first: StageData, second: StageData, measure: Measure, family: int) -> StageDifference:
    import numpy as np

    from nliprobe.stats.crossed import crossed_interval

    both = [name for name in first.participants if name in second.participants]
    templates = [name for name in first.templates if name in second.templates]
    rows = [np.array([one.participants.index(name) for name in both], dtype=np.int64) for one in (first, second)]
    columns = [np.array([one.templates.index(name) for name in templates], dtype=np.int64) for one in (first, second)]

    def statistic(kept: Places, chosen: Places) -> float | None:
        before, after = (
            _value(one, measure, mine[kept], one.items_of(own[chosen]))
            for one, mine, own in zip((first, second), rows, columns, strict=True)
        )
        return None if before is None or after is None else after - before

    most = float(first.most) if measure == "score" else 1.0
    ends = [
        crossed_interval(statistic, len(both), len(templates), lowest=-most, highest=most, level=level)
        for level in (_LEVEL, 1 - (1 - _LEVEL) / family)
    ]
    everything = np.arange(len(both)), np.arange(len(templates))
    return StageDifference(
        first=first.stage.id,
        second=second.stage.id,
        measure=measure,
        value=rounded(statistic(*everything)) if both and templates else None,
        ci95=interval_ends(ends[0]),
        ci95_together=interval_ends(ends[1]),
        participants=len(both),
        templates=len(templates),
    )


def _value(data: StageData, measure: Measure, people: Places, items: Places) -> float | None:
    from nliprobe.stats.panel import bids_on_truth, mean_agreement, mean_of_rows

    if measure == "agreement":
        return mean_agreement(data.answers[people][:, items])
    if measure == "score":
        assert data.points is not None
        return mean_of_rows(bids_on_truth(data.points, data.truth)[people][:, items])
    return mean_of_rows(data.right[people][:, items])
