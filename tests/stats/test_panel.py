"""What a panel foresees and how far it agrees, against the definitions counted out one by one."""

from __future__ import annotations

import itertools
import math
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.stats.correlation import pearson
from nliprobe.stats.panel import (
    NOT_REACHED,
    SKIPPED,
    bids_on_truth,
    highest_bins,
    mean_agreement,
    mean_of_rows,
    mean_pearson,
    pair_pearsons,
    right_answers,
    row_means,
    shared_hits,
    tied_bids,
)

answers = st.sampled_from([0, 1, 2, SKIPPED, NOT_REACHED])
tables = st.integers(1, 5).flatmap(
    lambda items: st.tuples(
        st.lists(st.lists(answers, min_size=items, max_size=items), min_size=1, max_size=5),
        st.lists(st.integers(0, 2), min_size=items, max_size=items),
    )
)


@given(tables)
def test_accuracy_is_the_mean_of_what_each_participant_got(case: tuple[list[list[int]], list[int]]) -> None:
    table, truth = case
    own = [
        fmean(answer == right for answer, right in reached)
        for row in table
        if (reached := [(answer, right) for answer, right in zip(row, truth, strict=True) if answer != NOT_REACHED])
    ]
    found = mean_of_rows(right_answers(np.array(table), np.array(truth)))
    assert (found is None) == (not own)
    if found is not None:
        assert found == pytest.approx(fmean(own))


@given(tables)
def test_agreement_is_counted_over_pairs(case: tuple[list[list[int]], list[int]]) -> None:
    shares = []
    for one, two in itertools.combinations(case[0], 2):
        common = [pair for pair in zip(one, two, strict=True) if NOT_REACHED not in pair]
        if common:
            shares.append(fmean(a == b != SKIPPED for a, b in common))
    found = mean_agreement(np.array(case[0]))
    assert (found is None) == (not shares)
    if found is not None:
        assert found == pytest.approx(fmean(shares))


points = st.lists(st.integers(0, 5), min_size=3, max_size=3)


@given(
    st.lists(st.lists(points, min_size=2, max_size=2), min_size=1, max_size=4),
    st.lists(st.integers(0, 2), min_size=2, max_size=2),
)
def test_the_highest_bin_and_ties(bids: list[list[list[int]]], truth: list[int]) -> None:
    array, right = np.array(bids, dtype=np.float64), np.array(truth)
    highest, shared = highest_bins(array), shared_hits(array, right)
    tied = 0
    for person, row in enumerate(bids):
        for item, given_ in enumerate(row):
            top = [place for place, point in enumerate(given_) if point == max(given_) and point > 0]
            tied += len(top) > 1
            assert highest[person, item] == (min(top) if top else SKIPPED)
            assert shared[person, item] == pytest.approx(1 / len(top) if truth[item] in top else 0)
            assert bids_on_truth(array, right)[person, item] == given_[truth[item]]
    assert tied_bids(array) == tied


def test_what_was_not_reached_counts_for_nothing() -> None:
    bids = np.array([[[5.0, 0.0], [np.nan, np.nan]], [[0.0, 5.0], [0.0, 0.0]]])
    truth = np.array([0, 1])
    assert highest_bins(bids).tolist() == [[0, NOT_REACHED], [1, SKIPPED]]
    assert row_means(bids_on_truth(bids, truth)).tolist() == [5, 0]
    assert tied_bids(bids) == 0
    assert mean_pearson(bids_on_truth(bids, truth)) is None
    assert mean_agreement(np.full((2, 3), NOT_REACHED)) is None


@given(
    st.lists(
        st.lists(st.one_of(st.integers(0, 5).map(float), st.just(math.nan)), min_size=5, max_size=5),
        min_size=2,
        max_size=5,
    )
)
def test_correlations_are_those_of_each_two_alone(table: list[list[float]]) -> None:
    scores = np.array(table)
    found = pair_pearsons(scores)
    for first, second in itertools.combinations(range(len(table)), 2):
        both = ~np.isnan(scores[first]) & ~np.isnan(scores[second])
        alone = pearson(scores[first][both], scores[second][both])
        assert math.isnan(found[first, second]) == (alone is None)
        if alone is not None:
            assert found[first, second] == pytest.approx(alone)


def test_correlations_are_averaged_over_the_pairs_that_have_one() -> None:
    scores = np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [3.0, 2.0, 1.0], [1.0, 1.0, 1.0]])
    assert mean_pearson(scores) == pytest.approx((1 - 1 - 1) / 3)
