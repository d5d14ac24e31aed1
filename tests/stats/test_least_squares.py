"""Least squares against statsmodels and scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from sklearn.linear_model import LinearRegression

from nliprobe.stats.draws import generator
from nliprobe.stats.least_squares import cross_validated_r_squared, least_squares, r_squared


def test_coefficients_and_fit_equal_statsmodels() -> None:
    random = np.random.default_rng(0)
    features = (random.random((80, 7)) < 0.4).astype(float)
    target = random.random(80)
    fit = least_squares(features, target)
    oracle = sm.OLS(target, sm.add_constant(features)).fit()
    assert [fit.intercept, *fit.coefficients] == pytest.approx(list(oracle.params))
    assert r_squared(target, fit.predict(features), float(target.mean())) == pytest.approx(oracle.rsquared)


def test_features_that_say_the_same_are_treated_as_scikit_learn_does() -> None:
    random = np.random.default_rng(1)
    labels = np.eye(3)[random.integers(0, 3, 40)]
    features = np.concatenate([labels, (random.random((40, 2)) < 0.5), labels[:, :1]], axis=1).astype(float)
    target = random.random(40)
    fit, oracle = least_squares(features, target), LinearRegression().fit(features, target)
    assert fit.coefficients == pytest.approx(oracle.coef_)
    assert fit.intercept == pytest.approx(oracle.intercept_)


def test_cross_validation_equals_a_slow_one() -> None:
    random = np.random.default_rng(2)
    features, noise = random.random((53, 4)), random.random(53)
    target = features @ np.array([1.0, -1.0, 0.5, 0.0]) + 0.3 * noise
    found = cross_validated_r_squared(features, target, generator(3, "folds"), 10)
    fold = generator(3, "folds").permutation(53) % 10
    errors, baseline = 0.0, 0.0
    for row in range(53):
        others = fold != fold[row]
        model = LinearRegression().fit(features[others], target[others])
        errors += float((model.predict(features[[row]])[0] - target[row]) ** 2)
        baseline += float((target[others].mean() - target[row]) ** 2)
    assert found == pytest.approx(1 - errors / baseline)
    assert found is not None
    assert found > 0.5


def test_noise_is_not_foreseen() -> None:
    random = np.random.default_rng(4)
    features = (random.random((60, 30)) < 0.3).astype(float)
    target = random.random(60)
    found = cross_validated_r_squared(features, target, generator(0))
    assert found is not None
    assert found < 0
    fitted = r_squared(target, least_squares(features, target).predict(features), float(target.mean()))
    assert fitted is not None
    assert fitted > 0.3


def test_too_few_units_or_nothing_to_explain() -> None:
    assert cross_validated_r_squared(np.ones((2, 1)), np.array([0.0, 1.0]), generator(0)) is None
    assert cross_validated_r_squared(np.ones((9, 1)), np.full(9, 0.3), generator(0)) is None
    assert r_squared(np.ones(3), np.ones(3), 1.0) is None
    with pytest.raises(ValueError, match="2 rows of features for 3 targets"):
        least_squares(np.ones((2, 1)), np.ones(3))
    with pytest.raises(ValueError, match="0 rows"):
        least_squares(np.ones((0, 1)), np.ones(0))
