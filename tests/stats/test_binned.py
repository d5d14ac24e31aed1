"""Bins of about equal size, and labels that are guessed from bins without looking at the pair itself."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.stats.binned import bin_numbers, cross_fitted, quantile_edges

values = st.lists(st.one_of(st.integers(-5, 5).map(float), st.just(float("nan"))), max_size=60).map(np.array)


@given(values, st.integers(1, 7))
def test_bins_hold_every_value_once_and_never_tear_equal_ones(numbers: np.ndarray, most: int) -> None:
    numbers = numbers.astype(np.float64)
    edges = quantile_edges(numbers, most)
    bins = bin_numbers(numbers, edges)
    known = ~np.isnan(numbers)
    assert len(edges) <= most
    assert (bins[~known] == -1).all()
    assert set(bins[known]) == set(range(len(edges)))
    for value in set(numbers[known]):
        assert len(set(bins[numbers == value])) == 1
    for place in range(1, len(edges)):
        assert numbers[bins == place - 1].max() < numbers[bins == place].min()


def test_bins_are_about_equal_if_values_are_distinct() -> None:
    bins = bin_numbers(np.arange(100.0), quantile_edges(np.arange(100.0), 6))
    assert set(np.bincount(bins)) <= {16, 17}


def direct(bins: list[int], labels: list[int], folds: list[int]) -> list[int]:
    """The definition, pair by pair."""
    answers = []
    for own_bin, own_fold in zip(bins, folds, strict=True):
        others = [(b, label) for b, label, fold in zip(bins, labels, folds, strict=True) if fold != own_fold]
        inside = [label for b, label in others if b == own_bin] or [label for _, label in others]
        counts = Counter(inside)
        answers.append(min(range(3), key=lambda label: (-counts[label], label)))
    return answers


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 4)), max_size=40))
def test_cross_fitting_agrees_with_a_direct_implementation(cases: list[tuple[int, int, int]]) -> None:
    bins, labels, folds = (np.array([case[place] for case in cases], dtype=np.int64) for place in range(3))
    assert cross_fitted(bins, labels, folds, 3).tolist() == direct(bins.tolist(), labels.tolist(), folds.tolist())


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 4)), min_size=2, max_size=30), st.data())
def test_a_case_has_no_say_in_its_own_answer(cases: list[tuple[int, int, int]], data: st.DataObject) -> None:
    bins, labels, folds = (np.array([case[place] for case in cases], dtype=np.int64) for place in range(3))
    place = data.draw(st.integers(0, len(cases) - 1))
    changed = labels.copy()
    changed[place] = (labels[place] + 1) % 3
    assert cross_fitted(bins, labels, folds, 3)[place] == cross_fitted(bins, changed, folds, 3)[place]


def test_noise_is_not_flattered() -> None:
    """Many bins without any information: the best label of each bin would look good if pairs answered themselves."""
    random = np.random.default_rng(5)
    bins, labels, folds = random.integers(0, 300, 1500), random.integers(0, 3, 1500), random.integers(0, 5, 1500)
    assert (cross_fitted(bins, labels, folds, 3) == labels).mean() < 0.37
    own = np.array([np.bincount(labels[bins == place], minlength=3).argmax() for place in range(300)])
    assert (own[bins] == labels).mean() > 0.5
