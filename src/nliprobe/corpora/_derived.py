"""Rows of a user's file that were made from other rows, with what must hold of the answers to both."""

from __future__ import annotations

from typing import NamedTuple

from nliprobe.base.errors import DataError, UsageError, did_you_mean
from nliprobe.base.records.columns import guess_column
from nliprobe.base.records.lines import Record
from nliprobe.task.check_forms import check_of, read_rule
from nliprobe.task.checks import needs_base
from nliprobe.task.pair import Check


class Derived(NamedTuple):
    """What a row says of others: the pair it was made from, that pair's group, and the check."""

    bases: tuple[str, ...] = ()
    group: str = ""
    check: Check | None = None


class DerivedRows:
    """Reads bases and checks row by row; a base must stand above the rows made from it, so none is ever missing."""

    def __init__(self, base: str = "", check: str = "") -> None:
        self._columns = [name for name in (base, check) if name]
        self._base, self._checking = base, check
        self._met: set[str] = set()
        self._known: dict[str, tuple[str, str]] = {}
        self._checks: dict[str, Check] = {}

    def remember(self, name: str, pair_id: str, group: str) -> None:
        """Note a row that later ones may name."""
        self._known[name] = pair_id, group

    def require(self, place: str) -> None:
        """Complain of a column that no row had: JSON rows may lack one, but a name that never occurs is mistyped."""
        missing = [name for name in self._columns if name not in self._met]
        if missing:
            raise DataError(f"{place}: no row has the column '{missing[0]}'.")

    def read(self, record: Record, place: str) -> Derived:
        """What one row says of others; empty cells say nothing."""
        if not self._columns:
            return Derived()
        cell = self._cell(record, self._base)
        base, asked = "" if cell is None else str(cell).strip(), self._cell(record, self._checking)
        if not base and (asked is None or not str(asked).strip()):
            return Derived()
        check = self._check(asked, base, place)
        if not base:
            return Derived(check=check)
        if base not in self._known:
            hint = did_you_mean(base, self._known)
            what = f"{place}: the base '{base}' is not the id of an earlier row."
            # A list of all ids would be no help.
            raise DataError(f"{what} {hint if hint.startswith('Did') else 'Put a row above those made from it.'}")
        pair_id, group = self._known[base]
        return Derived((pair_id,), group, check)

    def _cell(self, record: Record, name: str) -> object:
        column = guess_column(record, [name]) if name else None
        if column is None:
            return None
        self._met.add(name)
        return record[column]

    def _check(self, asked: object, base: str, place: str) -> Check:
        if asked is None or not str(asked).strip():
            raise DataError(f"{place}: the row has the base '{base}' but no check, for example same_label.")
        text = asked if isinstance(asked, str) else repr(asked)
        if text not in self._checks:
            try:
                rule = read_rule(asked)
            except UsageError as error:
                raise DataError(f"{place}: {error}") from error
            self._checks[text] = check_of(rule)
            if not base and needs_base(rule):
                del self._checks[text]
                raise DataError(f"{place}: the check '{text:.60}' compares with a base, but the row names none.")
        return self._checks[text]
