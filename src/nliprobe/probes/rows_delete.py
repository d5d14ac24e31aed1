"""``rows.delete``: take one row out of the table (evidence-probes §4).

A row less can take support away, never add any: E may become N but not C, N stays N, C may become N.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from nliprobe.base.errors import UsageError
from nliprobe.probes import PROBES, Probe
from nliprobe.task.case import Case, Skip, identity_id
from nliprobe.task.edits import Edits, delete_row
from nliprobe.task.pair import Pair
from nliprobe.task.relations import DELETE
from nliprobe.task.source import Pool
from nliprobe.task.table import Table


@PROBES.register("rows.delete")
@dataclass(frozen=True)
class RowsDelete(Probe):
    """Every single row in turn, or ``n`` seeded draws a pair."""

    n: int | None = None

    def __post_init__(self) -> None:
        if self.n is not None and self.n < 1:
            raise UsageError(f"'rows.delete?n' should be at least 1 (or all), not {self.n}.")

    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        """One case a row; a table of one row has none, for nothing would be left."""
        table = pair.premise
        if not isinstance(table, Table):
            yield Skip(self.spec, "the premise is a text, not a table")
            return
        if table.columns:
            # A row of such a table can decide a count or a superlative, so no transition is excluded.
            yield Skip(self.spec, "a row of a many-column table may change counts: no transition is prohibited")
            return
        if len(table.rows) < 2:
            yield Skip(self.spec, "the table has one row")
            return
        base = (identity_id(pair.id),)
        variants = _variants(table)
        if self.n is not None and self.n < len(variants):
            variants = tuple(variants[index] for index in sorted(self.draws(pair).sample(range(len(variants)), self.n)))
        make_id, name, hypothesis, relation = self.ids.of, self.spec, pair.hypothesis, DELETE.relation
        for edits, edited in variants:
            yield Case(make_id(base, edits), name, pair, edited, hypothesis, bases=base, relation=relation, edits=edits)


@lru_cache(maxsize=64)  # pairs come table by table; a few tables are enough
def _variants(table: Table) -> tuple[tuple[Edits, Table], ...]:
    return tuple(((delete_row(table, index),), table.delete(index)) for index in range(len(table.rows)))
