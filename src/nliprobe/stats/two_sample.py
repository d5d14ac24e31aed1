"""Intervals for independent samples: of a difference of rates, and of a mean over units."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from nliprobe.stats.bootstrap import REPLICATES
from nliprobe.stats.intervals import Interval, wilson


def difference_of_rates(
    first: float, first_ends: Interval | None, second: float, second_ends: Interval | None
) -> Interval | None:
    """Return the interval of the difference of two rates on independent samples, second minus first.

    The squared distances from each rate to its own ends add up as variances do (Newcombe's hybrid score interval,
    Statistics in Medicine 17, 1998, where the ends are Wilson's). Templates are often answered always or never; a
    bootstrap of both samples would then give a point, and this does not.

    Args:
        first: a rate.
        first_ends: its interval.
        second: the other rate.
        second_ends: its interval.

    Returns:
        The interval, or None if one of the rates has none.

    >>> low, high = difference_of_rates(0.4, wilson(4, 10), 0.8, wilson(8, 10))
    >>> round(low, 3), round(high, 3)
    (-0.023, 0.673)
    """
    if first_ends is None or second_ends is None:
        return None
    difference = second - first
    below = math.hypot(second - second_ends.low, first_ends.high - first)
    above = math.hypot(second_ends.high - second, first - first_ends.low)
    return Interval(difference - below, difference + above)


def resampled_mean(
    rates: NDArray[np.float64], random: np.random.Generator, *, replicates: int = REPLICATES, level: float = 0.95
) -> Interval | None:
    """Return the percentile interval of the mean of rates over units that could have been others.

    If all rates are 0, or all are 1, every draw agrees; the interval is then Wilson's with one trial per unit.

    Args:
        rates: one per unit.
        random: where the draws come from.
        replicates: how often to draw as many units with replacement.
        level: the confidence level.

    Returns:
        The interval, or None with fewer than two units.
    """
    units = len(rates)
    if units < 2:
        return None
    if (rates == 0).all() or (rates == 1).all():
        return wilson(int(rates.sum()), units, level)
    # Sorted, so that the interval does not depend on the order of the units.
    means = np.sort(rates)[random.integers(0, units, size=(replicates, units))].mean(axis=1)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high))
