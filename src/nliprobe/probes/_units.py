"""The probes that edit units, whatever the units are: the rows of a table and the sentences of a passage.

A probe such as ``rows.delete`` says what the units of a pair are; which cases follow is the same for all units.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from itertools import permutations
from random import Random

from nliprobe.base.errors import UsageError
from nliprobe.base.seeds import shuffled
from nliprobe.probes import Probe
from nliprobe.task.case import Case, Certainty, Skip
from nliprobe.task.edits import Edits, delete_unit, permute_units
from nliprobe.task.evidence import Evidence, Grade
from nliprobe.task.pair import Pair, Premise
from nliprobe.task.relations import (
    DELETE,
    DELETE_IRRELEVANT,
    DELETE_RELEVANT,
    PERMUTE,
    UPDATE,
    UPDATE_IRRELEVANT,
    Relation,
    UnitEdit,
)
from nliprobe.task.source import Pool
from nliprobe.task.units import Units

# With at most this many units all orders are listed and sampled from; with more, draws hardly ever collide.
_LISTED = 5
NOT_MARKED = "nobody marked the evidence of the pair"
UNKNOWN = "the evidence names a {} that the premise does not have"


class Which(StrEnum):
    """The units that a probe takes out."""

    EACH = "each"
    RELEVANT = "relevant"
    IRRELEVANT = "irrelevant"
    ALL_RELEVANT = "all-relevant"


@dataclass(frozen=True)
class UnitProbe(Probe):
    """A probe that edits the units of a premise."""

    @abstractmethod
    def units(self, pair: Pair) -> Units | str:
        """Return the units of a pair's premise, or the reason why it has none to edit."""

    @abstractmethod
    def unit_cases(self, pair: Pair, units: Units, pool: Pool | None) -> Iterator[Case | Skip]:
        """Yield the cases of a pair, given the units of its premise."""

    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        """Yield the cases of a pair, or the reason why its premise has no units to edit."""
        units = self.units(pair)
        return iter((self.skip(units),)) if isinstance(units, str) else self.unit_cases(pair, units, pool)

    def certainty(self, pair: Pair, units: Units, kind: UnitEdit, edits: Edits) -> Certainty:
        """Tell how sure T4's relation is for some edits of a pair's units; for rows of an infobox it is."""
        return Certainty.CERTAIN

    def expected(self, units: Units, relation: Relation) -> Relation:
        """Return what may be expected of these units where T4 has a relation; for rows of an infobox the same."""
        return relation

    def at_least(self, name: str, value: int | None) -> None:
        """Refuse a parameter below 1."""
        if value is not None and value < 1:
            raise UsageError(f"'{self.name}?{name}' should be at least 1, not {value}.")


@dataclass(frozen=True)
class DeleteUnits(UnitProbe):
    """Take units out: each in turn (or ``n`` seeded draws per pair), or those that the evidence names.

    ``which=relevant`` and ``which=irrelevant`` take out one unit at a time, ``which=all-relevant`` all units of the
    evidence at once. ``blind`` judges the answers as if the evidence were unknown, as the seed does.
    """

    n: int | None = None
    which: Which = Which.EACH
    blind: bool = False

    def __post_init__(self) -> None:
        self.at_least("n", self.n)

    def unit_cases(self, pair: Pair, units: Units, pool: Pool | None) -> Iterator[Case | Skip]:
        """Yield one case per deletion; nothing is taken out that would leave an empty premise."""
        evidence = pair.evidence
        if self.which is not Which.EACH and evidence is None:
            yield self.skip(NOT_MARKED)
            return
        if names_unknown(evidence, units):
            yield self.skip(UNKNOWN.format(units.kind))
            return
        deletions = self._deletions(units, evidence)
        if not deletions:
            yield self.skip(self._nothing(units, evidence))
            return
        if self.n is not None and self.n < len(deletions):
            deletions = [deletions[place] for place in sorted(self.draws(pair).sample(range(len(deletions)), self.n))]
        judged_by = None if self.blind else evidence
        kind, sure, expects = DELETE, True, self.expected(units, DELETE.relation)
        for places, (edits, edited) in zip(deletions, self.variants(units, deletions), strict=True):
            if judged_by is not None:
                kind, sure = deletion(judged_by, places, self.which)
                expects = self.expected(units, kind.relation)
            certainty = Certainty.LIKELY if not sure else self.certainty(pair, units, kind, edits)
            yield self.case(pair, edits, expects=expects, certainty=certainty, edited=edited)

    def variants(self, units: Units, deletions: Sequence[Sequence[int]]) -> Iterable[tuple[Edits, Premise]]:
        """Return the edits that take out some units, from the last to the first, and the premise after them."""
        return (_without(units, places) for places in deletions)

    def _deletions(self, units: Units, evidence: Evidence | None) -> Sequence[tuple[int, ...]]:
        size = len(units)
        marked = () if evidence is None else evidence.units
        if self.which is Which.ALL_RELEVANT:
            return [marked] if marked and len(marked) < size else []
        each = _one_by_one(size)
        if self.which is Which.EACH:
            return each
        return [places for places in each if (places[0] in marked) == (self.which is Which.RELEVANT)]

    def _nothing(self, units: Units, evidence: Evidence | None) -> str:
        """Return the reason why nothing can be taken out."""
        if len(units) < 2:
            return f"there is one {units.kind} only"
        if self.which is Which.IRRELEVANT or (evidence is not None and evidence.units):
            return f"every {units.kind} is relevant"
        return f"no {units.kind} is relevant"


