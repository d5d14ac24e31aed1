"""What became of an answer after an edit: whether it moved, and whether it may."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from nliprobe.analysis.expected import allowed_labels
from nliprobe.studio.ask.trials import Trial, Version
from nliprobe.task.case import Certainty, Prediction
from nliprobe.task.labels import LETTERS, LabelSet
from nliprobe.task.outcomes import Outcome, outcome
from nliprobe.task.rules import label_relation


class Moved(NamedTuple):
    """The answers of one system before and after an edit.

    Attributes:
        before: the answer to the version that was edited.
        after: the answer to the edited version.
        outcome: whether the rule holds; none if nothing is known about the edit.
        is_certain: whether the rule is certain, and not only likely.
        allowed: the labels that the rule allows, if it is about labels.
        is_unread: whether the system reads the same for both versions, so that nothing can move.
    """

    before: Prediction
    after: Prediction
    outcome: Outcome | None
    is_certain: bool = True
    allowed: str = ""
    is_unread: bool = False

    @property
    def is_prohibited(self) -> bool:
        """Whether the rule is broken."""
        return self.outcome is Outcome.BROKEN

    @property
    def has_moved(self) -> bool:
        """Whether the label is another one."""
        return self.before.label != self.after.label


def moved(trial: Trial, version: Version, system: int) -> Moved | None:
    """Return what became of a system's answer; none for the first version, or while an answer is missing."""
    base, made = trial.base(version), version.made
    if base is None or made is None:
        return None
    old, new = base.questions[system].result, version.questions[system].result
    if old is None or new is None:
        return None
    before, after = old.predictions[0], new.predictions[0]
    if old.inputs == new.inputs:
        return Moved(before, after, Outcome.NOT_APPLICABLE, is_unread=True)
    if made.rule is None:
        return Moved(before, after, None)
    judged = outcome(made.rule, [before], after, new.partition)
    allowed = "" if before.label is None else allowed_labels(made.rule, [before.label])
    return Moved(before, after, judged, made.certainty is Certainty.CERTAIN, allowed)


class Counted(NamedTuple):
    """The prohibited moves of one system, beside what two systems that read nothing would have made.

    Attributes:
        judged: after how many edits a rule with certainty says what is allowed.
        prohibited: how many of these moves are prohibited.
        constant: how many would be if no answer had moved.
        chance: how many would be expected if every answer were drawn.
        answers: the labels that the system has given so far.
    """

    judged: int
    prohibited: int
    constant: int
    chance: float
    answers: tuple[str, ...]


def counted(trial: Trial, system: int) -> Counted:
    """Count the prohibited moves of one system in a trial."""
    judged = prohibited = constant = 0
    chance = 0.0
    for version in trial.versions:
        move = moved(trial, version, system)
        if move is None or not move.is_certain or move.outcome not in (Outcome.HOLDS, Outcome.BROKEN):
            continue
        assert version.made is not None
        rule, base = version.made.rule, move.before
        asked = version.questions[system].result
        relation = None if rule is None else label_relation(rule)
        if rule is None or relation is None or base.label is None or asked is None:
            continue
        judged += 1
        prohibited += move.is_prohibited
        constant += outcome(rule, [base], base, asked.partition) is Outcome.BROKEN
        # Of a constant answer and of one that is drawn only the labels are known.
        possible = asked.partition.blocks
        chance += sum(
            outcome(relation, [Prediction(base.label)], Prediction(block), asked.partition) is Outcome.BROKEN
            for block in possible
        ) / len(possible)
    return Counted(judged, prohibited, constant, chance, _labels(trial.versions, system))


def _labels(versions: Iterable[Version], system: int) -> tuple[str, ...]:
    given = [version.answer(system) for version in versions]
    labels: list[LabelSet] = [item.label for item in given if item is not None and item.label is not None]
    return tuple(dict.fromkeys(str(label) for label in sorted(labels, key=lambda label: LETTERS.find(str(label)[0]))))
