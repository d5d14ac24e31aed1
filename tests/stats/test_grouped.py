"""Intervals of cases in groups: against other formulas where there are some, and where they must be honest."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.stats.grouped import (
    LEAST_GROUPS,
    average_interval,
    bounded_interval,
    few_groups,
    group_sums,
    mean_difference_interval,
    share_interval,
    simultaneous,
)
from nliprobe.stats.intervals import Interval, wilson
from nliprobe.stats.student import student_quantile

groups = st.lists(st.tuples(st.integers(1, 12), st.floats(0, 1)), min_size=LEAST_GROUPS, max_size=40)


@given(groups, st.sampled_from([0.8, 0.95, 0.99]))
def test_shares_lie_in_their_intervals_and_those_between_0_and_1(some: list[tuple[int, float]], level: float) -> None:
    sizes = np.array([size for size, _ in some])
    hits = np.array([round(size * rate) for size, rate in some])
    interval = share_interval(hits, sizes, level)
    assert interval is not None
    assert 0 <= interval.low <= hits.sum() / sizes.sum() <= interval.high <= 1
    assert interval == share_interval(hits[::-1], sizes[::-1], level) or len(set(some)) > 1
    other = share_interval(sizes - hits, sizes, level)
    assert other is not None
    assert (1 - other.high, 1 - other.low) == pytest.approx(interval, abs=1e-9)


@given(st.integers(1, 60), st.data())
def test_single_cases_have_wilsons_interval(n: int, data: st.DataObject) -> None:
    hits = data.draw(st.integers(0, n))
    marks = np.arange(n) < hits
    assert share_interval(*group_sums(marks, np.arange(n))) == wilson(hits, n)


def test_too_few_groups_have_no_interval() -> None:
    for count in range(1, LEAST_GROUPS):
        sizes = np.full(count, 9)
        for hits in (sizes, sizes * 0, sizes // 2):
            assert share_interval(hits, sizes) is None
            assert mean_difference_interval(hits, sizes) is None
    assert share_interval(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)) is None
    assert average_interval(np.array([0.2, 0.4, 0.9])) is None
    # Groups without a case do not count.
    assert share_interval(np.array([1, 2, 0, 0, 0]), np.array([4, 4, 0, 0, 0])) is None


def test_what_never_or_always_happened_gets_wilson_over_groups() -> None:
    sizes = np.full(20, 50)
    assert share_interval(sizes * 0, sizes) == pytest.approx(wilson(0, 20))
    assert share_interval(sizes, sizes) == pytest.approx(wilson(20, 20))
    # Groups that all agree on a share in between are no proof that others do, either.
    interval = share_interval(sizes // 2, sizes)
    assert interval == pytest.approx((0.5 - 0.5 * wilson(0, 20)[1], 0.5 + 0.5 * wilson(0, 20)[1]))  # type: ignore[index]


def test_systems_that_agree_on_every_case_are_not_surely_the_same() -> None:
    interval = mean_difference_interval(np.zeros(40, dtype=np.int64), np.full(40, 3))
    unseen = wilson(0, 40)
    assert unseen is not None
    assert interval == pytest.approx((-unseen.high, unseen.high))


def test_variance_and_degrees_equal_cluster_robust_least_squares() -> None:
    random = np.random.default_rng(4)
    sums, sizes = random.integers(-9, 10, size=30), np.full(30, 9)
    values = np.concatenate([np.repeat([1, 0, -1], [max(s, 0), 9 - abs(s), max(-s, 0)]) for s in sums.tolist()])
    fit = sm.OLS(values, np.ones(len(values))).fit(
        cov_type="cluster", cov_kwds={"groups": pd.Series(np.repeat(np.arange(30), 9)), "use_correction": False}
    )
    interval = mean_difference_interval(sums, sizes)
    assert interval is not None
    # With groups of the same size the correction is G / (G - 1), and flat tails leave G - 1 degrees of freedom.
    half = student_quantile(0.95, 29) * float(fit.bse[0]) * np.sqrt(30 / 29)
    assert interval == pytest.approx((values.mean() - half, values.mean() + half))


def test_a_group_that_carries_all_widens_the_interval() -> None:
    even = share_interval(np.array([4, 5, 6, 5, 4, 6, 5, 5]), np.full(8, 10))
    sizes = np.array([73, 1, 1, 1, 1, 1, 1, 1])
    uneven = share_interval(np.array([36, 1, 0, 1, 0, 1, 0, 1]), sizes)
    assert even is not None
    assert uneven is not None
    assert uneven.high - uneven.low > 2 * (even.high - even.low)


def test_sums_of_groups() -> None:
    sums, sizes = group_sums(np.array([1, -1, 0, 1]), np.array([0, 0, 2, 2]))
    assert (sums.tolist(), sizes.tolist()) == ([0, 0, 1], [2, 0, 2])
    sums, sizes = group_sums(np.array([True, False, True]), np.array([1, 1, 0]))
    assert (sums.tolist(), sizes.tolist()) == ([1, 1], [1, 2])
    with pytest.raises(ValueError, match="numbers of groups"):
        group_sums(np.array([1]), np.array([0, 1]))


def test_many_intervals_together_are_wider() -> None:
    alone = Interval(0.2, 0.4)
    assert simultaneous(0.3, alone, 30, 1) == pytest.approx(alone)
    together = simultaneous(0.3, alone, 30, 10)
    assert together.low < 0.17
    assert together.high > 0.43
    assert simultaneous(0.3, alone, 5, 10).low < together.low, "few groups say less about far tails"


def test_few_groups_are_named_where_cases_share_them() -> None:
    assert few_groups(12, 216)
    assert not few_groups(12, 12)
    assert not few_groups(200, 1800)


def test_shapes_and_levels_are_checked() -> None:
    one = np.ones(6, dtype=np.int64)
    with pytest.raises(ValueError, match="sizes"):
        share_interval(one, one[:2])
    with pytest.raises(ValueError, match="sizes"):
        mean_difference_interval(one, one[:2])
    for interval in (share_interval, mean_difference_interval):
        with pytest.raises(ValueError, match="between 0 and 1"):
            interval(one, 2 * one, 95)
    with pytest.raises(ValueError, match="between 0 and 1"):
        bounded_interval(0.5, np.zeros(2), np.ones(2), 95)
