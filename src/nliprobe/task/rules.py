"""Rules: what may be expected of an answer, beside the answers to the cases it was derived from.

A rule says of two answers whether it holds, is broken, or does not apply. A :class:`Relation` looks at labels alone;
other rules look at probabilities, too. A rule does not apply where it looks at probabilities and a system gives none,
or at a base and there is none. Within *and* and *or* a part that does not apply says nothing, so the other parts
decide; where no part applies, neither does the whole. *Not* turns holds and broken round. So both laws of De Morgan
hold, and a rule over labels and probabilities is a rule over labels for a system that answers labels only.

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

    Said = NDArray[np.int8]

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

    def everywhere(self, said: int) -> Said:
        """Say the same of every answer."""
        import numpy as np

        return np.full(len(self.changes), said, dtype=np.int8)


@dataclass(frozen=True, slots=True)
class LabelIn:
    """The answer is one of some labels, whatever the base was given."""

    labels: LabelSet

    def __post_init__(self) -> None:
        _need_labels("label_in", self.labels)

    def judge(self, move: Move) -> Said:
        """Say whether the label is one of them."""
        return move.everywhere(YES if move.after in self.labels else NO)


@dataclass(frozen=True, slots=True)
class BaseIn:
    """The base was given one of some labels: a condition for *if*."""

    labels: LabelSet

    def __post_init__(self) -> None:
        _need_labels("base_in", self.labels)

    def judge(self, move: Move) -> Said:
        """Say whether the label of the base is one of them."""
        if move.before is None:
            return move.everywhere(NOTHING_SAID)
        return move.everywhere(YES if move.before in self.labels else NO)


@dataclass(frozen=True, slots=True)
class Close:
    """Every probability is within a tolerance of the base's."""

    tolerance: float

    def __post_init__(self) -> None:
        _need_tolerance("close", self.tolerance)

    def judge(self, move: Move) -> Said:
        """Say whether no probability moved farther than the tolerance."""
        import numpy as np

        return _where_known(np.abs(move.changes).max(axis=1) <= self.tolerance + NOISE, move.changes[:, 0])


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

    def judge(self, move: Move) -> Said:
        """Say whether the probability moved so."""
        letter = move.before if self.label == BASE else self.label
        if letter is None:
            return move.everywhere(NOTHING_SAID)
        change = move.changes[:, LETTERS.index(letter)]
        moved = (change if self.direction.endswith("up") else -change) > self.tolerance + NOISE
        return _where_known(~moved if self.direction.startswith("not_") else moved, change)


@dataclass(frozen=True, slots=True)
class And:
    """Every rule that applies holds."""

    rules: tuple[Rule, ...]

    def __post_init__(self) -> None:
        _need_parts("and", self.rules)

    def judge(self, move: Move) -> Said:
        """Say whether all that apply hold; nothing where none applies."""
        return _decided([rule.judge(move) for rule in self.rules], decisive=NO)


@dataclass(frozen=True, slots=True)
class Or:
    """Some rule that applies holds."""

    rules: tuple[Rule, ...]

    def __post_init__(self) -> None:
        _need_parts("or", self.rules)

    def judge(self, move: Move) -> Said:
        """Say whether one that applies holds; nothing where none applies."""
        return _decided([rule.judge(move) for rule in self.rules], decisive=YES)


@dataclass(frozen=True, slots=True)
class Not:
    """A rule is broken."""

    rule: Rule

    def judge(self, move: Move) -> Said:
        """Say the opposite; what does not apply stays so."""
        import numpy as np

        said = self.rule.judge(move)
        return np.where(said == NOTHING_SAID, NOTHING_SAID, 1 - said).astype(np.int8)


@dataclass(frozen=True, slots=True)
class If:
    """Where one rule holds, another must; elsewhere nothing is said."""

    when: Rule
    then: Rule

    def judge(self, move: Move) -> Said:
        """Say what the second rule says, where the first holds."""
        import numpy as np

        return np.where(self.when.judge(move) == YES, self.then.judge(move), NOTHING_SAID).astype(np.int8)


def parts(rule: Rule) -> tuple[Rule, ...]:
    """List the rules a rule is made of, itself not among them."""
    if isinstance(rule, And | Or):
        return rule.rules
    if isinstance(rule, Not):
        return (rule.rule,)
    return (rule.when, rule.then) if isinstance(rule, If) else ()


def bases_needed(rule: Rule) -> int:
    """Return how many bases a rule looks at: none, one, or as many as a relation has."""
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
    """Return what a rule says of labels alone: the moves it allows a system that gives no probabilities.

    Nothing for a rule that looks at no base, or at several.

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


def _where_known(holds: NDArray[np.bool_], change: NDArray[np.float64]) -> Said:
    import numpy as np

    return np.where(np.isnan(change), NOTHING_SAID, holds).astype(np.int8)


def _decided(said: Sequence[Said], *, decisive: int) -> Said:
    """Join what the parts of *and* (one no decides) or *or* (one yes decides) say."""
    import numpy as np

    stacked = np.stack(said)
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
