"""Explanations of answers as plain data: what words and units weigh, and what a system finds similar."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypedDict

SCHEMA: Final = "nliprobe/explanation/1"
EXPLAIN_SCHEMA: Final = "nliprobe/explain/1"
# Raised when the same question would be explained differently; kept explanations of earlier versions are made again.
VERSION: Final = 2


class Weighed(TypedDict):
    """A word or unit with what it adds to the number that is explained.

    ``place`` counts the words of its text, or the units of the premise, from 0. ``span`` is where a word is in the text
    as the system reads it, or a sentence in the premise; None for a row.
    """

    part: Literal["premise", "hypothesis"]
    kind: Literal["word", "row", "sentence"]
    place: int
    text: str
    span: list[int] | None
    weight: float


def ranked(items: Sequence[Weighed]) -> list[Weighed]:
    """Sort by importance, for or against the label, the most important first; of equal ones the earlier comes first."""
    return sorted(items, key=lambda item: -abs(item["weight"]))


def supporting(items: Sequence[Weighed], count: int) -> list[int]:
    """Return the places of those that speak most for the label, the most important first.

    What speaks against the label is named, too, but the answer does not rest on it.
    """
    order = sorted(range(len(items)), key=lambda place: (items[place]["weight"], place), reverse=True)
    return [place for place in order if items[place]["weight"] > 0][:count]


class Step(TypedDict):
    """What the system says when so many features are taken out: its label, and the number that is explained."""

    removed: int
    label: str | None
    value: float | None


class Faithfulness(TypedDict):
    """How the answer changes when the named features go, one after the other, compared with others at random.

    ``named`` begins with nothing taken out. ``random`` has, for as many features taken out, the mean value over
    ``draws`` random choices and the share of them that give another label. ``drop`` is by how much more the value
    falls without the named ones than without random ones, on average over the steps; None if nothing else could have
    been taken out.
    """

    named: list[Step]
    random_value: list[float | None]
    random_changed: list[float]
    draws: int
    drop: float | None


class FoundEvidence(TypedDict):
    """Whether the units that an explanation names are those that people marked.

    ``first`` tells whether the unit with the highest weight is marked. ``found`` of the ``marked`` units are among as
    many with the highest weights; ``chance`` is how many a random choice would find.
    """

    grade: str
    marked: list[int]
    first: bool
    found: int
    chance: float


class Lime(TypedDict):
    """The weights of words, or of units, with how they were found and how far they can be trusted.

    ``fit`` is the share of the variation around the input that the weights explain; None if the system says the same
    whatever is taken out.
    """

    masks: int
    exhaustive: bool
    unanswered: int
    fit: float | None
    features: list[Weighed]
    top: list[Weighed]
    faithfulness: Faithfulness | None


class Explanation(TypedDict):
    """Why a system gives its answer to one pair.

    ``scale`` says what the weights add to: the ``probability`` of the label, its ``margin``, or ``label``, which is 1
    if the label is the answer and 0 if not.
    """

    schema: Literal["nliprobe/explanation/1"]
    system: str
    premise: str
    hypothesis: str
    label: str
    scale: Literal["probability", "margin", "label"]
    value: float | None
    seed: int
    words: Lime | None
    units: Lime | None
    evidence: FoundEvidence | None
    notes: list[str]


class NeighbourEntry(TypedDict):
    """A pair that the system finds similar, with its gold label and with what the system answers to it."""

    pair_id: str
    cosine: float
    premise: str
    hypothesis: str
    gold: str | None
    label: str | None
    template: str | None


class Neighbours(TypedDict):
    """The nearest pairs of a pool of ``size`` pairs, by the system's own vectors."""

    pool: str
    size: int
    nearest: list[NeighbourEntry]


class ExplainedCase(TypedDict):
    """One pair or case with the explanation of a system's answer to it; ``case_id`` is None for a pair of one's own."""

    case_id: str | None
    pair_id: str
    gold: str | None
    explanation: Explanation
    neighbours: Neighbours | None


class ExplainDocument(TypedDict):
    """What ``nliprobe explain --format json`` writes; ``run`` is None where no run was explained."""

    schema: Literal["nliprobe/explain/1"]
    run: str | None
    explained: list[ExplainedCase]
