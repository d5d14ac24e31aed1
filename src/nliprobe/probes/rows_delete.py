"""``rows.delete``: take rows out of the table (evidence-probes §4, §6).

Without a row there can be less support, never more: E may become N but not C, N stays N, C may become N. Where people
marked the rows that are needed, the answer must become N without one of them, and stay without any other. A record of
a many-column table can decide a count or a superlative, so there every transition is allowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from nliprobe.base.identity import kept_by_identity
from nliprobe.probes import PROBES
from nliprobe.probes._rows import RowProbe
from nliprobe.probes._units import DeleteUnits
from nliprobe.task.about import About
from nliprobe.task.edits import Edits, delete_unit
from nliprobe.task.pair import Premise
from nliprobe.task.table import Table
from nliprobe.task.units import Rows, Units


@PROBES.register("rows.delete")
@dataclass(frozen=True)
class RowsDelete(RowProbe, DeleteUnits):
    """Delete every single row in turn (or ``n`` seeded draws per pair), or the rows that the evidence names."""

    about: ClassVar[About] = About(
        "One row is taken out of the table. Less evidence can make an answer neutral, never the opposite; in a table "
        "with many columns every change is allowed.",
        "The answer follows something other than what the rows say: a row less cannot support the opposite.",
    )

    def variants(self, units: Units, deletions: Sequence[Sequence[int]]) -> Iterable[tuple[Edits, Premise]]:
        """Return deletions; those of single rows are made once per table."""
        if isinstance(units, Rows) and all(len(places) == 1 for places in deletions):
            made = _variants(units.premise)
            return [made[place] for [place] in deletions]
        return super().variants(units, deletions)


@kept_by_identity(64)  # pairs come table by table; a few tables are enough
def _variants(table: Table) -> tuple[tuple[Edits, Table], ...]:
    rows = Rows(table)
    return tuple(((delete_unit(rows, index),), rows.delete(index).premise) for index in range(len(rows)))
