"""How far a mark, such as a word, goes with a label: pointwise mutual information, smoothed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]
Numbers = NDArray[np.float64]


def label_shares_given(counts: Counts, totals: Counts, smoothing: float) -> Numbers:
    """Estimate how the labels are distributed among the cases that have each mark.

    Every mark is taken to have been seen in ``smoothing`` more cases per label, spread over the labels as all cases
    are: ``(n(w, c) + k L p(c)) / (n(w) + k L)`` with L labels and p(c) the share of label c. Where all labels are
    equally frequent this adds k to every count, the add-100 of Gururangan et al. (2018); where they are not, a mark
    that says nothing about the label keeps the shares of all cases, which plain add-k would pull to 1 / L.

    Args:
        counts: how many cases have each mark (rows) and each label (columns).
        totals: how many cases have each label.
        smoothing: k, at least 0.

    Returns:
        A row per mark that adds up to 1; NaN for a mark that no case has if nothing is added.
    """
    if counts.ndim != 2 or totals.shape != counts.shape[1:]:
        raise ValueError(f"counts are {counts.shape}, totals {totals.shape}")
    if smoothing < 0:
        raise ValueError(f"a smoothing is at least 0, not {smoothing}")
    if np.any(counts < 0) or np.any(counts > totals):
        raise ValueError("a mark cannot be in more cases of a label than the label has")
    if not totals.sum():
        return np.full(counts.shape, np.nan)
    shares = totals / totals.sum()
    added = smoothing * len(totals)
    seen = counts.sum(axis=1, keepdims=True) + added
    with np.errstate(divide="ignore", invalid="ignore"):
        estimates: Numbers = (counts + added * shares) / seen
    return estimates


def pointwise_mutual_information(counts: Counts, totals: Counts, smoothing: float) -> Numbers:
    """Return how much more frequent each label is among the cases with a mark than among all, in bits.

    ``log2 p(c | w) / p(c)``, with p(c | w) from :func:`label_shares_given`: 1 means twice as frequent, 0 that the mark
    says nothing, -1 half as frequent; minus infinity if the two never meet and nothing is added.

    Args:
        counts: how many cases have each mark (rows) and each label (columns).
        totals: how many cases have each label.
        smoothing: how many cases are added per mark and label.

    Returns:
        A row per mark; NaN where a label has no case.

    >>> pointwise_mutual_information(np.array([[30, 10]]), np.array([50, 50]), 0).round(3).tolist()
    [[0.585, -1.0]]
    """
    given = label_shares_given(counts, totals, smoothing)
    with np.errstate(divide="ignore", invalid="ignore"):
        information: Numbers = np.log2(given / (totals / totals.sum()))
    return information
