"""Systems whose answers rest on something known."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nliprobe.models.base import Model
from nliprobe.models.system import System, SystemSpec
from nliprobe.task.case import Input, Prediction, Status
from nliprobe.task.labels import E, N

Says = Callable[[Input], "float | None"]


class Known(Model):
    """Entails with the probability that a function says, and does not answer where it says None."""

    def __init__(self, says: Says, *, labels_only: bool = False) -> None:
        self.says = says
        self.labels_only = labels_only
        self.asked = 0

    def fingerprint(self) -> None:
        """Return none: its answers are not kept."""

    def predict(self, inputs: Sequence[Input]) -> list[Prediction]:
        """Answer E if it is more probable than not."""
        self.asked += len(inputs)
        return [self._one(self.says(item)) for item in inputs]

    def _one(self, share: float | None) -> Prediction:
        if share is None:
            return Prediction(None, status=Status.NO_ANSWER)
        shares = None if self.labels_only else (share, 1 - share, 0.0)
        return Prediction(E if share >= 0.5 else N, shares)


def system_of(says: Says, *, labels_only: bool = False, spec: str = "known") -> System:
    """Make a system around a function."""
    return System.build(SystemSpec.parse(spec), model=Known(says, labels_only=labels_only))
