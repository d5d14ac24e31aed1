"""Intervals of what was measured on people crossed with items: both could have been others.

Every participant of a study answers about every template. Another panel would have answered otherwise, and so would
the same panel about other templates. Each participant is left out once, and each template once; how much the estimate
moves gives its variance over either, and their sum is its variance over both. The quantile is Student's, with the
degrees of freedom of Satterthwaite: with four participants it is wide where the participants differ, and hardly wider
than usual where the templates do. Nothing is drawn: the same answers always give the same interval.

Why not the bootstrap over participants and templates: with 4 participants its 95 % intervals cover 85 to 94 % for
accuracies, and 67 to 70 % for agreement, because a participant who is drawn twice agrees with himself. Those below
cover 95 to 99 % of both (tests/stats/test_crossed_coverage.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from nliprobe.stats.grouped import LEAST_GROUPS, ROUNDING, unanimous_interval, wilson_of_variance
from nliprobe.stats.intervals import Interval
from nliprobe.stats.student import student_quantile

Places = NDArray[np.int64]
# Takes the places of the rows and of the columns that are kept; None where it is not defined.
Statistic = Callable[[Places, Places], "float | None"]

# With two participants the one that is left says nothing about how participants differ.
LEAST_ROWS = 3
# Of more rows or columns, several are left out together: sixty estimates tell a variance well enough.
MOST_LEFT_OUT = 60


def crossed_interval(
    statistic: Statistic, rows: int, columns: int, *, lowest: float = 0.0, highest: float = 1.0, level: float = 0.95
) -> Interval | None:
    """Return the interval of a statistic of rows crossed with columns, such as participants with templates.

    Args:
        statistic: what is estimated, as a function of the rows and columns that are kept.
        rows: how many rows there are.
        columns: how many columns there are.
        lowest: the least that the statistic can be; a share has 0, a correlation or a difference of shares -1.
        highest: the most that it can be.
        level: the confidence level.

    Returns:
        The interval, or None with fewer than :data:`LEAST_ROWS` rows or :data:`LEAST_GROUPS` columns, or if the
        statistic is not defined without one of them.
    """
    if not 0 < level < 1:
        raise ValueError(f"a confidence level lies between 0 and 1, not {level}")
    if rows < LEAST_ROWS or columns < LEAST_GROUPS:
        return None
    every_row, every_column = np.arange(rows), np.arange(columns)
    value = statistic(every_row, every_column)
    over_rows = _variance([statistic(kept, every_column) for kept in _without_some(rows)])
    over_columns = _variance([statistic(every_row, kept) for kept in _without_some(columns)])
    if value is None or over_rows is None or over_columns is None:
        return None
    span = highest - lowest
    share, variance = (value - lowest) / span, (over_rows + over_columns) / span**2
    if variance <= ROUNDING or (lowest == 0 and share * (1 - share) <= ROUNDING):
        ends = unanimous_interval(share, 0.0, min(rows, columns), level)
    else:
        free_rows, free_columns = (min(count, MOST_LEFT_OUT) - 1 for count in (rows, columns))
        degrees = (over_rows + over_columns) ** 2 / (over_rows**2 / free_rows + over_columns**2 / free_columns)
        quantile = student_quantile(level, degrees)
        if lowest == 0:
            ends = wilson_of_variance(share, variance, quantile)
        else:
            half = quantile * math.sqrt(variance)
            ends = Interval(max(0.0, share - half), min(1.0, share + half))
    return Interval(lowest + span * ends.low, lowest + span * ends.high)


def _without_some(count: int) -> list[Places]:
    """Return all places without each one in turn, or without each of sixty sets of them."""
    every = np.arange(count)
    sets = min(count, MOST_LEFT_OUT)
    return [every[every % sets != left] for left in range(sets)]


def _variance(without_one: Sequence[float | None]) -> float | None:
    """Return the jackknife's variance, from the estimates that leave one unit out."""
    known = [value for value in without_one if value is not None]
    if len(known) < len(without_one):
        return None
    values, count = np.array(known), len(known)
    return float((count - 1) / count * ((values - values.mean()) ** 2).sum())
