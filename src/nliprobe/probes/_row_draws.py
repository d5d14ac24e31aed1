"""Draw what the other tables give to one table: a row with a new key, or another value for a row of several values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from random import Random
from typing import NamedTuple, TypeVar

from nliprobe.language.values import ValuePlace
from nliprobe.probes._row_donors import (
    DonorRow,
    Donors,
    DonorValues,
    ManyValues,
    Offer,
    category_key,
    columns_key,
    keys_of,
    plain_value,
    rows_of_many_values,
)
from nliprobe.task.table import Row, Table

T = TypeVar("T")
NO_CATEGORY = "the category of the table is unknown"
NO_NEW_KEY = "no other table of the category has a row with a new key"
NO_SAME_COLUMNS = "no other table has the same columns"
ONE_VALUE = "no row has several values"
NO_SAME_KEY = "no other table of the category has the key of a row with several values"
NO_CHANGE = "the value that was drawn would change nothing"
# After so many draws in succession that do not fit, the rest is listed instead.
_TRIES = 50


class Update(NamedTuple):
    """A row with one value replaced, and its place."""

    at: int
    row: Row


def new_rows(table: Table, group: str, donors: Donors, random: Random) -> Iterator[DonorRow]:
    """Draw rows from tables of other groups, without repetition.

    For an infobox they have keys that it does not have and come from tables of its category; for a many-column table
    they are records that it does not have, from tables with the same columns.
    """
    if table.columns:
        present = set(table.rows)
        candidates = donors.records.get(columns_key(table), [])
        return _drawn(candidates, lambda donor: donor.group != group and donor.row not in present, random)
    keys = keys_of(table)
    candidates = donors.rows.get(category_key(table), [])
    return _drawn(candidates, lambda donor: donor.key not in keys and donor.group != group, random)


def no_new_row(table: Table) -> str:
    """Return the reason why there is no row to insert."""
    if table.columns:
        return NO_SAME_COLUMNS
    return NO_NEW_KEY if category_key(table) else NO_CATEGORY


def draw_update(table: Table, group: str, donors: Donors, random: Random, taken: Collection[int] = ()) -> Update | str:
    """Draw another value for one value of a row that is not taken, or return the reason why there is none.

    Row, value, donor table and new value are drawn once. A draw that would change nothing is not repeated, so that the
    reasons count how often naive updates change nothing.
    """
    if reason := no_update(table, group, donors, taken):
        return reason
    if table.columns:
        return _draw_cell(table, group, donors, random, taken)
    offers = _offers(table, group, donors, taken)
    row, values = pick(offers, random)
    place = pick(row.places, random)
    new = pick(_other(values, group, random).values, random)
    return NO_CHANGE if plain_value(new) in row.plain else Update(row.at, _replaced(table, row, place, new))


def no_update(table: Table, group: str, donors: Donors, taken: Collection[int] = ()) -> str:
    """Return the reason why no row that is not taken can get another value; empty if one can."""
    if table.columns:
        records = donors.records.get(columns_key(table), [])
        possible = any(donor.group != group for donor in records) and bool(_filled(table, taken))
        return "" if possible else NO_SAME_COLUMNS
    if _offers(table, group, donors, taken):
        return ""
    return NO_SAME_KEY if any(row.at not in taken for row in rows_of_many_values(table)) else ONE_VALUE


def _offers(table: Table, group: str, donors: Donors, taken: Collection[int]) -> list[Offer]:
    offers = donors.offers(table, group)
    return [offer for offer in offers if offer.row.at not in taken] if taken else offers


def _filled(table: Table, taken: Collection[int]) -> list[int]:
    return [index for index, row in enumerate(table.rows) if row.values and index not in taken]


def _draw_cell(table: Table, group: str, donors: Donors, random: Random, taken: Collection[int]) -> Update | str:
    records = [donor for donor in donors.records.get(columns_key(table), []) if donor.group != group]
    places = _filled(table, taken)
    index = pick(places, random)
    row = table.rows[index]
    column = below(len(row.values), random)
    given = pick(records, random).row.values
    new = given[column] if column < len(given) else ""
    if not plain_value(new) or plain_value(new) == plain_value(row.values[column]):
        return NO_CHANGE
    return Update(index, Row(row.key, (*row.values[:column], new, *row.values[column + 1 :])))


def _other(values: Sequence[DonorValues], group: str, random: Random) -> DonorValues:
    """Draw from the tables of other groups; the caller knows that there is one."""
    return next(_drawn(values, lambda donor: donor.group != group, random))


def _replaced(table: Table, row: ManyValues, place: ValuePlace, new: str) -> Row:
    key, cells = table.rows[row.at]
    cell = cells[place.cell]
    changed = cell[: place.start] + new + cell[place.stop :]
    return Row(key, (*cells[: place.cell], changed, *cells[place.cell + 1 :]))


def below(size: int, random: Random) -> int:
    """Draw a place: as ``randrange`` does, in a fifth of the time."""
    return int(random.random() * size)


def pick(items: Sequence[T], random: Random) -> T:
    """Draw one of some items."""
    return items[int(random.random() * len(items))]


def _drawn(candidates: Sequence[T], fits: Callable[[T], bool], random: Random) -> Iterator[T]:
    """Draw candidates that fit, without repetition, until there are no more."""
    if not candidates:
        return
    drawn: set[int] = set()
    misses, size, draw = 0, len(candidates), random.random
    while misses < _TRIES:
        place = int(draw() * size)
        if not fits(candidates[place]) or place in drawn:
            misses += 1
            continue
        misses = 0
        drawn.add(place)
        yield candidates[place]
    rest = [place for place, candidate in enumerate(candidates) if place not in drawn and fits(candidate)]
    random.shuffle(rest)
    for place in rest:
        yield candidates[place]
