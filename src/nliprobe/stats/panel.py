"""How well the members of a panel foresee answers, and how far they agree with one another.

Rows are participants and columns are questions. Answers are class numbers from 0; a question may have been skipped, or
not reached because the participant stopped before. What was skipped is wrong and agrees with no other answer; what was
not reached counts for nothing. A statistic that is not defined is None.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int64]
Numbers = NDArray[np.float64]
SKIPPED, NOT_REACHED = -1, -2
# A spread below this share of the squares is rounding.
ROUNDING = 1e-12


def row_means(values: Numbers) -> Numbers:
    """Return the mean of each row over the questions it reached; NaN marks the others, and a row that reached none."""
    reached = ~np.isnan(values)
    counts = reached.sum(axis=1)
    sums = np.where(reached, values, 0.0).sum(axis=1)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


def mean_of_rows(values: Numbers) -> float | None:
    """Return the mean over participants of their own means; each participant counts the same.

    >>> mean_of_rows(np.array([[1.0, 0.0], [1.0, np.nan]]))
    0.75
    """
    means = row_means(values)
    known = means[~np.isnan(means)]
    return float(known.mean()) if len(known) else None


def right_answers(answers: Codes, truth: Codes) -> Numbers:
    """Return 1 for a right answer, 0 for a wrong or skipped one, and NaN for a question that was not reached."""
    return np.where(answers == NOT_REACHED, np.nan, answers == truth[None, :])


def pair_agreements(answers: Codes) -> Numbers:
    """Return for each two participants on which share of their common questions they answer the same.

    NaN where two have no question in common, and on and below the diagonal.
    """
    reached = (answers != NOT_REACHED).astype(np.float64)
    common = reached @ reached.T
    same = np.zeros_like(common)
    for label in np.unique(answers[answers >= 0]).tolist():
        given = (answers == label).astype(np.float64)
        same += given @ given.T
    shares = np.where(common > 0, same / np.maximum(common, 1), np.nan)
    shares[np.tril_indices(len(shares))] = np.nan
    return shares


def mean_agreement(answers: Codes) -> float | None:
    """Return on which share of common questions two participants answer the same, the mean over pairs of them.

    >>> mean_agreement(np.array([[0, 1, 2], [0, 1, 1]])) == 2 / 3
    True
    """
    shares = pair_agreements(answers)
    known = shares[~np.isnan(shares)]
    return float(known.mean()) if len(known) else None


def pair_pearsons(values: Numbers) -> Numbers:
    """Return for each two participants the correlation of their numbers on the questions that both reached.

    NaN where one of two never varies, and on and below the diagonal.
    """
    reached = (~np.isnan(values)).astype(np.float64)
    filled = np.where(np.isnan(values), 0.0, values)
    common = reached @ reached.T
    # Of each pair: the sums of the first one's numbers and of their squares, over the questions that both reached.
    sums, squares = filled @ reached.T, (filled * filled) @ reached.T
    spread = common * squares - sums * sums
    varies = spread > ROUNDING * np.maximum(common * squares, 1.0)
    both = varies & varies.T
    products = common * (filled @ filled.T) - sums * sums.T
    found = np.where(both, products / np.sqrt(np.where(both, spread * spread.T, 1.0)), np.nan)
    found[np.tril_indices(len(found))] = np.nan
    return np.clip(found, -1.0, 1.0)


def mean_pearson(values: Numbers) -> float | None:
    """Return the mean correlation of two participants, over the pairs of them that have one."""
    found = pair_pearsons(values)
    known = found[~np.isnan(found)]
    return float(known.mean()) if len(known) else None


def highest_bins(points: Numbers) -> Codes:
    """Return the bin with the most points; of several the lowest, and :data:`SKIPPED` if there are no points at all.

    Args:
        points: participants × questions × bins; NaN where a question was not reached.
    """
    unreached = np.isnan(points).any(axis=2)
    filled = np.where(np.isnan(points), 0.0, points)
    highest = np.where(filled.max(axis=2) > 0, filled.argmax(axis=2), SKIPPED)
    return np.where(unreached, NOT_REACHED, highest)


def shared_hits(points: Numbers, truth: Codes) -> Numbers:
    """Return for each bid 1 if the right bin alone has the most points, 1/k if k bins share the most, else 0."""
    unreached = np.isnan(points).any(axis=2)
    filled = np.where(np.isnan(points), 0.0, points)
    most = filled.max(axis=2, keepdims=True)
    top = (filled == most) & (most > 0)
    hits = np.take_along_axis(top, np.broadcast_to(truth[None, :, None], (*top.shape[:2], 1)), axis=2)[:, :, 0]
    shares = hits / np.maximum(top.sum(axis=2), 1)
    return np.where(unreached, np.nan, shares)


def tied_bids(points: Numbers) -> int:
    """Count the bids in which several bins have the most points."""
    filled = np.where(np.isnan(points), 0.0, points)
    most = filled.max(axis=2, keepdims=True)
    return int((((filled == most) & (most > 0)).sum(axis=2) > 1).sum())


def bids_on_truth(points: Numbers, truth: Codes) -> Numbers:
    """Return the points on the right bin of each question."""
    places = np.broadcast_to(truth[None, :, None], (*points.shape[:2], 1))
    return np.take_along_axis(points, places, axis=2)[:, :, 0]
