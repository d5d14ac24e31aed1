"""The operations of programs: what they take, what they give and what they do."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from nliprobe.base.errors import DataError
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


def day(text: str) -> Date:
    """Return the date that a program states: a day, a month or a year.

    >>> day("1979-03-29"), day("-44")
    (Date(year=1979, month=3, day=29, years=1, about=False), Date(year=-44, month=None, day=None, years=1, about=False))
    """
    sign = -1 if text.startswith("-") else 1
    parts = text.removeprefix("-").split("-")
    if not 1 <= len(parts) <= 3 or not all(part.isascii() and part.isdigit() for part in parts):
        raise DataError(f"day('{text}') should be written like day('1979-03-29'), day('1979-03') or day('1979').")
    year, month, number = (*map(int, parts), *[0] * (3 - len(parts)))
    if not year or (len(parts) > 1 and not 1 <= month <= 12) or (len(parts) > 2 and not 1 <= number <= 31):
        raise DataError(f"day('{text}') is no day: there is no such year, month or day.")
    return Date(sign * year, month or None, number or None)


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


def _folded(items: Members) -> list[str]:
    return [folded(item) if isinstance(item, str) else str(item) for item in items]


_N, _D, _T, _L, _B, _K, _S = (
    Kind.NUMBER, Kind.DATE, Kind.TEXT, Kind.LIST, Kind.TRUTH, Kind.KEY, Kind.STRETCH,
)  # fmt: skip
READINGS: dict[str, Operation] = {
    "number": Operation((_K, Kind.UNIT), _N, None, "the number of a row, in the unit that is the second argument", 1),
    "money": Operation((_K, Kind.UNIT), _N, None, "the sum of money of a row, in that currency", 1),
    "year": Operation((_K,), _N, None, "the year of the date of a row"),
    "date": Operation((_K,), _D, None, "the date of a row"),
    "start": Operation((_K,), _D, None, "when the stretch of time of a row begins"),
    "end": Operation((_K,), _D, None, "when it ends; unknown if it goes on"),
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
    "day": Operation((_T,), _D, day, 'a day, month or year: `day("1979-03-29")`, `day("1979-03")`, `day("1979")`'),
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
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
CONNECTIVES = ("and", "or", "not", "not in")
