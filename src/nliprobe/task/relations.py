"""Relations: which predictions are allowed, given the predictions on the cases that a case was derived from."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING

from nliprobe.task.labels import ANY, LETTERS, NOTHING, SETS, LabelSet

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.task.rules import Move

# What a rule says about one reading of an answer.
NO, YES, NOTHING_SAID = 0, 1, -1
_ARITIES = {3: 1, 9: 2, 27: 3}


@dataclass(frozen=True, slots=True)
class Relation:
    """The predictions allowed after each prediction on the bases: the rule that looks at labels alone.

    ``allowed`` has one entry per combination of base labels, in the order E, N, C (the last base
    varies fastest): 3 entries for one base, 9 for two.

    >>> delete = Relation.parse("E>EN N>N C>NC")
    >>> delete("E")
    LabelSet.of('EN')
    """

    allowed: tuple[LabelSet, ...]
    _text: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if len(self.allowed) not in _ARITIES:
            raise ValueError(f"a relation has 3, 9 or 27 entries, not {len(self.allowed)}")
        # Made once: a few relations are written a million times.
        combinations = itertools.product(LETTERS, repeat=self.arity)
        entries = [f"{''.join(left)}>{right}" for left, right in zip(combinations, self.allowed, strict=True)]
        object.__setattr__(self, "_text", " ".join(entries))

    @property
    def arity(self) -> int:
        """How many bases the relation looks at."""
        return _ARITIES[len(self.allowed)]

    @classmethod
    def of(cls, rule: Mapping[str, str], arity: int = 1) -> Relation:
        """Make a relation from base labels and the letters allowed after each; other base labels allow everything."""
        if arity not in _ARITIES.values():
            raise ValueError(f"a relation looks at 1, 2 or 3 bases, not {arity}")
        combinations = ["".join(letters) for letters in itertools.product(LETTERS, repeat=arity)]
        unknown = set(rule) - set(combinations)
        if unknown:
            raise ValueError(f"{sorted(unknown)} are not predictions on {arity} base(s)")
        return cls(tuple(LabelSet.of(rule[name]) if name in rule else ANY for name in combinations))

    @classmethod
    def parse(cls, text: str) -> Relation:
        """Read the form that :meth:`__str__` writes."""
        if not text.strip():
            return UNCONSTRAINED
        entries = [(left, right) for left, _, right in (piece.partition(">") for piece in text.split())]
        return cls.of(dict(entries), arity=len(entries[0][0]))

    def __str__(self) -> str:
        return self._text

    def __call__(self, *bases: str | LabelSet) -> LabelSet:
        """Return the predictions that are allowed after some base predictions.

        Where a two-way model answers a block such as NC, all that is allowed after N or after C is allowed.
        """
        sets = [LabelSet.of(base) if isinstance(base, str) else base for base in bases]
        if len(sets) != self.arity:
            raise ValueError(f"the relation looks at {self.arity} bases, not {len(sets)}")
        mask = 0
        for combination, allowed in zip(itertools.product(LETTERS, repeat=self.arity), self.allowed, strict=True):
            if all(letter in base for letter, base in zip(combination, sets, strict=True)):
                mask |= allowed.mask
        return SETS[mask]

    def judge(self, move: Move) -> NDArray[np.int8]:
        """Tell whether the move from the label of the base is allowed."""
        if move.before is None:
            return move.everywhere(NOTHING_SAID)
        return move.everywhere(YES if move.after in self(move.before) else NO)

    def among(self, labels: LabelSet) -> Relation:
        """Return the relation of one base for a corpus with these labels: none of them must become one it lacks.

        What a system says of its own accord stays as it is: if it answers N, the same may be expected again.

        >>> str(Relation.parse("E>N N>N C>NC").among(LabelSet.of("EC")))
        'E>ENC N>N C>NC'
        """
        allowed = zip(LETTERS, self.allowed, strict=True)
        return Relation(tuple(ANY if letter in labels and not after & labels else after for letter, after in allowed))

    def then(self, after: Relation) -> Relation:
        """Compose this relation with ``after``: everything reachable through some prediction in between."""
        return Relation(tuple(after(middle) if middle else NOTHING for middle in self.allowed))

    def __and__(self, other: Relation) -> Relation:
        return Relation(tuple(mine & theirs for mine, theirs in zip(self.allowed, other.allowed, strict=True)))

    def __or__(self, other: Relation) -> Relation:
        return Relation(tuple(mine | theirs for mine, theirs in zip(self.allowed, other.allowed, strict=True)))

    def __le__(self, other: Relation) -> bool:
        return all(mine <= theirs for mine, theirs in zip(self.allowed, other.allowed, strict=True))


UNCONSTRAINED = Relation((ANY, ANY, ANY))
SAME = Relation.of({"E": "E", "N": "N", "C": "C"})
# Premise and hypothesis change places. Contradiction holds both ways, so it neither comes nor goes.
SWAPPED = Relation.of({"E": "EN", "N": "EN", "C": "C"})


@dataclass(frozen=True, slots=True)
class UnitEdit:
    """A kind of edit of rows or sentences with its relation (evidence-probes §4, App. B, C).

    What is known about a unit's relevance is known about the *original* pair. Once another edit has moved
    the label, only ``otherwise``, the relation of the edit with relevance unknown, can be relied on.
    """

    name: str
    rank: int
    relation: Relation
    otherwise: Relation

    def __hash__(self) -> int:
        # Names are distinct; relations would be hashed again for each of a million cases.
        return hash(self.name)


_DELETE = Relation.of({"E": "EN", "N": "N", "C": "CN"})
DELETE = UnitEdit("delete", 2, _DELETE, _DELETE)
DELETE_RELEVANT = UnitEdit("delete relevant", 2, Relation.of({"E": "N", "N": "N", "C": "N"}), _DELETE)
DELETE_IRRELEVANT = UnitEdit("delete irrelevant", 2, SAME, _DELETE)
_INSERT = Relation.of({"E": "E", "N": "ENC", "C": "C"})
INSERT = UnitEdit("insert", 0, _INSERT, _INSERT)
_UPDATE = Relation.of({"E": "EC", "N": "NC", "C": "C"})
UPDATE = UnitEdit("update", 1, _UPDATE, _UPDATE)
UPDATE_IRRELEVANT = UnitEdit("update irrelevant", 1, SAME, _UPDATE)
PERMUTE = UnitEdit("permute", 3, SAME, SAME)
UNIT_EDITS = (DELETE, DELETE_RELEVANT, DELETE_IRRELEVANT, INSERT, UPDATE, UPDATE_IRRELEVANT, PERMUTE)
# The edits of the seed, which asks for no evidence: its Figure 13 is about sets of these.
BLIND_EDITS = (INSERT, UPDATE, DELETE, PERMUTE)


def in_order(edits: Sequence[UnitEdit]) -> Relation:
    """Return the relation of edits applied one after the other, in the order given."""
    allowed = []
    for letter in LETTERS:
        reached = {letter}
        for edit in edits:
            reached = {after for now in reached for after in (edit.relation if now == letter else edit.otherwise)(now)}
        allowed.append(LabelSet.of("".join(reached)))
    return Relation(tuple(allowed))


def together(edits: Iterable[UnitEdit]) -> Relation:
    """Return the relation of a set of edits on distinct units: the intersection over all orders of application.

    Repeating an edit changes nothing, so each kind counts once. Delete and insert of the *same* key is an
    update of a single value and has no constraint: use :data:`UNCONSTRAINED` for it.
    """
    return _together(tuple(canonical_order(edits)))


@cache
def _together(kinds: tuple[UnitEdit, ...]) -> Relation:
    result = UNCONSTRAINED
    for order in itertools.permutations(kinds):
        result = result & in_order(order)
    return result if kinds else SAME


def canonical_order(edits: Iterable[UnitEdit]) -> list[UnitEdit]:
    """Sort edits as insert, update, delete, permute; composed in this order they give what :func:`together` gives."""
    return sorted(set(edits), key=attrgetter("rank", "name"))


def relations_of_sets(edits: Sequence[UnitEdit] = BLIND_EDITS) -> dict[tuple[UnitEdit, ...], Relation]:
    """Return the relation of every set of some kinds of edits, the smallest sets first, each in canonical order."""
    kinds = canonical_order(edits)
    sizes = range(1, len(kinds) + 1)
    return {chosen: together(chosen) for size in sizes for chosen in itertools.combinations(kinds, size)}
