"""The document ``nliprobe/export/1``: what was exported, and how far it agrees with its original."""

from __future__ import annotations

from typing import TypedDict

SCHEMA = "nliprobe/export/1"


class AgreementDocument(TypedDict):
    """How far two models give the same answers to the same pairs.

    ``constant`` is the share of the original's most frequent answer: a model that always gives it would agree as often.
    Differences are those of probabilities, and rates are pairs per second.
    """

    on: list[str]
    n: int
    unanswered: int
    same: int
    rate: float
    ci95: list[float] | None
    constant: float
    constant_answer: str
    mean_difference: float | None
    largest_difference: float | None
    threads: int
    original_per_second: float
    exported_per_second: float


class ViewDocument(TypedDict):
    """How a model was shown its pairs when it learnt."""

    represent: str
    premise: str


class ExportDocument(TypedDict):
    """What was exported, from what, with which labels, and how far it agrees with the original.

    ``made_from`` has the digest of each file of the original. ``window`` is the longest input in tokens.
    """

    schema: str
    nliprobe: str
    to: str
    model: str
    made_from: dict[str, str]
    file: str
    bytes: int
    dtype: str
    labels: list[str]
    window: int
    view: ViewDocument | None
    versions: dict[str, str]
    agreement: AgreementDocument
    least_agreement: float
    kept_anyway: bool
