"""Differences of independent rates against statsmodels, and means over units against a slow bootstrap."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import confint_proportions_2indep

from nliprobe.stats.bootstrap import generator
from nliprobe.stats.intervals import Interval, wilson
from nliprobe.stats.two_sample import difference_of_rates, resampled_mean


@given(st.integers(1, 60), st.integers(1, 60), st.data())
def test_difference_equals_newcombe_of_statsmodels(first: int, second: int, data: st.DataObject) -> None:
    one, other = data.draw(st.integers(0, first)), data.draw(st.integers(0, second))
    found = difference_of_rates(one / first, wilson(one, first), other / second, wilson(other, second))
    oracle = confint_proportions_2indep(other, second, one, first, method="newcomb", compare="diff")
    assert found == pytest.approx(oracle, abs=1e-9)
    assert found is not None
    assert found.low <= other / second - one / first <= found.high


def test_always_against_never_is_no_point() -> None:
    found = difference_of_rates(0.0, wilson(0, 20), 1.0, wilson(20, 20))
    assert found is not None
    assert found.low < 0.9
    assert found.high == 1.0


def test_a_rate_without_interval_leaves_the_difference_without() -> None:
    assert difference_of_rates(0.5, None, 0.6, Interval(0.5, 0.7)) is None
    assert difference_of_rates(0.5, Interval(0.4, 0.6), 0.6, None) is None


def test_mean_agrees_with_a_slow_bootstrap_and_forgets_the_order() -> None:
    random = np.random.default_rng(0)
    rates = random.random(40)
    found = resampled_mean(rates, generator(0), replicates=6000)
    assert found is not None
    slow = [float(np.mean(random.choice(rates, 40))) for _ in range(6000)]
    assert found == pytest.approx(tuple(np.quantile(slow, [0.025, 0.975])), abs=0.008)
    assert resampled_mean(rates[::-1], generator(0), replicates=6000) == found


def test_units_that_all_agree_and_units_that_are_too_few() -> None:
    assert resampled_mean(np.ones(9), generator(0)) == wilson(9, 9)
    assert resampled_mean(np.zeros(9), generator(0)) == wilson(0, 9)
    assert resampled_mean(np.array([0.5]), generator(0)) is None
