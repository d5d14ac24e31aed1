"""Rows of a user's file that were made from other rows, with what must hold of the answers to both."""

from __future__ import annotations

from typing import NamedTuple

from nliprobe.base.errors import DataError, UsageError, did_you_mean
from nliprobe.base.records.columns import guess_column
from nliprobe.base.records.lines import Record
from nliprobe.task.rule_forms import read_rule
from nliprobe.task.rules import Rule, bases_needed


class Derived(NamedTuple):
    """What a row says of others: the pair it was made from, that pair's group, and what must hold."""

    bases: tuple[str, ...] = ()
    group: str = ""
    expects: Rule | None = None


class DerivedRows:
    """Reads bases and rules row by row; a base must stand above the rows made from it, so none is ever missing."""

    def __init__(self, base: str = "", expects: str = "") -> None:
        self._columns = [name for name in (base, expects) if name]
        self._base, self._expects = base, expects
        self._met: set[str] = set()
        self._known: dict[str, tuple[str, str]] = {}
        self._rules: dict[str, Rule] = {}

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
        base, asked = "" if cell is None else str(cell).strip(), self._cell(record, self._expects)
        if not base and (asked is None or not str(asked).strip()):
            return Derived()
        expects = self._rule(asked, base, place)
        if not base:
            return Derived(expects=expects)
        if base not in self._known:
            hint = did_you_mean(base, self._known)
            what = f"{place}: the base '{base}' is not the id of an earlier row."
            # A list of all ids would be no help.
            raise DataError(f"{what} {hint if hint.startswith('Did') else 'Put a row above those made from it.'}")
        pair_id, group = self._known[base]
        return Derived((pair_id,), group, expects)

    def _cell(self, record: Record, name: str) -> object:
        column = guess_column(record, [name]) if name else None
        if column is None:
            return None
        self._met.add(name)
        return record[column]

    def _rule(self, asked: object, base: str, place: str) -> Rule:
        if asked is None or not str(asked).strip():
            raise DataError(f"{place}: the row has the base '{base}' but expects nothing, for example same_label.")
        text = asked if isinstance(asked, str) else repr(asked)
        if text not in self._rules:
            try:
                self._rules[text] = read_rule(asked)
            except UsageError as error:
                raise DataError(f"{place}: {error}") from error
        rule = self._rules[text]
        if not base and bases_needed(rule):
            raise DataError(f"{place}: the rule '{text:.60}' compares with a base, but the row names none.")
        return rule
