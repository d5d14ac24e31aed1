"""The record of a transfer task: texts or pairs of texts, a target for each, and how it is divided and measured."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from nliprobe.base.hashing import digest

TRAIN, DEV, TEST = "train", "dev", "test"


class Metric(StrEnum):
    """How a task is measured."""

    ACCURACY = "accuracy"
    ACCURACY_F1 = "accuracy and F1"
    PEARSON = "Pearson"


@dataclass(frozen=True)
class TransferTask:
    """A task on which vectors of single texts are tested.

    Attributes:
        name: as users write it, such as ``mr``.
        title: what it asks.
        first: the texts, or the first texts of pairs.
        second: the second texts of pairs; empty if the task has single texts.
        targets: the number of each item's class, or its score.
        classes: the names of the classes; none for scores.
        splits: ``train``, ``dev`` or ``test`` for each item; empty if the task has no splits and is cross-validated.
        metric: how it is measured. F1 is that of the last class.
        notes: where this copy differs from what was published.
    """

    name: str
    title: str
    first: tuple[str, ...]
    second: tuple[str, ...]
    targets: tuple[float, ...]
    classes: tuple[str, ...]
    splits: tuple[str, ...]
    metric: Metric
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.first)

    def places(self, split: str) -> list[int]:
        """Return the places of the items of a split."""
        return [place for place, name in enumerate(self.splits) if name == split]

    @cached_property
    def digest(self) -> str:
        """A hash of texts, targets and splits."""
        targets = (repr(float(target)) for target in self.targets)
        return digest(*(digest(*part) for part in (self.first, self.second, targets, self.classes, self.splits)))
