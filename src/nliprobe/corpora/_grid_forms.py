"""Recognise many-column tables in the forms that people have: header and rows, a data frame's JSON, records, lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeGuard

from nliprobe.base.errors import DataError
from nliprobe.task.table import Row, Table

# The names of these parts in public files of tables.
_HEADER = ("header", "headers", "columns", "column_names", "table_header", "table_column_names")
_ROWS = ("rows", "data", "values", "cells", "table_rows", "table_content_values")
_TITLE = ("title", "caption", "table_title", "table_caption", "page_title", "name")
_CELL = ("value", "text", "name", "content")


def is_grid(content: object) -> bool:
    """Tell whether a JSON value is a many-column table: rows as lists or records, with or without a header apart."""
    if isinstance(content, Mapping):
        rows = _part(content, _ROWS)
        if not _are_rows(rows) or _is_canonical(content):
            return False
        # Without a header, rows of two cells are a key and a value.
        return _part(content, _HEADER) is not None or any(isinstance(row, list) and len(row) > 2 for row in rows)
    return _are_rows(content)


def grid_of(content: object, *, header: object = None, title: str = "", category: str = "") -> Table:
    """Return the many-column table in a JSON value.

    Args:
        content: rows as lists of cells or as objects; or an object with rows, and perhaps a header and a title.
        header: the header, if it stands elsewhere; by default it is inside, or it is the first row.
        title: the title, if it stands elsewhere.
        category: the table's category.
    """
    rows = content
    if isinstance(content, Mapping):
        rows = _part(content, _ROWS)
        header = _part(content, _HEADER) if header is None else header
        title = title or next((str(content[name]) for name in _TITLE if isinstance(content.get(name), str)), "")
        category = category or str(content.get("category") or "")
    if not isinstance(rows, list) or not rows:
        raise DataError("the table has no rows")
    if all(isinstance(row, Mapping) for row in rows):
        names = list(dict.fromkeys(name for row in rows for name in row)) if header is None else join_header(header)
        lines = [[row.get(name) for name in names] for row in rows]
    elif header is None:
        names, lines = join_header(rows[0]), rows[1:]
    else:
        names, lines = join_header(header), rows
    cells = [_line(row, number) for number, row in enumerate(lines, 1)]
    return grid(title, [str(name) for name in names], cells, category)


def grid(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], category: str = "") -> Table:
    """Return a many-column table: its rows have no key and one value per column."""
    if not rows:
        raise DataError("the table has no rows")
    for index, row in enumerate(rows, 1):
        if len(row) != len(columns):
            raise DataError(f"row {index} of the table has {len(row)} cells under {len(columns)} columns")
    return Table(title.strip(), tuple(Row("", tuple(row)) for row in rows), category, tuple(columns))


def join_header(header: object) -> list[str]:
    """Return one name per column; the lines of a header with several are joined, from the top down.

    >>> join_header([["", "2001", "2001"], ["Team", "Won", "Lost"]])
    ['Team', '2001 Won', '2001 Lost']
    """
    if not isinstance(header, list | tuple) or not header:
        raise DataError("the header of the table should be a list of names")
    lines = header if all(isinstance(line, list | tuple) for line in header) else [header]
    if len({len(line) for line in lines}) > 1:
        raise DataError(f"the lines of the header have {', '.join(str(len(line)) for line in lines)} cells")
    # A name that spans lines is repeated in each of them.
    columns = zip(*([cell_text(cell) for cell in line] for line in lines), strict=True)
    return [" ".join(dict.fromkeys(filter(None, column))) for column in columns]


def cell_text(cell: object) -> str:
    """Return the text of a cell: a text, a number, a truth value, a list of these, or an object that holds it."""
    if isinstance(cell, Mapping):
        return cell_text(_part(cell, _CELL))
    if isinstance(cell, list | tuple):
        return ", ".join(map(cell_text, cell))
    if isinstance(cell, bool):
        return str(cell).lower()
    return "" if cell is None else " ".join(str(cell).split())


def _line(row: object, number: int) -> list[str]:
    if not isinstance(row, list | tuple):
        raise DataError(f"row {number} of the table should be a list of cells")
    return [cell_text(cell) for cell in row]


def _part(content: Mapping[str, object], names: Sequence[str]) -> object:
    return next((content[name] for name in names if content.get(name) is not None), None)


def _are_rows(content: object) -> TypeGuard[list[object]]:
    if not isinstance(content, list) or not content:
        return False
    return all(isinstance(row, list) for row in content) or all(isinstance(row, Mapping) for row in content)


def _is_canonical(content: Mapping[str, object]) -> bool:
    """Tell whether this is what ``Table.to_json`` writes, or what import reads: rows of a key and its values."""
    rows = content.get("rows")
    return isinstance(rows, list) and all(map(_is_keyed, rows))


def _is_keyed(row: object) -> bool:
    if isinstance(row, Mapping):
        return bool({"key", "name"} & set(row)) and bool({"value", "values"} & set(row))
    return isinstance(row, list) and len(row) == 2 and isinstance(row[0], str) and isinstance(row[1], list)
