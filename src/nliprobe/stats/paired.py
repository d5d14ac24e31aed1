"""The exact McNemar test of two systems asked the same independent cases, and corrections for testing many times."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

# Terms of the binomial tail below this share of their sum cannot change a double any more.
_NEGLIGIBLE = 1e-18
# Up to here exact integers are quick (1 ms); with a million throws they would take 7 s.
_WHOLE_NUMBERS = 10_000


def mcnemar_exact(first_only: int, second_only: int) -> float:
    """Test whether two systems are right equally often, by the exact two-sided McNemar test.

    Only the cases that one system has right and the other wrong say anything; if the systems were equally good,
    each of these cases would be a throw of a fair coin. No approximation by a normal or chi-squared distribution is
    made, however many cases there are.

    Args:
        first_only: cases that only the first system has right.
        second_only: cases that only the second system has right.

    Returns:
        The p-value; 1 when there is no such case.

    >>> mcnemar_exact(1, 5)
    0.21875
    """
    if first_only < 0 or second_only < 0:
        raise ValueError(f"counts cannot be negative: {first_only}, {second_only}")
    few, total = min(first_only, second_only), first_only + second_only
    if 2 * few == total:
        return 1.0
    term = tail = 1.0
    for below in range(few, 0, -1):
        term *= below / (total - below + 1)
        tail += term
        if term < _NEGLIGIBLE * tail:
            break
    return min(1.0, 2 * tail * _fair_coins(few, total))


def holm(pvalues: Sequence[float]) -> list[float]:
    """Adjust p-values so that the chance of any false finding in the family stays at the level (Holm, 1979).

    Returns:
        The adjusted p-values in the order given.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    values = _checked(pvalues)
    order = np.argsort(values, kind="stable")
    steps = values[order] * np.arange(len(values), 0, -1)
    return _in_place(np.maximum.accumulate(steps), order)


def benjamini_hochberg(pvalues: Sequence[float]) -> list[float]:
    """Adjust p-values so that the expected share of false findings stays at the level (Benjamini, Hochberg, 1995).

    Returns:
        The adjusted p-values in the order given.

    >>> benjamini_hochberg([0.01, 0.04, 0.03])
    [0.03, 0.04, 0.04]
    """
    values = _checked(pvalues)
    order = np.argsort(values, kind="stable")
    steps = values[order] * len(values) / np.arange(1, len(values) + 1)
    return _in_place(np.minimum.accumulate(steps[::-1])[::-1], order)


def _fair_coins(heads: int, throws: int) -> float:
    """Return the probability of exactly so many heads in throws of a fair coin."""
    if throws <= _WHOLE_NUMBERS:
        # Python divides whole numbers of any size with a single rounding; far below 1e-308 that gives 0.
        return math.comb(throws, heads) / (1 << throws)
    if not heads:
        return 0.0
    # Loader's form (Fast and accurate computation of binomial probabilities, 2000): the large logarithms of the
    # factorials are cancelled on paper, where the computer would lose digits.
    tails, tilt = throws - heads, (throws - 2 * heads) / throws
    deviance = throws / 2 * ((1 - tilt) * math.log1p(-tilt) + (1 + tilt) * math.log1p(tilt))
    error = _stirling_error(throws) - _stirling_error(heads) - _stirling_error(tails)
    return math.exp(error - deviance) * math.sqrt(throws / (2 * math.pi * heads * tails))


def _stirling_error(n: int) -> float:
    """Return what Stirling's formula misses of the logarithm of n factorial."""
    if n < 20:
        return math.lgamma(n + 1) - (n + 0.5) * math.log(n) + n - math.log(2 * math.pi) / 2
    return (1 / 12 - (1 / 360 - 1 / 1260 / n**2) / n**2) / n


def _checked(pvalues: Sequence[float]) -> NDArray[np.float64]:
    values = np.asarray(pvalues, dtype=np.float64)
    # Written so that a NaN, which compares false with everything, is refused too.
    if not np.all((values >= 0) & (values <= 1)):
        raise ValueError("p-values lie between 0 and 1")
    return values


def _in_place(adjusted: NDArray[np.float64], order: NDArray[np.int64]) -> list[float]:
    values = np.empty(len(adjusted))
    values[order] = np.minimum(adjusted, 1.0)
    return [float(value) for value in values]
