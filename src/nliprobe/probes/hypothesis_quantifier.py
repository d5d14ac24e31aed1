"""``hypothesis.quantifier``: another quantifier in the hypothesis, so that its label stays or flips."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from nliprobe.language.cells import cells_version
from nliprobe.probes import PROBES
from nliprobe.probes._hypothesis import HypothesisProbe, Perturbation
from nliprobe.probes._quantified import perturbed_quantifiers
from nliprobe.task.about import About
from nliprobe.task.pair import Pair
from nliprobe.task.source import Pool


@PROBES.register("hypothesis.quantifier")
@dataclass(frozen=True)
class HypothesisQuantifier(HypothesisProbe):
    """Make a quantifier of the hypothesis weaker, stronger or right."""

    about: ClassVar[About] = About(
        "A quantifier of the hypothesis is replaced by another one (multiple labels, no labels). What the premise "
        "lists, or the scale from all over most to some, tells whether the label stays or flips.",
        "The model does not count what the premise lists, or does not know what a quantifier says.",
    )
    kind: ClassVar[str] = "quantifier"

    @property
    def reads(self) -> str:  # type: ignore[override]  # read-only like every attribute of a frozen dataclass
        """The rules by which cells are read and values written."""
        return cells_version()

    def perturbations(self, pair: Pair, label: str, pool: Pool | None) -> Iterator[Perturbation] | str:
        """Return the perturbations of all quantifiers of a hypothesis."""
        made = list(perturbed_quantifiers(pair.hypothesis, label, pair.premise))
        return iter(made) if made else "the hypothesis has no quantifier that can be changed"
