"""The columns of a file that say which pair a record is about: its id, or its table and its hypothesis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from nliprobe.base.errors import DataError
from nliprobe.base.records.columns import PAIR_NAMES, column, guess_column
from nliprobe.base.records.read import Record

# The names of these columns in the files of crowdsourcing platforms and researchers, the clearest names first.
_TABLE_NAMES = ("table_id", "tableID", "table")
_HYPOTHESIS_NAMES = ("hypothesis", "statement", "claim")


class _Named(Protocol):
    """The columns that a user names; empty where the file's own names decide."""

    @property
    def pair(self) -> str: ...

    @property
    def table(self) -> str: ...

    @property
    def hypothesis(self) -> str: ...


class PairColumns:
    """Reads which pair a record is about; the first record decides the columns."""

    def __init__(self, record: Record, named: _Named, place: str, what: str, of: str) -> None:
        """Find the columns; if there are none, the error says ``what`` nothing tells, and whose id (``of``) to name."""
        self._pair = optional_column(record, named.pair, PAIR_NAMES, place)
        self._table = optional_column(record, named.table, _TABLE_NAMES, place)
        self._hypothesis = optional_column(record, named.hypothesis, _HYPOTHESIS_NAMES, place)
        if self._pair is None and (self._table is None or self._hypothesis is None):
            raise DataError(
                f"{place}: nothing tells {what}; the columns are {', '.join(record)}. Name the column of {of} with "
                "pair=COLUMN, or those of table and hypothesis with table=COLUMN and hypothesis=COLUMN."
            )

    def read(self, record: Record) -> tuple[str, str, str]:
        """Return the pair's id, its table and its hypothesis; empty texts for what the record does not say."""
        hypothesis = str(record.get(self._hypothesis or "") or "")
        return cell_text(record, self._pair), cell_text(record, self._table), hypothesis


def optional_column(record: Record, named: str, names: Sequence[str], place: str) -> str | None:
    """Return the column that a user names, else the first of some usual names that a record has."""
    return column(record, [named], place) if named else guess_column(record, names)


def cell_text(record: Record, name: str | None) -> str:
    """Return the text in a column, without spaces around it; empty if there is no column or no value."""
    value = None if name is None else record.get(name)
    return "" if value is None else str(value).strip()
