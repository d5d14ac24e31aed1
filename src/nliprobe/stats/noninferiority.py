"""Non-inferiority: is a system not worse than another by more than a margin, when cases share a table or a text?

That a difference was not found does not show that there is none. Here the burden is turned round: the second system is
taken to be worse by the margin, and only data that contradict this show that it is "not worse by more than the margin".
The test is Student's, one-sided, over groups. Its variance is never smaller than what a difference of the margin itself
would bring: where nearly all cases agree, the few that do not would otherwise make too sure. Its size at the boundary
is checked by simulation (tests/stats/test_noninferiority.py).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from nliprobe.stats.detectable import (
    LEVEL,
    POWER,
    Counts,
    Disagreement,
    Needed,
    disagreement,
    multiplier,
    smallest_sample,
)
from nliprobe.stats.grouped import LEAST_GROUPS, ROUNDING, group_degrees, group_variance
from nliprobe.stats.student import student_quantile, student_tail

# Student's distribution with so many degrees of freedom is the normal one.
_MANY = 1e9


class NonInferiority(NamedTuple):
    """What a one-sided test against a margin says of the difference, second minus first.

    Attributes:
        margin: how much worse is still accepted, as a fraction.
        difference: the observed difference.
        p: of "the second system is worse by the margin or more": small if it is *not worse by more than the margin*.
        p_inferior: of "it is worse by no more than the margin": small if it is *inferior*, worse by more than that.
        error: the standard error that the test uses.
        degrees: the degrees of freedom of that error.
    """

    margin: float
    difference: float
    p: float
    p_inferior: float
    error: float
    degrees: float

    def bound(self, level: float = LEVEL) -> float:
        """Return how much worse the second system may be at most: the one-sided lower bound of the difference.

        Args:
            level: of the test that the bound belongs to: ``p`` is below it exactly if the bound is above -margin.
        """
        return max(-1.0, self.difference - student_quantile(1 - 2 * level, self.degrees) * self.error)


def noninferiority(sums: Counts, sizes: Counts, flips: int, margin: float) -> NonInferiority | None:
    """Test whether the second system is worse than the first by no more than a margin.

    Args:
        sums: for each group, how many cases only the second system has right minus how many only the first has.
        sizes: the numbers of cases of the groups; groups with none are left out.
        flips: how many cases, in all groups, only one of the systems has right.
        margin: how much worse is still accepted, as a fraction above 0.

    Returns:
        The test, or None with fewer than :data:`~nliprobe.stats.grouped.LEAST_GROUPS` groups. Its p-values are not
        corrected; many of them are to be passed to :func:`~nliprobe.stats.paired.holm`.
    """
    _check(margin)
    seen = disagreement(sums, sizes, flips)
    if seen is None or seen.groups < LEAST_GROUPS:
        return None
    present = sizes != 0
    changed, possible = sums[present].astype(np.float64), sizes[present].astype(np.float64)
    mean = float(changed.sum()) / seen.cases
    parts = (changed - mean * possible) / seen.cases
    variance = group_variance(parts, possible)
    error = math.sqrt(max(variance, _least_variance(seen, margin)))
    degrees = group_degrees(parts, possible) if variance > ROUNDING else _MANY
    p = student_tail((mean + margin) / error, degrees)
    return NonInferiority(margin, mean, p, 1 - p, error, degrees)


def detectable_margin(seen: Disagreement, *, level: float = LEVEL, power: float = POWER) -> float | None:
    """Return the smallest margin that two equally good systems are shown to keep with this power.

    Args:
        seen: how the systems disagree.
        level: of the one-sided test.
        power: how often it should be shown, above one half.

    Returns:
        The margin as a fraction, or None with fewer than :data:`~nliprobe.stats.grouped.LEAST_GROUPS` groups, or if no
        margin below 1 is kept.
    """
    if seen.groups < LEAST_GROUPS:
        return None
    both = multiplier(seen.degrees, level, power, 1)
    test = student_quantile(1 - 2 * level, seen.degrees)
    spread = math.sqrt(seen.share * seen.together / seen.cases)
    low, high = 0.0, 1.0
    for _ in range(50):
        margin = (low + high) / 2
        error = max(spread, math.sqrt(_least_variance(seen, margin)))
        kept = margin >= test * error + (both - test) * spread
        low, high = (low, margin) if kept else (margin, high)
    return high if high < 1 - 1e-9 else None


def needed_for_margin(
    seen: Disagreement, margin: float, *, level: float = LEVEL, power: float = POWER
) -> Needed | None:
    """Return how many groups and cases it takes to show that equally good systems keep a margin, with this power.

    Args:
        seen: how the systems disagree.
        margin: how much worse is still accepted, as a fraction above 0.
        level: of the one-sided test.
        power: how often it should be shown, above one half.

    Returns:
        The smallest sample, or None if none is large enough.
    """
    _check(margin)

    def enough(groups: int) -> bool:
        found = detectable_margin(seen.scaled(groups), level=level, power=power)
        return found is not None and found <= margin

    return smallest_sample(seen, enough)


def _least_variance(seen: Disagreement, margin: float) -> float:
    """Return the variance of the difference if the second system only loses cases: a share that is the margin."""
    return max(1.0, seen.together) * margin * (1 - margin) / seen.cases


def _check(margin: float) -> None:
    if not 0 < margin < 1:
        raise ValueError(f"a margin lies between 0 and 1, not {margin}")
