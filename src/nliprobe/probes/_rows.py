"""What all probes of rows share: their units are the rows of a table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from nliprobe.base.identity import kept_by_identity
from nliprobe.probes._units import UnitProbe
from nliprobe.task.case import Case, Certainty, Skip
from nliprobe.task.edits import Edits
from nliprobe.task.pair import Pair
from nliprobe.task.relations import PERMUTE, UNCONSTRAINED, Relation, UnitEdit
from nliprobe.task.source import Pool
from nliprobe.task.table import Table
from nliprobe.task.units import Rows, Units

A_TEXT = "the premise is a text, not a table"
# Of 90 claims of TabFact and SciTab without such a word, none speaks of the place of a row. Most claims with one do not
# either (a rank is a column, the first race has a date), but a program cannot tell them from those that do.
_ORDER = re.compile(
    r"\b(?:first|second|third|fourth|fifth|last|final|next|previous|following|preceding|above|below|top|bottom|upper"
    r"|rows?|lines?|blocks?|half|order|ordered|rank\w*|consecutive\w*|before|after|begin\w*|start\w*|earlier|later|middle"
    r"|\d+(?:st|nd|rd|th))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class RowProbe(UnitProbe):
    """A probe that edits the rows of a table; where a pair carries a program, it gives the label after the edit."""

    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        """Yield the cases of a pair, or the reason why there are none."""
        made = super().cases(pair, pool)
        if pair.program is None:
            return made
        # Most corpora have no programs, and what executes them takes a tenth of a second to import.
        from nliprobe.probes._exact import exact_items

        return exact_items(self, pair, made)

    def units(self, pair: Pair) -> Units | str:
        """Return the rows of a table."""
        return Rows(pair.premise) if isinstance(pair.premise, Table) else A_TEXT

    def expected(self, units: Units, relation: Relation) -> Relation:
        """Return T4's relation for an infobox, and none for a many-column table (T9).

        A record more or less, or another value, can turn a count, a superlative or a sum in any direction.
        """
        return UNCONSTRAINED if has_columns(units) else relation

    def certainty(self, pair: Pair, units: Units, kind: UnitEdit, edits: Edits) -> Certainty:
        """Tell whether the order of a many-column table may say something: "the last entry", or rows with headings."""
        table = units.premise
        if kind is not PERMUTE or not isinstance(table, Table) or not table.columns:
            return Certainty.CERTAIN
        return Certainty.LIKELY if speaks_of_order(pair.hypothesis) or has_sections(table) else Certainty.CERTAIN


def has_columns(units: Units) -> bool:
    """Tell many-column tables from infoboxes."""
    premise = units.premise
    return isinstance(premise, Table) and bool(premise.columns)


def speaks_of_order(hypothesis: str) -> bool:
    """Tell whether a hypothesis has a word that may mean the place of a row.

    >>> speaks_of_order("the last game was lost"), speaks_of_order("three games were lost")
    (True, False)
    """
    return _ORDER.search(hypothesis) is not None


@kept_by_identity(64)  # pairs come table by table
def has_sections(table: Table) -> bool:
    """Tell whether some rows belong to the row above them: one is a heading, or has an empty first cell."""
    if len(table.columns) < 2:
        return False
    filled = [[bool(cell.strip()) for cell in row.values] for row in table.rows]
    return any(not cells[0] or sum(cells) < 2 for cells in filled if cells)
