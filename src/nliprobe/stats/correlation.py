"""Pearson's correlation, its interval, and the difference of two correlations with the same numbers.

The interval comes from what each pair of numbers adds to the correlation's error to first order, on Fisher's scale, so
that neither number need be normal. Nothing is resampled: the same numbers always give the same interval.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from nliprobe.stats.grouped import LEAST_GROUPS, signed_interval
from nliprobe.stats.intervals import Interval
from nliprobe.stats.student import student_quantile

Numbers = NDArray[np.float64]
# Beyond this, a correlation is 1 but for rounding.
_ONE = 1 - 1e-12


def pearson(first: Numbers, second: Numbers) -> float | None:
    """Return Pearson's correlation, or None if one side never varies.

    >>> round(pearson(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 2.0])), 3)
    0.866
    """
    standard = _standard(first), _standard(second)
    if standard[0] is None or standard[1] is None:
        return None
    return float(np.clip((standard[0] * standard[1]).mean(), -1.0, 1.0))


def pearson_interval(first: Numbers, second: Numbers, level: float = 0.95) -> Interval | None:
    """Return the interval of Pearson's correlation of independent pairs of numbers.

    Returns:
        The interval, or None if there is no correlation or there are fewer than :data:`LEAST_GROUPS` pairs.
    """
    value = pearson(first, second)
    if value is None or len(first) < LEAST_GROUPS:
        return None
    if abs(value) >= _ONE:
        return Interval(value, value)
    error = math.sqrt(float((_parts(first, second, value) ** 2).sum()))
    # The slope of Fisher's z at r is 1 / (1 - r²).
    half = student_quantile(level, len(first) - 1) * error / (1 - value * value)
    return Interval(math.tanh(math.atanh(value) - half), math.tanh(math.atanh(value) + half))


def pearson_difference_interval(gold: Numbers, first: Numbers, second: Numbers, level: float = 0.95) -> Interval | None:
    """Return the interval of how much better ``first`` correlates with ``gold`` than ``second`` does.

    Returns:
        The interval, or None if one of them has no correlation or there are fewer than :data:`LEAST_GROUPS` pairs.
    """
    one, two = pearson(gold, first), pearson(gold, second)
    if one is None or two is None:
        return None
    parts = _parts(gold, first, one) - _parts(gold, second, two)
    return signed_interval(one - two, parts, np.ones(len(parts)), level)


def _standard(numbers: Numbers) -> Numbers | None:
    if len(numbers) < 2:
        return None
    centred: Numbers = numbers - numbers.mean()
    spread = float(np.sqrt((centred * centred).mean()))
    # What never varies may differ from its own mean by rounding.
    if spread <= 1e-12 * float(np.abs(numbers).max(initial=0.0)):
        return None
    standard: Numbers = centred / spread
    return standard


def _parts(first: Numbers, second: Numbers, value: float) -> Numbers:
    """Return what each pair adds to the error of their correlation."""
    x, y = _standard(first), _standard(second)
    assert x is not None
    assert y is not None
    parts: Numbers = (x * y - value * (x * x + y * y) / 2) / len(first)
    return parts
