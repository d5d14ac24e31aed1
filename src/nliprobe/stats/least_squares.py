"""Ordinary least squares, and how well such a fit predicts what it has not seen."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


class Fit(NamedTuple):
    """A linear function: its value where all features are 0, and what each feature adds."""

    intercept: float
    coefficients: Matrix

    def predict(self, features: Matrix) -> Matrix:
        """Return the value of the function for each row of features."""
        values: Matrix = self.intercept + features @ self.coefficients
        return values


def least_squares(features: Matrix, target: Matrix) -> Fit:
    """Fit a line by ordinary least squares.

    Features that others determine (all labels of a one-hot code, for example) leave the coefficients open; among
    those that fit equally well, the ones with the smallest sum of squares are taken, not counting the intercept.

    Args:
        features: one row per unit, one column per feature.
        target: one number per unit.
    """
    if len(features) != len(target) or not len(target):
        raise ValueError(f"{len(features)} rows of features for {len(target)} targets")
    centre, mean = features.mean(axis=0), float(target.mean())
    coefficients = np.linalg.lstsq(features - centre, target - mean, rcond=None)[0]
    return Fit(mean - float(centre @ coefficients), coefficients)


def r_squared(target: Matrix, predicted: Matrix, baseline: Matrix | float) -> float | None:
    """Return the share of a baseline's squared errors that a prediction avoids, None if the baseline has none."""
    total = float(((target - baseline) ** 2).sum())
    return 1 - float(((target - predicted) ** 2).sum()) / total if total > 0 else None


def cross_validated_r_squared(
    features: Matrix, target: Matrix, random: np.random.Generator, folds: int = 10
) -> float | None:
    """Return how well a fit to some units predicts the others, compared with the mean of those it was fitted to.

    Args:
        features: one row per unit.
        target: one number per unit.
        random: decides which unit is in which fold.
        folds: the number of parts; fewer if there are fewer units.

    Returns:
        1 for perfect predictions, 0 or less for useless ones; None with fewer than three units or a constant target.
    """
    if len(target) < 3 or np.ptp(target) == 0:
        return None
    fold = random.permutation(len(target)) % min(folds, len(target))
    predicted, baseline = np.empty(len(target)), np.empty(len(target))
    for number in range(int(fold.max()) + 1):
        out = fold == number
        fit = least_squares(features[~out], target[~out])
        predicted[out] = fit.predict(features[out])
        baseline[out] = target[~out].mean()
    return r_squared(target, predicted, baseline)
