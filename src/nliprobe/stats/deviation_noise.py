"""How far a deviation is from what chance gives: resampled scores, the noise of a sum of squares, and its interval.

A deviation is a sum of squares, so it is never below 0 and on average too large: scores that differ only because other
pairs could have been drawn have a deviation, too. So it stands beside the deviation that sampling alone gives, and its
interval is of the deviation that would remain with endlessly many pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nliprobe.stats.grouped import LEAST_GROUPS, Counts, Numbers
from nliprobe.stats.intervals import Interval

# Draws per test: the least p-value is then small enough for a table of 200 deviations after Holm's correction.
DRAWS = 5000
# Numbers of groups that are held at once.
_HELD = 2_000_000
# Halvings that find the end of an interval to a millionth of the deviation.
_HALVINGS = 20
_LEVEL = 0.95
# Changes so many times as large as the measured ones are not looked at.
_FARTHEST = 2.0**20


class Noise(NamedTuple):
    """What sampling does to a deviation.

    Attributes:
        mean: the deviation that sampling alone gives on average.
        high: what it exceeds in one sample of forty.
        interval: the 95 % interval of the deviation without it; it begins at 0 if sampling alone may be all.
        p: how often sampling alone gives a deviation as large as the measured one.
    """

    mean: float
    high: float
    interval: Interval
    p: float


def resampled_shares(hits: Counts, sizes: Counts, random: np.random.Generator, draws: int = DRAWS) -> Numbers | None:
    """Draw groups with replacement, the same ones for every system, and return the share of hits in each draw.

    Args:
        hits: how often the thing happened, with a row per group and a column per system.
        sizes: how often it could have happened, per group.
        random: decides the draws.
        draws: how many.

    Returns:
        A row per draw and a column per system, or None with fewer than :data:`LEAST_GROUPS` groups.
    """
    present = sizes != 0
    happened, possible = hits[present].astype(np.float64), sizes[present].astype(np.float64)
    if len(possible) < LEAST_GROUPS:
        return None
    parts = [(times @ happened) / (times @ possible)[:, None] for times in _times_drawn(len(possible), random, draws)]
    return np.concatenate(parts)


def deviation_noise(changes: Numbers, drawn: Numbers) -> Noise:
    """Compare a deviation with what sampling alone gives.

    Args:
        changes: the relative changes R - 1 whose squares add up to the deviation.
        drawn: the same changes in each draw of groups, a row per draw.

    The interval holds the deviations that would be as large as the measured one in some samples and as small in
    others: changes of the same direction, larger or smaller, to which the errors of the draws are added.
    """
    errors: NDArray[np.float64] = drawn - changes
    alone = (errors * errors).sum(axis=1)
    measured = float((changes * changes).sum())
    tail = (1 - _LEVEL) / 2

    def below(scale: float) -> float:
        """Return how often a sample is at most as large as the measured deviation, if changes were so many times."""
        moved = scale * changes + errors
        # Nothing is measured exactly: without this, changes of 0 in all draws would count as larger than none.
        return float(((moved * moved).sum(axis=1) <= measured + 1e-12).mean())

    noise_high = float(np.quantile(alone, 1 - tail))
    low = 0.0 if below(0.0) < 1 - tail or measured == 0 else _scale(below, 1 - tail, 0.0, 1.0)
    high = 1.0
    while measured > 0 and below(high) > tail and high < _FARTHEST:
        high *= 2
    high = high if high == 1.0 else _scale(below, tail, high / 2, high)
    # If nothing is shown, the direction of the changes is not known either, and errors may have hidden some.
    upper = max(high * high * measured, noise_high if low == 0 else 0.0)
    # The measured one is itself one of the samples that may be as large.
    p = (1 + int((alone >= measured - 1e-12).sum())) / (1 + len(alone))
    return Noise(float(alone.mean()), noise_high, Interval(low * low * measured, upper), p)


def _scale(below: Callable[[float], float], share: float, low: float, high: float) -> float:
    """Find how many times the changes must be for the measured deviation to be at least as large so often."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle) > share else (low, middle)
    return (low + high) / 2


def _times_drawn(groups: int, random: np.random.Generator, draws: int) -> Iterator[Numbers]:
    """Yield how often each group is drawn, some draws at a time."""
    chances = np.full(groups, 1 / groups)
    at_once = max(1, _HELD // groups)
    for start in range(0, draws, at_once):
        yield random.multinomial(groups, chances, size=min(at_once, draws - start)).astype(np.float64)
