from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import pearsonr

from nliprobe.stats.correlation import pearson, pearson_difference_interval, pearson_interval

numbers = st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=3, max_size=40)


@given(numbers)
def test_like_scipy(pairs: list[tuple[int, int]]) -> None:
    first, second = (np.array(side, dtype=np.float64) for side in zip(*pairs, strict=True))
    value = pearson(first, second)
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert value is None
        assert pearson_interval(first, second) is None
    else:
        assert value == pytest.approx(pearsonr(first, second).statistic, abs=1e-9)


def test_what_never_varies_but_for_rounding_has_no_correlation() -> None:
    assert pearson(np.full(10, 0.1 + 0.2), np.arange(10.0)) is None
    assert pearson(np.array([1.0]), np.array([1.0])) is None


def test_a_perfect_correlation_has_no_width() -> None:
    numbers = np.arange(20.0)
    assert pearson_interval(numbers, 2 * numbers) == pytest.approx((1.0, 1.0))


def test_intervals_of_normal_numbers_are_fishers() -> None:
    drawn = np.random.default_rng(0).multivariate_normal([0, 0], [[1, 0.6], [0.6, 1]], 4000)
    interval = pearson_interval(drawn[:, 0], drawn[:, 1])
    expected = pearsonr(drawn[:, 0], drawn[:, 1]).confidence_interval(0.95)
    assert interval is not None
    assert interval.low == pytest.approx(expected.low, abs=0.003)
    assert interval.high == pytest.approx(expected.high, abs=0.003)


def test_intervals_cover() -> None:
    """Also of numbers that are not normal: 200 pairs of squares of normal numbers, whose correlation is 0.36."""
    random = np.random.default_rng(1)
    covered = differences = 0
    for _ in range(400):
        drawn = random.multivariate_normal([0, 0, 0], [[1, 0.6, 0.6], [0.6, 1, 0.36], [0.6, 0.36, 1]], 200)
        interval = pearson_interval(drawn[:, 0] ** 2, drawn[:, 1] ** 2)
        assert interval is not None
        covered += interval.low <= 0.36 <= interval.high
        apart = pearson_difference_interval(drawn[:, 0], drawn[:, 1], drawn[:, 2])
        assert apart is not None
        differences += apart.low <= 0 <= apart.high
    assert 0.90 <= covered / 400 <= 0.98
    assert 0.92 <= differences / 400 <= 0.98


def test_equal_answers_do_not_differ() -> None:
    gold, answers = np.arange(30.0), np.arange(30.0) % 7
    interval = pearson_difference_interval(gold, answers, answers)
    assert interval is not None
    assert interval.low <= 0 <= interval.high
    assert pearson_difference_interval(gold, answers, np.zeros(30)) is None
