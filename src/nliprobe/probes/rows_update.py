"""``rows.update``: replace one value of a row that has several (evidence-probes §4).

The new value comes from the same key of another table. The answer may become C or stay, because nothing that was open
is settled by it. A row with one value is left alone: another value there is a deletion and an insertion in one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from nliprobe.language.values import values_version
from nliprobe.probes import PROBES
from nliprobe.probes._row_donors import donors_of
from nliprobe.probes._row_draws import draw_update, no_update
from nliprobe.probes._rows import RowProbe
from nliprobe.probes._units import UNKNOWN, names_unknown, update
from nliprobe.task.about import About
from nliprobe.task.case import Case, Skip
from nliprobe.task.edits import update_unit
from nliprobe.task.pair import Pair
from nliprobe.task.source import Pool
from nliprobe.task.table import Row
from nliprobe.task.units import Rows, Units, row_text

# So many draws that repeat an earlier one mean that there are no others.
_TRIES = 20


@PROBES.register("rows.update")
@dataclass(frozen=True)
class RowsUpdate(RowProbe):
    """Replace one value of a row that has several, in ``n`` seeded draws per pair.

    ``blind`` judges the answers as if the evidence were unknown, as the seed does.
    """

    n: int = 1
    blind: bool = False

    about: ClassVar[About] = About(
        "One value of a row that has several is replaced by a value of the same key of another table. An answer may "
        "become a contradiction or stay; in a table with many columns every change is allowed.",
        "The answer changes in a way that another value cannot explain.",
    )
    needs_pool: ClassVar[bool] = True

    @property
    def reads(self) -> str:  # type: ignore[override]  # read-only like every attribute of a frozen dataclass
        """A hash of what decides where the values of a cell are."""
        return values_version()

    def __post_init__(self) -> None:
        self.at_least("n", self.n)

    def unit_cases(self, pair: Pair, units: Units, pool: Pool | None) -> Iterator[Case | Skip]:
        """Yield the table with one value replaced; draws that would change nothing are left out and counted."""
        assert isinstance(units, Rows)
        table = units.premise
        evidence = None if self.blind else pair.evidence
        if names_unknown(evidence, units):
            yield self.skip(UNKNOWN.format(units.kind))
            return
        assert pool is not None
        donors, group = donors_of(pool), pair.group or pair.id
        if reason := no_update(table, group, donors):
            yield self.skip(reason)
            return
        random = self.draws(pair)
        done: set[tuple[int, Row]] = set()
        for _ in range(self.n):
            for _ in range(_TRIES):
                drawn = draw_update(table, group, donors, random)
                if isinstance(drawn, str):
                    yield self.skip(drawn)
                    break
                if drawn in done:
                    continue
                done.add(drawn)
                edits = (update_unit(units, drawn.at, row_text(drawn.row)),)
                expects = self.expected(units, update(evidence, drawn.at).relation)
                yield self.case(pair, edits, expects=expects, edited=table.update(*drawn))
                break
