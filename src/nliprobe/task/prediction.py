"""Inputs and predictions: what a model reads and what it answers."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from nliprobe.base.hashing import SEPARATOR, begin_digest, finish_digest
from nliprobe.task.labels import LabelSet

Segments = tuple[str, ...]


class Status(StrEnum):
    """Whether a model answered."""

    OK = "ok"
    NO_ANSWER = "no answer"
    FAILED = "failed"


class Prediction(NamedTuple):
    """An answer: a label (a block such as NC from a two-way model), and probabilities of E, N, C if there are any."""

    label: LabelSet | None
    probabilities: tuple[float, float, float] | None = None
    status: Status = Status.OK
    raw: str | None = None


class Input(NamedTuple):
    """What a model reads: the premise as segments whose join is its text, and the hypothesis.

    ``key`` is the pair's id where the pair is asked as it is, else the case's id. Only models that look
    answers up use it, and for them it is part of ``id``.
    """

    id: str
    segments: Segments
    hypothesis: str
    key: str = ""

    @property
    def premise(self) -> str:
        """The premise as one text."""
        return "".join(self.segments)


def input_id(premise: str, hypothesis: str) -> str:
    """Return the id of what a model reads."""
    return InputIds(premise).of(hypothesis)


class InputIds:
    """Makes the ids of one premise with many hypotheses: the premise is hashed once."""

    __slots__ = ("_begun",)

    def __init__(self, premise: str) -> None:
        self._begun = begin_digest(f"{len(premise)}{SEPARATOR}{premise}{SEPARATOR}")

    def of(self, hypothesis: str) -> str:
        """Return the id of the premise with a hypothesis."""
        return finish_digest(self._begun, hypothesis)
