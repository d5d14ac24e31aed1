"""Quantiles and tails of Student's distribution, for any positive number of degrees of freedom.

SciPy has them too, but importing them takes longer (0.25 s) than all intervals of a large run.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

# Above this the expansion below is exact to nine digits.
_MANY = 10_000.0
_PRECISION = 1e-14
# Above this the tails of the normal distribution are as good.
_NORMAL = 1e7
# Each step squares the error, so that after one as small as this the next is below rounding.
_STEPS, _CLOSE = 50, 1e-8


@lru_cache(maxsize=1024)
def student_quantile(level: float, degrees: float) -> float:
    """Return how many standard errors a two-sided interval of the given level reaches to each side.

    Args:
        level: the confidence level.
        degrees: the degrees of freedom; they need not be a whole number.

    >>> round(student_quantile(0.95, 9), 3)
    2.262
    """
    if not 0 < level < 1:
        raise ValueError(f"a confidence level lies between 0 and 1, not {level}")
    if degrees <= 0:
        raise ValueError(f"degrees of freedom are positive, not {degrees}")
    z = NormalDist().inv_cdf((1 + level) / 2)
    # Cornish and Fisher's expansion (Abramowitz and Stegun 26.7.5), exact for many degrees and a start for few.
    start = z + (z**3 + z) / (4 * degrees) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * degrees**2)
    if degrees > _MANY:
        return start
    wanted, t = 1 - level, start
    for _ in range(_STEPS):
        outside = _outside(t, degrees)
        # Newton's method between logarithms, where the tail is nearly a straight line.
        step = math.log(outside / wanted) * outside / (2 * t * _density(t, degrees))
        t *= math.exp(step)
        if abs(step) < _CLOSE:
            break
    return t


def student_tail(t: float, degrees: float) -> float:
    """Return the chance of a value above t.

    Args:
        t: how many standard errors an estimate lies above what it is tested against; may be negative.
        degrees: the degrees of freedom; they need not be a whole number.

    >>> round(student_tail(2.262, 9), 3)
    0.025
    """
    if degrees <= 0:
        raise ValueError(f"degrees of freedom are positive, not {degrees}")
    # Nearer to 0 the square would vanish, and the tail is one half to all digits.
    if abs(t) < 1e-100:
        return 0.5
    if degrees > _NORMAL:
        return NormalDist().cdf(-t)
    tail = _outside(abs(t), degrees) / 2
    return tail if t > 0 else 1 - tail


def _density(t: float, degrees: float) -> float:
    constant = math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2) - math.log(degrees * math.pi) / 2
    return math.exp(constant - (degrees + 1) / 2 * math.log1p(t * t / degrees))


def _outside(t: float, degrees: float) -> float:
    """Return the chance of a value farther from 0 than t: the incomplete beta function at degrees / (degrees + t²)."""
    square = t * t
    x, rest = degrees / (degrees + square), square / (degrees + square)
    a, b = degrees / 2, 0.5
    logarithm = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log(rest)
    factor = math.exp(logarithm)
    if x < (a + 1) / (a + b + 2):
        return factor * _fraction(a, b, x) / a
    return 1 - factor * _fraction(b, a, rest) / b


def _fraction(a: float, b: float, x: float) -> float:
    """Evaluate the continued fraction of the incomplete beta function by Lentz's method."""
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    value = d
    for step in range(1, 10_000):
        even = step * (b - step) * x / ((a + 2 * step - 1) * (a + 2 * step))
        odd = -(a + step) * (a + b + step) * x / ((a + 2 * step) * (a + 2 * step + 1))
        for term in (even, odd):
            d, c = 1 / (1 + term * d), 1 + term / c
            value *= c * d
        if abs(c * d - 1) < _PRECISION:
            break
    return value
