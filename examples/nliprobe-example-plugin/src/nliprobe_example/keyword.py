"""``keyword``: a baseline that looks for negation words and for words the premise lacks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from nliprobe.base.hashing import digest
from nliprobe.models import MODELS, Model
from nliprobe.task.case import Input, Prediction
from nliprobe.task.labels import C, E, N

NEGATIONS = frozenset({"no", "not", "never", "nobody", "nothing", "none", "neither", "nor", "without", "cannot"})


@MODELS.register("keyword")
@dataclass(frozen=True)
class Keyword(Model):
    """Contradiction where the hypothesis negates, entailment where the premise has ``share`` of its words."""

    share: float = 0.5

    def fingerprint(self) -> str:
        """Hash everything that decides the answers."""
        return digest("keyword", str(self.version), repr(self))

    def predict(self, inputs: Sequence[Input]) -> list[Prediction]:
        """Return one answer per input."""
        return [self._answer(_words(asked.premise), _words(asked.hypothesis)) for asked in inputs]

    def _answer(self, premise: set[str], hypothesis: set[str]) -> Prediction:
        if hypothesis & NEGATIONS:
            return Prediction(C)
        return Prediction(E if len(hypothesis & premise) >= self.share * len(hypothesis) else N)


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))
