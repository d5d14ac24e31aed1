"""``rows.delete``: take one row out of the table (evidence-probes §4).

Without a row there can be less support, never more: E may become N but not C, N stays N, C may become N.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from nliprobe.base.errors import UsageError
from nliprobe.probes import PROBES, Probe
from nliprobe.task.about import About
from nliprobe.task.case import Case, Skip
from nliprobe.task.edits import Edits, delete_unit
from nliprobe.task.pair import Pair
from nliprobe.task.relations import DELETE
from nliprobe.task.source import Pool
from nliprobe.task.table import Table
from nliprobe.task.units import Rows


@PROBES.register("rows.delete")
@dataclass(frozen=True)
class RowsDelete(Probe):
    """Delete every single row in turn, or ``n`` seeded draws per pair."""

    n: int | None = None

    about: ClassVar[About] = About(
        "One row is taken out of the table. Less evidence can make an answer neutral, never the opposite.",
        "The answer follows something other than what the rows say: a row less cannot support the opposite.",
    )

    def __post_init__(self) -> None:
        if self.n is not None and self.n < 1:
            raise UsageError(f"'rows.delete?n' should be at least 1 (or all), not {self.n}.")

    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        """Yield one case per row; a table of one row gives none, because nothing would be left."""
        table = pair.premise
        if not isinstance(table, Table):
            yield self.skip("the premise is a text, not a table")
            return
        if table.columns:
            # A row of such a table can decide a count or a superlative, so no transition is excluded.
            yield self.skip("a row of a many-column table may change counts: no transition is prohibited")
            return
        if len(table.rows) < 2:
            yield self.skip("the table has one row")
            return
        variants = _variants(table)
        if self.n is not None and self.n < len(variants):
            variants = tuple(variants[index] for index in sorted(self.draws(pair).sample(range(len(variants)), self.n)))
        for edits, edited in variants:
            yield self.case(pair, edits, expects=DELETE.relation, edited=edited)


@lru_cache(maxsize=64)  # pairs come table by table; a few tables are enough
def _variants(table: Table) -> tuple[tuple[Edits, Table], ...]:
    rows = Rows(table)
    return tuple(((delete_unit(rows, index),), rows.delete(index)) for index in range(len(rows)))
