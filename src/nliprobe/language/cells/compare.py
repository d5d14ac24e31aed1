"""Compare values of cells and mentions: True, False, or None where what is written leaves it open."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias, TypeVar

from nliprobe.language.cells.records import Date, Dates, Duration, Quantity
from nliprobe.language.cells.units import CURRENCY_CODES, DIMENSIONS

Comparable: TypeAlias = Quantity | Date | Dates | Duration
# Tables round what they convert: "5 ft 9 in (1.75 m)". Nearer than this, values of different units are left open.
_ROUNDED = Fraction(1, 100)
_End = TypeVar("_End", Fraction, tuple[int, int, int])


def before(a: Comparable, b: Comparable) -> bool | None:
    """Tell whether a date is before another one, or an amount is less than another one.

    A year leaves open which of its days is meant, so that 1979 is neither before May 1979 nor after it. A stretch is
    before another time if it ends before that begins.

    >>> before(Date(1979), Date(1980)), before(Date(1979), Date(1979, 5)), before(Date(1979, 5, 2), Date(1979, 5, 1))
    (True, None, False)
    """
    if isinstance(a, (Date, Dates)) and isinstance(b, (Date, Dates)):
        last, first = (a.end if isinstance(a, Dates) else a), (b.start if isinstance(b, Dates) else b)
        if last is None or last.about or first.about:
            return None
        return _less((last.first, last.last), (first.first, first.last))
    amounts = _amounts(a, b)
    if amounts is None:
        return None
    left, right, exact = amounts
    return _less(left, right) if exact or not _is_near(left, right) else None


def equals(a: Comparable, b: Comparable) -> bool | None:
    """Tell whether two dates are the same day, two stretches have the same ends, or two amounts are the same.

    Two dates are certainly equal only as days: 1979 and 1979 may be different days, and so may 1979 and May 1979. For
    "in 1979", use :func:`within`.

    >>> equals(Quantity(Fraction(2), "km"), Quantity(Fraction(2000), "m")), equals(Date(1979), Date(1979))
    (True, None)
    """
    if isinstance(a, Date) and isinstance(b, Date):
        return None if a.about or b.about else _same((a.first, a.last), (b.first, b.last))
    if isinstance(a, Dates) and isinstance(b, Dates):
        starts = equals(a.start, b.start)
        ends = (a.end is None and b.end is None) if a.end is None or b.end is None else equals(a.end, b.end)
        return False if starts is False or ends is False else None if starts is None or ends is None else True
    amounts = _amounts(a, b)
    if amounts is None:
        return None
    left, right, exact = amounts
    same = _same(left, right)
    return None if same is False and not exact and _is_near(left, right) else same


def within(inner: Date | Dates, outer: Date | Dates) -> bool | None:
    """Tell whether a date or stretch lies in another one: 29 March 1979 is in 1979 and in the 1970s.

    >>> within(Date(1979, 3, 29), Date(1970, years=10)), within(Date(1979), Date(1979, 3))
    (True, None)
    """
    start, end = (inner.start, inner.end) if isinstance(inner, Dates) else (inner, inner)
    first, last = (outer.start, outer.end) if isinstance(outer, Dates) else (outer, outer)
    if end is None or last is None or any(date.about for date in (start, end, first, last)):
        return None
    if isinstance(outer, Date) and first.first <= start.first and end.last <= last.last:
        return True
    if end.last < first.first or last.last < start.first:
        return False
    if isinstance(outer, Dates) and first.last <= start.first and end.last <= last.first:
        return True
    if isinstance(inner, Dates) and (start.last < first.first or end.first > last.last):
        return False
    return None


def years_between(a: Date, b: Date) -> int | None:
    """Return the complete years from one date to another, negative if that is earlier; None if dates leave it open.

    >>> years_between(Date(1979, 3, 29), Date(1990, 3, 28)), years_between(Date(-44, 3, 15), Date(14, 8, 19))
    (10, 57)
    >>> years_between(Date(1979), Date(1990)) is None
    True
    """
    if a.about or b.about:
        return None
    fewest, most = _complete_years(a.last, b.first), _complete_years(a.first, b.last)
    return fewest if fewest == most else None


def _complete_years(a: tuple[int, int, int], b: tuple[int, int, int]) -> int:
    if b < a:
        return -_complete_years(b, a)
    # There is no year 0: 1 BC is followed by AD 1.
    passed = b[0] + (b[0] < 0) - a[0] - (a[0] < 0)
    return passed - (b[1:] < a[1:])


def _amounts(a: Comparable, b: Comparable) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction], bool] | None:
    """Return both amounts as lowest and highest value in one unit, and whether they are written in one unit."""
    if isinstance(a, Duration) and isinstance(b, Duration):
        return None if a.about or b.about else ((a.seconds, a.seconds), (b.seconds, b.seconds), True)
    if not isinstance(a, Quantity) or not isinstance(b, Quantity) or a.about or b.about:
        return None
    left, right = (a.value, a.value if a.upper is None else a.upper), (b.value, b.value if b.upper is None else b.upper)
    if a.unit == b.unit or (is_count(a.unit) and is_count(b.unit) and not (a.unit and b.unit)):
        return left, right, True
    of_a, of_b = DIMENSIONS.get(a.unit), DIMENSIONS.get(b.unit)
    if of_a is None or of_b is None or of_a[0] != of_b[0]:
        return None
    return (left[0] * of_a[1], left[1] * of_a[1]), (right[0] * of_b[1], right[1] * of_b[1]), False


def is_count(unit: str) -> bool:
    """Tell whether a unit is nothing or what is counted: "56,079" can be compared with "56,079 students"."""
    return unit not in DIMENSIONS and unit not in CURRENCY_CODES and unit != "ordinal"


def _less(a: tuple[_End, _End], b: tuple[_End, _End]) -> bool | None:
    if a[1] < b[0]:
        return True
    return False if a[0] >= b[1] else None


def _same(a: tuple[_End, _End], b: tuple[_End, _End]) -> bool | None:
    if a[1] < b[0] or b[1] < a[0]:
        return False
    return True if a[0] == a[1] == b[0] == b[1] else None


def _is_near(a: tuple[Fraction, Fraction], b: tuple[Fraction, Fraction]) -> bool:
    return a[1] * (1 + _ROUNDED) >= b[0] and b[1] * (1 + _ROUNDED) >= a[0]
