"""What readers of a study's results must know: who stopped, what was skipped, and what the order of stages allows."""

from __future__ import annotations

from collections.abc import Sequence

from nliprobe.people.study.records import Study
from nliprobe.task.study_results import OrderEntry, StageResult

# So many participants are named one by one.
_NAMED = 5


def result_notes(study: Study, stages: Sequence[StageResult], orders: Sequence[OrderEntry]) -> list[str]:
    """Return the notes of a study's results."""
    from nliprobe.stats.crossed import LEAST_ROWS
    from nliprobe.stats.grouped import LEAST_GROUPS

    notes: list[str] = []
    reached = {stage["stage"] for stage in stages}
    missing = [stage.id for stage in study.stages if stage.id not in reached]
    if missing:
        notes.append(f"Nobody reached {_stages(missing)}.")
    for stage in stages:
        notes += _stopped(stage)
        if stage["skipped"]:
            asked = stage["given"] + stage["skipped"]
            notes.append(
                f"{stage['skipped']:,} of {asked:,} questions of stage {stage['stage']} were skipped: they count as "
                "wrong and agree with no other answer."
            )
        few = len(stage["participants"])
        if few < LEAST_ROWS or stage["templates"] < LEAST_GROUPS:
            notes.append(
                f"Stage {stage['stage']} has {few} {'participant' if few == 1 else 'participants'} and "
                f"{stage['templates']} templates: with fewer than {LEAST_ROWS} participants or {LEAST_GROUPS} "
                "templates there is no interval, and nothing can be said about other people or templates."
            )
    return [*notes, *_order_notes(stages, orders)]


def _stopped(stage: StageResult) -> list[str]:
    stopped = [one for one in stage["participants"] if one["not_reached"]]
    if not stopped:
        return []
    said = [
        f"{one['participant']} after {one['answered'] + one['skipped']} of {stage['items']}" for one in stopped[:_NAMED]
    ]
    more = f" and {len(stopped) - _NAMED} others" if len(stopped) > _NAMED else ""
    return [
        f"Stopped in stage {stage['stage']}: {', '.join(said)}{more}. Questions that were not reached count for "
        "nothing."
    ]


def _order_notes(stages: Sequence[StageResult], orders: Sequence[OrderEntry]) -> list[str]:
    if len(stages) < 2:
        return []
    if not orders:
        return [
            "The order of the stages was not recorded (column position): whether a difference between stages is "
            "practice cannot be told."
        ]
    kinds = {tuple(one["stages"]) for one in orders if len(one["stages"]) > 1}
    if len(kinds) == 1:
        [order] = kinds
        return [
            f"All participants went through the stages in the same order ({', '.join(order)}): a difference between "
            "stages may be practice or fatigue."
        ]
    return []


def _stages(names: Sequence[str]) -> str:
    return f"stage {names[0]}" if len(names) == 1 else f"the stages {', '.join(names)}"
