"""The CSV files that raters fill in: written so that no spreadsheet runs a cell, and read back line by line."""

from __future__ import annotations

import csv
import io
from collections.abc import Container, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from nliprobe.base.cells import guard, restore
from nliprobe.base.errors import DataError, where
from nliprobe.base.files import write_atomic
from nliprobe.base.records.layout import layout_of
from nliprobe.base.records.read import separator
from nliprobe.base.records.text import LONGEST, read_text
from nliprobe.task.pair import Premise
from nliprobe.task.table import Table
from nliprobe.task.units import Sentences

ITEM = "item"
REMARK = "remark"


class Filled(NamedTuple):
    """A line that somebody filled in: where it is, its item, and the cells by column."""

    place: str
    item: str
    cells: dict[str, str]


def write_sheet(path: Path, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Write a sheet."""
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(columns)
    writer.writerows([guard(cell) for cell in row] for row in rows)
    # The mark at the beginning lets spreadsheets know that this is UTF-8.
    write_atomic(path, stream.getvalue().encode("utf-8-sig"))


def read_sheet(
    path: Path, items: Container[str], columns: Sequence[str], optional: Sequence[str] = ()
) -> Iterator[Filled]:
    """Yield the lines in which one of the columns is filled; an item that comes twice is an error.

    Spreadsheets save with what separates fields in their country, some with tabs in UTF-16, and add empty lines.

    Args:
        path: the sheet.
        items: the items that may be in it.
        columns: what raters fill in; the sheet must have these columns.
        optional: further columns to return, if they are there.
    """
    try:
        text, delimiter = read_text(path), layout_of(path, tabs=False).delimiter
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error}.") from error
    csv.field_size_limit(max(LONGEST, csv.field_size_limit()))
    lines = io.StringIO(text, newline="")
    before = int(bool(separator(lines.readline().rstrip("\r\n"))))
    if not before:
        lines.seek(0)
    reader = csv.DictReader(lines, strict=True, delimiter=delimiter)
    seen: set[str] = set()
    try:
        if not {ITEM, *columns} <= set(reader.fieldnames or ()):
            raise DataError(f"{path} should have the columns {', '.join([ITEM, *columns[:-1]])} and {columns[-1]}.")
        for row in reader:
            place = where(path, before + reader.line_num)
            item = restore((row[ITEM] or "").strip())
            cells = {name: restore((row.get(name) or "").strip()) for name in (*columns, *optional)}
            if not item and not any(cells.values()):
                continue
            if item not in items:
                raise DataError(f"{place}: '{item}' is no item of these sheets.")
            if not any(cells[name] for name in columns):
                continue
            if item in seen:
                raise DataError(f"{place}: '{item}' is judged twice.")
            seen.add(item)
            yield Filled(place, item, cells)
    except csv.Error as error:
        raise DataError(f"{where(path, before + reader.line_num)}: this is not CSV ({error}).") from error


def premise_cell(premise: Premise) -> str:
    """Return a premise as the text of a cell; a table has one line per row."""
    return premise if isinstance(premise, str) else "\n".join([*_head(premise), *_rows(premise)])


def numbered_cell(premise: Premise, sentences: Sequence[tuple[int, int]]) -> str:
    """Return a premise as the text of a cell in which its rows or sentences are numbered from 1."""
    if isinstance(premise, str):
        head, units = [], list(Sentences(premise, tuple(sentences)).parts)
    else:
        head, units = _head(premise), _rows(premise)
    return "\n".join([*head, *(f"{number}. {unit}" for number, unit in enumerate(units, 1))])


def _head(table: Table) -> list[str]:
    return [table.title, *([" | ".join(table.columns)] if table.columns else [])]


def _rows(table: Table) -> list[str]:
    if table.columns:
        return [" | ".join(row.values) for row in table.rows]
    return [f"{row.key}: {'; '.join(row.values)}" for row in table.rows]
