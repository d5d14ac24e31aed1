"""How well the probabilities of answers tell how often the answers are right."""

from __future__ import annotations

import math

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


def matching_temperature(logits: Numbers, golds: NDArray[np.int64], low: float = 0.05, high: float = 20.0) -> float:
    """Return the number by which logits are divided so that answers are as confident, on average, as they are right.

    Confidence only falls when the temperature rises, so that halving finds it. The usual choice, the temperature that
    makes the gold labels most probable (Guo et al. 2017), lets a few confident mistakes decide: where a model is
    overconfident only at the top, it makes all other answers underconfident.

    Args:
        logits: of the classes, a row per case.
        golds: the number of each case's gold class.
        low: the lowest temperature to try; ``high`` the highest.
    """
    accuracy = float((logits.argmax(axis=1) == golds).mean())
    above_best = logits - logits.max(axis=1, keepdims=True)
    for _ in range(60):
        middle = math.sqrt(low * high)
        confidence = float((1 / np.exp(above_best / middle).sum(axis=1)).mean())
        low, high = (middle, high) if confidence > accuracy else (low, middle)
    return math.sqrt(low * high)
