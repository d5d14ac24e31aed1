"""``hypothesis.temporal``: another date, season or duration in the hypothesis, so that its label stays or flips."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from nliprobe.language.cells import cells_version
from nliprobe.language.cells.records import CellType
from nliprobe.probes import PROBES
from nliprobe.probes._hypothesis import HypothesisProbe, Perturbation
from nliprobe.probes._perturbed import perturbed
from nliprobe.probes._seasonal import perturbed_seasons
from nliprobe.task.about import About
from nliprobe.task.pair import Pair
from nliprobe.task.source import Pool

_TYPES = frozenset([CellType.DATE, CellType.DATES, CellType.DURATION])


@PROBES.register("hypothesis.temporal")
@dataclass(frozen=True)
class HypothesisTemporal(HypothesisProbe):
    """Move or correct a date, a season or a duration of the hypothesis."""

    about: ClassVar[About] = About(
        "A date, a season or a duration of the hypothesis is moved or set to what the premise says (before 1990, "
        "2000). Its governing word, the label and the row it speaks about tell whether the label stays or flips.",
        "The model does not compare the time with the premise.",
    )
    kind: ClassVar[str] = "temporal"

    @property
    def reads(self) -> str:  # type: ignore[override]  # read-only like every attribute of a frozen dataclass
        """The rules by which cells are read and values written."""
        return cells_version()

    def perturbations(self, pair: Pair, label: str, pool: Pool | None) -> Iterator[Perturbation] | str:
        """Return the perturbations of all times of a hypothesis."""
        text, premise = pair.hypothesis, pair.premise
        made = [*perturbed(text, label, premise, _TYPES), *perturbed_seasons(text, label, premise)]
        return iter(made) if made else "the hypothesis has no date, season or duration that can be changed"
