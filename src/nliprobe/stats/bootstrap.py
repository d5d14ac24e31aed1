"""The cluster bootstrap: intervals for ratios when examples share a table, a caption or a template.

Whole clusters are drawn with replacement, so that examples which depend on one another stay together. All ratios of
one call are computed from the same draws.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nliprobe.base.hashing import digest
from nliprobe.stats.intervals import Interval, wilson

# With 2,000 draws the ends of a 95 % interval vary from seed to seed by 1.5 % of its width (200 clusters of 9).
REPLICATES = 2000
# How many draws are held at once: a block that fits into the processor's cache is five times faster than one of 32 MB.
_BLOCK = 100_000
# One binomial draw of numpy's multinomial (50 to 145 ns) costs as much as this many integers drawn and counted.
_BINOMIAL_COST = 16

Counts = NDArray[np.int64]


def generator(seed: int, *names: str) -> np.random.Generator:
    """Return a random generator that depends on its purpose, never on the order of the work."""
    return np.random.default_rng(int(digest(str(seed), *names), 16))


def resampled_sums(counts: Counts, random: np.random.Generator, replicates: int = REPLICATES) -> NDArray[np.float64]:
    """Draw clusters with replacement, again and again, and sum the columns of what was drawn.

    Clusters with the same counts cannot be told apart, so only how often each distinct row is drawn matters,
    and that is multinomial. The result therefore does not depend on the order of the clusters.

    Args:
        counts: one row per cluster, one column per thing counted.
        random: where the draws come from.
        replicates: how often to draw.

    Returns:
        One row of sums per replicate.
    """
    kinds, sizes = _distinct_rows(counts)
    clusters, values = len(counts), kinds.astype(np.float64)
    sums = np.empty((replicates, counts.shape[1]))
    by_integers = clusters <= _BINOMIAL_COST * len(kinds)
    kind_of = np.repeat(np.arange(len(kinds), dtype=np.int32), sizes)
    # A product of few rows wastes the matrix library, so blocks have at least eight.
    step = max(8, _BLOCK // (clusters if by_integers else len(kinds)))
    for start in range(0, replicates, step):
        rows = min(step, replicates - start)
        if by_integers:
            drawn = kind_of[random.integers(0, clusters, size=(rows, clusters), dtype=np.int32)]
            drawn += np.arange(rows, dtype=np.int32)[:, None] * np.int32(len(kinds))
            weights = np.bincount(drawn.ravel(), minlength=rows * len(kinds)).reshape(rows, len(kinds))
        else:
            weights = random.multinomial(clusters, sizes / clusters, size=rows)
        sums[start : start + rows] = weights.astype(np.float64) @ values
    return sums


def ratio_intervals(
    numerators: Counts,
    denominators: Counts,
    random: np.random.Generator,
    *,
    replicates: int = REPLICATES,
    level: float = 0.95,
    rates: bool = True,
) -> list[Interval | None]:
    """Return percentile intervals for ratios of sums over clusters, all from the same draws.

    A ratio to which fewer than two clusters contribute has no interval. Draws in which a denominator
    vanishes say nothing about its ratio and are left out of it.

    Args:
        numerators: one row per cluster, one column per ratio.
        denominators: of the same shape.
        random: where the draws come from.
        replicates: how often to draw.
        level: the confidence level.
        rates: the ratios are shares of their denominators. If a thing never or always happened, every draw agrees
            and the bootstrap is blind; a share then gets Wilson's interval with as many trials as there are
            clusters, the cautious end of what dependence within clusters can do.

    Returns:
        An interval or None for each ratio.
    """
    if numerators.shape != denominators.shape:
        raise ValueError(f"numerators are {numerators.shape}, denominators {denominators.shape}")
    if not 0 < level < 1:
        raise ValueError(f"a confidence level lies between 0 and 1, not {level}")
    columns = numerators.shape[1]
    contributing = (denominators != 0).sum(axis=0)
    present = (denominators != 0).any(axis=1)
    if not present.any():
        return [None] * columns
    both = np.concatenate([numerators, denominators], axis=1)[present]
    sums = resampled_sums(both, random, replicates)
    intervals: list[Interval | None] = []
    for column in range(columns):
        total, of = int(numerators[:, column].sum()), int(denominators[:, column].sum())
        if contributing[column] < 2:
            intervals.append(None)
        elif rates and total in (0, of):
            trials = int(contributing[column])
            intervals.append(wilson(trials if total else 0, trials, level))
        else:
            intervals.append(_percentiles(sums[:, column], sums[:, columns + column], level))
    return intervals


def _percentiles(above: NDArray[np.float64], below: NDArray[np.float64], level: float) -> Interval | None:
    defined = below != 0
    if not defined.any():
        return None
    tail = (1 - level) / 2
    low, high = np.quantile(above[defined] / below[defined], [tail, 1 - tail])
    return Interval(float(low), float(high))


def _distinct_rows(counts: Counts) -> tuple[Counts, Counts]:
    """Return the distinct rows in a fixed order, and how often each occurs.

    Rows are packed into one integer each, which sorts ten times faster than rows do; where the counts are too
    large for that, equal rows are rare and every row is counted as distinct.
    """
    lowest = counts.min(axis=0)
    widths = [int(width) for width in counts.max(axis=0) - lowest + 1]
    packed = np.zeros(len(counts), dtype=np.int64)
    space = 1
    for column, width in enumerate(widths):
        space *= width
        if space >= 2**63:
            order = np.lexsort(counts.T[::-1])
            return counts[order], np.ones(len(counts), dtype=np.int64)
        packed = packed * width + (counts[:, column] - lowest[column])
    _, first, sizes = np.unique(packed, return_index=True, return_counts=True)
    return counts[first], sizes.astype(np.int64)
