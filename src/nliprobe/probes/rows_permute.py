"""``rows.permute``: bring the rows into another order (evidence-probes §4). Nothing may change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from nliprobe.probes import PROBES
from nliprobe.probes._rows import RowProbe
from nliprobe.probes._units import PermuteUnits
from nliprobe.task.about import About


@PROBES.register("rows.permute")
@dataclass(frozen=True)
class RowsPermute(RowProbe, PermuteUnits):
    """Bring the rows into ``n`` seeded orders per pair, all different from one another and from the original."""

    about: ClassVar[About] = About(
        "The rows are brought into another order. The order says nothing, so no answer may change.",
        "The answer depends on the place of a row, where only its content counts.",
    )
