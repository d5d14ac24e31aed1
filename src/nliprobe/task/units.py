"""Units: the parts of a premise that probes edit. The units of a table are its rows.

An edit names a unit by its place and holds it as a text, so that edits of any kind of unit are the same data.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from nliprobe.task.pair import Premise
from nliprobe.task.table import Row, Table


class Units(Protocol):
    """A premise seen as a sequence of units; every edit returns a new premise."""

    kind: ClassVar[str]

    def __len__(self) -> int: ...

    def text(self, index: int) -> str:
        """Return one unit as a readable and reversible text."""
        ...

    def delete(self, index: int) -> Premise:
        """Return the premise without one unit."""
        ...

    def insert(self, index: int, text: str) -> Premise:
        """Return the premise with a unit inserted before a place."""
        ...

    def update(self, index: int, text: str) -> Premise:
        """Return the premise with one unit replaced."""
        ...

    def permute(self, order: Sequence[int]) -> Premise:
        """Return the premise with its units in another order: place ``i`` holds what was at ``order[i]``."""
        ...


@dataclass(frozen=True)
class Rows:
    """The rows of a table."""

    table: Table

    kind: ClassVar[str] = "row"

    def __len__(self) -> int:
        return len(self.table.rows)

    def text(self, index: int) -> str:
        """Write a row as JSON: its key and its values."""
        return row_text(self.table.rows[index])

    def delete(self, index: int) -> Table:
        """Return the table without one row."""
        return self.table.delete(index)

    def insert(self, index: int, text: str) -> Table:
        """Return the table with a row inserted before a place."""
        return self.table.insert(index, row_from_text(text))

    def update(self, index: int, text: str) -> Table:
        """Return the table with one row replaced."""
        return self.table.update(index, row_from_text(text))

    def permute(self, order: Sequence[int]) -> Table:
        """Return the table with its rows in another order."""
        return self.table.permute(order)


def units_of(premise: Premise) -> Units | None:
    """Return the units of a premise, or None if it is a single text."""
    return Rows(premise) if isinstance(premise, Table) else None


def row_text(row: Row) -> str:
    """Write a row as one readable and reversible text."""
    return json.dumps([row.key, list(row.values)], ensure_ascii=False)


def row_from_text(text: str) -> Row:
    """Read what :func:`row_text` wrote."""
    key, values = json.loads(text)
    return Row(key, tuple(values))
