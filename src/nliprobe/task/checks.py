"""Rules: what a check may demand of an answer, compared with the answer to the case it was derived from.

A rule says of two answers whether it holds, is broken, or does not apply. It does not apply where it looks at
probabilities and a system gives none, or at a base and there is none. Within *and* and *or* a part that does not
apply says nothing, so the other parts decide; where no part applies, neither does the whole. *Not* turns holds and
broken round. So both laws of De Morgan hold, and a rule over labels and probabilities is a rule over labels for a
system that answers labels only.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from nliprobe.base.errors import UsageError, did_you_mean
from nliprobe.task.case import Outcome
from nliprobe.task.labels import LETTERS, LabelSet
from nliprobe.task.partitions import THREE_WAY, Partition
from nliprobe.task.prediction import Prediction

# Padding alone moves the sixth digit of a probability: a smaller difference is no change.
NOISE = 1e-5
DIRECTIONS = ("up", "down", "not_up", "not_down")
# In the place of a label: whichever one the base was given.
BASE = "base"

Shares: TypeAlias = tuple[float, float, float]
Rule: TypeAlias = "SameLabel | LabelIn | BaseIn | Close | Monotone | And | Or | Not | If"


class Reading(NamedTuple):
    """One label before (none without a base) and one after, and the probabilities where there are any."""

    before: str | None
    after: str
    shares_before: Shares | None
    shares: Shares | None


@dataclass(frozen=True, slots=True)
class SameLabel:
    """The answer is the label of the base."""

    def holds(self, at: Reading) -> bool | None:
        """Whether the labels are equal."""
        return None if at.before is None else at.before == at.after


@dataclass(frozen=True, slots=True)
class LabelIn:
    """The answer is one of some labels, whatever the base was given."""

    labels: LabelSet

    def __post_init__(self) -> None:
        _need_labels("label_in", self.labels)

    def holds(self, at: Reading) -> bool | None:
        """Whether the label is one of them."""
        return at.after in self.labels


@dataclass(frozen=True, slots=True)
class BaseIn:
    """The base was given one of some labels: a condition for *if*."""

    labels: LabelSet

    def __post_init__(self) -> None:
        _need_labels("base_in", self.labels)

    def holds(self, at: Reading) -> bool | None:
        """Whether the label of the base is one of them."""
        return None if at.before is None else at.before in self.labels


@dataclass(frozen=True, slots=True)
class Close:
    """Every probability is within a tolerance of the base's."""

    tolerance: float

    def __post_init__(self) -> None:
        _need_tolerance("close", self.tolerance)

    def holds(self, at: Reading) -> bool | None:
        """Whether no probability moved farther than the tolerance."""
        if at.shares is None or at.shares_before is None:
            return None
        moves = [abs(after - before) for after, before in zip(at.shares, at.shares_before, strict=True)]
        return all(move <= self.tolerance + NOISE for move in moves)


@dataclass(frozen=True, slots=True)
class Monotone:
    """The probability of a label moves in a direction, by more than a tolerance; *not_up* is the opposite of *up*."""

    label: str
    direction: str
    tolerance: float = 0.0

    def __post_init__(self) -> None:
        if self.label not in (*LETTERS, BASE):
            raise UsageError(f"The label of 'monotone' should be E, N, C or {BASE}, not '{self.label}'.")
        if self.direction not in DIRECTIONS:
            hint = did_you_mean(self.direction, DIRECTIONS)
            raise UsageError(f"'{self.direction}' is not a direction of 'monotone'. {hint}")
        _need_tolerance("monotone", self.tolerance)

    def holds(self, at: Reading) -> bool | None:
        """Whether the probability moved so."""
        letter = at.before if self.label == BASE else self.label
        if at.shares is None or at.shares_before is None or letter is None:
            return None
        place = LETTERS.index(letter)
        move = at.shares[place] - at.shares_before[place]
        moved = (move if self.direction.endswith("up") else -move) > self.tolerance + NOISE
        return moved != self.direction.startswith("not_")


