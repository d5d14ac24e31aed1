"""Agreement against statsmodels, against examples of the literature, and by its properties."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from statsmodels.stats.inter_rater import cohens_kappa as statsmodels_cohen
from statsmodels.stats.inter_rater import fleiss_kappa as statsmodels_fleiss

from nliprobe.stats.agreement import (
    Counts,
    Share,
    Ties,
    cohen_kappa,
    count_labels,
    exact_agreement,
    fleiss_kappa,
    human_accuracy,
    krippendorff_alpha,
    majority,
    pooled,
    rater_agreement,
)
from nliprobe.stats.intervals import wilson

N = None
# Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011): the examples A, B and C with their results.
BINARY = [[0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]]
NOMINAL = [[0, 0, 1, 1, 3, 2, 2, 2, 4, 3, 3, 0], [1, 0, 1, 1, 1, 2, 2, 2, 4, 3, 3, 3]]
MISSING = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3],
    [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
]

tables = st.integers(2, 4).flatmap(
    lambda classes: st.lists(
        st.lists(st.integers(0, 4), min_size=classes, max_size=classes), min_size=1, max_size=30
    ).map(lambda rows: np.array(rows, dtype=np.int64))
)
codes = st.lists(st.tuples(st.integers(-1, 2), st.integers(-1, 2)), min_size=1, max_size=40)


def counted(raters: list[list[int | None]] | list[list[int]], classes: int) -> Counts:
    ratings = [(item, label) for row in raters for item, label in enumerate(row) if label is not None]
    items, labels = (np.array(column, dtype=np.int64) for column in zip(*ratings, strict=True))
    return count_labels(items, labels, len(raters[0]), classes)


def arrays(pairs: list[tuple[int, int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    one, other = (np.array(column, dtype=np.int64) for column in zip(*pairs, strict=True))
    return one, other


@pytest.mark.parametrize(("raters", "classes", "alpha"), [(BINARY, 2, 0.095), (NOMINAL, 5, 0.692), (MISSING, 6, 0.743)])
def test_alpha_is_that_of_the_literature(raters: list[list[int | None]], classes: int, alpha: float) -> None:
    assert krippendorff_alpha(counted(raters, classes)) == pytest.approx(alpha, abs=5e-4)


def test_alpha_by_hand() -> None:
    # Example A: 14 zeros and 6 ones in 20 values, 4 of 10 units disagree: 1 - (8/20) / (2*14*6 / (20*19)).
    assert krippendorff_alpha(counted(BINARY, 2)) == pytest.approx(1 - (8 / 20) / (2 * 14 * 6 / (20 * 19)))


def test_fleiss_with_missing_raters_is_that_of_gwet() -> None:
    # The same data are Gwet's "cac.raw4raters"; mean agreement is 9/11, and his package irrCAC gives 0.76117.
    assert fleiss_kappa(counted(MISSING, 6)) == pytest.approx(0.76117, abs=5e-6)


def test_fleiss_is_that_of_the_literature() -> None:
    # The worked example of Fleiss' kappa everybody copies: 10 subjects, 14 raters, 5 categories, 0.210.
    rows = [
        [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
    ]  # fmt: skip
    assert fleiss_kappa(np.array(rows)) == pytest.approx(0.210, abs=5e-4)


@given(st.data(), st.integers(2, 6), st.integers(2, 4))
def test_fleiss_equals_statsmodels(data: st.DataObject, raters: int, classes: int) -> None:
    labels = st.lists(st.integers(0, classes - 1), min_size=raters, max_size=raters)
    rows = data.draw(st.lists(labels, min_size=1, max_size=20))
    counts = np.array([np.bincount(row, minlength=classes) for row in rows], dtype=np.int64)
    found = fleiss_kappa(counts)
    if len({label for row in rows for label in row}) < 2:
        assert found is None
    else:
        assert found == pytest.approx(statsmodels_fleiss(counts), abs=1e-12)


@given(codes)
def test_cohen_equals_statsmodels(pairs: list[tuple[int, int]]) -> None:
    found = cohen_kappa(*arrays(pairs))
    table = np.zeros((3, 3))
    for one, other in pairs:
        if one >= 0 and other >= 0:
            table[one, other] += 1
    if not table.sum() or table.max() == np.trace(table) == table.sum():
        assert found is None
    else:
        assert found == pytest.approx(statsmodels_cohen(table, return_results=False), abs=1e-12)


@given(codes, st.permutations(range(3)), st.randoms())
def test_cohen_does_not_care_about_order_names_or_who_is_first(
    pairs: list[tuple[int, int]], names: list[int], random: object
) -> None:
    value = cohen_kappa(*arrays(pairs))
    named = [(names[one] if one >= 0 else -1, names[other] if other >= 0 else -1) for one, other in pairs]
    assert cohen_kappa(*arrays(named)) == value
    assert cohen_kappa(*arrays(pairs[::-1])) == value
    one, other = arrays(pairs)
    assert cohen_kappa(other, one) == value
    if value is not None:
        assert -1 <= value <= 1


@given(tables, st.data())
def test_many_raters_do_not_care_about_order_or_names(counts: Counts, data: st.DataObject) -> None:
    rows = data.draw(st.permutations(range(len(counts))))
    columns = data.draw(st.permutations(range(counts.shape[1])))
    for statistic in (fleiss_kappa, krippendorff_alpha):
        value = statistic(counts)
        assert statistic(counts[rows][:, columns]) == pytest.approx(value, abs=1e-12)
        assert value is None or value <= 1 + 1e-12
        # Two raters may disagree as far as -1, more of them cannot; single ratings only shift what chance gives.
        assert value is None or (counts.sum(axis=1) == 1).any() or value >= -1 - 1e-12
        # A label nobody gave changes nothing.
        assert statistic(np.hstack([counts, np.zeros((len(counts), 1), dtype=np.int64)])) == pytest.approx(value)


@given(st.data(), st.integers(2, 5))
def test_permuting_raters_changes_nothing(data: st.DataObject, raters: int) -> None:
    rows = data.draw(st.lists(st.permutations(range(raters)).map(list), min_size=1, max_size=10))
    labels = [data.draw(st.lists(st.integers(0, 2), min_size=raters, max_size=raters)) for _ in rows]
    shuffled = [[row[place] for place in order] for row, order in zip(labels, rows, strict=True)]
    columns = [counted([list(c) for c in zip(*table, strict=True)], 3) for table in (labels, shuffled)]
    assert (columns[0] == columns[1]).all()


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(2, 6)), min_size=2, max_size=30))
def test_perfect_agreement_is_one(items: list[tuple[int, int]]) -> None:
    counts = np.zeros((len(items), 3), dtype=np.int64)
    for row, (label, raters) in enumerate(items):
        counts[row, label] = raters
    labels = counts.argmax(axis=1)
    if len(set(labels.tolist())) < 2:
        assert fleiss_kappa(counts) is krippendorff_alpha(counts) is cohen_kappa(labels, labels) is None
    else:
        assert fleiss_kappa(counts) == pytest.approx(1, abs=1e-12)
        assert krippendorff_alpha(counts) == 1
        assert cohen_kappa(labels, labels) == 1
    found = majority(counts)
    assert (found.labels == labels).all()
    assert human_accuracy(found, labels) == Share(len(items), len(items))


def test_what_is_not_defined_is_none() -> None:
    single = np.array([[1, 0], [0, 1], [0, 0]])
    assert fleiss_kappa(single) is None
    assert krippendorff_alpha(single) is None
    assert krippendorff_alpha(np.zeros((0, 2), dtype=np.int64)) is None
    assert fleiss_kappa(np.zeros((0, 2), dtype=np.int64)) is None
    assert cohen_kappa(np.array([0, -1]), np.array([-1, 1])) is None
    assert Share(0, 0).value is None
    assert Share(0, 0).ci95 is None


def test_majority_is_more_than_half_unless_told_otherwise() -> None:
    counts = np.array([[3, 1, 1], [2, 2, 1], [2, 1, 1], [2, 2, 0], [0, 0, 1], [0, 0, 0]])
    assert majority(counts).labels.tolist() == [0, -1, -1, -1, 2, -1]
    assert majority(counts).votes.tolist() == [3, 2, 2, 2, 1, 0]
    assert majority(counts, 2).labels.tolist() == [0, -1, 0, -1, -1, -1]
    lowest = majority(counts, 2, ties=Ties.LOWEST)
    assert lowest.labels.tolist() == [0, 0, 0, 0, -1, -1]
    assert lowest.decided.tolist() == [False, True, False, True, False, False]
    high = majority(counts, 2, ties=Ties.DRAW, draws=np.full(6, 0.99))
    assert high.labels.tolist() == [0, 1, 0, 1, -1, -1]
    assert not majority(counts, ties=Ties.LOWEST).decided.any()


@given(tables, st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_a_drawn_majority_always_has_the_most_votes(counts: Counts, at_least: int, seed: int) -> None:
    draws = np.random.default_rng(seed).random(len(counts))
    found = majority(counts, at_least, ties=Ties.DRAW, draws=draws)
    for row, label in zip(counts, found.labels, strict=True):
        assert (row.max() >= at_least) == (label >= 0)
        assert label < 0 or row[label] == row.max()


def test_exact_agreement_and_accuracy_by_hand() -> None:
    counts = np.array([[5, 0, 0], [4, 1, 0], [0, 4, 1], [3, 1, 1], [2, 2, 1], [0, 0, 5]])
    gold = np.array([0, 0, 2, 0, 0, -1])
    found = majority(counts)
    assert exact_agreement(found, gold) == [(3, 1, 1, 1), (4, 2, 2, 1), (5, 2, 1, 1)]
    assert human_accuracy(found, gold) == Share(3, 5)
    assert human_accuracy(found, gold).ci95 == wilson(3, 5)


@given(tables)
def test_exact_agreement_counts_every_majority_once(counts: Counts) -> None:
    found = majority(counts)
    gold = np.zeros(len(counts), dtype=np.int64)
    rows = exact_agreement(found, gold)
    assert sum(row.items for row in rows) == (found.labels >= 0).sum()
    assert sum(row.right for row in rows) == human_accuracy(found, gold).right


def test_each_rater_is_compared_with_the_reference() -> None:
    items, raters = np.array([0, 0, 1, 1, 2]), np.array([0, 1, 0, 1, 0])
    labels, reference = np.array([0, 1, 2, 2, 1]), np.array([0, 2, -1])
    shares = rater_agreement(items, raters, labels, reference, 3)
    assert shares == [Share(2, 2), Share(1, 2), Share(0, 0)]
    assert pooled(shares) == Share(3, 4)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: cohen_kappa(np.array([0]), np.array([0, 1])), "not 1 and 2"),
        (lambda: fleiss_kappa(np.array([1, 2])), "a row for each item"),
        (lambda: krippendorff_alpha(np.array([[-1, 2]])), "negative"),
        (lambda: majority(np.array([[1, 2]]), 0), "one vote or more"),
        (lambda: majority(np.array([[1, 2]]), ties=Ties.DRAW), "one number for each item"),
        (lambda: count_labels(np.array([0]), np.array([3]), 1, 3), "labels are numbers from 0 to 2"),
    ],
)
def test_wrong_arrays_are_refused(call: object, says: str) -> None:
    assert callable(call)
    with pytest.raises(ValueError, match=says):
        call()
