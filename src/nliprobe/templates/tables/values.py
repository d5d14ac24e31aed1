"""What programs compute with: numbers and dates that may be open, and three-valued truth.

``None`` stands for what the table does not say. A number of which only the ends are known is :class:`Between`; a date
that lacks its day or month is open in the same way.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from nliprobe.language.cells.records import Date, Dates


class Between(NamedTuple):
    """A number that is not known exactly: from ``low`` to ``high``, both included."""

    low: int | Fraction
    high: int | Fraction


Number: TypeAlias = int | Fraction | Between
Truth: TypeAlias = bool | None
Members: TypeAlias = tuple[int | str, ...]
Value: TypeAlias = Number | Date | Dates | str | Members | bool | None


@lru_cache(maxsize=65_536)
def folded(text: str) -> str:
    """Return what two texts share that differ only in case and spaces."""
    return " ".join(text.casefold().split())


def negated(truth: Truth) -> Truth:
    """Return the opposite; unknown stays unknown."""
    return None if truth is None else not truth


def ends(number: Number) -> tuple[int | Fraction, int | Fraction]:
    """Return the smallest and the largest value that a number may have."""
    return (number.low, number.high) if isinstance(number, Between) else (number, number)


def between(low: int | Fraction, high: int | Fraction) -> Number:
    """Return a number with these ends, exact if they are equal."""
    return low if low == high else Between(low, high)


def number_less(one: Number, two: Number) -> Truth:
    """Tell whether a number is smaller than another one."""
    if not isinstance(one, Between) and not isinstance(two, Between):
        return one < two
    (low, high), (other_low, other_high) = ends(one), ends(two)
    return True if high < other_low else False if low >= other_high else None


def number_equal(one: Number, two: Number) -> Truth:
    """Tell whether two numbers are equal; two open ones may be, if their stretches meet."""
    if not isinstance(one, Between) and not isinstance(two, Between):
        return one == two
    (low, high), (other_low, other_high) = ends(one), ends(two)
    return False if high < other_low or low > other_high else None


def as_date(value: Date | int) -> Date:
    """Return a date; a number is a year."""
    return Date(value) if isinstance(value, int) else value


def date_less(one: Date, two: Date) -> Truth:
    """Tell whether what one row dates was before what another row dates."""
    return True if one.last < two.first else False if one.first >= two.last else None


def date_equal(one: Date, two: Date) -> Truth:
    """Tell whether two rows name the same day."""
    if one.last < two.first or two.last < one.first:
        return False
    return True if one.day is not None and two.day is not None else None


def before_stated(date: Date, stated: Date) -> Truth:
    """Tell whether a date is before a day, month or year that the program states: before its first day."""
    return True if date.last < stated.first else False if date.first >= stated.first else None


def after_stated(date: Date, stated: Date) -> Truth:
    """Tell whether a date is after a day, month or year that the program states: after its last day."""
    return True if date.first > stated.last else False if date.last <= stated.last else None


def in_stated(date: Date, stated: Date) -> Truth:
    """Tell whether a date is that day, or in that month or year."""
    if date.last < stated.first or date.first > stated.last:
        return False
    return True if stated.first <= date.first and date.last <= stated.last else None


def years_between(one: Date, two: Date) -> Number:
    """Return how many complete years are from one date to another, as far as the dates say."""
    return between(_complete(one.last, two.first), _complete(one.first, two.last))


def span_of(stretch: Dates) -> Number | None:
    """Return the years from the start of a stretch to its end: complete ones, or the difference of bare years."""
    start, end = stretch
    if end is None:
        return None
    if start.month is None and end.month is None and start.years == end.years == 1:
        return _numbered(end.year) - _numbered(start.year)
    return years_between(start, end)


def in_stretch(date: Date, stretch: Dates) -> Truth:
    """Tell whether a date is inside a stretch of time; one without an end goes on.

    A year or month that the row itself names as an end is inside: "1978–1984" includes 1978 and 1984.
    """
    start, end = stretch
    if date in (start, end):
        return True
    return both(_not_before(date, start), True if end is None else _not_before(end, date))


def stretches_meet(one: Dates, two: Dates) -> Truth:
    """Tell whether two stretches of time have a day in common; 1970–1975 and 1975–1980 may or may not."""
    return both(
        True if two.end is None else _not_before(two.end, one.start),
        True if one.end is None else _not_before(one.end, two.start),
    )


def both(one: Truth, two: Truth) -> Truth:
    """Tell whether both hold: false if one is false, else unknown if one is unknown."""
    return False if one is False or two is False else None if one is None or two is None else True


def _not_before(one: Date, two: Date) -> Truth:
    return True if one.first >= two.last else False if one.last < two.first else None


def _numbered(year: int) -> int:
    """Return a year's number on a line without a gap: 1 BC is 0, because there is no year 0."""
    return year + 1 if year < 0 else year


def _complete(one: tuple[int, int, int], two: tuple[int, int, int]) -> int:
    return _numbered(two[0]) - _numbered(one[0]) - (two[1:] < one[1:])
