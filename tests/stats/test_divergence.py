"""The symmetric divergence of distributions over labels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import rel_entr

from nliprobe.stats.divergence import FLOOR, largest_symmetric_kl, symmetric_kl

SHARES = st.lists(st.floats(0, 1), min_size=3, max_size=3).filter(lambda shares: sum(shares) > 0.01)


def rows(shares: list[float]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return (np.array(shares) / sum(shares)).reshape(1, -1)


@given(SHARES, SHARES)
def test_it_is_symmetric_and_not_negative(first: list[float], second: list[float]) -> None:
    there, back = symmetric_kl(rows(first), rows(second))[0], symmetric_kl(rows(second), rows(first))[0]
    assert there == pytest.approx(back)
    assert 0 <= there <= largest_symmetric_kl(3) + 1e-9


@given(SHARES)
def test_it_is_zero_for_the_same_distribution(shares: list[float]) -> None:
    assert symmetric_kl(rows(shares), rows(shares))[0] == 0


@given(SHARES, SHARES)
def test_it_is_zero_only_for_the_same_distribution(first: list[float], second: list[float]) -> None:
    if np.abs(rows(first) - rows(second)).max() > 0.001:
        assert symmetric_kl(rows(first), rows(second))[0] > 0


def test_it_is_the_mean_of_both_directions_in_bits() -> None:
    p, q = np.array([[0.7, 0.2, 0.1]]), np.array([[0.1, 0.3, 0.6]])
    expected = (rel_entr(p, q).sum() + rel_entr(q, p).sum()) / 2 / np.log(2)
    assert symmetric_kl(p, q)[0] == pytest.approx(expected)
    # By hand: each of both terms is 0.8 times the logarithm of 9, and their mean is one of them.
    two = symmetric_kl(np.array([[0.9, 0.1]]), np.array([[0.1, 0.9]]))
    assert two[0] == pytest.approx(0.8 * np.log2(9))


def test_zeros_are_raised_to_the_floor() -> None:
    sure = symmetric_kl(np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]]))[0]
    raised = np.array([[1.0, FLOOR]]) / (1 + FLOOR)
    assert sure == pytest.approx(symmetric_kl(raised, raised[:, ::-1])[0])
    assert sure == pytest.approx(largest_symmetric_kl(2))
    assert 19 < sure < 20
    assert largest_symmetric_kl(1) == 0


def test_what_is_unknown_stays_unknown() -> None:
    assert np.isnan(symmetric_kl(np.array([[np.nan, 0.5]]), np.array([[0.5, 0.5]]))).all()
    with pytest.raises(ValueError, match="distributions are"):
        symmetric_kl(np.ones((2, 3)), np.ones((2, 2)))
