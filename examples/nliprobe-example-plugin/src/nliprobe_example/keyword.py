"""``keyword``: a baseline that looks for negation words and for words the premise lacks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from nliprobe.base.errors import UsageError
from nliprobe.base.hashing import digest
from nliprobe.base.spec import Spec
from nliprobe.models import MODELS, Model
from nliprobe.task.labels import C, E, LabelMap, N
from nliprobe.task.prediction import Input, Prediction

NEGATIONS = frozenset({"no", "not", "never", "nobody", "nothing", "none", "neither", "nor", "without", "cannot"})


@dataclass(frozen=True)
class KeywordParams:
    """What can be chosen.

    Attributes:
        share: the share of the hypothesis's words that must stand in the premise for entailment.
    """

    share: float = 0.5


@MODELS.register("keyword")
class Keyword(Model):
    """Contradiction where the hypothesis negates, entailment where the premise has its words, else neutral."""

    def __init__(self, params: KeywordParams) -> None:
        self.params = params

    @classmethod
    def from_spec(cls, spec: Spec, labels: LabelMap | None) -> Self:
        """Make the model; it answers labels itself, so a label map means nothing to it."""
        if spec.argument:
            raise UsageError(f"'{spec.name}' takes parameters after '?', but was asked for as '{spec}'.")
        return cls(spec.build(KeywordParams))

    def fingerprint(self) -> str:
        """Everything that decides the answers."""
        return digest("keyword", str(self.version), repr(self.params))

    def predict(self, inputs: Sequence[Input]) -> list[Prediction]:
        """One answer an input."""
        return [self._answer(_words(asked.premise), _words(asked.hypothesis)) for asked in inputs]

    def _answer(self, premise: set[str], hypothesis: set[str]) -> Prediction:
        if hypothesis & NEGATIONS:
            return Prediction(C)
        shared = len(hypothesis & premise) / max(1, len(hypothesis))
        return Prediction(E if shared >= self.params.share else N)


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))
