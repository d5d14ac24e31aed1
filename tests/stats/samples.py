"""Samples of cases in groups whose truth is known, for simulations."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit
from scipy.stats import binom

Counts = NDArray[np.int64]
# A simulation may miss its goal by chance once in a thousand times, no more: with few draws that is a wide margin, and
# with many a narrow one.
CHANCE = 1e-3


def grouped_hits(random: np.random.Generator, sizes: Counts, rate: float, icc: float) -> Counts:
    """Draw how often a thing happened in each group; the groups' own rates have the given intraclass correlation."""
    if not (icc and rate):
        return random.binomial(sizes, rate).astype(np.int64)
    scale = (1 - icc) / icc
    return random.binomial(sizes, random.beta(rate * scale, (1 - rate) * scale, size=len(sizes))).astype(np.int64)


def uneven_sizes(random: np.random.Generator, groups: int, typical: int) -> Counts:
    """Draw sizes of groups of which some are many times larger than others."""
    return np.maximum(1, random.lognormal(np.log(typical), 0.8, size=groups)).astype(np.int64)


def paired_differences(
    random: np.random.Generator, sizes: Counts, fixed: float, broken: float, icc: float
) -> tuple[Counts, int]:
    """Draw the groups' differences of two systems, and how many cases flip; those of a group go together."""
    rates = np.array([fixed, broken, 1 - fixed - broken])
    if not icc:
        flips = random.multinomial(sizes, rates)
    else:
        # Gamma draws of shape 0 are not defined; this one is 0 for all purposes.
        drawn = random.gamma(np.maximum(rates * (1 - icc) / icc, 1e-12), size=(len(sizes), 3))
        flips = random.multinomial(sizes, drawn / drawn.sum(axis=1, keepdims=True))
    return flips[:, 0] - flips[:, 1], int(flips[:, :2].sum())


def apart_differences(
    random: np.random.Generator, sizes: Counts, fixed: float, broken: float, icc: float
) -> tuple[Counts, int]:
    """Draw the same where groups that lose and groups that win have nothing to do with one another: beta-binomial."""
    lost = grouped_hits(random, sizes, broken, icc)
    won = grouped_hits(random, sizes - lost, fixed / (1 - broken), icc)
    return won - lost, int((won + lost).sum())


def skewed_differences(
    random: np.random.Generator, sizes: Counts, fixed: float, broken: float, spread: float
) -> tuple[Counts, int]:
    """Draw the same with few groups that lose much and many that lose nearly nothing: logits are normal."""
    rates = [
        expit(_centre(rate, spread) + spread * random.normal(size=len(sizes))) if rate else np.zeros(len(sizes))
        for rate in (broken, fixed / (1 - broken))
    ]
    lost = random.binomial(sizes, rates[0])
    won = random.binomial(sizes - lost, rates[1])
    return won - lost, int((won + lost).sum())


@cache
def _centre(rate: float, spread: float) -> float:
    """Return the mean of normal logits whose rates have this average."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    weights = weights / weights.sum()
    return float(brentq(lambda centre: weights @ expit(centre + spread * nodes) - rate, -30, 30))


def at_least(share: float, draws: int) -> int:
    """Return the fewest hits that a true share of at least this may give."""
    return int(binom.ppf(CHANCE, draws, share))


def at_most(share: float, draws: int) -> int:
    """Return the most hits that a true share of at most this may give."""
    return int(binom.ppf(1 - CHANCE, draws, share))
