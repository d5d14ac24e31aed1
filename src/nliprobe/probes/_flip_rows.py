"""Other rows in the place of one row, each with one value changed: a value of another table, or a computed one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

from nliprobe.language.cells import Cell, Date, Dates, Duration, Quantity, Value, read_cell
from nliprobe.language.english import MONTHS
from nliprobe.probes._flip_values import Scalar, alike, distance, is_scalar, manner_of, nearby
from nliprobe.probes._row_donors import Donors, category_key, places_of, plain_value, row_key
from nliprobe.task.table import Row, Table

# So many tables are asked for a value: the nearest of theirs is taken.
_ASKED = 24
_WRITTEN = re.compile(rf"\d+|\b(?:{'|'.join(MONTHS)})\b")


class Changed(NamedTuple):
    """A row with one value changed, and how large the change is, from 0 to 1."""

    size: float
    row: Row


def borrowed(table: Table, place: int, group: str, donors: Donors, random: Random) -> list[Changed]:
    """Return a row with one value of another table of the category under the same key, the smallest changes first."""
    row = table.rows[place]
    asked = other_rows(table, row.key, group, donors, random, _ASKED)
    cell = _cell(row)
    if len(cell.values) == 1 and is_scalar(cell.values[0]):
        return sorted(item for other in asked for item in _scalar(row, cell.values[0], other))
    members = _members(row)
    known = {plain_value(member) for member in members}
    new = dict.fromkeys(value for other in asked for value in _members(other)[:1] if plain_value(value) not in known)
    size = len(members)
    changed = [Changed(2 / (size + 1), _replaced(row, at, value)) for value in new for at in range(size)]
    if size > 1:
        # A row with one value may be no list, and then another value beside it would contradict it.
        changed += [Changed(1 / (size + 1), _with(row, value)) for value in new]
    return sorted(changed)


def other_rows(table: Table, key: str, group: str, donors: Donors, random: Random, most: int) -> list[Row]:
    """Draw different rows with a key from the tables of other groups of a table's category."""
    given = donors.keyed(category_key(table), row_key(key))
    # Some of the drawn rows are of the table's own group, or write the key in another way.
    drawn = random.sample(given, min(2 * most, len(given)))
    rows = dict.fromkeys(donor.row for donor in drawn if donor.group != group and donor.row.key == key)
    return list(rows)[:most]


def worked_out(
    row: Row, names: Sequence[str], hints: Iterable[int | Date], fits: Callable[[Row], bool]
) -> list[Changed]:
    """Return a row with one value that no table need have, the smallest changes first.

    Args:
        row: the row.
        names: texts that the program names, which a list or a text may have to have.
        hints: what a number or a date may be compared with.
        fits: tells whether a row does what is wanted.
    """
    cell = _cell(row)
    old = cell.values[0] if len(cell.values) == 1 else None
    if isinstance(old, bool):
        changed = [Changed(1.0, Row(row.key, (_as_written(row.values[0], "no" if old else "yes"),)))]
    elif isinstance(old, Quantity | Date | Dates | Duration) and len(row.values) == 1:
        return _moved(row, old, hints, fits)
    else:
        changed = list(_other_members(row, names))
    return sorted(item for item in changed if fits(item.row))


@lru_cache(maxsize=8_192)  # a row is a hint for every other row of its table
def hints_of(row: Row) -> tuple[int | Date, ...]:
    """Return what another row may be compared with: a number, seconds, a date and its year, the ends of a stretch."""
    hints: list[int | Date] = []
    for value in _cell(row).values:
        match value:
            case Quantity():
                hints.append(int(value.value))
            case Duration():
                hints.append(int(value.seconds))
            case Date():
                hints += [value, value.year]
            case Dates():
                hints += [end for end in value if end is not None]
    return tuple(hints)


def _moved(row: Row, old: Scalar, hints: Iterable[int | Date], fits: Callable[[Row], bool]) -> list[Changed]:
    """Return a row with the nearest values that fit, written in the manner of the old one."""
    manner = manner_of(row.values[0], old)
    if manner is None:
        return []

    rows: dict[Scalar, Row] = {}

    def does(value: Scalar) -> bool:
        text = manner.write(value)
        if text is None or text == row.values[0]:
            return False
        rows[value] = Row(row.key, (text,))
        return fits(rows[value])

    values = list(nearby(old, manner.like, hints, does))
    return sorted(Changed(distance(old, value), rows[value]) for value in values)


def _other_members(row: Row, names: Sequence[str]) -> Iterator[Changed]:
    """Yield a list with a member less, one more, or another one that the program names."""
    members = _members(row)
    known = {plain_value(member) for member in members}
    new = [name for name in dict.fromkeys(names) if plain_value(name) not in known]
    size = len(members)
    if size > 1:
        yield from (Changed(1 / size, _without(row, at)) for at in range(size))
    for name in new:
        if size > 1:
            yield Changed(1 / (size + 1), _with(row, name))
        yield from (Changed(2 / (size + 1), _replaced(row, at, name)) for at in range(size))


def _scalar(row: Row, old: Value, other: Row) -> Iterator[Changed]:
    """Yield the row with the other row's value, written in the row's own manner."""
    if len(row.values) != 1 or len(other.values) != 1:
        return
    cell, text = _cell(other), row.values[0]
    new = cell.values[0] if len(cell.values) == 1 and cell.certain else None
    if new is None or not alike(old, new):
        return
    written: str | None = other.values[0]
    if _shape(text) != _shape(other.values[0]):
        manner = manner_of(text, old)
        written = (
            None if manner is None or not isinstance(new, Quantity | Date | Dates | Duration) else manner.write(new)
        )
    if written is not None and written != text:
        yield Changed(distance(old, new), Row(row.key, (written,)))


def _shape(text: str) -> str:
    """Return what two texts written in the same manner share: all but digits and the names of months."""
    return _WRITTEN.sub(lambda match: "0" if match[0].isdigit() else "month", text)


def _as_written(old: str, new: str) -> str:
    return new.upper() if old.isupper() and len(old) > 1 else new.capitalize() if old[:1].isupper() else new


@lru_cache(maxsize=8_192)  # a row of another table is asked for its value by many pairs
def _cell(row: Row) -> Cell:
    return read_cell(row.key, row.values)


def _members(row: Row) -> list[str]:
    return [row.values[cell][start:stop] for cell, start, stop in places_of(row)]


def _replaced(row: Row, at: int, new: str) -> Row:
    cell, start, stop = places_of(row)[at]
    return _spliced(row, cell, start, stop, new)


def _with(row: Row, new: str) -> Row:
    """Append a member: as a cell of its own, or after the separator that the cell uses."""
    places = places_of(row)
    if len(row.values) > 1 or len(places) < 2:
        return Row(row.key, (*row.values, new))
    cell, _, stop = places[-1]
    between = row.values[cell][places[0].stop : places[1].start]
    return _spliced(row, cell, stop, stop, between + new)


def _without(row: Row, at: int) -> Row:
    """Take a member out, with its cell or with the separator beside it."""
    places = places_of(row)
    cell, start, stop = places[at]
    if len(row.values) > 1:
        return Row(row.key, (*row.values[:cell], *row.values[cell + 1 :]))
    if at + 1 < len(places):
        return _spliced(row, cell, start, places[at + 1].start, "")
    return _spliced(row, cell, places[at - 1].stop, stop, "")


def _spliced(row: Row, cell: int, start: int, stop: int, new: str) -> Row:
    text = row.values[cell]
    changed = text[:start] + new + text[stop:]
    return Row(row.key, (*row.values[:cell], changed, *row.values[cell + 1 :]))
