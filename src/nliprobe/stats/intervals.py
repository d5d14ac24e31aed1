"""Confidence intervals for rates, and for averages of rates that already have one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray


class Interval(NamedTuple):
    """The two ends of a confidence interval."""

    low: float
    high: float


def wilson(successes: int, n: int, level: float = 0.95) -> Interval | None:
    """Return Wilson's score interval of a rate.

    Args:
        successes: how often the thing happened.
        n: how often it could have happened.
        level: the confidence level.

    Returns:
        The interval, or None if ``n`` is 0: nothing was seen, so nothing is known.

    >>> low, high = wilson(8, 10)
    >>> round(low, 3), round(high, 3)
    (0.49, 0.943)
    """
    low, high = wilson_many([successes], [n], level)
    return Interval(float(low[0]), float(high[0])) if n else None


def wilson_many(
    successes: ArrayLike, n: ArrayLike, level: float = 0.95
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the low and high ends of :func:`wilson` for many rates at once, NaN where ``n`` is 0."""
    k, total = np.broadcast_arrays(np.asarray(successes, dtype=np.float64), np.asarray(n, dtype=np.float64))
    if np.any(k < 0) or np.any(k > total):
        raise ValueError("successes must lie between 0 and n")
    z = normal_quantile(level)
    safe = np.where(total > 0, total, 1.0)
    rate = k / safe
    scale = 1 + z * z / safe
    centre = (rate + z * z / (2 * safe)) / scale
    half = z * np.sqrt(rate * (1 - rate) / safe + z * z / (4 * safe * safe)) / scale
    # At 0 and n the ends are exactly 0 and 1; rounding would leave -1e-18.
    low = np.where(k == 0, 0.0, np.maximum(centre - half, 0.0))
    high = np.where(k == total, 1.0, np.minimum(centre + half, 1.0))
    return np.where(total > 0, low, np.nan), np.where(total > 0, high, np.nan)


def mean_interval(estimates: Sequence[float], intervals: Sequence[Interval | None]) -> Interval | None:
    """Return the interval of the unweighted mean of independent estimates, from the interval of each.

    The squared distances from each estimate to its own ends add up as variances do (the "MOVER" of Zou and Donner,
    Statistics in Medicine 27, 2008), so skewed intervals and rates of 0 or 1 are treated rightly.

    Returns:
        The interval, or None if there is no estimate or one of them has no interval.
    """
    known = [interval for interval in intervals if interval is not None]
    if not estimates or len(known) < len(estimates):
        return None
    count = len(estimates)
    mean = math.fsum(estimates) / count
    below = math.sqrt(math.fsum((value - ends.low) ** 2 for value, ends in zip(estimates, known, strict=True)))
    above = math.sqrt(math.fsum((ends.high - value) ** 2 for value, ends in zip(estimates, known, strict=True)))
    return Interval(mean - below / count, mean + above / count)


def normal_quantile(level: float) -> float:
    """Return how many standard deviations a two-sided interval of the given level reaches to each side."""
    if not 0 < level < 1:
        raise ValueError(f"a confidence level lies between 0 and 1, not {level}")
    return NormalDist().inv_cdf((1 + level) / 2)
