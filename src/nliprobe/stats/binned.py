"""What one number per case, cut into bins, tells about a label."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]
Numbers = NDArray[np.float64]


def quantile_edges(values: Numbers, most: int) -> Numbers:
    """Return the lower ends of bins that hold about as many values each, the smallest value first.

    Equal values are never torn apart, so there are fewer bins than ``most`` where a value is frequent.

    Args:
        values: numbers; NaN is left out.
        most: how many bins there are at most.

    >>> quantile_edges(np.array([1.0, 2, 2, 2, 3, 4, 5, 9]), 4).tolist()
    [1.0, 2.0, 3.0, 5.0]
    """
    known = np.sort(values[~np.isnan(values)])
    if not len(known):
        return known
    places = (np.arange(most) * len(known)) // most
    edges: Numbers = np.unique(known[places])
    return edges


def bin_numbers(values: Numbers, edges: Numbers) -> Counts:
    """Return the number of each value's bin, from 0; -1 for NaN and for what is below the first bin."""
    numbers = np.searchsorted(edges, values, side="right") - 1
    return np.where(np.isnan(values), -1, numbers).astype(np.int64)


def cross_fitted(bins: Counts, labels: Counts, folds: Counts, size: int) -> Counts:
    """Answer each case with the label that is most frequent in its bin among the cases of the other folds.

    No case has a say in its own answer, so how often the answers are right is not flattered by the choice. A bin that
    no other fold has gets the label that is most frequent in the other folds; of equals, the first.

    Args:
        bins: the number of each case's bin, from 0.
        labels: the number of each case's label, from 0.
        folds: the number of each case's fold, from 0; cases that depend on one another belong in one fold.
        size: how many labels there are.
    """
    if not len(bins):
        return labels.copy()
    shape = (int(folds.max()) + 1, int(bins.max()) + 1, size)
    counts = np.bincount((folds * shape[1] + bins) * size + labels, minlength=shape[0] * shape[1] * size).reshape(shape)
    others = counts.sum(axis=0) - counts
    overall = others.sum(axis=1).argmax(axis=1)
    answers: Counts = np.where(others.any(axis=2), others.argmax(axis=2), overall[:, None]).astype(np.int64)
    return answers[folds, bins]
