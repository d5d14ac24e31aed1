"""``html``: the table as HTML, as web pages hold infoboxes."""

from __future__ import annotations

from html import escape
from typing import ClassVar

from nliprobe.represent import REPRESENTATIONS
from nliprobe.represent._base import RowWise
from nliprobe.task.table import Row, Table


@REPRESENTATIONS.register("html")
class HtmlTable(RowWise):
    """Writes an HTML table: the title as its caption, and one line per row.

    A row is ``<th>`` and ``<td>``, and ``<br>`` separates several values.
    """

    form: ClassVar[str] = "html"
    separator = ""

    def head(self, table: Table) -> str:
        """Return the start of the table, its caption, and the header if there are columns."""
        header = "".join(f"<th>{escape(name)}</th>" for name in table.columns)
        start = f"<table><caption>{escape(table.title)}</caption>"
        return f"{start}<tr>{header}</tr>" if header else start

    def row(self, row: Row, title: str, columns: tuple[str, ...]) -> str:
        """Return one row."""
        if columns:
            return "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row.values) + "</tr>"
        values = "<br>".join(escape(value) for value in row.values)
        return f"<tr><th>{escape(row.key)}</th><td>{values}</td></tr>"

    def tail(self, table: Table) -> str:
        """Return the end of the table."""
        return "</table>"
