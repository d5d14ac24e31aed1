"""Non-inferiority: is a system not worse than another by more than a margin, when cases share a table or a text?

That a difference was not found does not show that there is none. Here the burden is turned round: the second system is
taken to be worse by the margin, and only data that contradict this show that it is "not worse by more than the margin".
The test is Student's, one-sided, over groups. Its variance is never smaller than what a loss of the margin would bring
if whole groups were lost: a few tables of which all are kept do not exclude that one table in twenty is lost, however
many cases each has. Without that, three data models and groups drawn again from real runs gave sizes up to 12 % with 8
to 50 groups; with it they stay at 5 % (tests/stats/test_noninferiority.py).
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

# Whole groups come in steps. So much of a group, taken off the difference, makes the normal quantile of 5 % that of the
# exact binomial test for 0, 1, 2 and more groups lost: none of 300 excludes 1 %, and not of 270.
_STEP = 1 / 6


class MarginError(NamedTuple):
    """The standard error of a difference in the test against a margin, and its degrees of freedom."""

    margin: float
    error: float
    degrees: float

    def reach(self, level: float) -> float:
        """Return how far a one-sided bound lies from the difference."""
        return student_quantile(1 - 2 * level, self.degrees) * self.error


class NonInferiority(NamedTuple):
    """What a one-sided test against a margin says of the difference, second minus first.

    Attributes:
        margin: how much worse is still accepted, as a fraction.
        difference: the observed difference.
        p: of "the second system is worse by the margin or more": small if it is *not worse by more than the margin*.
        p_inferior: of "it is worse by no more than the margin": small if it is *inferior*, worse by more than that.
        step: how far the difference is moved against what is to be shown, because whole groups come in steps.
        errors: what the test uses: for the margin, and before it for a smaller one that is easier to keep. Who is not
            worse by one point is not worse by two.
    """

    margin: float
    difference: float
    p: float
    p_inferior: float
    step: float
    errors: tuple[MarginError, ...]

    def bound(self, level: float = LEVEL) -> float:
        """Return how much worse the second system may be at most: the one-sided lower bound of the difference.

        Args:
            level: of the test that the bound belongs to: ``p`` is below it exactly if the bound is above -margin.
        """
        bounds = [(self.difference - self.step - item.reach(level), item.margin) for item in self.errors]
        kept = [low for low, margin in bounds if low > -margin]
        return max(-1.0, kept[0] if kept else bounds[-1][0])

    def upper(self, level: float = LEVEL) -> float:
        """Return how much better the second system may be at most: the one-sided upper bound of the difference.

        Args:
            level: of the test that the bound belongs to: ``p_inferior`` is below it exactly if the bound is below
                -margin.
        """
        return min(1.0, self.difference + self.step + self.errors[-1].reach(level))


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
    mean, step = float(changed.sum()) / seen.cases, _step(seen)
    parts = (changed - mean * possible) / seen.cases
    variance = group_variance(parts, possible)
    known = group_degrees(parts, possible) if variance > ROUNDING else seen.degrees
    errors = tuple(_error(seen, variance, known, tried) for tried in (*_smaller(seen, variance, margin), margin))
    p = min(student_tail((mean + item.margin - step) / item.error, item.degrees) for item in errors)
    p_inferior = student_tail(-(mean + margin + step) / errors[-1].error, errors[-1].degrees)
    return NonInferiority(margin, mean, p, p_inferior, step, errors)


def _error(seen: Disagreement, variance: float, known: float, margin: float) -> MarginError:
    used = max(variance, _least_variance(seen, margin))
    # Few groups may carry the estimated variance; that matters as far as it is the variance that is used.
    estimated = (variance / used) ** 2
    return MarginError(margin, math.sqrt(used), 1 / (1 / seen.degrees + (1 / known - 1 / seen.degrees) * estimated))


def _smaller(seen: Disagreement, variance: float, margin: float) -> list[float]:
    """Return the margin that brings no more than the variance seen, if it is a smaller one: the easiest of these."""
    root = 1 - 4 * variance * _effective_groups(seen)
    equal = (1 - math.sqrt(root)) / 2 if root > 0 else 1.0
    return [equal] if 0 < equal < margin else []


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
        kept = margin >= _step(seen) + test * error + (both - test) * spread
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
    """Return the variance of the difference if the second system loses whole groups, a share of the margin."""
    return margin * (1 - margin) / _effective_groups(seen)


def _step(seen: Disagreement) -> float:
    return _STEP / _effective_groups(seen)


def _effective_groups(seen: Disagreement) -> float:
    """Return how many groups of one size would say as much: as many as there are if all have the same size."""
    return seen.degrees + 1


def _check(margin: float) -> None:
    if not 0 < margin < 1:
        raise ValueError(f"a margin lies between 0 and 1, not {margin}")
