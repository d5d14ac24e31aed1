"""``counterfactual.retitle``: give table and hypothesis another title of the category (evidence-probes §8).

What the table says is now said about something else, mostly against what is known of it. The label stays. This is for
pairs whose relevant rows nobody marked: where they are marked, ``counterfactual.relocate`` moves only them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from nliprobe.probes import PROBES
from nliprobe.probes._counterfactual import CounterfactualProbe, Destination, moved_title
from nliprobe.probes._titles import title_of
from nliprobe.task.about import About
from nliprobe.task.edits import Edit, replace_title, update_unit
from nliprobe.task.pair import Pair
from nliprobe.task.table import Table
from nliprobe.task.units import Rows, row_text


@PROBES.register("counterfactual.retitle")
@dataclass(frozen=True)
class CounterfactualRetitle(CounterfactualProbe):
    """Give the table, its cells and the hypothesis another title of the category; ``n`` seeded draws per pair."""

    about: ClassVar[About] = About(
        "The title is replaced by another of the category, in the table and in the hypothesis. The label stays.",
        "The answer follows what the model knows about the title, not what the table says about it.",
    )

    def refusal(self, pair: Pair, table: Table) -> str:
        """Refuse nothing: no evidence is needed."""
        return ""

    def table_edits(self, pair: Pair, table: Table, other: Destination) -> list[Edit]:
        """Change the title, and the cells that mention it."""
        mine = title_of(table)
        edits = [replace_title(table, other.table.title)]
        for place, row in enumerate(table.rows):
            renamed = moved_title(row, mine, other.title)
            if renamed != row:
                edits.append(update_unit(Rows(table), place, row_text(renamed)))
        return edits

    def sure(self, pair: Pair, table: Table, other: Destination) -> bool:
        """Tell whether a row decides; where none does, what is known about the new title might."""
        return str(pair.gold) in ("E", "C")
