"""Mutual information of words and labels: by hand, against a direct implementation, and where there is none."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.stats.association import label_shares_given, pointwise_mutual_information


def test_by_hand() -> None:
    # Of 100 pairs 50 are E, 30 N, 20 C; the word is in 10 E, 5 N and 0 C, and 2 pairs are added per label, 6 in all.
    found = pointwise_mutual_information(np.array([[10, 5, 0]]), np.array([50, 30, 20]), 2)
    assert found[0] == pytest.approx(
        [math.log2((10 + 3) / 21 / 0.5), math.log2((5 + 1.8) / 21 / 0.3), math.log2((0 + 1.2) / 21 / 0.2)]
    )


def direct(pairs: list[tuple[set[str], str]], word: str, label: str, k: float) -> float:
    """The definition, from pairs to a number, without arrays."""
    labels = sorted({name for _, name in pairs})
    share = sum(name == label for _, name in pairs) / len(pairs)
    having = [name for words, name in pairs if word in words]
    seen = having.count(label) + k * len(labels) * share
    return math.log2(seen / (len(having) + k * len(labels)) / share)


@given(
    st.lists(st.tuples(st.sets(st.sampled_from("abcd")), st.sampled_from("ENC")), min_size=3, max_size=40).filter(
        lambda pairs: len({label for _, label in pairs}) == 3
    ),
    st.sampled_from([0.5, 1.0, 100.0]),
)
def test_agrees_with_a_direct_implementation(pairs: list[tuple[set[str], str]], k: float) -> None:
    counts = np.array([[sum(w in s and g == c for s, g in pairs) for c in "ENC"] for w in "abcd"])
    totals = np.array([sum(g == c for _, g in pairs) for c in "ENC"])
    expected = [[direct(pairs, word, label, k) for label in "ENC"] for word in "abcd"]
    assert pointwise_mutual_information(counts, totals, k) == pytest.approx(np.array(expected))


@given(st.lists(st.tuples(*[st.integers(0, 50)] * 3), min_size=1, max_size=5), st.sampled_from([1.0, 100.0]))
def test_balanced_labels_give_plain_add_k(rows: list[tuple[int, int, int]], k: float) -> None:
    counts = np.array(rows)
    plain = (counts + k) / (counts.sum(axis=1, keepdims=True) + 3 * k)
    assert label_shares_given(counts, np.array([60, 60, 60]), k) == pytest.approx(plain)


@given(st.integers(0, 20), st.sampled_from([0.5, 100.0]))
def test_a_word_with_the_shares_of_all_pairs_says_nothing(times: int, k: float) -> None:
    totals = np.array([500, 300, 200])
    assert pointwise_mutual_information(times * totals[None] // 100, totals, k) == pytest.approx(0)


@given(st.integers(0, 40), st.integers(0, 40), st.sampled_from([0.0, 1.0, 100.0]))
def test_shares_add_up_and_smoothing_shrinks(first: int, second: int, k: float) -> None:
    counts, totals = np.array([[first + 1, second]]), np.array([50, 50])
    given_shares = label_shares_given(counts, totals, k)
    assert given_shares.sum() == pytest.approx(1)
    more = label_shares_given(counts, totals, k + 10)
    assert abs(more[0, 0] - 0.5) <= abs(given_shares[0, 0] - 0.5) + 1e-12


def test_extremes() -> None:
    assert pointwise_mutual_information(np.array([[0, 3]]), np.array([5, 5]), 0)[0, 0] == -np.inf
    assert np.isnan(pointwise_mutual_information(np.array([[0, 3]]), np.array([0, 5]), 1)[0, 0])
    assert np.isnan(label_shares_given(np.zeros((2, 2), dtype=np.int64), np.zeros(2, dtype=np.int64), 1)).all()
    assert pointwise_mutual_information(np.zeros((0, 2), dtype=np.int64), np.array([1, 2]), 1).shape == (0, 2)


@pytest.mark.parametrize(
    ("counts", "totals", "k"),
    [([[1, 2]], [3], 1), ([1, 2], [3, 3], 1), ([[1, 2]], [3, 3], -1), ([[4, 2]], [3, 3], 1), ([[-1, 2]], [3, 3], 1)],
)
def test_nonsense_is_refused(counts: list[list[int]], totals: list[int], k: float) -> None:
    with pytest.raises(ValueError, match=r"counts|smoothing|mark"):
        label_shares_given(np.array(counts), np.array(totals), k)
