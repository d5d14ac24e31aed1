"""Wilson's interval against statsmodels, and averages of rates with intervals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from nliprobe.stats.intervals import Interval, mean_interval, normal_quantile, wilson, wilson_many


@st.composite
def rates(draw: st.DrawFn) -> tuple[int, int]:
    n = draw(st.integers(1, 2000))
    return draw(st.integers(0, n)), n


@given(rates(), st.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_wilson_equals_statsmodels(rate: tuple[int, int], level: float) -> None:
    expected = proportion_confint(*rate, alpha=1 - level, method="wilson")
    assert wilson(*rate, level) == pytest.approx(expected, abs=1e-12)


@given(rates())
def test_wilson_holds_the_rate_and_stays_between_0_and_1(rate: tuple[int, int]) -> None:
    interval = wilson(*rate)
    assert interval is not None
    assert 0 <= interval.low <= rate[0] / rate[1] <= interval.high <= 1


def test_wilson_of_nothing_is_none() -> None:
    assert wilson(0, 0) is None


def test_wilson_many_gives_nan_where_nothing_was_seen() -> None:
    low, high = wilson_many([0, 8, 0], [0, 10, 5])
    assert np.isnan([low[0], high[0]]).all()
    assert (low[1], high[1]) == wilson(8, 10)
    assert low[2] == 0


@pytest.mark.parametrize(("successes", "n"), [(-1, 3), (4, 3), (1, 0)])
def test_wilson_refuses_impossible_counts(successes: int, n: int) -> None:
    with pytest.raises(ValueError, match="between 0 and n"):
        wilson(successes, n)


@pytest.mark.parametrize("level", [0.0, 1.0, 95.0])
def test_a_level_is_a_fraction(level: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        normal_quantile(level)


def test_mean_interval_of_one_estimate_is_its_own() -> None:
    assert mean_interval([0.3], [Interval(0.1, 0.6)]) == pytest.approx((0.1, 0.6))


def test_mean_interval_shrinks_like_a_standard_error() -> None:
    found = mean_interval([0.5] * 4, [Interval(0.4, 0.7)] * 4)
    assert found == pytest.approx((0.5 - 0.1 / 2, 0.5 + 0.2 / 2))


def test_mean_interval_needs_every_interval() -> None:
    assert mean_interval([], []) is None
    assert mean_interval([0.5, 0.5], [Interval(0.4, 0.6), None]) is None


@pytest.mark.parametrize(
    ("draws", "least", "most"), [(500, 0.93, 0.98), pytest.param(50_000, 0.945, 0.965, marks=pytest.mark.simulation)]
)
def test_mean_interval_covers_the_true_average(draws: int, least: float, most: float) -> None:
    random = np.random.default_rng(5)
    truth = np.array([0.02, 0.3, 0.7])
    sizes = np.array([60, 200, 90])
    hits = 0
    for _ in range(draws):
        counts = random.binomial(sizes, truth)
        intervals = [wilson(int(k), int(n)) for k, n in zip(counts, sizes, strict=True)]
        found = mean_interval((counts / sizes).tolist(), intervals)
        assert found is not None
        hits += int(found.low <= truth.mean() <= found.high)
    assert least <= hits / draws <= most
    assert math.isclose(truth.mean(), 0.34)
