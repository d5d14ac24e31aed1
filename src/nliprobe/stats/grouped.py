"""Intervals for shares and averages when cases share a table, a caption or a template.

Cases of one group depend on one another, so a group counts as one draw from the population, however many cases it has.
Every estimate here is a sum over groups to first order; its variance comes from the spread of the groups' parts, and
the number of degrees of freedom from how many groups carry that variance. Nothing is resampled: the same counts always
give the same interval.

Why not the percentile bootstrap over groups: with 22 groups of 9 its 95 % intervals cover 89 to 94 % for shares of 10
to 50 % and 69 to 88 % for a share of 2 %; those below cover 95 to 96 % (tests/stats/test_coverage.py).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from nliprobe.stats.intervals import Interval, wilson
from nliprobe.stats.student import student_quantile

Counts = NDArray[np.int64]
Numbers = NDArray[np.float64]

# Below this an interval would be a guess: with 3 groups of 9, no method tried covers 90 % without saying "0 to 1".
LEAST_GROUPS = 5
# Below this, reports say "few groups": the interval holds, but rests on a handful of tables.
FEW_GROUPS = 20
# Variances below this are rounding: a share of one case in a million has 1e-12.
ROUNDING = 1e-18


def group_sums(values: NDArray[np.bool_] | Counts, clusters: Counts) -> tuple[Counts, Counts]:
    """Sum a value per case over the cases of each group, and count the cases.

    Args:
        values: whole numbers or marks, one per case.
        clusters: the number of each case's group, from 0.

    Returns:
        The sums and the sizes of the groups; a number that no case has is a group without cases.
    """
    if len(values) != len(clusters):
        raise ValueError(f"{len(values)} values for {len(clusters)} numbers of groups")
    sizes = np.bincount(clusters)
    if values.dtype == np.bool_:
        return np.bincount(clusters[values], minlength=len(sizes)), sizes
    # Weights are doubles, which hold whole numbers of this size exactly.
    sums = np.bincount(clusters, weights=values, minlength=len(sizes))
    return np.rint(sums).astype(np.int64), sizes


def share_interval(hits: Counts, sizes: Counts, level: float = 0.95) -> Interval | None:
    """Return the interval of a share of cases in groups: Wilson's, with the effective number of cases.

    The effective number is how many independent cases would give the same variance; the quantile is Student's. Where
    every group is a single case, this is Wilson's interval itself.

    Args:
        hits: how often the thing happened, per group.
        sizes: how often it could have happened, per group; groups with none are left out.
        level: the confidence level.

    Returns:
        The interval, or None with fewer than :data:`LEAST_GROUPS` groups of several cases.
    """
    if hits.shape != sizes.shape or hits.ndim != 1:
        raise ValueError(f"hits are {hits.shape}, sizes {sizes.shape}")
    present = sizes != 0
    happened, possible = hits[present].astype(np.float64), sizes[present].astype(np.float64)
    total, n = float(happened.sum()), float(possible.sum())
    if n and n == len(possible):
        return wilson(int(total), int(n), level)
    if len(possible) < LEAST_GROUPS:
        return None
    share = total / n
    return bounded_interval(share, (happened - share * possible) / n, possible, level)


def average_interval(rates: Numbers, level: float = 0.95) -> Interval | None:
    """Return the interval of the plain average of rates of units, such as templates, that could have been others.

    Returns:
        The interval, or None with fewer than :data:`LEAST_GROUPS` units.
    """
    if len(rates) < LEAST_GROUPS:
        return None
    mean = float(rates.mean())
    return bounded_interval(mean, (rates - mean) / len(rates), np.ones(len(rates)), level)


def bounded_interval(value: float, parts: Numbers, sizes: Numbers, level: float = 0.95) -> Interval | None:
    """Return the interval of an estimate between 0 and 1 from what each group adds to its error.

    Args:
        value: the estimate: a share, an average of shares or of F1 scores.
        parts: the parts of the groups in the estimate's error, to first order; they add up to 0.
        sizes: the numbers of cases of the groups.
        level: the confidence level.

    Returns:
        The interval, or None with fewer than :data:`LEAST_GROUPS` groups.
    """
    if len(parts) < LEAST_GROUPS:
        _check(level)
        return None
    variance, quantile = group_variance(parts, sizes), _quantile(parts, sizes, level)
    if variance <= ROUNDING or value * (1 - value) <= ROUNDING:
        return unanimous_interval(value, 0.0, len(parts), level)
    return wilson_of_variance(value, variance, quantile)


def wilson_of_variance(value: float, variance: float, quantile: float) -> Interval:
    """Return Wilson's interval of an estimate between 0 and 1 whose variance is known, with the quantile to use.

    It is Wilson's formula with the effective number of cases: how many independent ones have that variance.
    """
    spread = value * (1 - value)
    # quantile² / cases, where cases is the effective number spread / variance.
    width = quantile * quantile * variance / spread
    centre = (value + width / 2) / (1 + width)
    half = math.sqrt(width * spread + width * width / 4) / (1 + width)
    return Interval(max(0.0, centre - half), min(1.0, centre + half))


def mean_difference_interval(sums: Counts | Numbers, sizes: Counts, level: float = 0.95) -> Interval | None:
    """Return Student's interval of an average of differences between -1 and 1, over cases in groups.

    Args:
        sums: the sum of the differences of each group.
        sizes: the numbers of cases of the groups; groups with none are left out.
        level: the confidence level.

    Returns:
        The interval, or None with fewer than :data:`LEAST_GROUPS` groups.
    """
    if sums.shape != sizes.shape or sums.ndim != 1:
        raise ValueError(f"sums are {sums.shape}, sizes {sizes.shape}")
    present = sizes != 0
    changed, possible = sums[present].astype(np.float64), sizes[present].astype(np.float64)
    if not len(possible):
        _check(level)
        return None
    n = float(possible.sum())
    mean = float(changed.sum()) / n
    return signed_interval(mean, (changed - mean * possible) / n, possible, level)


def signed_interval(value: float, parts: Numbers, sizes: Numbers, level: float = 0.95) -> Interval | None:
    """Return Student's interval of an estimate between -1 and 1 from what each group adds to its error.

    Args:
        value: the estimate: a difference of shares, or an average of such differences.
        parts: the parts of the groups in the estimate's error, to first order; they add up to 0.
        sizes: the numbers of cases of the groups.
        level: the confidence level.

    Returns:
        The interval, or None with fewer than :data:`LEAST_GROUPS` groups.
    """
    if len(parts) < LEAST_GROUPS:
        _check(level)
        return None
    variance = group_variance(parts, sizes)
    if variance <= ROUNDING:
        return unanimous_interval(value, -1.0, len(parts), level)
    half = _quantile(parts, sizes, level) * math.sqrt(variance)
    return Interval(max(-1.0, value - half), min(1.0, value + half))


def simultaneous(value: float, interval: Interval, groups: int, family: int, level: float = 0.95) -> Interval:
    """Widen an interval so that it holds together with others of a family (Bonferroni).

    Args:
        value: the estimate.
        interval: its interval at the level.
        groups: the number of groups it rests on, at least two.
        family: how many intervals are looked at.
        level: the confidence level of the interval, and of all of them together.
    """
    degrees = max(1, groups - 1)
    factor = student_quantile(1 - (1 - level) / max(1, family), degrees) / student_quantile(level, degrees)
    return Interval(value - factor * (value - interval.low), value + factor * (interval.high - value))


def few_groups(groups: int, n: int) -> bool:
    """Tell whether cases share so few groups that reports must say so."""
    return groups < min(n, FEW_GROUPS)


def unanimous_interval(value: float, lowest: float, groups: int, level: float = 0.95) -> Interval:
    """Return the interval of an estimate on which all groups agree, so that their spread says nothing.

    The share of groups that would disagree is at most Wilson's upper end for 0 of so many, and each could move the
    estimate at most to the end of its range. For a thing that always or never happened this is Wilson's interval with
    one trial per group.
    """
    unseen = wilson(0, groups, level)
    share = 1.0 if unseen is None else unseen.high
    return Interval(value - share * (value - lowest), value + share * (1 - value))


def group_variance(parts: Numbers, sizes: Numbers) -> float:
    """Estimate the variance of a sum of groups' parts; a group's own pull on the average is allowed for (CR2)."""
    return float((parts * parts / (1 - sizes / sizes.sum())).sum())


def size_degrees(sizes: Numbers) -> float:
    """Return the degrees of freedom that groups of these sizes give to an estimated variance.

    Bell and McCaffrey (2002) for an average: one less than the groups if all have the same size, fewer otherwise.
    """
    return 2 / _size_noise(sizes / sizes.sum())


def group_degrees(parts: Numbers, sizes: Numbers) -> float:
    """Return Satterthwaite's degrees of freedom for the variance that was estimated from the groups' parts."""
    weights = sizes / sizes.sum()
    noise = _size_noise(weights)
    # A variance that few groups carry is known worse than that: heavy tails add their excess kurtosis.
    squares = parts * parts / sizes
    level_of_squares = float(squares.mean())
    if level_of_squares > 0:
        excess = float((squares * squares).mean()) / level_of_squares**2 - 3
        noise += max(0.0, excess) * float((weights * weights).sum())
    return 2 / noise


def _size_noise(weights: Numbers) -> float:
    crossed = weights * weights / (1 - weights)
    return 2 * float((weights * weights).sum() + crossed.sum() ** 2 - (crossed * crossed).sum())


def _quantile(parts: Numbers, sizes: Numbers, level: float) -> float:
    _check(level)
    return student_quantile(level, group_degrees(parts, sizes))


def _check(level: float) -> None:
    if not 0 < level < 1:
        raise ValueError(f"a confidence level lies between 0 and 1, not {level}")
