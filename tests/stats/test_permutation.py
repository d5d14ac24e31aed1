"""The permutation test against SciPy's chi-squared, a slow permutation of examples, and its own null."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency, kstest

from nliprobe.stats.draws import generator
from nliprobe.stats.permutation import permutation_exceedances, permutation_p, spread_statistic

tables = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)).filter(any), min_size=2, max_size=8)


@given(tables)
def test_statistic_is_the_chi_squared_of_the_table(table: list[tuple[int, int]]) -> None:
    right, wrong = np.array(table).T
    found = float(spread_statistic(right, right + wrong))
    if right.sum() == 0 or wrong.sum() == 0:
        assert found == 0
    else:
        assert found == pytest.approx(chi2_contingency([right, wrong], correction=False).statistic, abs=1e-9)


def test_agrees_with_permuting_the_examples_one_by_one() -> None:
    right, n = np.array([3, 9, 14]), np.array([20, 20, 20])
    p = permutation_p(permutation_exceedances(right, n, generator(0), 20_000), 20_000)
    random = np.random.default_rng(1)
    values = np.repeat(np.arange(3), n)
    answers = np.concatenate([np.arange(size) < hits for hits, size in zip(right, n, strict=True)])
    seen = float(spread_statistic(right, n))
    slow = [
        float(spread_statistic(np.bincount(values[random.permutation(answers)], minlength=3), n)) >= seen - 1e-9
        for _ in range(20_000)
    ]
    assert p == pytest.approx(np.mean(slow), abs=0.002)


@pytest.mark.parametrize("draws", [300, pytest.param(3000, marks=pytest.mark.simulation)])
def test_p_values_are_uniform_where_nothing_depends_on_the_value(draws: int) -> None:
    random = np.random.default_rng(7)
    n = np.full(12, 60)
    found = []
    for number in range(draws):
        right = random.binomial(n, 0.4)
        found.append(permutation_p(permutation_exceedances(right, n, generator(number), 400), 400))
    assert kstest(found, "uniform").pvalue > 0.01


def test_a_strong_effect_is_reached_by_no_permutation() -> None:
    assert permutation_exceedances([0, 100], [100, 100], generator(0)) == 0
    assert permutation_p(0, 2000) == 1 / 2001


@pytest.mark.parametrize(("right", "n"), [([0, 0], [5, 5]), ([5, 5], [5, 5]), ([3], [5])])
def test_where_nothing_can_differ_every_permutation_is_as_far_apart(right: list[int], n: list[int]) -> None:
    assert permutation_exceedances(right, n, generator(0), 50) == 50


@pytest.mark.parametrize(("right", "n"), [([1, 2], [1]), ([6, 2], [5, 5]), ([0, 0], [5, 0]), ([-1, 0], [5, 5])])
def test_impossible_counts_are_refused(right: list[int], n: list[int]) -> None:
    with pytest.raises(ValueError, match="right answers"):
        permutation_exceedances(right, n, generator(0))
