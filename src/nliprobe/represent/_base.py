"""The base classes of representations: any, and those in which each row of a table has a text of its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, Self

from nliprobe.base.errors import UsageError
from nliprobe.base.registry import Spec
from nliprobe.task.case import Segments
from nliprobe.task.table import Row, Table

# How many tables have their row texts cached; InfoTabS has 2,719. When the cache is full, the oldest half is dropped.
_CACHED_TABLES = 4096


class Representation(ABC):
    """Turns a premise (together with its hypothesis) into segments whose join is the text a model reads.

    Class attributes:
        version: increased when the same premise becomes a different text.
        selects: whether rows or sentences may be left out, so that different premises may become the same text.
        reads_hypothesis: whether the segments may depend on the hypothesis; if not, a premise is read only once.
        form: how it writes tables, for models that are told so by name; empty for texts like any other.
    """

    version: ClassVar[int] = 1
    selects: ClassVar[bool] = False
    reads_hypothesis: ClassVar[bool] = True
    form: ClassVar[str] = ""

    @classmethod
    def from_spec(cls, spec: Spec) -> Self:
        """Make the representation that a spec asks for; most take no parameters."""
        if spec.params or spec.argument:
            raise UsageError(f"The representation '{spec.name}' takes no parameters.")
        return cls()

    def fingerprint(self) -> str:
        """Return what, together with the spec, tells its texts from those of another version."""
        return str(self.version)

    @abstractmethod
    def segments(self, table: Table, hypothesis: str) -> Segments:
        """Return a table as segments; those of unchanged rows are equal, so adapters may tokenise each once."""

    def passage(self, text: str, hypothesis: str) -> Segments:
        """Return a text as segments; most representations leave a text as it is."""
        return (text,)


class RowWise(Representation):
    """A representation in which each row has a text of its own, which is made once.

    Edited tables share their rows, so their texts are looked up and not made again.

    Each row's text starts with what separates it from the text before; :meth:`segments` removes the separator
    if nothing comes before.
    """

    separator: str = " "
    reads_hypothesis: ClassVar[bool] = False

    def __init__(self) -> None:
        self._cached: dict[tuple[str, tuple[str, ...]], dict[Row, str]] = {}

    @abstractmethod
    def row(self, row: Row, title: str, columns: tuple[str, ...]) -> str:
        """Return the text of one row."""

    def head(self, table: Table) -> str:
        """Return the text before the rows."""
        return ""

    def tail(self, table: Table) -> str:
        """Return the text after the rows."""
        return ""

    def segments(self, table: Table, hypothesis: str) -> Segments:
        """Return head, rows and tail; the hypothesis plays no part."""
        return self.assemble(table, self.row_texts(table))

    def row_texts(self, table: Table) -> list[str]:
        """Return the text of each row, with the separator before it."""
        owner = (table.title, table.columns)
        known = self._cached.get(owner)
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
        """Join head, row texts and tail, without a separator if nothing comes before."""
        head, tail = self.head(table), self.tail(table)
        if head:
            texts.insert(0, head)
        elif texts:
            texts[0] = texts[0].removeprefix(self.separator)
        if tail:
            texts.append(tail)
        return tuple(texts)

    def _make_room(self, owner: tuple[str, tuple[str, ...]]) -> dict[Row, str]:
        if len(self._cached) >= _CACHED_TABLES:
            for old in list(self._cached)[: _CACHED_TABLES // 2]:
                del self._cached[old]
        return self._cached.setdefault(owner, {})
