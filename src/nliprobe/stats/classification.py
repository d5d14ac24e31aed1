"""Accuracy, precision, recall and F1 from a confusion matrix, with an interval for the macro average.

A confusion matrix here has a row for each gold class and one column more than rows: the last one holds answers
that are no class at all (the model did not answer, or answered several classes at once).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nliprobe.stats.bootstrap import REPLICATES
from nliprobe.stats.intervals import Interval

Confusion = NDArray[np.int64]


class ClassScore(NamedTuple):
    """How well one class is found; none where the share has nothing to be a share of."""

    precision: float | None
    recall: float | None
    f1: float | None
    support: int
    predicted: int


def confusion_matrix(gold: NDArray[np.int64], predicted: NDArray[np.int64], classes: int) -> Confusion:
    """Count answers by gold class (rows) and answered class (columns, the last one for no class).

    Args:
        gold: class numbers from 0.
        predicted: class numbers from 0; ``classes`` or anything beyond 0..classes-1 is no class.
        classes: how many classes there are.
    """
    if len(gold) and not (gold.min() >= 0 and gold.max() < classes):
        raise ValueError(f"gold classes are numbers from 0 to {classes - 1}")
    column = np.where((predicted < 0) | (predicted > classes), classes, predicted)
    cells = np.bincount(gold * (classes + 1) + column, minlength=classes * (classes + 1))
    return cells.reshape(classes, classes + 1).astype(np.int64)


def accuracy(confusion: Confusion) -> float | None:
    """Give the share of right answers; no answer is a wrong one."""
    total = int(confusion.sum())
    return int(np.trace(confusion)) / total if total else None


def class_scores(confusion: Confusion) -> list[ClassScore]:
    """Give precision, recall and F1 of every class."""
    right = np.diagonal(confusion)
    support, predicted = confusion.sum(axis=1), confusion[:, :-1].sum(axis=0)
    return [
        ClassScore(
            precision=int(hit) / int(said) if said else None,
            recall=int(hit) / int(there) if there else None,
            f1=2 * int(hit) / int(said + there) if said + there else None,
            support=int(there),
            predicted=int(said),
        )
        for hit, there, said in zip(right, support, predicted, strict=True)
    ]


def macro_f1(confusion: Confusion) -> float | None:
    """Give the plain average of F1 over the classes that occur in gold."""
    value = float(_macro_f1(confusion[None])[0])
    return None if np.isnan(value) else value


def macro_f1_interval(
    confusion: Confusion, random: np.random.Generator, *, replicates: int = REPLICATES, level: float = 0.95
) -> Interval | None:
    """Give the percentile interval of the macro F1, by drawing as many examples again from the same cells.

    Returns:
        The interval, or none with fewer than two examples.
    """
    total = int(confusion.sum())
    if total < 2:
        return None
    cells = random.multinomial(total, confusion.ravel() / total, size=replicates)
    values = _macro_f1(cells.reshape(replicates, *confusion.shape))
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high))


def _macro_f1(confusions: NDArray[np.int64]) -> NDArray[np.float64]:
    right = np.diagonal(confusions, axis1=1, axis2=2)
    support = confusions.sum(axis=2)
    both = support + confusions[:, :, :-1].sum(axis=1)
    f1 = 2 * right / np.maximum(both, 1)
    occurring = support > 0
    classes = occurring.sum(axis=1)
    total = np.where(occurring, f1, 0.0).sum(axis=1)
    return np.where(classes > 0, total / np.maximum(classes, 1), np.nan)
