"""The document ``nliprobe/data-guessability/1``."""

from __future__ import annotations

from typing import TypedDict

from nliprobe.api.marks import MeasureDocument


class ConstantGuessDocument(TypedDict):
    """The label that occurs most often, and the share of pairs that have it."""

    label: str
    accuracy: float


class MemberDocument(TypedDict):
    """One member of the ensemble."""

    name: str
    accuracy: MeasureDocument


class LabelDocument(TypedDict):
    """How far pairs of one label can be guessed."""

    label: str
    pairs: int
    hard: int
    hard_share: MeasureDocument
    mean_score: float


class TrainingDocument(TypedDict):
    """What the ensemble learnt from, if that is not the corpus itself."""

    corpora: list[str]
    pairs: int
    shared: int
    other_labels: int
    skipped: dict[str, int]


class AgainstDocument(TypedDict):
    """The pairs that the ensemble gets wrong compared with a hard subset."""

    name: str
    matched_by: str
    size: int
    matched: int
    unmatched: int
    share: float
    hard: int
    hard_share: float
    precision: MeasureDocument
    recall: MeasureDocument
    lift: float | None
    kappa: MeasureDocument


class GuessabilityDocument(TypedDict):
    """What ``nliprobe data guessability --format json`` writes; ``data-guessability.schema.json`` explains it."""

    schema: str
    corpus: str
    file: str | None
    pairs: int
    scored: int
    groups: int
    skipped: dict[str, int]
    folds: int | None
    seed: int
    training: TrainingDocument | None
    accuracy: MeasureDocument
    constant: ConstantGuessDocument
    chance: float
    members: list[MemberDocument]
    hard: int
    labels: list[LabelDocument]
    against: list[AgainstDocument]
    notes: list[str]
