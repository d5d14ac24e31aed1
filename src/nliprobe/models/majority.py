"""The majority baseline, which always answers the most frequent gold label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from nliprobe.base.errors import DataError, ModelError
from nliprobe.base.files import read_json, write_json
from nliprobe.base.hashing import digest
from nliprobe.models import MODELS
from nliprobe.models.base import Example, Trainable
from nliprobe.models.learnable import learnable, partition_of_classes
from nliprobe.task.case import Input, Prediction
from nliprobe.task.labels import THREE_WAY, LabelSet, Partition

FILE = "majority.json"


@MODELS.register("majority")
class Majority(Trainable):
    """Answers every input with the most frequent gold label of its training pairs.

    Ties go to the first in the order E, N, C. A gold set of several labels is a class of its own in a two-way
    corpus, and is left out elsewhere, see :func:`nliprobe.models.learnable.learnable`.
    """

    frees_interpreter = False

    def __init__(self) -> None:
        self._counts: dict[LabelSet, int] = {}

    @property
    def partition(self) -> Partition:
        """The classes seen in training; three-way before training."""
        return partition_of_classes(list(self._counts)) if self._counts else THREE_WAY

    def fingerprint(self) -> str:
        """Return the same text for all: the answers depend on the training pairs alone."""
        return digest("majority", str(self.version))

    def fit(self, examples: Sequence[Example]) -> None:
        """Count the gold labels."""
        classes, usable = learnable(examples)
        counts = Counter(example.gold for example in usable)
        self._counts = {gold: counts[gold] for gold in classes}

    def predict(self, inputs: Sequence[Input]) -> list[Prediction]:
        """Give the same answer to every input."""
        if not self._counts:
            raise ModelError("The model 'majority' has not been trained: train it, or name a trained one.")
        answer = Prediction(max(self._counts, key=self._counts.__getitem__))
        return [answer] * len(inputs)

    def save(self, folder: Path) -> None:
        """Write the counts as JSON."""
        counts = {str(gold): count for gold, count in self._counts.items()}
        write_json(folder / FILE, {"format": 1, "model": "majority", "counts": counts})

    def load(self, folder: Path) -> None:
        """Read the counts back."""
        path = folder / FILE
        counts = read_json(path).get("counts")
        try:
            if not isinstance(counts, dict) or not counts or not all(type(n) is int and n > 0 for n in counts.values()):
                raise ValueError
            self._counts = {LabelSet.of(letters): count for letters, count in counts.items()}
        except ValueError:
            raise DataError(
                f"{path} should hold a positive count for each label under 'counts', but holds {counts!r}. "
                "Train the model again."
            ) from None
