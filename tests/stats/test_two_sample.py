"""Differences of independent rates against statsmodels, and means over units against a slow bootstrap."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import confint_proportions_2indep

from nliprobe.stats.intervals import Interval, wilson
from nliprobe.stats.two_sample import difference_of_rates


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
