"""Rows of a user's file that were made from other rows, and the rule that the answers to both must obey."""

from __future__ import annotations

from typing import NamedTuple

from nliprobe.base.errors import DataError, UsageError, did_you_mean
from nliprobe.base.records.columns import guess_column
from nliprobe.base.records.read import Record
from nliprobe.task.rule_forms import read_rule
from nliprobe.task.rules import Rule, bases_needed


class Derived(NamedTuple):
    """The pair that a row was made from, that pair's group, and the rule that the answers must obey."""

    bases: tuple[str, ...] = ()
    group: str = ""
    expects: Rule | None = None


class DerivedRows:
    """Reads bases and rules row by row; a base must come before the rows made from it."""

    def __init__(self, base: str = "", expects: str = "") -> None:
        self._columns = [name for name in (base, expects) if name]
        self._base, self._expects = base, expects
        self._met: set[str] = set()
        self._known: dict[str, tuple[str, str]] = {}
        self._rules: dict[str, Rule] = {}

    def remember(self, name: str, pair_id: str, group: str) -> None:
        """Remember a row that later rows may name as their base, if any row can."""
        if self._base:
            self._known[name] = pair_id, group

    def require(self, place: str) -> None:
        """Raise an error for a column that no row had: JSON rows may lack one, but not all of them."""
        missing = [name for name in self._columns if name not in self._met]
        if missing:
            raise DataError(f"{place}: no row has the column '{missing[0]}'.")

    def read(self, record: Record, place: str, *, labelled: bool) -> Derived:
        """Return the base and the rule of one row; empty cells mean none.

        Args:
            record: the row.
            place: where it is, for messages.
            labelled: whether the row has a gold label. Then it needs no rule: what is compared with the base is whether
                the answer follows the label.
        """
        if not self._columns:
            return Derived()
        cell = self._cell(record, self._base)
        base, value = "" if cell is None else str(cell).strip(), self._cell(record, self._expects)
        if not base and (value is None or not str(value).strip()):
            return Derived()
        expects = self._rule(value, base, place, labelled=labelled)
        if not base:
            return Derived(expects=expects)
        if base not in self._known:
            hint = did_you_mean(base, self._known)
            what = f"{place}: the base '{base}' is not the id of an earlier row."
            # A list of all ids would not help.
            raise DataError(f"{what} {hint if hint.startswith('Did') else 'Put a row above those made from it.'}")
        pair_id, group = self._known[base]
        return Derived((pair_id,), group, expects)

    def _cell(self, record: Record, name: str) -> object:
        column = guess_column(record, [name]) if name else None
        if column is None:
            return None
        self._met.add(name)
        return record[column]

    def _rule(self, value: object, base: str, place: str, *, labelled: bool) -> Rule | None:
        if value is None or not str(value).strip():
            if labelled:
                return None
            raise DataError(
                f"{place}: the row has the base '{base}', but neither a label nor a rule such as same_label: there is "
                "nothing to compare."
            )
        text = value if isinstance(value, str) else repr(value)
        if text not in self._rules:
            try:
                self._rules[text] = read_rule(value)
            except UsageError as error:
                raise DataError(f"{place}: {error}") from error
        rule = self._rules[text]
        if not base and bases_needed(rule):
            raise DataError(f"{place}: the rule '{text:.60}' compares with a base, but the row names none.")
        return rule
