"""The documents about what systems make of artifacts; they are written as JSON unchanged.

Shares are fractions from 0 to 1, intervals are at the 95 % level with groups as the units of the sample, and null
means that there was nothing to compute from. The published form is docs/reference/schemas/artifacts.schema.json.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, TypedDict

from nliprobe.analysis.artifacts.documents import Feature
from nliprobe.analysis.constant import ConstantAnswer
from nliprobe.analysis.integrity import Integrity
from nliprobe.analysis.rates import Ends, Rate

RUN_SCHEMA: Final = "nliprobe/artifacts/1"

# Where the words of a hypothesis point: to its gold label only, to other labels only, to both, or nowhere.
Pointing: TypeAlias = Literal["right", "wrong", "both", "none"]
POINTINGS: Final[tuple[Pointing, ...]] = ("right", "wrong", "both", "none")


class ControlAccuracy(TypedDict):
    """The best system of the run that cannot use the premise, and its accuracy on the same cases."""

    system: str
    accuracy: float


class Part(TypedDict):
    """The accuracy on some of the cases, beside what is to be had without reading.

    Attributes:
        n: the cases.
        groups: the groups they come from.
        unanswered: those without an answer, which count as wrong.
        correct: how many answers are right.
        accuracy: correct divided by n.
        ci95: its interval.
        constant: the best constant answer to these cases.
        control: the best system that cannot use the premise, on these cases; null if the run has none.
    """

    n: int
    groups: int
    unanswered: int
    correct: int
    accuracy: float | None
    ci95: Ends
    constant: ConstantAnswer | None
    control: ControlAccuracy | None


class Difference(TypedDict):
    """A difference of two shares, and its interval."""

    value: float | None
    ci95: Ends


class ControlLost(TypedDict):
    """The accuracy that the best system that cannot use the premise loses."""

    system: str
    lost: Difference


class BinPart(Part):
    """The cases in which a number lies from ``low`` to ``high``, both included.

    Attributes:
        gold: the share of each gold label.
        answers: how often each label is answered.
        wrongly: how often each label is answered among the cases of which it is not the gold label.
    """

    low: float
    high: float
    gold: dict[str, float]
    answers: dict[str, Rate]
    wrongly: dict[str, Rate]


class FeatureAnswers(TypedDict):
    """Answers by bin of one number.

    ``tilt`` is how much more often each label is answered wrongly in the last bin than in the first; ``carried`` are
    the labels whose tilt differs from 0 even if all labels and numbers that were looked at are allowed for.
    """

    bins: list[BinPart]
    tilt: dict[str, Difference]
    carried: list[str]


class ArtifactEntry(TypedDict):
    """What one system makes of the words, lengths and overlaps of one corpus as one probe changed it.

    Attributes:
        partition: the labels that are told apart.
        n: the cases with a gold label that the system was asked.
        groups: the groups they come from.
        ambiguous: further cases, whose gold may be several labels; they are left out.
        blind: whether the system cannot use the premise.
        words: the accuracy by where the words of the hypothesis point.
        lost: accuracy where words point right minus where they point wrong.
        lost_alike: the same within each gold label, averaged over the labels in proportion to the cases that point
            wrong. A constant answer loses 0 here by construction, so this is what conclusions rest on.
        control: the best system that cannot use the premise, and its ``lost_alike``; null if the run has none.
        missing: why nothing can be said about words, if nothing can.
        features: the answers by lengths and overlap.
    """

    system: str
    corpus: str
    probe: str
    partition: str
    n: int
    groups: int
    ambiguous: int
    blind: bool
    words: dict[Pointing, Part]
    lost: Difference
    lost_alike: Difference
    control: ControlLost | None
    missing: str | None
    features: dict[Feature, FeatureAnswers]


class UsedWords(TypedDict):
    """The words that count as pointing to a label in one corpus of the run, and the corpora they were chosen on."""

    corpus: str
    chosen_on: list[str]
    words: dict[str, list[str]]


class ArtifactsDocument(TypedDict):
    """What ``nliprobe show RUN --artifacts --format json`` writes; ``own`` if words were chosen on the run's pairs."""

    schema: Literal["nliprobe/artifacts/1"]
    run: str
    integrity: Integrity
    own: bool
    words: list[UsedWords]
    entries: list[ArtifactEntry]
    notes: dict[str, list[str]]
