"""The records of typed cells: what the text of a row of an infobox says, as values that can be compared."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple, TypeAlias


class CellType(StrEnum):
    """What kind of thing the values of a row are."""

    NUMBER = "number"  # 5, 1,200 km², 20 %, 3rd; with a unit if there is one
    MONEY = "money"  # $4.5 million
    DATE = "date"  # 29 March 1979, May 1978, 1978, 44 BC
    DATES = "date range"  # May–December 1978, 1999–present
    DURATION = "duration"  # 46:06, 125 minutes, 2 h 5 min
    LIST = "list"  # several values, whatever they are
    PERSON = "person"
    PLACE = "place"
    ORGANISATION = "organisation"
    YES_NO = "yes/no"
    TEXT = "text"  # anything else

    __hash__ = str.__hash__  # that of an Enum is written in Python


class Quantity(NamedTuple):
    """A number with its unit.

    Attributes:
        value: what it is worth, scales such as *million* included; the lower end of a range.
        unit: the unit in one spelling (``km``, ``%``, ``people``), a currency as its code (``USD``), or nothing.
        upper: the upper end of a range.
        about: whether the text says that the number is not exact ("c. 40", "about 40", "over 40").
    """

    value: Fraction
    unit: str = ""
    upper: Fraction | None = None
    about: bool = False


class Date(NamedTuple):
    """A day, a month, a year, a decade or a century.

    Attributes:
        year: negative before Christ: 44 BC is -44, and there is no year 0. The first year of a decade or century.
        month: 1 to 12, or None if the text does not say.
        day: 1 to 31, or None if the text does not say.
        years: how many years the text leaves open: 1 for a year, 10 for a decade, 100 for a century.
        about: whether the text says that the date is not exact ("c. 1500").
    """

    year: int
    month: int | None = None
    day: int | None = None
    years: int = 1
    about: bool = False

    @property
    def first(self) -> tuple[int, int, int]:
        """The earliest day that the date may be, as (year, month, day); these tuples can be compared."""
        return (self.year, self.month or 1, self.day or 1)

    @property
    def last(self) -> tuple[int, int, int]:
        """The latest day that the date may be; the last day of a month counts as the 31st."""
        return (self.year + self.years - 1, self.month or 12, self.day or 31)


class Dates(NamedTuple):
    """A stretch of time; without an end it goes on ("1999–present")."""

    start: Date
    end: Date | None


class Duration(NamedTuple):
    """How long something takes."""

    seconds: Fraction
    about: bool = False


Value: TypeAlias = Quantity | Date | Dates | Duration | bool | str


class Cell(NamedTuple):
    """What one row says.

    Attributes:
        type: what kind of thing the values are; ``LIST`` for several.
        values: one value per item: quantities, dates, stretches, durations, True or False, or texts (names, terms).
        of: for a list, the type of its items, ``TEXT`` if they differ.
        certain: whether nothing else in the cell may say more or something else ("12 (later 14)" is not certain).
    """

    type: CellType
    values: tuple[Value, ...]
    of: CellType | None = None
    certain: bool = True


class Mention(NamedTuple):
    """A number, date, stretch of time or duration in running text.

    Attributes:
        start: where it begins.
        stop: where it ends; with its unit or currency, without the words that govern it.
        type: ``NUMBER``, ``MONEY``, ``DATE``, ``DATES`` or ``DURATION``.
        value: what it says.
    """

    start: int
    stop: int
    type: CellType
    value: Quantity | Date | Dates | Duration
