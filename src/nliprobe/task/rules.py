"""Rules: what can be expected of an answer, given the answers to the cases it was derived from.

For a pair of answers a rule holds, is broken, or does not apply. A :class:`Relation` looks at labels alone; other rules
look at probabilities, too. A rule does not apply if it looks at probabilities and the system gives none, or if it looks
at a base and there is none. Within *and* and *or* the parts that apply decide; if no part applies, neither does the
whole. *Not* exchanges holds and broken. Therefore both laws of De Morgan hold, and for a system that answers labels
only, a rule over labels and probabilities is a rule over labels.

Every rule judges many answers at once; :mod:`nliprobe.task.outcomes` puts the verdicts together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from nliprobe.base.errors import UsageError, did_you_mean
from nliprobe.task.labels import LETTERS, LabelSet
from nliprobe.task.relations import NO, NOTHING_SAID, YES, Relation

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Verdicts = NDArray[np.int8]

# Padding alone moves the sixth digit of a probability: a smaller difference is no change.
NOISE = 1e-5
DIRECTIONS = ("up", "down", "not_up", "not_down")
# In the place of a label: whichever one the base was given.
BASE = "base"

Rule: TypeAlias = "Relation | LabelIn | BaseIn | Close | Monotone | And | Or | Not | If"


class Move(NamedTuple):
    """Answers that went from one label to one label, with the change of their probabilities.

    Attributes:
        before: the label of the base, or none without a base.
        after: the label of the case.
        changes: the probabilities of E, N and C after minus before, a row per answer; NaN where there are none.
    """

    before: str | None
    after: str
    changes: NDArray[np.float64]

    def everywhere(self, verdict: int) -> Verdicts:
        """Give every answer the same verdict."""
        import numpy as np

        return np.full(len(self.changes), verdict, dtype=np.int8)


@dataclass(frozen=True, slots=True)
class LabelIn:
    """Holds if the answer is one of some labels, whatever the answer to the base."""

    labels: LabelSet

    def __post_init__(self) -> None:
        _need_labels("label_in", self.labels)

    def judge(self, move: Move) -> Verdicts:
        """Tell whether the label is one of them."""
        return move.everywhere(YES if move.after in self.labels else NO)


@dataclass(frozen=True, slots=True)
class BaseIn:
    """Holds if the answer to the base is one of some labels: a condition for *if*."""

    labels: LabelSet

    def __post_init__(self) -> None:
        _need_labels("base_in", self.labels)

    def judge(self, move: Move) -> Verdicts:
        """Tell whether the label of the base is one of them."""
        if move.before is None:
            return move.everywhere(NOTHING_SAID)
        return move.everywhere(YES if move.before in self.labels else NO)


@dataclass(frozen=True, slots=True)
class Close:
    """Holds if every probability is within a tolerance of the base's."""

    tolerance: float

    def __post_init__(self) -> None:
        _need_tolerance("close", self.tolerance)

    def judge(self, move: Move) -> Verdicts:
        """Tell whether no probability moved farther than the tolerance."""
        import numpy as np

        return _where_known(np.abs(move.changes).max(axis=1) <= self.tolerance + NOISE, move.changes[:, 0])


@dataclass(frozen=True, slots=True)
class Monotone:
    """Holds if the probability of a label moves in a direction by more than a tolerance; *not_up* negates *up*."""

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

    def judge(self, move: Move) -> Verdicts:
        """Tell whether the probability moved in the direction."""
        letter = move.before if self.label == BASE else self.label
        if letter is None:
            return move.everywhere(NOTHING_SAID)
        change = move.changes[:, LETTERS.index(letter)]
        moved = (change if self.direction.endswith("up") else -change) > self.tolerance + NOISE
        return _where_known(~moved if self.direction.startswith("not_") else moved, change)


@dataclass(frozen=True, slots=True)
class And:
    """Holds if every rule that applies holds."""

    rules: tuple[Rule, ...]

    def __post_init__(self) -> None:
        _need_parts("and", self.rules)

    def judge(self, move: Move) -> Verdicts:
        """Tell whether all rules that apply hold; say nothing if none applies."""
        return _decided([rule.judge(move) for rule in self.rules], decisive=NO)


