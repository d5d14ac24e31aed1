"""Days that are known in part, and stretches of time: what *before*, *during* and *for years* can settle.

A date is the stretch of days that it may mean: *May 1979* is the 31 days of it. What is not settled is None.
"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date
from typing import NamedTuple

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
# The present of tables that say "–present": those of InfoTabS were taken from Wikipedia in 2018 and 2019.
PRESENT = 2018
_MONTH = "|".join(MONTHS)
_DAY_FIRST = rf"(?P<d1>\d{{1,2}}) (?P<m1>{_MONTH}) (?P<y1>\d{{3,4}})"
_MONTH_FIRST = rf"(?P<m2>{_MONTH}) (?P<d2>\d{{1,2}}), (?P<y2>\d{{3,4}})"
_ISO = r"(?P<y3>\d{4})-(?P<m3>\d\d)-(?P<d3>\d\d)"
_MONTH_ONLY = rf"(?P<m4>{_MONTH}),? (?P<y4>\d{{3,4}})"
_YEAR_ONLY = r"(?<![\d,.])(?P<y5>\d{3,4})(?![\d,]\d|\d)"
_DATE = re.compile(rf"{_DAY_FIRST}|{_MONTH_FIRST}|{_ISO}|{_MONTH_ONLY}|{_YEAR_ONLY}")
_DASH = r" ?[-–—] ?| to "
_PRESENT = re.compile(rf"(?:{_DASH})(?:present|now)\b")
_YEAR = r"\d{4}"
_SHORT_END = re.compile(rf"(?<!\d)(\d{{4}}) ?[-–] ?(\d\d)(?![\d-]| (?:{_MONTH}))")
# 3–7 May 1978; May 3–7, 1978; 3 May – 9 June 1978; May 3 – June 9, 1978; May–June 1978
_PARTLY_WRITTEN = [
    re.compile(pattern)
    for pattern in (
        rf"(?<!\d)(?P<d>\d{{1,2}}) ?[-–] ?(?P<e>\d{{1,2}}) (?P<m>{_MONTH}) (?P<y>{_YEAR})",
        rf"(?P<m>{_MONTH}) (?P<d>\d{{1,2}}) ?[-–] ?(?P<e>\d{{1,2}}),? (?P<y>{_YEAR})",
        rf"(?<!\d)(?P<d>\d{{1,2}}) (?P<m>{_MONTH}) ?[-–] ?(?P<e>\d{{1,2}}) (?P<n>{_MONTH}) (?P<y>{_YEAR})",
        rf"(?P<m>{_MONTH}) (?P<d>\d{{1,2}}) ?[-–] ?(?P<n>{_MONTH}) (?P<e>\d{{1,2}}),? (?P<y>{_YEAR})",
        rf"(?P<m>{_MONTH}) ?[-–] ?(?P<n>{_MONTH}) (?P<y>{_YEAR})",
    )
]


class When(NamedTuple):
    """The first and the last day that a date may mean."""

    low: date
    high: date

    @property
    def year(self) -> int | None:
        """The year, where there is only one."""
        return self.low.year if self.low.year == self.high.year else None

    def later(self, years: int) -> When:
        """Return the same date of a later year; the 29th of February becomes the 28th where there is none."""
        return When(_moved(self.low, years), _moved(self.high, years))


class Stretch(NamedTuple):
    """Begin and end; the end is None where it still goes on."""

    begin: When
    end: When | None


def a_day(year: int, month: int | None = None, day: int | None = None) -> When:
    """Return what a year, a month or a day may mean."""
    if month is None:
        return When(date(year, 1, 1), date(year, 12, 31))
    if day is None:
        return When(date(year, month, 1), date(year, month, monthrange(year, month)[1]))
    return When(date(year, month, day), date(year, month, day))


def _moved(day: date, years: int) -> date:
    year = day.year + years
    return date(year, day.month, min(day.day, monthrange(year, day.month)[1]))


def read_date(text: str) -> When | None:
    """Return the first date in a text, or None if there is none."""
    match = _DATE.search(text)
    return _when(match) if match else None


def read_dates(text: str) -> list[When]:
    """Return all dates in a text."""
    return [_when(match) for match in _DATE.finditer(text)]


def _when(match: re.Match[str]) -> When:
    parts = match.groupdict()
    at = next(place for place in "12345" if parts[f"y{place}"])
    month, day = parts.get(f"m{at}"), parts.get(f"d{at}")
    number = None if month is None else int(month) if month.isdigit() else MONTHS.index(month) + 1
    return a_day(int(parts[f"y{at}"]), number, None if day is None else int(day))


def read_stretch(text: str) -> Stretch | None:
    """Return a stretch of time: 1975–1983, May – June 1978, 3–7 May 1978, 1990–present."""
    for pattern in _PARTLY_WRITTEN:
        if match := pattern.search(text):
            parts = match.groupdict()
            month, year = parts["m"], int(parts["y"])
            ends = [(month, parts.get("d")), (parts.get("n") or month, parts.get("e"))]
            begin, end = (a_day(year, MONTHS.index(name) + 1, int(day) if day else None) for name, day in ends)
            return Stretch(begin, end)
    if match := _SHORT_END.search(text):
        first, last = int(match[1]), int(match[1][:2] + match[2])
        return Stretch(a_day(first), a_day(last))
    dates = read_dates(text)
    if dates and _PRESENT.search(text):
        return Stretch(dates[0], None)
    return Stretch(dates[0], dates[1]) if len(dates) >= 2 else None


def month_number(name: str) -> int:
    """Return the number of a month."""
    return MONTHS.index(name) + 1


def has_ended_before(stretch: Stretch, period: When) -> bool | None:
    """Tell whether something was over before a period. What goes on *at present* goes on when the table was written."""
    if stretch.end is not None:
        return is_before(stretch.end, period)
    return False if period.low.year <= PRESENT else None


def is_before(date: When, period: When) -> bool | None:
    """Tell whether a date is before a period begins, or None if what the date leaves open decides."""
    if date.high < period.low:
        return True
    return False if date.low >= period.low else None


def is_after(date: When, period: When) -> bool | None:
    """Tell whether a date is after a period ends, or None if what the date leaves open decides."""
    if date.low > period.high:
        return True
    return False if date.high <= period.high else None


def is_later(date: When, other: When) -> bool | None:
    """Tell whether a date is after another one, or None if what one of them leaves open decides."""
    if date.low > other.high:
        return True
    return False if date.high <= other.low else None


def is_within(date: When, period: When) -> bool | None:
    """Tell whether a date is in a period, or None if what the date leaves open decides."""
    if period.low <= date.low and date.high <= period.high:
        return True
    return False if date.high < period.low or date.low > period.high else None


def has_part_in(stretch: Stretch, period: When) -> bool | None:
    """Tell whether something went on at some time of a period. What goes on now has no end before it."""
    begun, over = is_after(stretch.begin, period), stretch.end and is_before(stretch.end, period)
    if begun or over:
        return False
    return None if begun is None or (stretch.end is not None and over is None) else True


def overlap(first: Stretch, second: Stretch) -> bool | None:
    """Tell whether two things went on at once; where one ends in the year in which the other begins, this is open."""
    orders = [_no_later(first.begin, second.end), _no_later(second.begin, first.end)]
    return False if False in orders else None if None in orders else True


def _no_later(begin: When, end: When | None) -> bool | None:
    if end is None or begin.high <= end.low:
        return True
    return False if begin.low > end.high else None


def complete_years(first: When, second: When) -> tuple[int, int]:
    """Return the fewest and the most complete years that may lie between two dates."""
    return _between(first.high, second.low), _between(first.low, second.high)


def _between(first: date, second: date) -> int:
    return second.year - first.year - ((second.month, second.day) < (first.month, first.day))
