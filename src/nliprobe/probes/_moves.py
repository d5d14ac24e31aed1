"""Choose other values for a number, a date or a duration: half of it up or down, past the cell's, or the cell's own.

The default step is half the number (evidence probes, §7). A year moves by ten or twenty, so that it stays plausible, a
decade by one or three, a century by one or two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from nliprobe.language.cells.records import Date, Dates, Duration, Quantity
from nliprobe.language.cells.units import DIMENSIONS
from nliprobe.probes._claims import plain
from nliprobe.probes._days import SECONDS_OF_YEAR
from nliprobe.probes._facts import Fact
from nliprobe.probes._topic import Measure

_LATEST = 2019  # no year that a reader would take for the future
_MINUTE, _HOUR = 60, 3600
_MOST_TIMES = 10  # a duration that is longer would be silly
_DIGITS = re.compile(r"\d+(?:\.\d+)?")


class Move(NamedTuple):
    """Another value and how it was chosen: ``raised``, ``lowered``, ``set`` to the cell's own, or ``changed``."""

    value: Quantity | Date | Dates | Duration
    name: str


def moves_of(value: Quantity | Date | Dates | Duration, like: str, fact: Fact | None) -> Iterator[Move]:
    """Yield other values for a mention, the usual step first; those that need the cell's value last."""
    if isinstance(value, Quantity):
        yield from _quantities(value, fact)
    elif isinstance(value, Date):
        yield from _dates(value, fact)
    elif isinstance(value, Dates):
        yield from _spans(value, fact)
    elif isinstance(value, Duration):
        yield from _durations(value, like, fact)


def _named(new: Fraction | int, old: Fraction | int) -> str:
    return "raised" if new > old else "lowered"


def _quantities(value: Quantity, fact: Fact | None) -> Iterator[Move]:
    if value.upper is not None:
        width = value.upper - value.value
        for low in (value.upper * 2, value.value / 2 - width):
            if low > 0:
                yield Move(value._replace(value=low, upper=low + width), _named(low, value.value))
        return
    number = plain(value.value)
    scale = _scale(number)
    steps = [number + _half(number, scale, up=True), number - _half(number, scale, up=False)]
    own = _own_number(value, fact)
    if own is not None:
        steps += [_nice(own * 2, 1, up=True), _nice(own, 2, up=False), _nice(own * 5, 4, up=True)]
    steps += [number * 2]
    for new in dict.fromkeys(steps):
        if _fits(new, value):
            yield Move(value._replace(value=Fraction(new)), _named(new, number))
    if own is not None and own != number and _fits(own, value):
        yield Move(value._replace(value=Fraction(own)), "set")


def _fits(new: Fraction | int, value: Quantity) -> bool:
    """Tell whether a value can stand in the place of another: not one thing, which would need another noun."""
    if new <= 0 or new == value.value or (value.unit == "%" and new > 100):
        return False
    return (
        value.unit in DIMENSIONS
        or value.unit.isupper()
        or (new > 1 and value.value != 1 and (new.denominator == 1 or value.value >= 1000))
    )


def _scale(number: Fraction | int) -> Fraction | int:
    """Return the size of the last digit that counts, so that new numbers are as round as the old one."""
    if isinstance(number, Fraction):
        place = Fraction(1)
        while (number / place).denominator != 1 and place > Fraction(1, 10**6):
            place /= 10
        return place
    size, whole = 1, abs(number)
    while whole and whole % 10 == 0:
        whole //= 10
        size *= 10
    return size if whole >= 2 or size == 1 else size // 10


def _half(number: Fraction | int, scale: Fraction | int, *, up: bool) -> Fraction | int:
    """Return half a number, rounded to its own scale, at least one step; downwards so that something is left."""
    return max(_divided(number, 2 * scale, up=up), 1) * scale


def _nice(number: Fraction | int, below: int, *, up: bool) -> int:
    """Divide a number and round it to two digits."""
    place = 1
    while number >= 100 * place * below:
        place *= 10
    return _divided(number, below * place, up=up) * place


