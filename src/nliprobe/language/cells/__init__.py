"""Typed cells: what the rows of an infobox say, and the same kinds of values in running text."""

from __future__ import annotations

from nliprobe.language.cells.compare import before, equals, within, years_between
from nliprobe.language.cells.mentions import find_mentions
from nliprobe.language.cells.read import read_cell
from nliprobe.language.cells.records import Cell, CellType, Date, Dates, Duration, Mention, Quantity, Value
from nliprobe.language.cells.version import cells_version
from nliprobe.language.cells.write import write_mention

__all__ = [
    "Cell",
    "CellType",
    "Date",
    "Dates",
    "Duration",
    "Mention",
    "Quantity",
    "Value",
    "before",
    "cells_version",
    "equals",
    "find_mentions",
    "read_cell",
    "within",
    "write_mention",
    "years_between",
]
