"""The records of numbers in a text: where a number is, what it is worth, what kind it is and how it is written."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple


class Kind(StrEnum):
    """What a number says."""

    QUANTITY = "quantity"  # how many or how much: 5 men, 20%, half a million
    ORDINAL = "ordinal"  # a place in an order: third, 21st
    YEAR = "year"  # 1984, the 1990s
    DATE = "date"  # 4 July 1776, 9/11
    TIME = "time"  # 5:30 pm, six o'clock
    SCORE = "score"  # 3-2
    NAME = "name"  # part of a name, a label or a code: Apollo 11, page 3, U2, version 1.2.3


class Manner(StrEnum):
    """How a number is written."""

    DIGITS = "digits"
    WORDS = "words"
    MIXED = "mixed"  # 1.5 million


class Bound(StrEnum):
    """What a modifier makes of a number."""

    ABOVE = "above"  # more than 5
    BELOW = "below"  # less than 5
    AT_LEAST = "at least"
    AT_MOST = "at most"
    ABOUT = "about"
    EXACTLY = "exactly"


class Modifier(NamedTuple):
    """The words beside a number that widen it or make it exact."""

    start: int
    stop: int
    bound: Bound


class Number(NamedTuple):
    """A number in a text.

    Attributes:
        start: where the number begins.
        stop: where it ends.
        value: what it is worth; the lower end of a range; None for dates, times, scores and codes.
        kind: what it says.
        manner: how it is written.
        phrase: its span with a sign of currency or percent: "$5", "20 percent".
        upper: the upper end of a range.
        modifier: the words beside it that widen it.
        unit: what is counted or measured, if the next words say so: "years", "%", "$".
    """

    start: int
    stop: int
    value: Fraction | None
    kind: Kind
    manner: Manner
    phrase: tuple[int, int]
    upper: Fraction | None = None
    modifier: Modifier | None = None
    unit: str = ""
