"""How well a score ranks the cases of one class above those of another, with an interval for cases in groups."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nliprobe.stats.grouped import bounded_interval
from nliprobe.stats.intervals import Interval

# Two groups of a class do not tell how far its groups differ.
_GROUPS_PER_CLASS = 3


def roc_auc(positive: NDArray[np.bool_], scores: NDArray[np.float64]) -> float | None:
    """Return the area under the ROC curve: how often a positive case scores above a negative one, ties half.

    Args:
        positive: whether each case is of the class that should score high.
        scores: the scores of the cases.

    Returns:
        The area, or None if a class has no case.
    """
    if not positive.any() or positive.all():
        return None
    return float(_placements(positive, scores)[positive].mean())


def roc_auc_interval(
    positive: NDArray[np.bool_], scores: NDArray[np.float64], clusters: NDArray[np.int64], level: float = 0.95
) -> Interval | None:
    """Return the interval of the area under the ROC curve of cases in groups.

    Each case has a placement among the cases of the other class; what a group adds to the error is the sum of its
    cases' placements, of both classes (DeLong et al. 1988; in groups: Obuchowski 1997).

    Args:
        positive: whether each case is of the class that should score high.
        scores: the scores of the cases.
        clusters: the number of each case's group, from 0.
        level: the confidence level.

    Returns:
        The interval, or None if a class has cases of fewer than three groups, or all together have too few groups.
    """
    area = roc_auc(positive, scores)
    if area is None:
        return None
    errors = _placements(positive, scores) - area
    sizes = np.stack([np.bincount(clusters[kind], minlength=int(clusters.max()) + 1) for kind in (positive, ~positive)])
    if ((sizes > 0).sum(axis=1) < _GROUPS_PER_CLASS).any():
        return None
    present = sizes.sum(axis=0) > 0
    weights = sizes.sum(axis=0) / sizes.sum()
    parts = np.zeros(sizes.shape[1])
    for kind, counts in zip((positive, ~positive), sizes, strict=True):
        sums = np.bincount(clusters[kind], weights=errors[kind], minlength=len(counts)) / counts.sum()
        # A group pulls the average of its class towards its own, and with few groups more than its share of all cases.
        parts += np.sqrt((1 - weights) / (1 - counts / counts.sum())) * sums
    return bounded_interval(area, parts[present], sizes.sum(axis=0)[present].astype(np.float64), level)


def best_threshold(positive: NDArray[np.bool_], scores: NDArray[np.float64]) -> float | None:
    """Return the threshold with the highest balanced accuracy; of equals, the one nearest to 0.5.

    Cases that score the threshold or more count as positive. It lies halfway between two scores, or at 0 or 1.

    Args:
        positive: whether each case is of the class that should score high.
        scores: the scores of the cases, from 0 to 1.

    Returns:
        The threshold, or None if a class has no case.
    """
    if not positive.any() or positive.all():
        return None
    values = np.unique(scores)
    candidates = np.concatenate([[0.0], (values[:-1] + values[1:]) / 2, [1.0]])
    hits = 1 - np.searchsorted(np.sort(scores[positive]), candidates, "left") / positive.sum()
    passed = np.searchsorted(np.sort(scores[~positive]), candidates, "left") / (~positive).sum()
    balanced = (hits + passed) / 2
    best = candidates[balanced >= balanced.max() - 1e-12]
    return float(best[np.argmin(np.abs(best - 0.5))])


def _placements(positive: NDArray[np.bool_], scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the share of the other class that each case is on the right side of, ties half."""
    placed = np.empty(len(scores))
    for kind, sign in ((positive, 1.0), (~positive, -1.0)):
        others = np.sort(sign * scores[~kind])
        own = sign * scores[kind]
        below = np.searchsorted(others, own, "left") + np.searchsorted(others, own, "right")
        placed[kind] = below / (2 * len(others))
    return placed
