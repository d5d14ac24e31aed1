"""Accuracy, precision, recall and F1 from a confusion matrix, with an interval for the macro average.

A confusion matrix here has one row per gold class and one column more than rows: the last column holds answers
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
    """How well one class is recognised; a share is None if its denominator is 0."""

    precision: float | None
    recall: float | None
    f1: float | None
    support: int
    predicted: int


def confusion_matrix(gold: NDArray[np.int64], predicted: NDArray[np.int64], classes: int) -> Confusion:
    """Count answers by gold class (rows) and answered class (columns, the last one for no class).

    Args:
        gold: class numbers from 0.
        predicted: class numbers from 0; anything outside 0..classes-1 is no class.
        classes: how many classes there are.
    """
    if len(gold) and not (gold.min() >= 0 and gold.max() < classes):
        raise ValueError(f"gold classes are numbers from 0 to {classes - 1}")
    column = np.where((predicted < 0) | (predicted > classes), classes, predicted)
    cells = np.bincount(gold * (classes + 1) + column, minlength=classes * (classes + 1))
    return cells.reshape(classes, classes + 1).astype(np.int64)


def accuracy(confusion: Confusion) -> float | None:
    """Return the share of right answers; a missing answer counts as wrong."""
    total = int(confusion.sum())
    return int(np.trace(confusion)) / total if total else None


def class_scores(confusion: Confusion) -> list[ClassScore]:
    """Return precision, recall and F1 of every class."""
    right = np.diagonal(confusion)
    support, predicted = confusion.sum(axis=1), confusion[:, :-1].sum(axis=0)
    return [
        ClassScore(
            precision=int(hits) / int(answered) if answered else None,
            recall=int(hits) / int(gold) if gold else None,
            f1=2 * int(hits) / int(answered + gold) if answered + gold else None,
            support=int(gold),
            predicted=int(answered),
        )
        for hits, gold, answered in zip(right, support, predicted, strict=True)
    ]


def macro_f1(confusion: Confusion) -> float | None:
    """Return the unweighted mean of F1 over the classes that occur in gold."""
    value = float(_macro_f1(confusion[None])[0])
    return None if np.isnan(value) else value


def macro_f1_interval(
    confusion: Confusion, random: np.random.Generator, *, replicates: int = REPLICATES, level: float = 0.95
) -> Interval | None:
    """Return the percentile interval of the macro F1, by drawing as many examples again from the same cells.

    Returns:
        The interval, or None with fewer than two examples.
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
