"""What of a pair and of an edit is searched, and what of it a list shows."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from typing import TYPE_CHECKING

from nliprobe.analysis.browse.numbering import Numbering
from nliprobe.analysis.browse.words import plain
from nliprobe.task.edits import Edit, edits_from_json
from nliprobe.task.table import Table
from nliprobe.task.units import row_from_text

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

# A list shows the beginning of a text, or what is around a word that was found; a whole case is read from the run.
MOST_SHOWN = 20_000
EDITS = "edits:"


class Texts:
    """Writes texts into an index, each distinct one once."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._numbering = Numbering(connection, "texts")

    def add(self, texts: pl.Series) -> NDArray[np.uint32]:
        """Return the numbers of texts; those that are new are written."""
        return self._added(texts, "", lambda new: new)

    def add_edits(self, edits: pl.Series) -> NDArray[np.uint32]:
        """Return the numbers of edits as runs write them; what is searched is the text that they put in."""
        import polars as pl

        return self._added(edits, EDITS, lambda new: pl.Series([put_in(text) for text in new], dtype=pl.String))

    def _added(self, texts: pl.Series, role: str, searched: Callable[[pl.Series], pl.Series]) -> NDArray[np.uint32]:
        numbered = self._numbering.number(texts, role)
        numbers = range(numbered.first, numbered.first + len(numbered.new))
        shown = numbered.new.str.slice(0, MOST_SHOWN).to_list()
        self._connection.executemany(
            "INSERT INTO texts VALUES (?, ?, ?)", zip(numbers, numbered.keys.tolist(), shown, strict=True)
        )
        words = plain(searched(numbered.new)).to_list()
        self._connection.executemany(
            "INSERT INTO words (rowid, text) VALUES (?, ?)",
            ((number, text) for number, text in zip(numbers, words, strict=True) if text),
        )
        return numbered.numbers


def premise_texts(kinds: pl.Series, premises: pl.Series) -> pl.Series:
    """Return premises as texts; of a table, the title and the header, then a line per row."""
    import polars as pl

    tables = premises.filter(kinds == "table").unique()
    written = pl.DataFrame(
        {"premise": tables, "text": pl.Series([_table_text(item) for item in tables], dtype=pl.String)}
    )
    frame = pl.DataFrame({"premise": premises, "table": kinds == "table"})
    joined = frame.join(written, on="premise", how="left", maintain_order="left")
    return joined.select(pl.when("table").then("text").otherwise("premise").alias("text"))["text"]


def put_in(edits: str) -> str:
    """Return the text that edits put into a pair, and that the pair itself may not hold."""
    return "\n".join(_after(edit) for edit in edits_from_json(edits))


def _table_text(premise: str) -> str:
    table = Table.from_json(premise)
    head = [table.title, *([" | ".join(table.columns)] if table.columns else [])]
    between = " | " if table.columns else ", "
    rows = [f"{row.key}: {between.join(row.values)}" if row.key else between.join(row.values) for row in table.rows]
    return "\n".join([*head, *rows])


def _after(edit: Edit) -> str:
    if not edit.after or edit.op.endswith(".permute"):  # an order is no text
        return ""
    if edit.op == "table.replace":
        return _table_text(edit.after)
    if edit.op.startswith("row."):
        row = row_from_text(edit.after)
        return " ".join((row.key, *row.values))
    return edit.after


def shown_edits(shown: str) -> tuple[Edit, ...]:
    """Read the edits of a list back; those that are too long to be kept there are none."""
    try:
        return edits_from_json(shown) if shown else ()
    except json.JSONDecodeError:
        return ()
