from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from nliprobe.stats.binomial import binomial_tail


@given(st.integers(-3, 420), st.integers(0, 400), st.floats(0, 1))
def test_the_tail_is_that_of_scipy(successes: int, trials: int, chance: float) -> None:
    expected = float(binom.sf(successes - 1, trials, chance))
    assert binomial_tail(successes, trials, chance) == pytest.approx(expected, rel=1e-6, abs=1e-12)


def test_a_large_sample_is_quick_and_exact() -> None:
    assert binomial_tail(201_000, 400_000, 0.5) == pytest.approx(float(binom.sf(200_999, 400_000, 0.5)), rel=1e-6)


def test_a_chance_is_a_share() -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        binomial_tail(1, 2, 1.5)
