"""The documents about corpora with two labels: what the field of groundedness and fact checking reports."""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict

from nliprobe.analysis.rates import Ends

# Where a threshold comes from: 0.5, a number of the user, or the best one on another corpus.
Origin: TypeAlias = Literal["default", "given", "tuned"]


class AtThreshold(TypedDict):
    """The answers that follow if every case whose score reaches a threshold counts as the first label.

    Attributes:
        value: the threshold; None if it could not be chosen.
        origin: 0.5 by default, a number that was given, or the best one on another corpus of the run.
        tuned_on: that corpus.
        shared_groups: how many groups (documents, tables) of the cases are also in that corpus.
        balanced: the balanced accuracy; cases without a score count as wrong.
        balanced_ci95: its interval, with groups as the units of the sample.
        missing: why there is no balanced accuracy, if there is none.
    """

    value: float | None
    origin: Origin
    tuned_on: str | None
    shared_groups: int
    balanced: float | None
    balanced_ci95: Ends
    missing: str | None


class TwoWay(TypedDict):
    """What a system does on cases of two labels; a constant answer and chance have 0.5 in all of it.

    Attributes:
        partition: the two labels, such as ``E|NC``.
        answers: the labels of which the system answers the most probable one, such as ``E|N|C``.
        score: the probability that ranks the cases, such as ``P(E)``.
        n: the cases with a gold label.
        groups: the groups they come from.
        support: the cases per label.
        balanced: the mean of the recalls of both labels, by the system's own answers.
        balanced_ci95: its interval, with groups as the units of the sample.
        auc: the area under the ROC curve of the score.
        auc_ci95: its interval, with groups as the units of the sample.
        scored: the cases with a score, over which the area is computed.
        auc_missing: why there is no area, if there is none.
        threshold: what other answers would follow from the score.
    """

    partition: str
    answers: str
    score: str
    n: int
    groups: int
    support: dict[str, int]
    balanced: float | None
    balanced_ci95: Ends
    auc: float | None
    auc_ci95: Ends
    scored: int
    auc_missing: str | None
    threshold: AtThreshold


class ControlValue(TypedDict):
    """What the best system of the run that cannot use the premise gets on the same cases."""

    system: str
    value: float


class TwoWayEntry(TwoWay):
    """What one system does on one corpus, and the best controls beside it; None if the run has no control."""

    system: str
    corpus: str
    control_balanced: ControlValue | None
    control_auc: ControlValue | None
