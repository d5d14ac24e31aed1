"""Ordinary least squares, and how well such a fit foresees what it has not seen."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


class Fit(NamedTuple):
    """A linear function: what it gives where all features are 0, and what each feature adds."""

    intercept: float
    coefficients: Matrix

    def predict(self, features: Matrix) -> Matrix:
        """Give the values of the function, a row of features each."""
        found: Matrix = self.intercept + features @ self.coefficients
        return found


def least_squares(features: Matrix, target: Matrix) -> Fit:
    """Fit a line by ordinary least squares.

    Features that say the same as others together (all labels of a one-hot code, say) leave the coefficients open; of
    all that fit equally well those with the smallest sum of squares are taken. The intercept is not part of the sum.

    Args:
        features: a row for each unit, a column for each feature.
        target: a number for each unit.
    """
    if len(features) != len(target) or not len(target):
        raise ValueError(f"{len(features)} rows of features for {len(target)} targets")
    centre, mean = features.mean(axis=0), float(target.mean())
    coefficients = np.linalg.lstsq(features - centre, target - mean, rcond=None)[0]
    return Fit(mean - float(centre @ coefficients), coefficients)


def r_squared(target: Matrix, predicted: Matrix, baseline: Matrix | float) -> float | None:
    """Say which share of the squared errors of a baseline a prediction avoids; none where the baseline has none."""
    total = float(((target - baseline) ** 2).sum())
    return 1 - float(((target - predicted) ** 2).sum()) / total if total > 0 else None


def cross_validated_r_squared(
    features: Matrix, target: Matrix, random: np.random.Generator, folds: int = 10
) -> float | None:
    """Say how well the fit to some units foresees the others, against the mean of those it was fitted to.

    Args:
        features: a row for each unit.
        target: a number for each unit.
        random: decides which unit is in which fold.
        folds: in how many parts; fewer where there are fewer units.

    Returns:
        1 for perfect foresight, 0 or less for none; none with fewer than three units or a constant target.
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
