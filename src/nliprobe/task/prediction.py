"""What a model reads and what it answers."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from nliprobe.base.hashing import SEPARATOR, digest_text
from nliprobe.task.labels import LabelSet

Segments = tuple[str, ...]


class Status(StrEnum):
    """Whether a model answered."""

    OK = "ok"
    NO_ANSWER = "no answer"
    FAILED = "failed"


class Prediction(NamedTuple):
    """An answer: a label (a block such as NC from a two-way model), probabilities of E, N, C if there are any."""

    label: LabelSet | None
    probabilities: tuple[float, float, float] | None = None
    status: Status = Status.OK
    raw: str | None = None


class Input(NamedTuple):
    """What a model reads: the premise as segments whose join is its text, and the hypothesis.

    ``key`` is the pair's id where the pair is asked as it is, else the case's id. Only models that look
    answers up use it; then it is part of ``id``.
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
    """The id of what a model reads."""
    return digest_text(f"{len(premise)}{SEPARATOR}{premise}{SEPARATOR}{hypothesis}")
