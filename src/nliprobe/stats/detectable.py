"""Minimum detectable effect: how large a difference of two systems must be for a paired test over groups to see it.

A comparison that finds nothing says little if it could not have found much. From how often the two systems disagree,
and from how much the cases of a group (a table, a text, a template) disagree together, these functions say how large a
true difference has to be for the sign-flip test over groups to show it in 80 of 100 such samples.

The assumption: in the next sample the systems disagree on as large a share of the cases, and the cases of a group go
together as much, as in this one. A difference larger than that share needs more disagreement and is given it.
Simulations hold this to its word, with few and uneven groups and rare disagreement (tests/stats/test_detectable.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nliprobe.stats.grouped import ROUNDING, group_variance, size_degrees
from nliprobe.stats.student import student_quantile

Counts = NDArray[np.int64]
Sides = Literal[1, 2]

LEVEL, POWER = 0.05, 0.8
# No plan needs more groups than this; a wanted difference that does is as good as none.
_MOST_GROUPS = 1 << 40
# Correlations below this are none; the gamma function would lose its digits.
_INDEPENDENT = 1e-6


class Disagreement(NamedTuple):
    """How two systems disagree on cases in groups; all that plans and powers are made from.

    Attributes:
        groups: how many groups there are.
        cases: how many cases.
        share: the share of cases that one system has right and the other wrong, from 0 to 1.
        together: the design effect: how many times larger the variance of the difference is than if all cases were
            independent. 1 where every group is one case.
        degrees: the degrees of freedom that the sizes of the groups give to a variance.
    """

    groups: int
    cases: int
    share: float
    together: float
    degrees: float

    def scaled(self, groups: int) -> Disagreement:
        """Return the same disagreement over another number of groups of the same kind."""
        factor = groups / self.groups
        degrees = max(1.0, (self.degrees + 1) * factor - 1)
        return self._replace(groups=groups, cases=round(self.cases * factor), degrees=degrees)


class Needed(NamedTuple):
    """How large a sample must be: groups, and cases if groups are as large as those seen."""

    groups: int
    cases: int


def disagreement(sums: Counts, sizes: Counts, flips: int) -> Disagreement | None:
    """Describe how two systems disagree.

    Args:
        sums: for each group, how many cases only the second system has right minus how many only the first has.
        sizes: the numbers of cases of the groups; groups with none are left out.
        flips: how many cases, in all groups, only one of the systems has right.

    Returns:
        What was seen, or None with fewer than two groups, over which nothing can vary.
    """
    if sums.shape != sizes.shape or sums.ndim != 1:
        raise ValueError(f"sums are {sums.shape}, sizes {sizes.shape}")
    present = sizes != 0
    changed, possible = sums[present].astype(np.float64), sizes[present].astype(np.float64)
    if not np.abs(changed).sum() <= flips <= possible.sum():
        raise ValueError(f"{flips} flips cannot be: the groups' sums add up to {np.abs(changed).sum():.0f}")
    if len(possible) < 2:
        return None
    cases = float(possible.sum())
    mean, share = float(changed.sum()) / cases, flips / cases
    variance = group_variance((changed - mean * possible) / cases, possible)
    alone = (share - mean * mean) / cases
    # Where the groups do not vary, nothing is known about what goes together: a group is then taken as one case.
    together = variance / alone if variance > ROUNDING and alone > ROUNDING else cases / len(possible)
    return Disagreement(len(possible), int(cases), share, together, size_degrees(possible))


def minimum_detectable(seen: Disagreement, *, level: float = LEVEL, power: float = POWER) -> float | None:
    """Return the smallest true difference that a two-sided sign-flip test over the groups finds with this power.

    Args:
        seen: how the systems disagree.
        level: of the test; divided by the number of comparisons, it is what Holm's correction asks of the first.
        power: how often a difference of this size should be found, above one half.

    Returns:
        The difference as a fraction between 0 and 1, or None if the groups are so few that no difference, however
        large, can be found.
    """
    least = least_unanimous(level)
    if seen.groups < least:
        return None
    # With disagreement s, difference d and design effect t, the variance of the difference is t (s - d²) / n, and d
    # must be c standard errors. Sums of signs go up in steps, on which the exact test loses one case more.
    reach = multiplier(seen.degrees, level, power, 2) ** 2 * seen.together / seen.cases
    common = math.sqrt(reach / (1 + reach) * seen.share) + 1 / seen.cases
    # A difference as large as the disagreement goes one way only; then it is enough that so many groups differ.
    found = max(min(common, seen.share), _rare(seen, least, power))
    return found if found < 1 else None


def needed_for_difference(
    seen: Disagreement, wanted: float, *, level: float = LEVEL, power: float = POWER
) -> Needed | None:
    """Return how many groups and cases it takes to find a true difference of the wanted size with this power.

    Args:
        seen: how the systems disagree.
        wanted: the difference, as a fraction above 0.
        level: of the two-sided test.
        power: how often the difference should be found, above one half.

    Returns:
        The smallest sample, or None if none is large enough.
    """
    if not 0 < wanted < 1:
        raise ValueError(f"a wanted difference lies between 0 and 1, not {wanted}")

    def enough(groups: int) -> bool:
        found = minimum_detectable(seen.scaled(groups), level=level, power=power)
        return found is not None and found <= wanted

    return smallest_sample(seen, enough)


def smallest_sample(seen: Disagreement, enough: Callable[[int], bool]) -> Needed | None:
    """Return the smallest number of groups that is enough; more must never be less so."""
    high = 2
    while not enough(high):
        high *= 2
        if high > _MOST_GROUPS:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return Needed(high, math.ceil(seen.cases / seen.groups * high))


def multiplier(degrees: float, level: float = LEVEL, power: float = POWER, sides: Sides = 2) -> float:
    """Return how many standard errors an effect must be away from what is tested to be found with this power.

    Args:
        degrees: the degrees of freedom of the standard error.
        level: of the test.
        power: how often the effect should be found, above one half.
        sides: whether the test looks at both sides or at one.

    >>> round(multiplier(1e6), 2)
    2.8
    """
    if not 0.5 < power < 1:
        raise ValueError(f"a power lies between one half and 1, not {power}")
    if not 0 < level < 0.5:
        raise ValueError(f"the level of a test lies between 0 and one half, not {level}")
    return student_quantile(1 - level * 2 / sides, degrees) + student_quantile(2 * power - 1, degrees)


def least_unanimous(level: float) -> int:
    """Return how many groups must differ, all in the same direction, for a sign-flip test to find anything.

    >>> least_unanimous(0.05)
    6
    """
    return math.floor(math.log2(2 / level)) + 1


def _rare(seen: Disagreement, least: int, power: float) -> float:
    """Return the difference at which so many groups differ with this power, if all cases that do go one way."""
    rate = _root(lambda tried: _at_least(least, seen.groups, tried) - power)
    return _root(lambda tried: _group_differs(seen, tried) - rate)


def _at_least(least: int, groups: int, rate: float) -> float:
    """Return the chance that a thing of this rate happens in so many groups or more."""
    few = sum(
        math.exp(
            math.lgamma(groups + 1) - math.lgamma(k + 1) - math.lgamma(groups - k + 1)
            + k * math.log(rate) + (groups - k) * math.log1p(-rate)
        )
        for k in range(least)
    )  # fmt: skip
    return 1 - few


def _group_differs(seen: Disagreement, rate: float) -> float:
    """Return the chance that any case of a group differs: beta-binomial, with the design effect as correlation."""
    # Where sizes differ, a few large groups have most of the cases: a case shares its group with more others than the
    # average group has, and most groups have fewer. Both follow from how many groups of one size say as much.
    even = (seen.degrees + 1) / seen.groups
    size, shared = seen.cases / seen.groups * even, seen.cases / seen.groups / even
    if size <= 1:
        return rate
    correlation = min(1.0, max(0.0, (seen.together - 1) / (shared - 1)))
    if correlation < _INDEPENDENT:
        return -math.expm1(size * math.log1p(-rate))
    if correlation > 1 - _INDEPENDENT:
        return rate
    scale = (1 - correlation) / correlation
    rest = (1 - rate) * scale
    none = math.lgamma(rest + size) - math.lgamma(rest) + math.lgamma(scale) - math.lgamma(scale + size)
    return -math.expm1(none)


def _root(rises: Callable[[float], float]) -> float:
    """Return where a rising function of a rate becomes positive, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if rises(middle) >= 0 else (middle, high)
    return high
