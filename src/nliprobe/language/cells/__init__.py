"""Typed cells: what the rows of an infobox say, and the same kinds of values in running text."""

from __future__ import annotations

from nliprobe.language.cells.mentions import find_mentions
from nliprobe.language.cells.read import read_cell
from nliprobe.language.cells.records import Cell, CellType, Date, Dates, Duration, Mention, Quantity, Value

__all__ = [
    "Cell",
    "CellType",
    "Date",
    "Dates",
    "Duration",
    "Mention",
    "Quantity",
    "Value",
    "find_mentions",
    "read_cell",
]
