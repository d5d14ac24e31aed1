"""How well the probabilities of answers tell how often the answers are right."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


def calibration_error(confidence: Numbers, right: NDArray[np.bool_], bins: int = 15) -> float:
    """Return the expected calibration error: by how much confidence and accuracy differ, on average over the cases.

    The bins hold as many cases each (one more in the first ones), in the order of their confidence. Bins of equal
    width, the usual choice, leave most cases in the last bin and a handful in others (Nixon et al. 2019).

    Args:
        confidence: the probability of each answer.
        right: whether each answer was right.
        bins: how many bins there are.

    >>> calibration_error(np.array([0.9, 0.9, 0.6, 0.6]), np.array([True, True, True, False]), bins=2)
    0.1
    """
    if not len(confidence):
        raise ValueError("a calibration error needs at least one case")
    order = np.argsort(confidence, kind="stable")
    stretches = np.array_split(order, min(bins, len(order)))
    gaps = [abs(float(confidence[chosen].sum()) - float(right[chosen].sum())) for chosen in stretches]
    return round(sum(gaps) / len(order), 12)


def fitted_temperature(logits: Numbers, golds: NDArray[np.int64], low: float = 0.2, high: float = 5.0) -> float:
    """Return the number by which logits are divided so that the gold labels become as probable as possible.

    The mean log-probability of the gold labels has a single maximum over the inverse of the temperature, which a
    golden-section search finds (Guo et al. 2017).

    Args:
        logits: of the classes, a row per case.
        golds: the number of each case's gold class.
        low: the lowest temperature to try; ``high`` the highest.
    """

    def loss(inverse: float) -> float:
        scaled = logits * inverse
        scaled -= scaled.max(axis=1, keepdims=True)
        return float((np.log(np.exp(scaled).sum(axis=1)) - scaled[np.arange(len(golds)), golds]).mean())

    ratio = (5**0.5 - 1) / 2
    left, right = 1 / high, 1 / low
    for _ in range(60):
        width = ratio * (right - left)
        if loss(right - width) < loss(left + width):
            right = left + width
        else:
            left = right - width
    return 2 / (left + right)
