"""The permutation test of whether a share depends on a value: engineers 0 %, doctors 80 %, or chance?

The right answers are dealt out anew among the examples, and the test counts how often the values then differ at least
as much as observed. Answers are only right or wrong, so the number of right ones per value is multivariate
hypergeometric: drawing those numbers is the same as permuting the examples, and needs no examples.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

PERMUTATIONS = 2000
# Without this, rounding would decide ties: the same split of the same counts must count as "as far apart".
_ROUNDING = 1e-9


def spread_statistic(right: ArrayLike, n: ArrayLike) -> NDArray[np.float64]:
    """Return how far shares lie apart: the sum of squares between values, in units of the variance of one answer.

    It is the chi-squared statistic of the table of values by right and wrong.

    Args:
        right: how often each value (last axis) was answered correctly.
        n: how often it was asked.

    Returns:
        The statistic of each row of counts; 0 if everything is right, or nothing.
    """
    hits, sizes = np.asarray(right, dtype=np.float64), np.asarray(n, dtype=np.float64)
    share = hits.sum(axis=-1, keepdims=True) / sizes.sum()
    variance = (share * (1 - share))[..., 0]
    squares = (sizes * (hits / sizes - share) ** 2).sum(axis=-1)
    spread: NDArray[np.float64] = np.divide(squares, variance, out=np.zeros_like(squares), where=variance > 0)
    return spread


def permutation_exceedances(
    right: ArrayLike, n: ArrayLike, random: np.random.Generator, permutations: int = PERMUTATIONS
) -> int:
    """Count the permutations in which the values lie at least as far apart as observed.

    Args:
        right: how often each value was answered correctly.
        n: how often each value was asked, at least once.
        random: where the permutations come from.
        permutations: how many.
    """
    hits, sizes = np.asarray(right, dtype=np.int64), np.asarray(n, dtype=np.int64)
    if hits.shape != sizes.shape or hits.ndim != 1:
        raise ValueError(f"counts of right answers are {hits.shape}, of examples {sizes.shape}")
    if np.any(sizes < 1) or np.any(hits < 0) or np.any(hits > sizes):
        raise ValueError("right answers must lie between 0 and the number of examples, of which there is at least one")
    total = int(hits.sum())
    if len(hits) < 2 or total in (0, int(sizes.sum())):
        return permutations
    drawn = random.multivariate_hypergeometric(sizes, total, size=permutations)
    observed = float(spread_statistic(hits, sizes))
    return int((spread_statistic(drawn, sizes) >= observed * (1 - _ROUNDING)).sum())


def permutation_p(exceedances: int, permutations: int) -> float:
    """Return the p-value; the observation counts as one permutation, so it is never 0."""
    return (exceedances + 1) / (permutations + 1)
