"""Accuracy, precision, recall and F1 from a confusion matrix, with intervals for averages over labels.

A confusion matrix here has one row per gold class and one column more than rows: the last column holds answers
that are no class at all (the model did not answer, or answered several classes at once).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nliprobe.stats.grouped import bounded_interval
from nliprobe.stats.intervals import Interval

Confusion = NDArray[np.int64]
# Two groups of a label do not tell how far its groups differ.
_GROUPS_PER_LABEL = 3


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
    occurring = [score.f1 for score in class_scores(confusion) if score.support and score.f1 is not None]
    return sum(occurring) / len(occurring) if occurring else None


def macro_f1_interval(
    gold: NDArray[np.int64],
    predicted: NDArray[np.int64],
    clusters: NDArray[np.int64],
    classes: int,
    level: float = 0.95,
) -> Interval | None:
    """Return the interval of the macro F1 of cases in groups, from what each group adds to its error.

    Args:
        gold: class numbers from 0.
        predicted: class numbers from 0; anything outside 0..classes-1 is no class.
        clusters: the number of each case's group, from 0.
        classes: how many classes there are.
        level: the confidence level.

    Returns:
        The interval, or None with too few groups.
    """
    value = macro_f1(confusion_matrix(gold, predicted, classes))
    if value is None:
        return None
    sizes = np.bincount(clusters)
    present, size = sizes > 0, len(sizes)
    occurring = np.unique(gold).tolist()
    parts = np.zeros(size)
    for number in occurring:
        of_gold, answered = gold == number, predicted == number
        right = np.bincount(clusters[of_gold & answered], minlength=size)
        both = np.bincount(clusters[of_gold], minlength=size) + np.bincount(clusters[answered], minlength=size)
        # F1 is 2 right / both: the part of a group is how far it moves that ratio.
        f1 = 2 * int(right.sum()) / int(both.sum())
        parts += (2 * right - f1 * both) / int(both.sum()) / len(occurring)
    return bounded_interval(value, parts[present], sizes[present].astype(np.float64), level)


def balanced_accuracy_interval(
    hits: NDArray[np.int64], sizes: NDArray[np.int64], level: float = 0.95
) -> Interval | None:
    """Return the interval of the mean accuracy over labels, each label with the same weight, of cases in groups.

    Args:
        hits: the right answers by group (rows) and gold label (columns).
        sizes: the cases by group and gold label; labels without a case are left out.
        level: the confidence level.

    Returns:
        The interval, or None if some label has fewer than three groups, or all together too few.
    """
    occurring = sizes.sum(axis=0) > 0
    if not occurring.any() or ((sizes[:, occurring] > 0).sum(axis=0) < _GROUPS_PER_LABEL).any():
        return None
    present = sizes.sum(axis=1) > 0
    right, of = (counts[present][:, occurring].astype(np.float64) for counts in (hits, sizes))
    rates, shares, weights = right.sum(axis=0) / of.sum(axis=0), of / of.sum(axis=0), of.sum(axis=1) / of.sum()
    # A group pulls the accuracy of its label towards its own, and with few groups more than its share of all cases.
    pull = np.sqrt((1 - weights)[:, None] / (1 - shares))
    parts = (pull * (right - rates * of) / of.sum(axis=0)).mean(axis=1)
    return bounded_interval(float(rates.mean()), parts, of.sum(axis=1), level)
