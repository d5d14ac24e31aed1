"""Readings: what a program takes from one row, as a value that it can compute with."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import TypeVar

from nliprobe.base.errors import DataError
from nliprobe.language.cells import read_cell
from nliprobe.language.cells.records import Cell, CellType, Date, Dates, Duration, Quantity
from nliprobe.task.table import Row
from nliprobe.templates.tables.operations import month_of, year_of
from nliprobe.templates.tables.values import Between, Number, Value, span_of

T = TypeVar("T")
# Characters of a cell that an error shows.
_SHOWN = 80
_ROWS_KEPT = 65_536


class ProgramError(DataError):
    """A present cell cannot be read as the program needs; the message names the key, the cell and the operation."""

    def __init__(self, row: Row, operation: str, expected: str) -> None:
        self.key = row.key
        text = ", ".join(row.values)
        shown = text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
        super().__init__(f"The row '{row.key}' holds '{shown}', which {operation}() cannot read: expected {expected}.")


def read_number(row: Row, unit: str = "") -> Number:
    """Return the number of a row, in the unit that the program names."""
    return _quantity(row, CellType.NUMBER, "number", "a number", unit)


def read_money(row: Row, unit: str = "") -> Number:
    """Return the sum of money of a row, in the currency that the program names."""
    return _quantity(row, CellType.MONEY, "money", "a sum of money", unit)


def read_year(row: Row) -> Number:
    """Return the year of a date; a decade leaves open which one."""
    return year_of(_single(row, "year", Date, "a date"))


def read_month(row: Row) -> int | None:
    """Return the month of a date, 1 to 12, or None if the row does not say."""
    return month_of(_single(row, "month", Date, "a date"))


def read_date(row: Row) -> Date:
    """Return a date."""
    return _single(row, "date", Date, "a date")


def read_start(row: Row) -> Date:
    """Return when a stretch of time begins."""
    return read_stretch(row, "start").start


def read_end(row: Row) -> Date | None:
    """Return when a stretch of time ends, or None if it goes on."""
    return read_stretch(row, "end").end


def read_span(row: Row) -> Number | None:
    """Return how many years a stretch of time has, or None if it goes on."""
    return span_of(read_stretch(row, "span"))


def read_stretch(row: Row, operation: str) -> Dates:
    """Return a stretch of time; a single date is one that begins and ends with it."""
    cell = _cell(row, operation, "a stretch of time")
    value = cell.values[0] if len(cell.values) == 1 else None
    if isinstance(value, Date):
        value = Dates(value, value)
    if not isinstance(value, Dates) or value.start.about or (value.end is not None and value.end.about):
        raise ProgramError(row, operation, "a stretch of time such as 1978–1984")
    return value


def read_seconds(row: Row) -> Number:
    """Return how long something takes, in seconds."""
    return _whole(_single(row, "seconds", Duration, "a duration such as 46:06").seconds)


def read_items(row: Row) -> tuple[str, ...]:
    """Return the values of a row as texts."""
    cell = _cell(row, "items", "a list whose members are certain")
    if cell.type is CellType.LIST and all(isinstance(value, str) for value in cell.values):
        return tuple([str(value) for value in cell.values])
    return tuple([value.strip() for value in row.values if value.strip()])


def read_text(row: Row) -> str:
    """Return the text of a row; several values are joined by commas."""
    return ", ".join([value.strip() for value in row.values])


def read_yes(row: Row) -> bool:
    """Return what a row of yes or no says."""
    cell = _cell(row, "yes", "yes or no")
    if cell.type is not CellType.YES_NO or len(cell.values) != 1 or not isinstance(cell.values[0], bool):
        raise ProgramError(row, "yes", "yes or no")
    return cell.values[0]


READERS: dict[str, Callable[..., Value]] = {
    "number": read_number, "money": read_money, "year": read_year, "month": read_month, "date": read_date,
    "start": read_start, "end": read_end, "span": read_span, "seconds": read_seconds, "items": read_items,
    "text": read_text, "yes": read_yes,
}  # fmt: skip


@lru_cache(maxsize=1_024)
def kept_reading(reader: Callable[..., T], *more: str) -> Callable[[Row], T]:
    """Return a reader that keeps what it has read: the same rows come again in many cases."""
    return lru_cache(maxsize=_ROWS_KEPT)(lambda row: reader(row, *more))


def _cell(row: Row, operation: str, expected: str) -> Cell:
    cell = read_cell(row.key, row.values)
    if not cell.certain:
        raise ProgramError(row, operation, f"{expected} and nothing else")
    return cell


def _single(row: Row, operation: str, kind: type[T], expected: str) -> T:
    cell = _cell(row, operation, expected)
    value = cell.values[0] if len(cell.values) == 1 else None
    if not isinstance(value, kind):
        raise ProgramError(row, operation, expected)
    if getattr(value, "about", False):
        raise ProgramError(row, operation, f"{expected} that is exact")
    return value


def _quantity(row: Row, kind: CellType, operation: str, expected: str, unit: str) -> Number:
    cell = _cell(row, operation, expected)
    value = cell.values[0] if len(cell.values) == 1 else None
    if kind is CellType.NUMBER and isinstance(value, Date) and value == Date(value.year) and not unit:
        return value.year  # "1979" alone: the key decides whether it is a year, and the program knows better
    if cell.type is not kind or not isinstance(value, Quantity) or value.about:
        raise ProgramError(row, operation, f"{expected} that is exact")
    if unit and value.unit != unit:
        raise ProgramError(row, operation, f"{expected} in {unit}")
    low = _whole(value.value)
    return low if value.upper is None else Between(low, _whole(value.upper))


def _whole(value: Fraction) -> int | Fraction:
    return int(value) if value.denominator == 1 else value
