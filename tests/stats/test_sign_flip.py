"""The sign-flip test over groups: against all choices of signs, against McNemar, and by simulation of its size."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import permutation_test
from tests.stats.samples import at_most, grouped_hits, uneven_sizes

from nliprobe.stats import sign_flip
from nliprobe.stats.paired import benjamini_hochberg, holm, mcnemar_exact
from nliprobe.stats.sign_flip import sign_flip_p

differences = st.lists(st.integers(-12, 12), min_size=1, max_size=10)


@given(differences)
def test_equals_counting_all_choices_of_signs(sums: list[int]) -> None:
    signed = [abs(sum(sign * value for sign, value in zip(signs, sums, strict=True)))
              for signs in product((1, -1), repeat=len(sums))]  # fmt: skip
    expected = sum(value >= abs(sum(sums)) for value in signed) / len(signed)
    assert sign_flip_p(np.array(sums)) == expected


@given(differences.filter(lambda sums: sum(sums) != 0))
def test_is_the_same_by_either_way(sums: list[int]) -> None:
    steps = np.abs([value for value in sums if value])
    tail = 2 * sign_flip._by_transform(steps, abs(sum(sums)))
    assert min(1.0, tail) == pytest.approx(sign_flip_p(np.array(sums)), abs=1e-10)


def test_many_groups_are_transformed_to_the_same_value() -> None:
    sums = np.random.default_rng(0).integers(-3, 5, size=3000) * np.arange(3000) % 7
    steps, observed = np.abs(sums[sums != 0]), abs(int(sums.sum()))
    most = (int(steps.sum()) - observed) // 2
    assert sign_flip._by_transform(steps, observed) == pytest.approx(sign_flip._by_addition(steps, most), abs=1e-11)


@given(st.lists(st.sampled_from([-1, 0, 1]), min_size=1, max_size=400), st.integers(1, 5))
def test_single_pairs_are_mcnemars_test(signs: list[int], scale: int) -> None:
    sums = np.array(signs)
    expected = mcnemar_exact(int((sums < 0).sum()), int((sums > 0).sum()))
    assert sign_flip_p(scale * sums) == expected


def test_equals_scipys_permutation_test() -> None:
    sums = np.array([5, -2, 7, 1, 4, -3, 6, 2])
    oracle = permutation_test((sums,), np.sum, permutation_type="samples", n_resamples=np.inf)
    assert sign_flip_p(sums) == pytest.approx(oracle.pvalue)


@given(differences)
def test_neither_order_nor_side_matters(sums: list[int]) -> None:
    p = sign_flip_p(np.array(sums))
    assert p == sign_flip_p(-np.array(sums)) == sign_flip_p(np.array(sums[::-1]))
    # The given signs and their opposites are two of all choices.
    assert 2.0 ** (1 - max(1, int(np.count_nonzero(sums)))) <= p <= 1


def test_few_groups_cannot_be_significant() -> None:
    assert sign_flip_p(np.array([80, 70, 60, 75, 80])) == 0.0625
    assert sign_flip_p(np.array([0, 0])) == 1.0


def a_null(random: np.random.Generator, sizes: NDArray[np.int64], icc: float) -> NDArray[np.int64]:
    """Draw the differences of two systems that are equally good, each on other groups than the other."""
    return grouped_hits(random, sizes, 0.6, icc) - grouped_hits(random, sizes, 0.6, icc)


DRAWS = [400, pytest.param(10_000, marks=pytest.mark.simulation)]


@pytest.mark.parametrize("draws", DRAWS)
@pytest.mark.parametrize("icc", [0.0, 0.1, 0.3])
@pytest.mark.parametrize("groups", [22, 200])
def test_size_of_the_test(groups: int, icc: float, draws: int) -> None:
    random = np.random.default_rng([groups, int(10 * icc)])
    even = np.full(groups, 80)
    found = sum(sign_flip_p(a_null(random, even, icc)) < 0.05 for _ in range(draws))
    assert found <= at_most(0.05, draws)
    uneven = sum(sign_flip_p(a_null(random, uneven_sizes(random, groups, 40), icc)) < 0.05 for _ in range(draws))
    assert uneven <= at_most(0.05, draws)


@pytest.mark.parametrize("draws", DRAWS)
@pytest.mark.parametrize(("groups", "size"), [(22, 0.075), (200, 0.06)])
def test_size_where_one_system_varies_more(groups: int, size: float, draws: int) -> None:
    # The two cannot be exchanged: one is right or wrong on whole groups, the other everywhere in the same measure. The
    # differences are skewed, and with few groups the test is not exact any more, no more than Student's.
    random, sizes = np.random.default_rng(groups), np.full(groups, 80)
    found = 0
    for _ in range(draws):
        sums = grouped_hits(random, sizes, 0.8, 0.5) - grouped_hits(random, sizes, 0.8, 0.0)
        found += sign_flip_p(sums) < 0.05
    assert found <= at_most(size, draws)


@pytest.mark.parametrize("draws", [200, pytest.param(4_000, marks=pytest.mark.simulation)])
@pytest.mark.parametrize("groups", [22, 200])
def test_a_family_of_nulls_rarely_has_a_finding(groups: int, draws: int) -> None:
    random, sizes = np.random.default_rng(groups), np.full(groups, 80)
    any_found = falsely = 0
    for _ in range(draws):
        pvalues = [sign_flip_p(a_null(random, sizes, 0.3)) for _ in range(8)]
        any_found += min(holm(pvalues)) < 0.05
        falsely += min(benjamini_hochberg(pvalues)) < 0.05
    assert any_found <= at_most(0.05, draws)
    assert falsely <= at_most(0.06, draws)


def test_a_true_difference_is_found() -> None:
    random, sizes = np.random.default_rng(1), np.full(200, 9)
    found = sum(
        sign_flip_p(grouped_hits(random, sizes, 0.7, 0.1) - grouped_hits(random, sizes, 0.6, 0.1)) < 0.05
        for _ in range(50)
    )
    assert found >= 45
