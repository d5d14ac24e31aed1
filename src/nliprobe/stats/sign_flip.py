"""The sign-flip test: are two systems equally often right, when cases share a table, a caption or a template?

If neither system is better, the difference of a whole group could as well have the other sign, whatever the cases of
the group have to do with one another. The test counts in how many of all choices of signs the differences add up to at
least as much as observed. Where every group is one pair, that is the exact McNemar test.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from nliprobe.stats.paired import mcnemar_exact

# One cosine with its power costs as much as this many additions.
_COSINE = 30
# The transform rounds at about 1e-16 per sum; smaller p-values of many groups are given as this.
SMALLEST_P = 1e-12
_NOTHING = 1e-30

Steps = NDArray[np.int64]


def sign_flip_p(sums: NDArray[np.int64]) -> float:
    """Return the exact two-sided p-value of the sign-flip test over groups.

    No signs are drawn: the distribution over all choices of signs is computed.

    Args:
        sums: for each group, how many cases only the second system has right minus how many only the first has.

    Returns:
        The p-value; 1 when all sums are 0, and never below 2 / 2**k with k sums that are not.

    >>> sign_flip_p(np.array([3, 2, 4, 1, 5]))
    0.0625
    """
    steps = np.abs(sums[sums != 0]).astype(np.int64)
    observed = abs(int(sums.sum()))
    if observed == 0:
        return 1.0
    steps, observed = steps // (unit := int(np.gcd.reduce(steps))), observed // unit
    total = int(steps.sum())
    if total == len(steps):
        against = (total - observed) // 2
        return mcnemar_exact(against, total - against)
    # With the given signs the positive steps add up to (total + observed) / 2, with all opposite signs to the rest.
    most = (total - observed) // 2
    few = len(steps) * most < _COSINE * len(np.unique(steps)) * total
    tail = _by_addition(steps, most) if few else _by_transform(steps, observed)
    return min(1.0, 2 * tail)


def _by_addition(steps: Steps, most: int) -> float:
    """Return the chance that steps taken or left by a fair coin add up to at most so much, one step at a time."""
    chances = np.zeros(most + 1)
    chances[0] = 1.0
    reached = 0
    for step in np.sort(steps).tolist():
        # Halves of sums of halves are exact as long as there are no more than 52 steps.
        chances[: reached + 1] *= 0.5
        last = min(reached, most - step)
        if last >= 0:
            chances[step : step + last + 1] += chances[: last + 1].copy()
        reached = min(most, reached + step)
    return float(chances.sum())


def _by_transform(steps: Steps, observed: int) -> float:
    """Return the chance that signed steps add up to at least so much, from their characteristic function."""
    total = int(steps.sum())
    # All sums from -total to total need places of their own; powers of two are quick to transform.
    places = 1 << (2 * total + 1).bit_length()
    places_kept = np.arange(places // 2 + 1)
    product = np.ones(len(places_kept))
    values, counts = np.unique(steps, return_counts=True)
    # Steps that spread the sums most come first: where the product vanishes, it need not be followed.
    for place in np.argsort(-counts * values**2).tolist():
        cosines = np.cos(places_kept * (2 * math.pi * int(values[place]) / places))
        product *= np.sign(cosines) ** int(counts[place]) * np.exp(
            int(counts[place]) * np.log(np.maximum(np.abs(cosines), _NOTHING))
        )
        kept = np.abs(product) > _NOTHING
        places_kept, product = places_kept[kept], product[kept]
    transformed = np.zeros(places // 2 + 1)
    transformed[places_kept] = product
    chances = np.fft.irfft(transformed, places)
    return max(float(chances[observed : total + 1].sum()), SMALLEST_P / 2)