def _divided(number: Fraction | int, below: Fraction | int, *, up: bool) -> int:
    return -(-number // below) if up else number // below


def _own_number(value: Quantity, fact: Fact | None) -> Fraction | int | None:
    """Return the cell's own number in the unit of the mention, if the cell has exactly one in this unit."""
    if fact is None or len(fact.own) != 1 or not isinstance(fact.own[0], Quantity):
        return None
    own = fact.own[0]
    same = own.unit == value.unit or (fact.dimension == "" and not value.unit.isupper())
    return plain(own.value) if same and own.upper is None and not own.about else None


def _dates(value: Date, fact: Fact | None) -> Iterator[Move]:
    sign = 1 if value.year > 0 else -1
    own = fact.own[0] if fact is not None and len(fact.own) == 1 and isinstance(fact.own[0], Date) else None
    step = value.years if value.years > 1 else 10
    years = [value.year - step, value.year + step, value.year - 2 * step, value.year + 2 * step]
    if own is not None and value.years == 1:
        years += [own.year + 5, own.year - 5, own.year + 15, own.year - 15]
    for year in dict.fromkeys(years):
        if year * sign > 0 and year <= max(_LATEST, value.year) and year != value.year:
            yield Move(value._replace(year=year, day=_day(value, year)), _named(year, value.year))
    if value.month is not None:
        month = (value.month + 4) % 12 + 1
        yield Move(value._replace(month=month, day=min(value.day or 28, 28) if value.day else None), "changed")
    if own is not None and own.about is False and (set_to := _as_precise(own, value)) is not None and set_to != value:
        yield Move(set_to, "set")


def _spans(value: Dates, fact: Fact | None) -> Iterator[Move]:
    """Move both ends of a stretch by the same number of years, past the stretch itself."""
    last = value.end.year if value.end is not None else value.start.year
    step = max(10, last - value.start.year + 5)
    for years in (-step, step):
        start, end = value.start.year + years, last + years
        if (start > 0) is (value.start.year > 0) and end <= max(_LATEST, last):
            moved = value.end._replace(year=end, day=_day(value.end, end)) if value.end else None
            first = value.start._replace(year=start, day=_day(value.start, start))
            yield Move(Dates(first, moved), "raised" if years > 0 else "lowered")
    own = fact.own[0] if fact is not None and len(fact.own) == 1 else None
    if isinstance(own, Dates) and (own.end is None) == (value.end is None):
        first_own = _as_precise(own.start, value.start)
        last_own = None if own.end is None or value.end is None else _as_precise(own.end, value.end)
        if first_own is not None and (last_own is None) == (value.end is None):
            yield Move(Dates(first_own, last_own), "set")


def _day(value: Date, year: int) -> int | None:
    return 28 if value.month == 2 and value.day == 29 else value.day


def _as_precise(own: Date, like: Date) -> Date | None:
    """Return a date as exactly as another one is written; None if it is not known so exactly."""
    if like.years > 1:
        if own.years > like.years:
            return None
        first = 1 if like.years >= 100 and like.year % 10 == 1 else 0
        if own.year <= 0 or like.year <= 0:
            return None
        return like._replace(year=(own.year - first) // like.years * like.years + first)
    if own.years > 1 or (like.month is not None and own.month is None) or (like.day is not None and own.day is None):
        return None
    month = own.month if like.month is not None else None
    return like._replace(year=own.year, month=month, day=own.day if like.day is not None else None)


def _durations(value: Duration, like: str, fact: Fact | None) -> Iterator[Move]:
    unit = _unit(like)
    number = plain(value.seconds / unit)
    if isinstance(number, Fraction) and value.seconds % _MINUTE == 0:
        unit, number = _MINUTE, plain(value.seconds / _MINUTE)
    own: int | None = None
    steps = [number + _half(number, 1, up=True), number - _half(number, 1, up=False)]
    if fact is not None and len(fact.values) == 1:
        scale = Fraction(unit, 1 if fact.measure is Measure.TIME else SECONDS_OF_YEAR)
        low, high = fact.values[0].low, fact.values[0].high
        if high is not None:
            steps += [_round_up(high / scale * Fraction(5, 4)), _round_up(high / scale * 2)]
        if low is not None:
            steps += [_round_down(low / scale * Fraction(3, 4)), _round_down(low / scale / 2)]
        if low is not None and high is not None and high - low <= 1:
            own = _nearest(low / scale)
    steps += [number * 2, *([] if own is None else [own])]
    for new in dict.fromkeys(steps):
        if 0 < new <= _MOST_TIMES * number and new != number:
            yield Move(Duration(Fraction(new * unit), value.about), "set" if new == own else _named(new, number))


_UNITS = tuple(
    [
        (re.compile(pattern, re.IGNORECASE), size)
        for pattern, size in (
            (r"\bsec(?:ond)?s?\b", 1),
            (r"\bmin(?:ute)?s?\b|:", _MINUTE),
            (r"\bh(?:ou)?rs?\b", _HOUR),
            (r"\bdays?\b", 86_400),
            (r"\bweeks?\b", 604_800),
            (r"\bmonths?\b", SECONDS_OF_YEAR // 12),
            (r"\by(?:ea)?rs?\b", SECONDS_OF_YEAR),
            (r"\bdecades?\b", 10 * SECONDS_OF_YEAR),
            (r"\bcentur(?:y|ies)\b", 100 * SECONDS_OF_YEAR),
        )
    ]
)


@lru_cache(maxsize=4096)
def _unit(like: str) -> int:
    """Return the seconds of the smallest unit in which a duration is written."""
    return next((size for pattern, size in _UNITS if pattern.search(like)), 1)


def _round_up(number: Fraction) -> int:
    return -(-number.numerator // number.denominator)


def _round_down(number: Fraction) -> int:
    return number.numerator // number.denominator


def _nearest(number: Fraction) -> int:
    return (2 * number.numerator + number.denominator) // (2 * number.denominator)
