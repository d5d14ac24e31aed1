"""What all probes of rows share: their units are the rows of a table."""

from __future__ import annotations

from dataclasses import dataclass

from nliprobe.probes._units import UnitProbe
from nliprobe.task.case import Certainty
from nliprobe.task.edits import Edits
from nliprobe.task.pair import Pair
from nliprobe.task.relations import UnitEdit
from nliprobe.task.table import Table
from nliprobe.task.units import Rows, Units


@dataclass(frozen=True)
class RowProbe(UnitProbe):
    """A probe that edits the rows of a table."""

    def units(self, pair: Pair) -> Units | str:
        """Return the rows of a table."""
        return Rows(pair.premise) if isinstance(pair.premise, Table) else "the premise is a text, not a table"

    def certainty(self, pair: Pair, units: Units, kind: UnitEdit, edits: Edits) -> Certainty:
        """Tell infoboxes from many-column tables, where "the first entry" may mean a place."""
        premise = units.premise
        return Certainty.LIKELY if isinstance(premise, Table) and premise.columns else Certainty.CERTAIN
