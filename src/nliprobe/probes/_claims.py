"""What a number under its governing word claims, and whether a cell makes the claim true (tables.md, T6).

A claim is a stretch of the values that a cell may have. Language leaves its edges open ("about 40", "46 minutes" for
46:06), so a claim has two stretches: inside the *core* it is surely true, outside the *hull* it is surely false, and
between them nobody can say. A cell that leaves something open ("1985", "1999–present") is a stretch as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple


class Relation(StrEnum):
    """What a governing word says about the value that it governs."""

    ABOVE = "above"  # over, more than, after
    AT_LEAST = "at least"
    BELOW = "below"  # under, less than, before
    AT_MOST = "at most"
    EXACT = "exact"  # no governing word, exactly, in, on
    ABOUT = "about"
    NEARLY = "nearly"  # nearly, almost: a little less
    JUST_ABOVE = "just above"  # just over: a little more
    SINCE = "since"  # since 1991: it began then, and whatever began earlier goes on as well
    UNTIL = "until"  # until 2001: it ended then, and whatever ended later went on as well

    __hash__ = str.__hash__  # that of an Enum is written in Python


# What raising the governed number leads to (Table 9 of the paper, extended); lowering leads to the other label.
RAISING_LEADS_TO = {
    Relation.ABOVE: "C",
    Relation.AT_LEAST: "C",
    Relation.BELOW: "E",
    Relation.AT_MOST: "E",
    Relation.SINCE: "E",
    Relation.UNTIL: "C",
}


class Stretch(NamedTuple):
    """All values from ``low`` to ``high``; None stands for no end. An open end is not part of the stretch itself."""

    low: Fraction | int | None
    high: Fraction | int | None
    open_low: bool = False
    open_high: bool = False

    def covers(self, other: Stretch) -> bool:
        """Tell whether every value of another stretch is in this one."""
        if self.low is not None and (
            other.low is None
            or other.low < self.low
            or (other.low == self.low and self.open_low and not other.open_low)
        ):
            return False
        return self.high is None or not (
            other.high is None
            or other.high > self.high
            or (other.high == self.high and self.open_high and not other.open_high)
        )

    def meets(self, other: Stretch) -> bool:
        """Tell whether the two have a value in common."""
        return not (_ends_before(self, other) or _ends_before(other, self))


def _ends_before(one: Stretch, other: Stretch) -> bool:
    if one.high is None or other.low is None:
        return False
    return one.high < other.low or (one.high == other.low and (one.open_high or other.open_low))


class Claim(NamedTuple):
    """Where a statement about a value is surely true, and outside of what it is surely false.

    ``denied`` says that the statement is negated.
    """

    core: Stretch
    hull: Stretch
    denied: bool = False

    def truth(self, cell: Sequence[Stretch]) -> bool | None:
        """Return whether a cell makes the claim true or false; None where the cell or the words leave it open.

        A cell with several values (a release per country) decides only where all of them agree.
        """
        truth = self._truth(cell[0]) if cell else None
        for one in cell[1:]:
            if self._truth(one) is not truth:
                return None
        return truth if truth is None else truth != self.denied

    def _truth(self, cell: Stretch) -> bool | None:
        if self.core.covers(cell):
            return True
        return None if self.hull.meets(cell) else False


# How far from the number a rounded or approximate one may be: surely still so, and at most; as shares of the number.
_ABOUT_CORE, _ABOUT_HULL = Fraction(1, 20), Fraction(3, 10)
_HALF = Fraction(1, 2)
_NEARLY_CORE, _NEARLY_HULL = Fraction(1, 10), Fraction(1, 3)


def claim(relation: Relation, low: Fraction | int, high: Fraction | int, rounding: Fraction | int = 0) -> Claim:
    """Return what a relation claims about a value when it governs what spans from ``low`` to ``high``.

    Args:
        relation: what the governing word says.
        low: the number, the first day of a date, or the lower end of a range.
        high: the number, the last day of a date, or the upper end of a range.
        rounding: how far the true value may be from a number that was rounded.
    """
    if relation is Relation.ABOVE:
        return _both(Stretch(high, None, open_low=True))
    if relation is Relation.BELOW:
        return _both(Stretch(None, low, open_high=True))
    if relation is Relation.AT_LEAST:
        return _both(Stretch(low, None))
    if relation is Relation.AT_MOST:
        return _both(Stretch(None, high))
    if relation is Relation.SINCE:
        return Claim(Stretch(low, high), Stretch(None, high))
    if relation is Relation.UNTIL:
        return Claim(Stretch(low, high), Stretch(low, None))
    if relation is Relation.EXACT and not rounding:
        return _both(Stretch(low, high))
    size: Fraction | int = max(low, -low, high, -high)
    if relation is Relation.ABOUT:
        return Claim(_around(low, high, size * _ABOUT_CORE), _around(low, high, max(size * _ABOUT_HULL, rounding)))
    if relation is Relation.NEARLY:
        core = Stretch(low - size * _NEARLY_CORE, low, open_high=True)
        return Claim(core, Stretch(low - size * _NEARLY_HULL, high + rounding))
    if relation is Relation.JUST_ABOVE:
        core = Stretch(high, high + size * _NEARLY_CORE, open_low=True)
        return Claim(core, Stretch(high, high + size * _NEARLY_HULL, open_low=True))
    surely = min(rounding * _HALF, size * _ABOUT_CORE)
    return Claim(_around(low, high, surely), _around(low, high, rounding))


def plain(number: Fraction | int) -> Fraction | int:
    """Return a whole number as one, with which Python counts many times faster."""
    return number.numerator if number.denominator == 1 else number


def _both(stretch: Stretch) -> Claim:
    return Claim(stretch, stretch)


def _around(low: Fraction | int, high: Fraction | int, by: Fraction | int) -> Stretch:
    return Stretch(low - by, high + by)
