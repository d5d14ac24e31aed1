"""Intervals over rows and columns: against the analysis of variance, and where there is nothing to vary."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.stats.crossed import LEAST_ROWS, crossed_interval
from nliprobe.stats.grouped import LEAST_GROUPS
from nliprobe.stats.student import student_quantile


def of_mean(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]], **bounds: float) -> tuple[float, float] | None:
    return crossed_interval(
        lambda rows, columns: float(values[np.ix_(rows, columns)].mean()), values.shape[0], values.shape[1], **bounds
    )


@pytest.mark.parametrize("shape", [(4, 25), (10, 25), (3, 5), (30, 12)])
def test_the_variance_of_a_mean_is_that_of_the_two_way_analysis(shape: tuple[int, int]) -> None:
    """Left out one at a time, rows give their mean square over the number of cells, and so do columns."""
    random = np.random.default_rng(shape)
    values = random.normal(0, 0.1, (shape[0], 1)) + random.normal(0, 0.05, (1, shape[1])) + random.normal(0, 0.1, shape)
    rows, columns = shape
    by_row = columns * values.mean(axis=1).var(ddof=1) / values.size
    by_column = rows * values.mean(axis=0).var(ddof=1) / values.size
    degrees = (by_row + by_column) ** 2 / (by_row**2 / (rows - 1) + by_column**2 / (columns - 1))
    half = student_quantile(0.95, degrees) * math.sqrt(by_row + by_column)
    found = of_mean(values, lowest=-1.0)
    assert found is not None
    assert found == pytest.approx((values.mean() - half, values.mean() + half), abs=1e-9)


def test_of_many_people_several_are_left_out_together() -> None:
    """The interval of 500 people from sixty estimates is that of the analysis of variance, but for chance."""
    random = np.random.default_rng(1)
    values = random.normal(0, 0.3, (500, 1)) + random.normal(0, 0.1, (1, 70)) + random.normal(0, 0.1, (500, 70))
    asked = 0

    def statistic(rows: np.ndarray[tuple[int, ...], np.dtype[np.int64]], columns: object) -> float:
        nonlocal asked
        asked += 1
        return float(values[np.ix_(rows, np.asarray(columns))].mean())

    found = crossed_interval(statistic, 500, 70, lowest=-1.0)
    assert asked == 1 + 2 * 60
    variance = values.mean(axis=1).var(ddof=1) / 500 + values.mean(axis=0).var(ddof=1) / 70
    assert found is not None
    assert (found.high - found.low) / 2 == pytest.approx(2 * math.sqrt(variance), rel=0.2)


def test_few_people_or_templates_have_no_interval() -> None:
    assert of_mean(np.zeros((LEAST_ROWS - 1, 25))) is None
    assert of_mean(np.zeros((10, LEAST_GROUPS - 1))) is None
    assert crossed_interval(lambda rows, columns: None if len(rows) < 4 else 0.5, 4, 25) is None
    with pytest.raises(ValueError, match="confidence level"):
        crossed_interval(lambda rows, columns: 0.5, 4, 25, level=1.0)


def test_what_all_agree_on_is_not_certain() -> None:
    """With four people who are always right, another person may still be wrong."""
    always, never = of_mean(np.ones((4, 25))), of_mean(np.zeros((4, 25)))
    assert always is not None
    assert never is not None
    assert always[1] == 1
    assert 0 < always[0] < 0.7
    assert never == pytest.approx((0, 1 - always[0]))


@given(
    st.lists(st.lists(st.sampled_from([0.0, 1.0]), min_size=6, max_size=6), min_size=3, max_size=6),
    st.sampled_from([0.8, 0.95, 0.99]),
)
def test_an_interval_holds_its_estimate_and_keeps_to_its_bounds(table: list[list[float]], level: float) -> None:
    values = np.array(table)
    found = of_mean(values, level=level)
    assert found is not None
    assert 0 <= found[0] <= values.mean() + 1e-9
    assert values.mean() - 1e-9 <= found[1] <= 1
    turned = of_mean(1 - values, level=level)
    assert turned == pytest.approx((1 - found[1], 1 - found[0]))
    scaled = crossed_interval(
        lambda rows, columns: 5 * float(values[np.ix_(rows, columns)].mean()), *values.shape, highest=5.0, level=level
    )
    assert scaled == pytest.approx((5 * found[0], 5 * found[1]))
