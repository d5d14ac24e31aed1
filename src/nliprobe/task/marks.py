"""Raters' marks: which units of a premise each person calls relevant to a hypothesis, and what most of them say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from nliprobe.base.errors import DataError

# The commonest reason for marks of different lengths.
DROPPED_ZEROS = "(Spreadsheets drop the zeros before a number: keep marks as text.)"


class Mark(NamedTuple):
    """What one person marked on one pair.

    Attributes:
        rater: who marked.
        bits: ``1`` for each unit that is relevant, ``0`` for each that is not; the last one stands for knowledge from
            outside the premise ("out of table").
    """

    rater: str
    bits: str


class Majority(NamedTuple):
    """What most raters of a pair say.

    Attributes:
        units: the places of the units that more than half of the raters marked.
        outside: whether more than half marked knowledge from outside.
        tied: the places of the bits that exactly half marked; the place after the last unit is outside knowledge.
    """

    units: tuple[int, ...]
    outside: bool
    tied: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class MarkedPair:
    """A pair with the marks of its raters.

    Attributes:
        id: the id of the pair, if the file gives one.
        table: the id of its table, if the file gives one.
        hypothesis: what the marks are about.
        marks: one per rater, all of the same length.
        keys: the keys of the rows, if the file gives them.
        label: the gold label as the file spells it, or empty.
        released: the majority that the file gives, or empty.
        place: where the pair was read, for messages.
    """

    id: str
    table: str
    hypothesis: str
    marks: tuple[Mark, ...]
    keys: tuple[str, ...] = ()
    label: str = ""
    released: str = ""
    place: str = ""

    @property
    def name(self) -> str:
        """The pair as messages and documents name it."""
        return self.id or f"{self.table}: {self.hypothesis}"

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells the pair from others: its id, or its table and hypothesis."""
        return (self.id, "", "") if self.id else ("", self.table, self.hypothesis)

    @property
    def group(self) -> str:
        """What marked pairs share: their table, or the pair itself where no table is named."""
        return self.table or self.name

    @property
    def units(self) -> int:
        """How many units the premise has."""
        return len(self.marks[0].bits) - 1

    def bit_name(self, place: int) -> str:
        """Return the name of a unit for people: its key, or its number from 1; the last bit is outside knowledge."""
        if place == self.units:
            return "out of table"
        return self.keys[place] if self.keys else f"row {place + 1}"


def majority_of(marks: Sequence[Mark]) -> Majority:
    """Return what more than half of the raters marked; a unit that exactly half marked is tied and not relevant.

    >>> majority_of([Mark("a", "110"), Mark("b", "100"), Mark("c", "101"), Mark("d", "011")])
    Majority(units=(0,), outside=False, tied=(1, 2))
    """
    votes = [sum(mark.bits[place] == "1" for mark in marks) for place in range(len(marks[0].bits))]
    most = [place for place, number in enumerate(votes) if 2 * number > len(marks)]
    last = len(votes) - 1
    return Majority(
        units=tuple(place for place in most if place != last),
        outside=last in most,
        tied=tuple(place for place, number in enumerate(votes) if 2 * number == len(marks)),
    )


def merge_marks(batches: Sequence[Sequence[MarkedPair]]) -> tuple[MarkedPair, ...]:
    """Put the marks of several batches together: a pair that comes again gets the further raters' marks.

    A rater who marked a pair twice, marks of different lengths, other row keys of one pair or table: each is an error
    that names both places.
    """
    merged: dict[tuple[str, str, str], MarkedPair] = {}
    tables: dict[str, MarkedPair] = {}
    for pair in (pair for batch in batches for pair in batch):
        _check_table(pair, tables)
        known = merged.get(pair.key)
        merged[pair.key] = pair if known is None else _joined(known, pair)
    return tuple(merged.values())


def _joined(first: MarkedPair, second: MarkedPair) -> MarkedPair:
    if first.units != second.units:
        raise DataError(
            f"{second.place}: the marks of '{second.name:.80}' are about {second.units} rows, but about {first.units} "
            f"in {first.place}. {DROPPED_ZEROS}"
        )
    raters = {mark.rater for mark in first.marks}
    twice = next((mark.rater for mark in second.marks if mark.rater in raters), None)
    if twice is not None:
        raise DataError(f"{second.place}: the rater '{twice}' has marked '{second.name:.80}' before, in {first.place}.")
    return MarkedPair(
        first.id,
        first.table or second.table,
        first.hypothesis or second.hypothesis,
        (*first.marks, *second.marks),
        first.keys or second.keys,
        first.label or second.label,
        # A majority that was given for some of the raters is not that of all.
        "",
        first.place,
    )


def _check_table(pair: MarkedPair, tables: dict[str, MarkedPair]) -> None:
    if not pair.table:
        return
    known = tables.setdefault(pair.table, pair)
    if known.keys and pair.keys and known.keys != pair.keys:
        other = next((key for key in pair.keys if key not in known.keys), None)
        what = f"the row '{other}'" if other is not None else "its rows in another order"
        raise DataError(
            f"{pair.place}: two tables have the id '{pair.table}': this one has {what}, unlike that in {known.place}."
        )
    if known.units != pair.units:
        raise DataError(
            f"{pair.place}: the marks are about {pair.units} rows, but those in {known.place} say that the table "
            f"'{pair.table}' has {known.units}. The last mark of each rater stands for knowledge from outside. "
            f"{DROPPED_ZEROS}"
        )
    if pair.keys and not known.keys:
        tables[pair.table] = pair
