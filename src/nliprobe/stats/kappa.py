"""Cohen's kappa of two yes/no decisions about the same cases, with an interval that takes groups into account."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nliprobe.stats.agreement import cohen_kappa
from nliprobe.stats.grouped import mean_difference_interval
from nliprobe.stats.matches import Measure


def kappa_of(first: NDArray[np.bool_], second: NDArray[np.bool_], clusters: NDArray[np.int64]) -> Measure:
    """Return how far two decisions agree beyond chance: 1 if always, 0 if as often as by chance.

    Args:
        first: one decision per case.
        second: the other.
        clusters: the number of each case's group, from 0.

    Returns:
        No value where both decide every case alike in one way, so that chance alone agrees perfectly.
    """
    one, other = first.astype(np.int64), second.astype(np.int64)
    value = cohen_kappa(one, other)
    if value is None:
        return Measure(None, None, len(first))
    agree = (first == second).astype(np.float64)
    shares = float(first.mean()), float(second.mean())
    chance = shares[0] * shares[1] + (1 - shares[0]) * (1 - shares[1])
    observed = float(agree.mean())
    # What a case adds to the error of kappa, to first order: kappa is (observed - chance) / (1 - chance).
    moved = (one - shares[0]) * (2 * shares[1] - 1) + (other - shares[1]) * (2 * shares[0] - 1)
    parts = ((1 - chance) * (agree - observed) - (1 - observed) * moved) / (1 - chance) ** 2
    sizes = np.bincount(clusters)
    sums = np.bincount(clusters, weights=value + parts, minlength=len(sizes))
    return Measure(value, mean_difference_interval(sums, sizes), len(first))
