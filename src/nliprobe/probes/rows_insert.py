"""``rows.insert``: insert a row with a new key, taken from another table of the category (evidence-probes §4).

A new row can decide what was open, but changes nothing about what the other rows say: E stays E, C stays C.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from nliprobe.probes import PROBES
from nliprobe.probes._row_donors import donors_of
from nliprobe.probes._row_draws import below, new_rows, no_new_row
from nliprobe.probes._rows import RowProbe
from nliprobe.task.about import About
from nliprobe.task.case import Case, Skip
from nliprobe.task.edits import insert_unit
from nliprobe.task.pair import Pair
from nliprobe.task.relations import INSERT
from nliprobe.task.source import Pool
from nliprobe.task.units import Rows, Units


@PROBES.register("rows.insert")
@dataclass(frozen=True)
class RowsInsert(RowProbe):
    """Insert ``n`` rows per pair, one at a time, each at a seeded place."""

    n: int = 1

    about: ClassVar[About] = About(
        "A row with a new key is inserted, taken from another table of the category. It contradicts no other row, so "
        "only a neutral answer may change; in a table with many columns every change is allowed.",
        "The answer follows a row that has nothing to do with the hypothesis.",
    )
    needs_pool: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self.at_least("n", self.n)

    def unit_cases(self, pair: Pair, units: Units, pool: Pool | None) -> Iterator[Case | Skip]:
        """Yield the table with one row more; fewer than ``n`` cases if there are fewer rows to insert."""
        assert pool is not None
        assert isinstance(units, Rows)
        table, random = units.premise, self.draws(pair)
        expects = self.expected(units, INSERT.relation)
        inserted: set[str] = set()
        for donor in new_rows(table, pair.group or pair.id, donors_of(pool), random):
            if donor.text in inserted:
                continue
            inserted.add(donor.text)
            place = below(len(table.rows) + 1, random)
            edits = (insert_unit(units, place, donor.text),)
            yield self.case(pair, edits, expects=expects, edited=table.insert(place, donor.row))
            if len(inserted) == self.n:
                return
        if not inserted:
            yield self.skip(no_new_row(table))