def _without(units: Units, places: Sequence[int]) -> tuple[Edits, Premise]:
    edits = []
    for place in reversed(places):
        edits.append(delete_unit(units, place))
        units = units.delete(place)
    return tuple(edits), units.premise


@lru_cache(maxsize=256)
def _one_by_one(size: int) -> tuple[tuple[int], ...]:
    """Return each place alone; nothing for a single unit, because nothing would be left."""
    return tuple((place,) for place in range(size)) if size > 1 else ()


def deletion(evidence: Evidence | None, places: Sequence[int], which: Which) -> tuple[UnitEdit, bool]:
    """Return what a deletion is according to the evidence, and whether its relation is certain.

    Where the evidence leaves open whether a unit is needed (there is none; it was guessed; people's edits may be
    incomplete; another unit suffices by itself), the relation is that of a deletion with relevance unknown.
    """
    if evidence is None:
        return DELETE, True
    relevant = all(place in evidence.units for place in places)
    if relevant and evidence.alone and len(evidence.units) > len(places):
        return DELETE, True
    if which is Which.EACH:
        if evidence.grade is Grade.SILVER:
            return DELETE, True
        if not relevant and evidence.grade is Grade.EDIT:
            return DELETE, True
    sure = evidence.grade is Grade.GOLD or (evidence.grade is Grade.EDIT and relevant)
    return (DELETE_RELEVANT if relevant else DELETE_IRRELEVANT), sure


def update(evidence: Evidence | None, place: int) -> UnitEdit:
    """Return what an update of one unit is: only gold evidence tells that a unit is not needed."""
    known = evidence is not None and evidence.grade is Grade.GOLD and place not in evidence.units
    return UPDATE_IRRELEVANT if known else UPDATE


def names_unknown(evidence: Evidence | None, units: Units) -> bool:
    """Tell whether evidence names a unit that a premise does not have."""
    return evidence is not None and bool(evidence.units) and evidence.units[-1] >= len(units)


@dataclass(frozen=True)
class PermuteUnits(UnitProbe):
    """Bring the units into ``n`` seeded orders per pair, all different from one another and from the original."""

    n: int = 1

    def __post_init__(self) -> None:
        self.at_least("n", self.n)

    def unit_cases(self, pair: Pair, units: Units, pool: Pool | None) -> Iterator[Case | Skip]:
        """Yield the premise in other orders; fewer than ``n`` if the units have fewer orders."""
        parts = units.parts
        if all(part == parts[0] for part in parts):
            yield self.skip(f"there is one {units.kind} only")
            return
        for order in orders(parts, self.n, self.draws(pair)):
            edits = (permute_units(units, order),)
            certainty = self.certainty(pair, units, PERMUTE, edits)
            edited = units.permute(order).premise
            yield self.case(pair, edits, expects=PERMUTE.relation, certainty=certainty, edited=edited)


def orders(parts: Sequence[Hashable], n: int, random: Random) -> Iterator[tuple[int, ...]]:
    """Yield up to ``n`` orders of parts that differ from one another and from the original."""
    size = len(parts)
    if size <= _LISTED:
        listed: Sequence[tuple[int, ...]] = _other_orders(size)
        if len(set(parts)) < size:
            listed = [order for order in listed if _differs(parts, order)]
        yield from random.sample(listed, min(n, len(listed)))
        return
    original = tuple(range(size))
    seen: set[tuple[int, ...]] = set()
    wanted = min(n, math.factorial(size) - 1)
    repeated = len(set(parts)) < size
    # Repeated units can make some orders equal to the original: give up after some draws.
    for _ in range(20 * wanted):
        if len(seen) == wanted:
            return
        order = tuple(shuffled(size, random))
        if order not in seen and (_differs(parts, order) if repeated else order != original):
            seen.add(order)
            yield order


@cache
def _other_orders(size: int) -> tuple[tuple[int, ...], ...]:
    """Return all orders but the original."""
    return tuple(permutations(range(size)))[1:]


def _differs(parts: Sequence[Hashable], order: Sequence[int]) -> bool:
    # Only units that moved are compared, and usually the first of them decides.
    return any(place != index and parts[place] != parts[index] for place, index in enumerate(order))