@dataclass(frozen=True, slots=True)
class And:
    """Every rule that applies holds."""

    checks: tuple[Rule, ...]

    def __post_init__(self) -> None:
        _need_parts("and", self.checks)

    def holds(self, at: Reading) -> bool | None:
        """Whether all that apply do; none where none applies."""
        found = [part for part in (check.holds(at) for check in self.checks) if part is not None]
        return all(found) if found else None


@dataclass(frozen=True, slots=True)
class Or:
    """Some rule that applies holds."""

    checks: tuple[Rule, ...]

    def __post_init__(self) -> None:
        _need_parts("or", self.checks)

    def holds(self, at: Reading) -> bool | None:
        """Whether one that applies does; none where none applies."""
        found = [part for part in (check.holds(at) for check in self.checks) if part is not None]
        return any(found) if found else None


@dataclass(frozen=True, slots=True)
class Not:
    """A rule is broken."""

    check: Rule

    def holds(self, at: Reading) -> bool | None:
        """The opposite; what does not apply stays so."""
        found = self.check.holds(at)
        return None if found is None else not found


@dataclass(frozen=True, slots=True)
class If:
    """Where one rule holds, another must; elsewhere nothing is said."""

    when: Rule
    then: Rule

    def holds(self, at: Reading) -> bool | None:
        """What the second rule says, where the first holds."""
        return self.then.holds(at) if self.when.holds(at) else None


def parts(rule: Rule) -> tuple[Rule, ...]:
    """The rules a rule is made of, itself not among them."""
    if isinstance(rule, And | Or):
        return rule.checks
    if isinstance(rule, Not):
        return (rule.check,)
    return (rule.when, rule.then) if isinstance(rule, If) else ()


def needs_base(rule: Rule) -> bool:
    """Whether some part compares with the base."""
    return not isinstance(rule, LabelIn) if not parts(rule) else any(needs_base(part) for part in parts(rule))


def needs_probabilities(rule: Rule) -> bool:
    """Whether some part looks at probabilities."""
    return isinstance(rule, Close | Monotone) or any(needs_probabilities(part) for part in parts(rule))


def outcome(
    rule: Rule, bases: Sequence[Prediction], prediction: Prediction, partition: Partition = THREE_WAY
) -> Outcome:
    """Judge an answer by a rule, given the answers to the cases it was derived from.

    As with relations, a two-way system's answer NC is read as N and as C, and is broken only if no reading is allowed.
    A rule that compares needs exactly one base. It is unanswered where the case is, or the base it looks at.

    >>> outcome(SameLabel(), [Prediction(LabelSet.of("E"))], Prediction(LabelSet.of("N"))).value
    'broken'
    """
    base = bases[0] if len(bases) == 1 and needs_base(rule) else None
    if not prediction.label or (base is not None and not base.label):
        return Outcome.UNANSWERED
    before = [None] if base is None or base.label is None else list(partition.coarsen(base.label))
    found = {
        rule.holds(Reading(old, new, _shares(base), _shares(prediction)))
        for old in before
        for new in partition.coarsen(prediction.label)
    }
    if True in found:
        return Outcome.HOLDS
    return Outcome.NOT_APPLICABLE if None in found else Outcome.BROKEN


def _shares(prediction: Prediction | None) -> Shares | None:
    found = None if prediction is None else prediction.probabilities
    return None if found is None or any(math.isnan(share) for share in found) else found


def _need_labels(name: str, labels: LabelSet) -> None:
    if not labels:
        raise UsageError(f"'{name}' needs at least one of the labels E, N, C.")


def _need_tolerance(name: str, tolerance: float) -> None:
    if not 0 <= tolerance <= 1:
        raise UsageError(f"The tolerance of '{name}' should be from 0 to 1, not {tolerance}.")


def _need_parts(name: str, checks: tuple[Rule, ...]) -> None:
    if not checks:
        raise UsageError(f"'{name}' needs at least one check.")
