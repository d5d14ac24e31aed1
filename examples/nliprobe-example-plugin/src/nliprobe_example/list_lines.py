"""``list``: a line ``- key: value`` for each row."""

from __future__ import annotations

from nliprobe.represent import REPRESENTATIONS, Representation
from nliprobe.task.table import Row, Table


@REPRESENTATIONS.register("list")
class ListLines(Representation):
    """The title, then ``- key: value, value`` a row; the cells of a many-column table are named by their columns."""

    def segments(self, table: Table, hypothesis: str) -> tuple[str, ...]:
        """A segment a line, so that the lines of unchanged rows are equal."""
        return (f"{table.title}\n", *(f"- {_row(row, table.columns)}\n" for row in table.rows))


def _row(row: Row, columns: tuple[str, ...]) -> str:
    if columns:
        return ", ".join(f"{name}: {cell}" for name, cell in zip(columns, row.values, strict=False))
    return f"{row.key}: {', '.join(row.values)}"
