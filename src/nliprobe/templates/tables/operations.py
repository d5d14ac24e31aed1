"""The operations of programs: what they take, what they give and what they do."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from nliprobe.base.errors import DataError
from nliprobe.base.hashing import digest
from nliprobe.language.cells import cells_version
from nliprobe.language.cells.records import Date, Dates
from nliprobe.templates.tables.values import (
    Members,
    Number,
    Truth,
    Value,
    as_date,
    between,
    ends,
    folded,
    in_stretch,
    stretches_meet,
    years_between,
)

# To be increased when a program and a table give another label than before.
VERSION = 1


def programs_version() -> str:
    """Return a hash of what decides the label of a program over a table: the operations, and how cells are read."""
    return digest(str(VERSION), cells_version())


class Kind(StrEnum):
    """What kind of value an expression has."""

    NUMBER = "a number"
    DATE = "a date"
    TEXT = "a text"
    LIST = "a list"
    TRUTH = "a statement"
    KEY = "the key of a row"
    STRETCH = "the key of a row with a stretch of time"
    UNIT = "a unit"
    ANY = "a value"


class Operation(NamedTuple):
    """An operation.

    Attributes:
        takes: the kinds of its arguments.
        gives: the kind of its result.
        apply: computes it from arguments that are all known; None for readings, which get a row.
        optional: how many of the last arguments may be left out.
        about: what it means, for the reference.
    """

    takes: tuple[Kind, ...]
    gives: Kind
    apply: Callable[..., Value] | None
    about: str
    optional: int = 0


def day(*parts: int | str) -> Date:
    """Return the date that a program states: a day, a month or a year.

    >>> day("1979-03-29") == day(1979, 3, 29), write_day(day("-44")), write_day(day(1979, 3))
    (True, '-44', '1979-03')
    """
    text = "-".join(map(str, parts))
    sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text)
    pieces = digits.split("-")
    if not 1 <= len(pieces) <= 3 or not all(piece.isascii() and piece.isdigit() for piece in pieces):
        raise DataError(f"day('{text}') should be written like day('1979-03-29'), day('1979-03') or day('1979').")
    year, month, number = (*map(int, pieces), *[0] * (3 - len(pieces)))
    try:
        # The calendar of the datetime module has no years before Christ; the year 2000 has every day of a year.
        datetime.date(year if 0 < year < 10_000 and sign > 0 else 2000, month or 1, number or 1)
    except ValueError:
        raise DataError(f"day('{text}') is no day: there is no such month or day.") from None
    if not year or (len(pieces) > 1 and not month) or (len(pieces) > 2 and not number):
        raise DataError(f"day('{text}') is no day: years, months and days begin with 1.")
    return Date(sign * year, month or None, number or None)


def write_day(date: Date) -> str:
    """Return the text that :func:`day` reads, at the date's own precision."""
    parts = [f"{date.year:04}" if date.year > 0 else str(date.year)]
    parts += [f"{part:02}" for part in (date.month, date.day) if part is not None]
    return "-".join(parts)


def shift(date: Date, days: Number) -> Date | None:
    """Return the date so many days later; unknown if the date is no single day of the calendar."""
    if date.month is None or date.day is None or not isinstance(days, int):
        return None
    try:
        later = datetime.date(date.year, date.month, date.day) + datetime.timedelta(days)
    except (ValueError, OverflowError):
        return None
    return Date(later.year, later.month, later.day)


def shift_back(date: Date, days: Number) -> Date | None:
    """Return the date so many days earlier."""
    return shift(date, -days) if isinstance(days, int) else None


def year_of(date: Date) -> Number:
    """Return the year of a date; a decade leaves open which one."""
    return between(date.year, date.year + date.years - 1)


def month_of(date: Date) -> int | None:
    """Return the month of a date, 1 to 12, or None if it does not say."""
    return date.month if date.years == 1 else None


def add(one: Number, two: Number) -> Number:
    """Add numbers; what is open stays open."""
    if isinstance(one, int) and isinstance(two, int):
        return one + two
    (low, high), (other_low, other_high) = ends(one), ends(two)
    return between(low + other_low, high + other_high)


def subtract(one: Number, two: Number) -> Number:
    """Subtract numbers."""
    low, high = ends(two)
    return add(one, between(-high, -low))


def multiply(one: Number, two: Number) -> Number:
    """Multiply numbers."""
    products = [first * second for first in ends(one) for second in ends(two)]
    return between(min(products), max(products))


