"""``markdown``: the table as a Markdown table under its title."""

from __future__ import annotations

from typing import ClassVar

from nliprobe.represent import REPRESENTATIONS
from nliprobe.represent._base import RowWise
from nliprobe.task.table import Row, Table


@REPRESENTATIONS.register("markdown")
class Markdown(RowWise):
    """Writes a Markdown table under a heading with the title: key and values per row."""

    form: ClassVar[str] = "markdown"
    separator = "\n"

    def head(self, table: Table) -> str:
        """Return title and header."""
        columns = table.columns or ("key", "value")
        return f"# {_cell(table.title)}\n\n{_line(columns)}\n|{' --- |' * len(columns)}"

    def row(self, row: Row, title: str, columns: tuple[str, ...]) -> str:
        """Return one row as a line."""
        return _line(row.values) if columns else _line((row.key, ", ".join(row.values)))


def _line(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(_cell(cell) for cell in cells) + " |"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|")
