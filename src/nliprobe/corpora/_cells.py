"""Tell a table from a text in the cell of a premise, and read it: JSON, what Python prints of a list, or HTML."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping

from nliprobe.base.errors import DataError
from nliprobe.base.halves import whole_value
from nliprobe.base.records.text import parse_json
from nliprobe.corpora._parts import table_at
from nliprobe.task.table import Table

_JSON_OBJECT = '{"'
# What may be a list of rows, or a text that begins with brackets.
_MAYBE = ("[[", "[{", "{'", "['", '["')
_HTML = "<table"


def may_be_table(text: str) -> bool:
    """Tell whether a text begins like a table; most premises do not."""
    start = text.lstrip()[: len(_HTML)].lower()
    return start.startswith((_JSON_OBJECT, _HTML, *_MAYBE))


def table_in_cell(value: object, header: object, title: str, place: str) -> Table | None:
    """Return the table in a cell, or None if the cell holds a text.

    Args:
        value: what is in the cell.
        header: what is in the cell of the header, if the user named one.
        title: the title, if the user named its column.
        place: where the cell is, for messages.
    """
    if isinstance(value, str):
        text = value.strip()
        if text[: len(_HTML)].lower() == _HTML:
            from nliprobe.corpora.infobox.single import table_in

            return table_in(text, place, title=title)
        parsed = parse_json(text, place) if text.startswith(_JSON_OBJECT) else _list(text)
        if parsed is None and header is not None:
            raise DataError(f"{place}: there is a header, but the premise is not a list of rows: {text:.60}.")
        value = parsed
    if isinstance(header, str):
        header = _list(header.strip())
    is_table = isinstance(value, Mapping) or _holds_rows(value) or (header is not None and isinstance(value, list))
    return table_at(place, value, header=header, title=title) if is_table else None


def _holds_rows(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, list | Mapping) for row in value)


def _list(text: str) -> object:
    """Return the list that a text spells in JSON or as Python prints it, or None if it spells none."""
    for parse in (json.loads, ast.literal_eval):
        try:
            value = whole_value(parse(text))
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
        return value if isinstance(value, list | Mapping) else None
    return None