def divide(one: Number, two: Number) -> Number | None:
    """Divide numbers and leave out the remainder; nothing is known of a division by what may be zero."""
    low, high = ends(two)
    if low <= 0 <= high:
        return None
    quotients: list[int | Fraction] = [first // second for first in ends(one) for second in (low, high)]
    return between(min(quotients), max(quotients))


def remainder(one: Number, two: Number) -> Number | None:
    """Return what is left over of a division; nothing is known if one of the numbers is open."""
    (low, high), (other, last) = ends(one), ends(two)
    return None if low != high or other != last or not other else low % other


def member(one: int | str, items: Members) -> bool:
    """Tell whether a list has a member; texts are equal whatever their case and spaces."""
    return folded(one) in _folded(items) if isinstance(one, str) else one in items


def count(items: Members) -> int:
    """Return how many members a list has."""
    return len(items)


def first(items: Members) -> int | str | None:
    """Return the first member of a list."""
    return items[0] if items else None


def last(items: Members) -> int | str | None:
    """Return the last member of a list."""
    return items[-1] if items else None


def precedes(items: Members, one: str, two: str) -> bool:
    """Tell whether a list names one member before another; a member that it does not name comes nowhere."""
    names = _folded(items)
    one, two = folded(one), folded(two)
    return one in names and two in names and names.index(one) < names.index(two)


def shared(one: Members, two: Members) -> int:
    """Return how many members of a list are in another one."""
    return sum([member(item, two) for item in one])


def every(one: Members, two: Members) -> bool:
    """Tell whether all members of a list are in another one."""
    return shared(one, two) == len(one)


def most(one: Members, two: Members) -> bool:
    """Tell whether more than half of the members of a list are in another one."""
    return 2 * shared(one, two) > len(one)


def some(one: Members, two: Members) -> bool:
    """Tell whether at least one member of a list is in another one."""
    return shared(one, two) > 0


def none(one: Members, two: Members) -> bool:
    """Tell whether no member of a list is in another one."""
    return shared(one, two) == 0


def during(date: Date | int, stretch: Dates) -> Truth:
    """Tell whether a date, or a year, is inside a stretch of time."""
    return in_stretch(as_date(date), stretch)


def years(one: Date | int, two: Date | int) -> Number:
    """Return the complete years from one date to another."""
    return years_between(as_date(one), as_date(two))


@lru_cache(maxsize=16_384)
def _folded(items: Members) -> tuple[str, ...]:
    return tuple([folded(item) if isinstance(item, str) else str(item) for item in items])


_N, _D, _T, _L, _B, _K, _S = (
    Kind.NUMBER, Kind.DATE, Kind.TEXT, Kind.LIST, Kind.TRUTH, Kind.KEY, Kind.STRETCH,
)  # fmt: skip
READINGS: dict[str, Operation] = {
    "number": Operation((_K, Kind.UNIT), _N, None, "the number of a row, in the unit that is the second argument", 1),
    "money": Operation((_K, Kind.UNIT), _N, None, "the sum of money of a row, in that currency", 1),
    "year": Operation((_K,), _N, None, "the year of the date of a row"),
    "month": Operation((_K,), _N, None, "the month of the date of a row, 1 to 12; unknown if it does not say"),
    "date": Operation((_K,), _D, None, "the date of a row"),
    "start": Operation((_K,), _D, None, "when the stretch of time of a row begins"),
    "end": Operation((_K,), _D, None, "when it ends; what goes on ends after the present"),
    "span": Operation((_K,), _N, None, "the years from its start to its end"),
    "seconds": Operation((_K,), _N, None, "the duration of a row, in seconds"),
    "items": Operation((_K,), _L, None, "the values of a row, as a list of texts"),
    "text": Operation((_K,), _T, None, "the text of a row"),
    "yes": Operation((_K,), _B, None, "whether a row says yes"),
}
OPERATIONS: dict[str, Operation] = {
    "+": Operation((_N, _N), _N, add, "sum"),
    "-": Operation((_N, _N), _N, subtract, "difference"),
    "*": Operation((_N, _N), _N, multiply, "product"),
    "//": Operation((_N, _N), _N, divide, "quotient without its remainder"),
    "%": Operation((_N, _N), _N, remainder, "remainder"),
    "day": Operation(
        (Kind.ANY, _N, _N),
        _D,
        lru_cache(65_536)(day),
        'a day, month or year: `day("1979-03-29")`, `day("1979-03")`, `day(1979, 3)`',
        2,
    ),
    "years": Operation((_D, _D), _N, years, "the complete years from one date to another"),
    "in": Operation((Kind.ANY, _L), _B, member, "whether a list has a member"),
    "count": Operation((_L,), _N, count, "how many members a list has"),
    "first": Operation((_L,), Kind.ANY, first, "its first member"),
    "last": Operation((_L,), Kind.ANY, last, "its last member"),
    "precedes": Operation((_L, _T, _T), _B, precedes, "whether it names one member before another"),
    "shared": Operation((_L, _L), _N, shared, "how many members of the first list are in the second"),
    "every": Operation((_L, _L), _B, every, "whether all members of the first list are in the second"),
    "most": Operation((_L, _L), _B, most, "whether more than half of them are"),
    "some": Operation((_L, _L), _B, some, "whether at least one is"),
    "none": Operation((_L, _L), _B, none, "whether none is"),
    "overlaps": Operation((_S, _S), _B, stretches_meet, "whether two stretches of time have a day in common"),
    "during": Operation((_D, _S), _B, during, "whether a date or year is inside a stretch of time"),
}
# What these operations do if their first argument is a date.
OF_DATES: dict[str, Operation] = {
    "+": Operation((_D, _N), _D, shift, "the day so many days later"),
    "-": Operation((_D, _N), _D, shift_back, "the day so many days earlier"),
    "year": Operation((_D,), _N, year_of, "the year of a date"),
    "month": Operation((_D,), _N, month_of, "the month of a date, 1 to 12; unknown if it does not say"),
}
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
CONNECTIVES = ("and", "or", "not", "not in")
