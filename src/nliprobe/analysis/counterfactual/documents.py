"""The shape of what ``nliprobe show`` says about counterfactuals; the published form is docs/reference/schemas."""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict

from nliprobe.analysis.constant import ConstantAnswer
from nliprobe.analysis.rates import Ends

Effect: TypeAlias = Literal["preserved", "flipped"]


class SetScore(TypedDict):
    """The accuracy on originals or on counterfactuals.

    ``ci95`` takes groups into account. ``mean80`` and ``sd80`` are over 100 random subsamples of 80 %, as the paper
    gives them. ``constant`` is the best constant answer, ``chance`` what guessing among the labels gets.
    """

    correct: int
    unanswered: int
    accuracy: float
    ci95: Ends
    mean80: float | None
    sd80: float | None
    constant: ConstantAnswer | None
    chance: float


class CrossedCounts(TypedDict):
    """How often the original, its counterfactual, both or neither were answered right."""

    both: int
    only_original: int
    only_counterfactual: int
    neither: int


class ControlCounts(TypedDict):
    """The same where a system without premise is right about the original's label, and where it is wrong."""

    control: str
    right: CrossedCounts
    wrong: CrossedCounts


class LikelyCounterfactuals(TypedDict):
    """The accuracies on the counterfactuals whose label is likely, not certain; they count nowhere else."""

    n: int
    original: float | None
    counterfactual: float | None


class CounterfactualEntry(TypedDict):
    """One system on the originals of a corpus and on counterfactuals made from them.

    ``effect`` says what becomes of the label. ``probe`` is what made the counterfactuals: a probe, or ``gold`` if they
    are pairs of the corpus. ``grade`` says how the rows that a probe moved are known to be relevant. ``n`` is the
    number of counterfactuals, ``originals`` that of the different pairs they were made from, ``identical`` how many
    were left out because their premise is that of the original. ``difference`` is the accuracy on originals minus that
    on counterfactuals.
    """

    system: str
    corpus: str
    probe: str
    effect: Effect
    grade: str | None
    partition: str
    premise_free: bool
    n: int
    originals: int
    groups: int
    identical: int
    original: SetScore
    counterfactual: SetScore
    difference: float
    difference_ci95: Ends
    p: float
    crossed: CrossedCounts
    controls: list[ControlCounts]
    likely: LikelyCounterfactuals
