"""The interval of a difference of rates on independent samples."""

from __future__ import annotations

import math

from nliprobe.stats.intervals import Interval


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

    >>> from nliprobe.stats.intervals import wilson
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
