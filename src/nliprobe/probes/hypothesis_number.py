"""``hypothesis.number``: another number or amount in the hypothesis, so that its label stays or flips."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from nliprobe.language.cells import cells_version
from nliprobe.language.cells.records import CellType
from nliprobe.probes import PROBES
from nliprobe.probes._hypothesis import HypothesisProbe, Perturbation
from nliprobe.probes._perturbed import perturbed
from nliprobe.task.about import About
from nliprobe.task.pair import Pair
from nliprobe.task.source import Pool

_TYPES = frozenset([CellType.NUMBER, CellType.MONEY])


@PROBES.register("hypothesis.number")
@dataclass(frozen=True)
class HypothesisNumber(HypothesisProbe):
    """Raise, lower or correct a number of the hypothesis."""

    about: ClassVar[About] = About(
        "A number of the hypothesis is raised, lowered or set to what the premise says (over 40 people, over 20)."
        " Its governing word, the label and the row it speaks about tell whether the label stays or flips.",
        "The model does not compare the number with the premise.",
    )
    kind: ClassVar[str] = "number"

    @property
    def reads(self) -> str:  # type: ignore[override]  # read-only like every attribute of a frozen dataclass
        """The rules by which cells are read and values written."""
        return cells_version()

    def perturbations(self, pair: Pair, label: str, pool: Pool | None) -> Iterator[Perturbation] | str:
        """Return the perturbations of all numbers of a hypothesis."""
        made = list(perturbed(pair.hypothesis, label, pair.premise, _TYPES))
        return iter(made) if made else "the hypothesis has no number that can be changed"
