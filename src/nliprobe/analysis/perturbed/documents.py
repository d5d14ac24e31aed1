"""The shape of what ``nliprobe show`` says about perturbed hypotheses; the published form is docs/reference/schemas."""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict

from nliprobe.analysis.constant import ConstantAnswer
from nliprobe.analysis.counterfactual.documents import SetScore
from nliprobe.analysis.rates import Ends

Effect: TypeAlias = Literal["preserved", "flipped"]


class PerturbedScore(TypedDict):
    """The accuracy on perturbed hypotheses of one effect.

    ``difference`` is the accuracy on the pairs they were made from, each as often as something was made from it, minus
    that on them.
    """

    effect: Effect
    n: int
    originals: int
    groups: int
    score: SetScore
    difference: float
    difference_ci95: Ends
    p: float


class KindScore(TypedDict):
    """The accuracy on the perturbed hypotheses of one kind and effect, and what the best constant answer gets."""

    kind: str
    effect: Effect
    n: int
    correct: int
    accuracy: float
    ci95: Ends
    constant: ConstantAnswer | None


class TwinGap(TypedDict):
    """How much better a system is than one without premise, on one set: accuracy minus the other's accuracy."""

    set: Literal["original", "preserved", "flipped"]
    n: int
    gap: float
    ci95: Ends


class Twin(TypedDict):
    """A system beside one that does not see the premise, over what both were asked."""

    control: str
    gaps: list[TwinGap]


class LikelyPerturbations(TypedDict):
    """Perturbed hypotheses of one effect whose label is likely, not certain; they count nowhere else."""

    effect: Effect
    n: int
    accuracy: float


class PerturbationEntry(TypedDict):
    """One system on the pairs of a corpus whose hypotheses were perturbed, and on what was made of them (Table 12).

    ``made_by`` says whether probes made them, or the corpus has them (as cases that people settled). ``original`` is
    over the different pairs that they were made from.
    """

    system: str
    corpus: str
    made_by: Literal["probes", "corpus"]
    partition: str
    premise_free: bool
    originals: int
    groups: int
    original: SetScore
    effects: list[PerturbedScore]
    kinds: list[KindScore]
    twins: list[Twin]
    likely: list[LikelyPerturbations]
