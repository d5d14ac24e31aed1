"""``rows.permute``: bring the rows into another order (evidence-probes §4). Nothing may change."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from random import Random
from typing import ClassVar

from nliprobe.base.errors import UsageError
from nliprobe.probes import PROBES, Probe
from nliprobe.task.about import About
from nliprobe.task.case import Case, Certainty, Skip
from nliprobe.task.edits import permute_units
from nliprobe.task.pair import Pair
from nliprobe.task.relations import PERMUTE
from nliprobe.task.source import Pool
from nliprobe.task.table import Table
from nliprobe.task.units import Rows

# With at most this many rows all orders are listed and sampled from; with more, draws hardly ever collide.
_LISTED = 5


@PROBES.register("rows.permute")
@dataclass(frozen=True)
class RowsPermute(Probe):
    """Bring the rows into ``n`` seeded orders per pair, all different from one another and from the original."""

    n: int = 1

    about: ClassVar[About] = About(
        "The rows are brought into another order. The order says nothing, so no answer may change.",
        "The answer depends on the place of a row, where only its content counts.",
    )

    def __post_init__(self) -> None:
        if self.n < 1:
            raise UsageError(f"'rows.permute?n' should be at least 1, not {self.n}.")

    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        """Yield the table in other orders; fewer than ``n`` if the rows have fewer orders."""
        table = pair.premise
        if not isinstance(table, Table):
            yield self.skip("the premise is a text, not a table")
            return
        if len(set(table.rows)) < 2:
            yield self.skip("the table has one row")
            return
        # "The first entry" of a many-column table may mean its place, so there the expectation is only likely.
        certainty = Certainty.LIKELY if table.columns else Certainty.CERTAIN
        for order in self._orders(table, self.draws(pair)):
            edits = (permute_units(Rows(table), order),)
            yield self.case(pair, edits, expects=PERMUTE.relation, certainty=certainty, edited=table.permute(order))

    def _orders(self, table: Table, random: Random) -> Iterator[tuple[int, ...]]:
        rows = table.rows
        size = len(rows)
        if size <= _LISTED:
            orders = [order for order in permutations(range(size)) if _differs(rows, order)]
            yield from random.sample(orders, min(self.n, len(orders)))
            return
        seen: set[tuple[int, ...]] = set()
        wanted = min(self.n, math.factorial(size) - 1)
        # Repeated rows can make some orders equal to the original: give up after some draws.
        for _ in range(20 * wanted):
            if len(seen) == wanted:
                return
            places = list(range(size))
            random.shuffle(places)
            order = tuple(places)
            if order not in seen and _differs(rows, order):
                seen.add(order)
                yield order


def _differs(rows: tuple[object, ...], order: tuple[int, ...]) -> bool:
    # Only rows that moved are compared, and usually the first of them decides.
    return any(place != index and rows[place] != rows[index] for place, index in enumerate(order))
