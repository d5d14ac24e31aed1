"""The document ``nliprobe/transfer/1``."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from nliprobe.api.marks import MeasureDocument

SCHEMA = "nliprobe/transfer/1"


class ConstantAnswerDocument(TypedDict):
    """What a task gives for its most frequent training class, whatever the text; nothing for scores."""

    answer: str | None
    accuracy: float | None
    f1: float | None
    pearson: float | None


class ChanceDocument(TypedDict):
    """What a task gives for answers drawn at random, all classes alike."""

    accuracy: float | None
    f1: float | None
    pearson: float | None


class TaskDocument(TypedDict):
    """A task, and what needs no vectors."""

    task: str
    title: str
    metric: str
    items: int
    tested: int
    folds: int | None
    classes: list[str]
    constant: ConstantAnswerDocument
    chance: ChanceDocument
    notes: list[str]


class TransferResultDocument(TypedDict):
    """A system on a task; ``over_glove`` is the main measure minus that of mean GloVe, on the same items."""

    task: str
    width: int
    accuracy: MeasureDocument | None
    f1: MeasureDocument | None
    pearson: MeasureDocument | None
    folds: list[float]
    fold_sd: float | None
    penalties: list[float]
    over_glove: MeasureDocument | None
    notes: list[str]


class TransferSystemDocument(TypedDict):
    """A system on all tasks."""

    system: str
    spec: str
    baseline: bool
    results: list[TransferResultDocument]


class TransferDocument(TypedDict):
    """What ``nliprobe score --transfer … --format json`` writes; the schema in the manual explains every field."""

    schema: str
    seed: int
    tasks: list[TaskDocument]
    systems: list[TransferSystemDocument]
    notes: list[str]
