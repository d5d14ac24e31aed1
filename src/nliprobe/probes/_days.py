"""Dates as numbers of days, and how long it is between them."""

from __future__ import annotations

from fractions import Fraction

from nliprobe.language.cells.records import Date, Dates
from nliprobe.probes._claims import Stretch

# Days are counted with 31 to each month: only their order and rough distance matter.
DAYS_OF_YEAR = 372
SECONDS_OF_YEAR = 31_557_600
_ABOUT = 10 * DAYS_OF_YEAR  # how far from the day a date may be that is not exact


def day_number(day: tuple[int, int, int]) -> int:
    """Return a day as a number; there is no year 0."""
    year, month, date = day
    return (year if year > 0 else year + 1) * DAYS_OF_YEAR + (month - 1) * 31 + date - 1


def days_of(date: Date) -> Stretch:
    """Return the days that a date may be."""
    return Stretch(day_number(date.first), day_number(date.last))


def whole(time: Date | Dates) -> Stretch:
    """Return all days that a date may be, or that a stretch of time has."""
    if isinstance(time, Dates):
        return Stretch(day_number(time.start.first), day_number(time.end.last) if time.end else None)
    slack = _ABOUT if time.about else 0
    return Stretch(day_number(time.first) - slack, day_number(time.last) + slack)


def years_between(start: Stretch, end: Stretch) -> Stretch:
    """Return how many years it may be from one day to another."""
    assert start.low is not None
    assert start.high is not None
    assert end.low is not None
    high = None if end.high is None else Fraction(end.high - start.low, DAYS_OF_YEAR)
    return Stretch(max(Fraction(0), Fraction(end.low - start.high, DAYS_OF_YEAR)), high)
