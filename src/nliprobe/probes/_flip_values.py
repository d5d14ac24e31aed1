"""Other values for a cell with one value, near the old one: a number, a sum, a date, a stretch of time, a duration."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from nliprobe.base.errors import UsageError
from nliprobe.language.cells import Date, Dates, Duration, Quantity, Value, find_mentions, write_mention

Scalar: TypeAlias = Quantity | Date | Dates | Duration
Step: TypeAlias = Callable[[int], Scalar | None]

# How many steps are tried: four times as many each time. Numbers and durations grow by so many times at most.
_WIDTHS = tuple(4**power for power in range(14))
_LARGEST, _LONGEST = 1_000, 10
_NUMBER = re.compile(r"\d[\d,]*(?:\.(\d+))?")
_HUNDRED_YEARS = 36_525


def is_scalar(value: Value) -> bool:
    """Tell whether a value can be moved by steps."""
    return isinstance(value, Quantity | Date | Dates | Duration)


class Manner(NamedTuple):
    """How a cell writes its one value: what is before it, its text, what is after it, and what its text alone says."""

    before: str
    like: str
    after: str
    value: Scalar

    def write(self, value: Scalar) -> str | None:
        """Write another value in the same manner; None if it has no such form."""
        if isinstance(value, Quantity) and isinstance(self.value, Quantity):
            # A noun after the number is a unit of running text, where the cell has none.
            value = value._replace(unit=self.value.unit, about=self.value.about)
        written = _written(value, self.like)
        return None if written is None else self.before + written + self.after


@lru_cache(maxsize=65_536)  # the hypotheses of a table ask for the same values of a row
def _written(value: Scalar, like: str) -> str | None:
    try:
        return write_mention(value, like)
    except UsageError:
        return None


@lru_cache(maxsize=8_192)
def manner_of(text: str, old: Value) -> Manner | None:
    """Return how a cell writes its value; None if it says more than one thing of the kind."""
    mentions = [item for item in find_mentions(text) if type(item.value) is type(old)]
    if len(mentions) != 1:
        return None
    start, stop, _, value = mentions[0]
    return Manner(text[:start], text[start:stop], text[stop:], value)


def alike(old: Value, new: Value) -> bool:
    """Tell whether one value can be written in the manner of another: as exact as it is, and in its unit."""
    match old, new:
        case Quantity(), Quantity():
            return (old.unit, old.upper is None, old.about) == (new.unit, new.upper is None, new.about)
        case Duration(), Duration():
            return old.about == new.about
        case Date(), Date():
            return _exactness(old) == _exactness(new)
        case Dates(), Dates():
            if old.end is None or new.end is None:
                return old.end is new.end and _exactness(old.start) == _exactness(new.start)
            return _exactness(old.start) == _exactness(new.start) and _exactness(old.end) == _exactness(new.end)
    return False


def distance(old: Value, new: Value) -> float:
    """Return how far two values are apart, from 0 for the same to 1.

    Numbers and durations: the difference in relation to both. Dates: the days between them, where a hundred years are
    one half. Anything else is another value altogether.

    >>> distance(Quantity(Fraction(30)), Quantity(Fraction(50)))
    0.25
    """
    match old, new:
        case Quantity(), Quantity():
            return _relative(old.value, new.value)
        case Duration(), Duration():
            return _relative(old.seconds, new.seconds)
        case Date(), Date():
            days = abs(_days(old) - _days(new))
            return days / (days + _HUNDRED_YEARS)
        case Dates(), Dates():
            ends = 0.0 if old.end is None or new.end is None else distance(old.end, new.end)
            return (distance(old.start, new.start) + ends) / 2
    return 0.0 if old == new else 1.0


def nearby(old: Scalar, text: str, hints: Iterable[int | Date], fits: Callable[[Scalar], bool]) -> Iterator[Scalar]:
    """Yield the nearest values that fit: upwards and downwards by the smallest step that the text can show, or hints.

    Hints are asked only if no step leads to a value that fits, as where a value must be met exactly.

    Args:
        old: the value of the cell.
        text: the cell.
        hints: what the value may be compared with: sums, seconds, years, dates.
        fits: tells whether a value does what is wanted.
    """
    reached = False
    for step in _steps(old, text):
        for direction in (1, -1):
            value = _nearest(step, direction, fits)
            if value is not None:
                reached = True
                yield value
    if not reached:
        values = (_at(old, number) for hint in hints for number in _around(hint))
        yield from dict.fromkeys(value for value in values if value is not None and value != old and fits(value))


def _nearest(step: Step, direction: int, fits: Callable[[Scalar], bool]) -> Scalar | None:
    """Return the value of the fewest steps that fits: the width grows, and between two widths it is halved."""
    below = 0
    for above in _WIDTHS:
        reached = step(direction * above)
        if reached is None:
            return None
        if fits(reached):
            most = above
            while most - below > 1:
                middle = (below + most) // 2
                between = step(direction * middle)
                if between is not None and fits(between):
                    most, reached = middle, between
                else:
                    below = middle
            return reached
        below = above
    return None


def _steps(old: Scalar, text: str) -> Iterator[Step]:
    """Yield the ways in which a value can be moved: both ends of a stretch of time, else the value itself."""
    match old:
        case Quantity(value=value, upper=None):
            unit = _smallest(value, text)
            yield lambda steps: _if_positive(old._replace(value=value + steps * unit), _LARGEST * max(value, unit))
        case Duration(seconds=seconds):
            unit = Fraction(1) if ":" in text else _smallest(seconds, text)
            yield lambda steps: _if_lasting(old._replace(seconds=seconds + steps * unit), _LONGEST * seconds)
        case Date():
            yield lambda steps: _moved(old, steps)
        case Dates(start=start, end=end):
            yield lambda steps: _stretch(_moved(start, steps), end)
            if end is not None:
                # An end that cannot be moved so far is no end: without one the stretch would go on.
                yield lambda steps: None if (moved := _moved(end, steps)) is None else _stretch(start, moved)


def _smallest(value: Fraction, text: str) -> Fraction:
    """Return the smallest step that a number written like this can show: 100,000 for "4.5 million"."""
    match = _NUMBER.search(text)
    shown = Fraction(match[0].replace(",", "")) if match else Fraction(0)
    scale = abs(value / shown) if shown and value else Fraction(1)
    decimals = len((match[1] if match else None) or "")
    return scale * Fraction(1, 10**decimals)


def _if_positive(value: Quantity, most: Fraction | None = None) -> Quantity | None:
    return value if value.value > 0 and (most is None or value.value <= most) else None


def _if_lasting(value: Duration, most: Fraction | None = None) -> Duration | None:
    return value if value.seconds > 0 and (most is None or value.seconds <= most) else None


def _stretch(start: Date | None, end: Date | None) -> Dates | None:
    if start is None:
        return None
    return Dates(start, end) if end is None or start.first <= end.first else None


def _moved(old: Date, steps: int) -> Date | None:
    """Return a date some days, months or years later, as exact as it is; None where the calendar gets doubtful."""
    if old.month is None:
        year = old.year + steps * old.years
        return old._replace(year=year) if 1000 <= year <= 2100 else None
    if old.day is None:
        months = old.year * 12 + old.month - 1 + steps
        moved = old._replace(year=months // 12, month=months % 12 + 1)
    else:
        try:
            day = date(old.year, old.month, old.day) + timedelta(days=steps)
        except (ValueError, OverflowError):
            return None
        moved = old._replace(year=day.year, month=day.month, day=day.day)
    return moved if 1000 <= moved.year <= 2100 else None


def _around(hint: int | Date) -> tuple[int | Date, ...]:
    return (hint,) if isinstance(hint, Date) else (hint, hint + 1, hint - 1)


def _at(old: Scalar, hint: int | Date) -> Scalar | None:
    """Return the value that a hint may mean: a sum, seconds, a year, or a date that is as exact as the old one."""
    match old, hint:
        case Quantity(upper=None), int():
            return _if_positive(old._replace(value=Fraction(hint)))
        case Duration(), int():
            return _if_lasting(old._replace(seconds=Fraction(hint)))
        case Date(month=month, day=day), int() if 1000 <= hint <= 2100 and (month, day) != (2, 29):
            return old._replace(year=hint)
        case Date(), Date(years=1):
            month = None if old.month is None else hint.month or old.month
            day = None if old.day is None else hint.day or min(old.day, 28)
            return old._replace(year=hint.year, month=month, day=day)
    return None


def _relative(one: Fraction, two: Fraction) -> float:
    return float(abs(one - two) / (abs(one) + abs(two))) if one or two else 0.0


def _exactness(value: Date) -> tuple[bool, bool, int, bool]:
    return value.month is None, value.day is None, value.years, value.about


def _days(value: Date) -> int:
    return value.year * 365 + (value.month or 1) * 30 + (value.day or 1)