@dataclass(frozen=True, slots=True)
class Or:
    """Holds if some rule that applies holds."""

    rules: tuple[Rule, ...]

    def __post_init__(self) -> None:
        _need_parts("or", self.rules)

    def judge(self, move: Move) -> Verdicts:
        """Tell whether a rule that applies holds; say nothing if none applies."""
        return _decided([rule.judge(move) for rule in self.rules], decisive=YES)


@dataclass(frozen=True, slots=True)
class Not:
    """Holds if a rule is broken."""

    rule: Rule

    def judge(self, move: Move) -> Verdicts:
        """Reverse the verdicts of the rule; where it does not apply, neither does this one."""
        import numpy as np

        verdicts = self.rule.judge(move)
        return np.where(verdicts == NOTHING_SAID, NOTHING_SAID, 1 - verdicts).astype(np.int8)


@dataclass(frozen=True, slots=True)
class If:
    """Requires one rule wherever another holds, and says nothing elsewhere."""

    when: Rule
    then: Rule

    def judge(self, move: Move) -> Verdicts:
        """Give the verdicts of the second rule where the first holds."""
        import numpy as np

        return np.where(self.when.judge(move) == YES, self.then.judge(move), NOTHING_SAID).astype(np.int8)


def parts(rule: Rule) -> tuple[Rule, ...]:
    """List the rules that a rule is directly made of."""
    if isinstance(rule, And | Or):
        return rule.rules
    if isinstance(rule, Not):
        return (rule.rule,)
    return (rule.when, rule.then) if isinstance(rule, If) else ()


def bases_needed(rule: Rule) -> int:
    """Count the bases that a rule looks at: none, one, or as many as a relation has."""
    if isinstance(rule, Relation):
        return rule.arity
    inner = parts(rule)
    if inner:
        return max(bases_needed(part) for part in inner)
    return 0 if isinstance(rule, LabelIn) else 1


def needs_probabilities(rule: Rule) -> bool:
    """Tell whether some part looks at probabilities."""
    return isinstance(rule, Close | Monotone) or any(needs_probabilities(part) for part in parts(rule))


@lru_cache(maxsize=4096)  # a run has few rules and many cases
def label_relation(rule: Rule) -> Relation | None:
    """Return what a rule says about labels alone: the moves it allows a system that gives no probabilities.

    A rule that looks at no base, or at several, has no such relation.

    >>> str(label_relation(And((Relation.parse("E>E N>N C>C"), Close(0.1)))))
    'E>E N>N C>C'
    """
    import numpy as np

    if bases_needed(rule) != 1:
        return None
    if isinstance(rule, Relation):
        return rule
    nothing = np.full((1, len(LETTERS)), np.nan)
    return Relation(
        tuple(
            LabelSet.of("".join(after for after in LETTERS if rule.judge(Move(before, after, nothing))[0] != NO))
            for before in LETTERS
        )
    )


def _where_known(holds: NDArray[np.bool_], change: NDArray[np.float64]) -> Verdicts:
    import numpy as np

    return np.where(np.isnan(change), NOTHING_SAID, holds).astype(np.int8)


def _decided(verdicts: Sequence[Verdicts], *, decisive: int) -> Verdicts:
    """Join the verdicts of the parts of *and* (one no decides) or of *or* (one yes decides)."""
    import numpy as np

    stacked = np.stack(verdicts)
    settled = np.where((stacked == decisive).any(axis=0), decisive, 1 - decisive)
    return np.where((stacked != NOTHING_SAID).any(axis=0), settled, NOTHING_SAID).astype(np.int8)


def _need_labels(name: str, labels: LabelSet) -> None:
    if not labels:
        raise UsageError(f"'{name}' needs at least one of the labels E, N, C.")


def _need_tolerance(name: str, tolerance: float) -> None:
    if not 0 <= tolerance <= 1:
        raise UsageError(f"The tolerance of '{name}' should be from 0 to 1, not {tolerance}.")


def _need_parts(name: str, rules: tuple[Rule, ...]) -> None:
    if not rules:
        raise UsageError(f"'{name}' needs at least one rule.")
