"""``struct``: key : value tokens, rows separated by semicolons (infotabs §6.1, after TabFact)."""

from __future__ import annotations

from typing import ClassVar

from nliprobe.represent import REPRESENTATIONS
from nliprobe.represent._base import RowWise
from nliprobe.task.table import Row, Table


@REPRESENTATIONS.register("struct")
class Struct(RowWise):
    """Writes keys and values with marks between them: title : K2 ; height : 8,611 m ; range : Karakoram."""

    form: ClassVar[str] = "struct"
    separator = " ; "

    def head(self, table: Table) -> str:
        """Return the title as if it were a row."""
        return f"title : {table.title}"

    def row(self, row: Row, title: str, columns: tuple[str, ...]) -> str:
        """Return one row; in a many-column table each cell is named by its column."""
        if columns:
            return " , ".join(f"{name} : {cell}" for name, cell in zip(columns, row.values, strict=False))
        return f"{row.key} : {' , '.join(row.values)}"
