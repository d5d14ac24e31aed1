"""What a participant does next: the practice question, a stage with its questions, a form, or nothing more."""

from __future__ import annotations

from collections.abc import Container, Sequence
from enum import StrEnum
from typing import NamedTuple

from nliprobe.people.study.orders import item_order
from nliprobe.people.study.records import Study
from nliprobe.people.study.shown import PRACTICE


class StepKind(StrEnum):
    """What is done at a step."""

    PRACTICE = "practice"
    INSTRUCTIONS = "instructions"
    ITEM = "item"
    FEEDBACK = "feedback"  # about a stage
    END = "end"  # the form about the whole study
    DONE = "done"


class Step(NamedTuple):
    """Where a participant is: the place of the stage in their order, and of the item in theirs, both from 1."""

    kind: StepKind
    stage: int = 0
    item: int = 0


def next_step(
    study: Study,
    stages: Sequence[str],
    number: int,
    answers: Container[tuple[str, str]],
    feedback: Container[tuple[str, str]],
) -> Step:
    """Return what a participant does next.

    Args:
        study: what is shown.
        stages: the stages in this participant's order.
        number: of the participant, which decides the order of items.
        answers: the stages and items that they have answered.
        feedback: the stages and questions that they were asked about the study.
    """
    if study.practice is not None and (PRACTICE, PRACTICE) not in answers:
        return Step(StepKind.PRACTICE)
    for place, name in enumerate(stages, 1):
        order = item_order(study, name, number)
        missing = [at for at, item in enumerate(order, 1) if (name, item) not in answers]
        if len(missing) == len(order):
            return Step(StepKind.INSTRUCTIONS, place)
        if missing:
            return Step(StepKind.ITEM, place, missing[0])
        if any((name, one.id) not in feedback for one in study.stage(name).feedback):
            return Step(StepKind.FEEDBACK, place)
    if any(("", one.id) not in feedback for one in study.feedback):
        return Step(StepKind.END, len(stages) + 1)
    return Step(StepKind.DONE, len(stages) + 1)
