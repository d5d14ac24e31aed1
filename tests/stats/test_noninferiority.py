"""Non-inferiority: its algebra, Student's test as oracle, and its size and power by simulation."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, ttest_1samp
from tests.stats.samples import (
    Counts,
    apart_differences,
    at_least,
    at_most,
    paired_differences,
    skewed_differences,
    uneven_sizes,
)

from nliprobe.stats.detectable import Disagreement, disagreement
from nliprobe.stats.noninferiority import detectable_margin, needed_for_margin, noninferiority

DRAWS = [600, pytest.param(20_000, marks=pytest.mark.simulation)]
# The nominal size is 5 %; exact tests go in steps, and Student's distribution is not quite that of whole tables.
SIZE = 0.055
Sampler = Callable[[np.random.Generator, Counts, float, float, float], tuple[Counts, int]]
# Data of four kinds: independent cases, groups that go together, groups that win apart from those that lose, and few
# groups that lose nearly everything.
MODELS: dict[str, tuple[Sampler, float]] = {
    "independent": (paired_differences, 0.0),
    "together": (paired_differences, 0.5),
    "whole": (paired_differences, 0.97),
    "apart": (apart_differences, 0.3),
    "skewed": (skewed_differences, 2.0),
}
LONG = pytest.mark.simulation


@pytest.mark.parametrize("draws", [250, pytest.param(20_000, marks=LONG)])
@pytest.mark.parametrize("groups", [8, 22, *(pytest.param(n, marks=LONG) for n in (5, 12, 27, 50, 135, 200))])
@pytest.mark.parametrize("model", MODELS)
def test_size_at_the_boundary(model: str, groups: int, draws: int) -> None:
    # The second system is worse by exactly the margin: it must not be called "not worse" too often, nor "worse".
    sampler, strength = MODELS[model]
    for place, (margin, share) in enumerate(((0.02, 0.02), (0.05, 0.1), (0.1, 0.1), (0.1, 0.4), (0.02, 0.1))):
        random = np.random.default_rng([groups, int(100 * margin), int(100 * share)])
        passed = failed = 0
        for _ in range(draws):
            sizes = uneven_sizes(random, groups, 9) if place % 2 else np.full(groups, 9)
            sums, flips = sampler(random, sizes, (share - margin) / 2, (share + margin) / 2, strength)
            found = noninferiority(sums, sizes, flips, margin)
            assert found is not None
            passed += found.p < 0.05
            failed += found.p_inferior < 0.05
        assert passed <= at_most(SIZE, draws), (margin, share, passed / draws)
        assert failed <= at_most(SIZE, draws), (margin, share, failed / draws)


@pytest.mark.parametrize("lost", range(4))
@pytest.mark.parametrize("margin", [0.01, 0.05, 0.1])
def test_whole_groups_are_counted_as_by_the_exact_binomial_test(margin: float, lost: int) -> None:
    def shown(groups: int) -> bool:
        sums = np.zeros(groups, dtype=np.int64)
        sums[:lost] = -7
        found = noninferiority(sums, np.full(groups, 7), 7 * lost, margin)
        return found is not None and found.p < 0.05

    # The first number of groups that is enough is at most a few below that of the exact test, and not far above.
    enough = next(groups for groups in range(6, 2000) if shown(groups))
    exact = next(groups for groups in range(6, 2000) if binom.cdf(lost, groups, margin) < 0.05)
    assert exact <= enough <= 1.15 * exact, (exact, enough)


@pytest.mark.parametrize("draws", DRAWS)
@pytest.mark.parametrize("broken", [0.02, 0.05])
def test_size_where_all_disagreement_is_a_loss(broken: float, draws: int) -> None:
    # One or two of 200 pairs flip: their own spread says too little, and plain Student's test fails twice too often.
    random, sizes = np.random.default_rng(1), np.ones(200, dtype=np.int64)
    passed = 0
    for _ in range(draws):
        sums, flips = paired_differences(random, sizes, 0.0, broken, 0.0)
        found = noninferiority(sums, sizes, flips, broken)
        assert found is not None
        passed += found.p < 0.05
    assert passed <= at_most(0.05, draws)


@pytest.mark.parametrize("draws", DRAWS)
@pytest.mark.parametrize(
    ("groups", "share", "icc"), [(400, 0.1, 0.0), (400, 0.1, 0.2), (100, 0.4, 0.2), (22, 0.4, 0.2), (400, 0.01, 0.0)]
)
def test_equal_systems_keep_the_detectable_margin(groups: int, share: float, icc: float, draws: int) -> None:
    margin = detectable_margin(Disagreement(groups, 9 * groups, share, 1 + 8 * icc, groups - 1.0))
    assert margin is not None
    random, sizes = np.random.default_rng([groups, int(100 * share), int(10 * icc)]), np.full(groups, 9)
    kept = 0
    for _ in range(draws):
        sums, flips = paired_differences(random, sizes, share / 2, share / 2, icc)
        found = noninferiority(sums, sizes, flips, margin)
        assert found is not None
        kept += found.p < 0.05
    assert at_least(0.775, draws) <= kept <= at_most(0.84, draws), kept / draws


def test_groups_of_one_size_are_tested_as_by_student() -> None:
    sums, sizes = np.array([2, -1, 0, 1, 3, -2, 1, 0, -1, 1]), np.full(10, 4)
    found = noninferiority(sums, sizes, 20, 0.05)
    assert found is not None
    # A sixth of one of ten groups is taken off, on either side.
    oracle = ttest_1samp(sums / 4 - 1 / 60, -0.05, alternative="greater")
    other = ttest_1samp(sums / 4 + 1 / 60, -0.05, alternative="less")
    assert found.p == pytest.approx(oracle.pvalue)
    assert found.p_inferior == pytest.approx(other.pvalue)
    assert found.difference == pytest.approx(0.1)
    assert found.bound() == pytest.approx(oracle.confidence_interval(0.95).low)
    assert found.upper() == pytest.approx(other.confidence_interval(0.95).high)


def test_systems_that_agree_everywhere_are_not_worse_if_there_are_groups_enough() -> None:
    none = np.zeros(600, dtype=np.int64)
    enough = noninferiority(none, np.ones(600, dtype=np.int64), 0, 0.02)
    few = noninferiority(none[:30], np.ones(30, dtype=np.int64), 0, 0.02)
    # Thirty tables of twenty cases are not 600 cases: a model may lose a whole table.
    tables = noninferiority(none[:30], np.full(30, 20), 0, 0.02)
    assert enough is not None
    assert few is not None
    assert tables is not None
    assert enough.p < 0.001
    assert few.p == tables.p > 0.05
    assert noninferiority(none[:4], np.full(4, 100), 0, 0.02) is None


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 20)), min_size=5, max_size=60),
    st.floats(0.001, 0.5),
)
def test_the_bound_agrees_with_the_p_value(groups: list[tuple[int, int, int]], margin: float) -> None:
    fixed, broken, same = (np.array(column) for column in zip(*groups, strict=True))
    sizes = fixed + broken + same
    found = noninferiority(fixed - broken, sizes, int((fixed + broken).sum()), margin)
    if found is None:
        assert int((sizes > 0).sum()) < 5
        return
    assert not (found.p < 0.05 and found.p_inferior < 0.05)
    if abs(found.p - 0.05) > 1e-9:
        assert (found.p < 0.05) == (found.bound() > -margin)
    if abs(found.p_inferior - 0.05) > 1e-9:
        assert (found.p_inferior < 0.05) == (found.upper() < -margin)
    turned = noninferiority(broken - fixed, sizes, int((fixed + broken).sum()), margin)
    assert turned is not None
    assert not (found.p_inferior < 0.05 and turned.p_inferior < 0.05)
    wider = noninferiority(fixed - broken, sizes, int((fixed + broken).sum()), margin / 2)
    assert wider is not None
    # Groups that all differ by exactly the same say nothing about how far groups vary.
    if found.difference > -margin / 2 and len(set((fixed - broken)[sizes > 0] / sizes[sizes > 0])) > 1:
        assert wider.p >= found.p - 1e-12, "a smaller margin is never easier to keep"


@given(st.integers(5, 3_000), st.integers(1, 20), st.floats(0, 0.6), st.floats(0, 1), st.floats(0.002, 0.3))
def test_a_needed_sample_is_the_smallest(groups: int, size: int, share: float, together: float, margin: float) -> None:
    seen = Disagreement(groups, groups * size, share, 1 + (size - 1) * together, max(1.0, groups - 1.0))
    needed = needed_for_margin(seen, margin)
    assert needed is not None
    kept = detectable_margin(seen.scaled(needed.groups))
    assert kept is not None
    assert kept <= margin
    fewer = detectable_margin(seen.scaled(needed.groups - 1))
    assert fewer is None or fewer > margin


def test_who_keeps_a_margin_keeps_a_wider_one() -> None:
    # Ten templates of 50 that are all a little better: whole templates may be lost by 2 %, and yet none is by 0.05 %.
    sums, sizes = np.array([2, 3, 2, 3, 2, 3, 2, 3, 2, 3]), np.full(10, 50)
    tests = [noninferiority(sums, sizes, 25, margin) for margin in (0.0005, 0.02, 0.1)]
    assert [test is not None and test.p < 0.05 for test in tests] == [True] * 3


@pytest.mark.parametrize("margin", [0.0, -0.02, 1.0, math.nan])
def test_a_margin_is_a_fraction(margin: float) -> None:
    ones = np.ones(10, dtype=np.int64)
    with pytest.raises(ValueError, match="a margin lies between 0 and 1"):
        noninferiority(0 * ones, ones, 0, margin)
    seen = disagreement(0 * ones, ones, 0)
    assert seen is not None
    with pytest.raises(ValueError, match="a margin lies between 0 and 1"):
        needed_for_margin(seen, margin)
