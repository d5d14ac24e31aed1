"""``json``: the table as a JSON object, as people hand tables to chat models."""

from __future__ import annotations

import json
from typing import ClassVar

from nliprobe.represent import REPRESENTATIONS
from nliprobe.represent._base import RowWise
from nliprobe.task.table import Row, Table


@REPRESENTATIONS.register("json")
class JsonObject(RowWise):
    """Writes a JSON object with the title and one entry per row, as people hand tables to chat models.

    That is ``{"title": "…", "key": "value", "key": ["value", "value"]}``; a many-column table lists its rows.
    """

    form: ClassVar[str] = "json"
    separator = ", "

    def head(self, table: Table) -> str:
        """Return the title, and the columns if there are any."""
        start = '{"title": ' + _text(table.title)
        return start + f', "columns": {_text(table.columns)}, "rows": [' if table.columns else start

    def segments(self, table: Table, hypothesis: str) -> tuple[str, ...]:
        """Return head, rows and tail as the base does, but without a comma before the first of listed rows."""
        parts = super().segments(table, hypothesis)
        if table.columns and table.rows:
            return (parts[0], parts[1].removeprefix(self.separator), *parts[2:])
        return parts

    def row(self, row: Row, title: str, columns: tuple[str, ...]) -> str:
        """Return one member of the object, or one list of cells."""
        if columns:
            return _text(row.values)
        return f"{_text(row.key)}: {_text(row.values[0] if len(row.values) == 1 else row.values)}"

    def tail(self, table: Table) -> str:
        """Return what closes the object."""
        return "]}" if table.columns else "}"


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
