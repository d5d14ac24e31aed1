"""Row texts that are made once: edited tables share their rows, so their texts are looked up, not rebuilt."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from nliprobe.represent._base import Representation
from nliprobe.task.prediction import Segments
from nliprobe.task.table import Row, Table

# Tables whose row texts are kept; InfoTabS has 2,719 in all. Past it the oldest half is dropped.
_KEPT_TABLES = 4096


class RowWise(Representation):
    """A representation in which each row has a text of its own.

    Each row's text starts with what separates it from the text before; :meth:`segments` takes that off
    where nothing stands before.
    """

    separator: str = " "
    reads_hypothesis: ClassVar[bool] = False

    def __init__(self) -> None:
        self._kept: dict[tuple[str, tuple[str, ...]], dict[Row, str]] = {}

    @abstractmethod
    def row(self, row: Row, title: str, columns: tuple[str, ...]) -> str:
        """The text of one row."""

    def head(self, table: Table) -> str:
        """What stands before the rows."""
        return ""

    def tail(self, table: Table) -> str:
        """What stands after the rows."""
        return ""

    def segments(self, table: Table, hypothesis: str) -> Segments:
        """Head, rows and tail; the hypothesis plays no part."""
        return self.assemble(table, self.row_texts(table))

    def row_texts(self, table: Table) -> list[str]:
        """The text of each row, each with its separator before it."""
        owner = (table.title, table.columns)
        known = self._kept.get(owner)
        if known is None:
            known = self._make_room(owner)
        try:
            return [known[row] for row in table.rows]
        except KeyError:
            for row in table.rows:
                if row not in known:
                    known[row] = self.separator + self.row(row, table.title, table.columns)
            return [known[row] for row in table.rows]

    def assemble(self, table: Table, texts: list[str]) -> Segments:
        """Head, some row texts and tail, without a separator where nothing stands before."""
        head, tail = self.head(table), self.tail(table)
        if head:
            texts.insert(0, head)
        elif texts:
            texts[0] = texts[0].removeprefix(self.separator)
        if tail:
            texts.append(tail)
        return tuple(texts)

    def _make_room(self, owner: tuple[str, tuple[str, ...]]) -> dict[Row, str]:
        if len(self._kept) >= _KEPT_TABLES:
            for old in list(self._kept)[: _KEPT_TABLES // 2]:
                del self._kept[old]
        return self._kept.setdefault(owner, {})
