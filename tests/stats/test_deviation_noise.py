"""What sampling does to a deviation: draws of groups, the noise of a sum of squares, and its interval."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nliprobe.stats.deviation_noise import deviation_noise, resampled_shares
from nliprobe.stats.grouped import LEAST_GROUPS, Numbers


def drawn(hits: list[list[int]], sizes: list[int], draws: int = 500) -> Numbers:
    found = resampled_shares(np.array(hits), np.array(sizes), np.random.default_rng(0), draws)
    assert found is not None
    return found


def test_every_system_is_scored_on_the_same_draws() -> None:
    hits = [[one, one, 2 - one] for one in (0, 1, 2, 1, 0, 2)]
    shares = drawn(hits, [2] * 6)
    assert shares.shape == (500, 3)
    assert (shares[:, 0] == shares[:, 1]).all()
    assert shares[:, 0] + shares[:, 2] == pytest.approx(1), "what one gets right, the other gets wrong"
    assert shares[:, 0].mean() == pytest.approx(0.5, abs=0.02)


def test_draws_spread_as_groups_do() -> None:
    random = np.random.default_rng(1)
    hits = random.binomial(5, 0.3, size=400)
    spread = drawn([[int(one)] for one in hits], [5] * 400, 2000)[:, 0].std()
    assert spread == pytest.approx(hits.std(ddof=1) / 5 / np.sqrt(400), rel=0.1)


def test_too_few_groups_have_no_draws() -> None:
    few = LEAST_GROUPS - 1
    assert resampled_shares(np.ones((few, 2), dtype=int), np.ones(few, dtype=int), np.random.default_rng(0)) is None
    # A group without cases is none.
    sizes = np.array([1] * few + [0])
    assert resampled_shares(np.ones((few + 1, 1), dtype=int), sizes, np.random.default_rng(0)) is None


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 4), min_size=LEAST_GROUPS, max_size=30), st.integers(1, 4))
def test_identical_answers_have_no_deviation_and_no_noise(hits: list[int], shares: int) -> None:
    scores = drawn([[one + 1] * (shares + 1) for one in hits], [5] * len(hits), 50)
    noise = deviation_noise(np.zeros(shares), scores[:, 1:] / scores[:, :1] - 1)
    assert (noise.mean, noise.high, *noise.interval, noise.p) == (0, 0, 0, 0, 1)


def simulate(before: float, after: float, rounds: int) -> list[tuple[float, bool, bool]]:
    """For tests of 300 single pairs: the measured deviation, whether it is shown, and whether the interval holds."""
    random = np.random.default_rng(2)
    found = []
    true = 2 * (after / before - 1) ** 2
    for _ in range(rounds):
        hits = np.stack([random.random(300) < share for share in (before, after, after)], axis=1).astype(np.int64)
        scores = resampled_shares(hits, np.ones(300, dtype=np.int64), random, 300)
        assert scores is not None
        shares = hits.mean(axis=0)
        changes = shares[1:] / shares[0] - 1
        noise = deviation_noise(changes, scores[:, 1:] / scores[:, :1] - 1)
        low, high = noise.interval
        found.append((float((changes**2).sum()), low > 0, low <= true <= high))
    return found


def test_a_deviation_that_only_sampling_makes_is_seldom_shown() -> None:
    found = simulate(0.5, 0.5, 150)
    assert all(value > 0 for value, _, _ in found), "the measured one is never 0"
    assert sum(shown for _, shown, _ in found) <= 12
    assert sum(holds for _, _, holds in found) >= 138


def test_a_real_change_is_shown_and_the_interval_holds_it() -> None:
    found = simulate(0.5, 0.25, 150)
    assert sum(shown for _, shown, _ in found) == 150
    assert sum(holds for _, _, holds in found) >= 134


def test_the_interval_reaches_the_noise_if_nothing_is_shown() -> None:
    random = np.random.default_rng(3)
    errors = random.normal(0, 0.1, size=(4000, 3))
    noise = deviation_noise(np.array([1e-6, 0, 0]), errors + np.array([1e-6, 0, 0]))
    assert noise.mean == pytest.approx(0.03, rel=0.05)
    assert noise.interval.low == 0
    assert noise.interval.high >= noise.high > noise.mean
    far = deviation_noise(np.array([3.0, 0, 0]), errors + np.array([3.0, 0, 0]))
    assert far.interval.low < 9 < far.interval.high
    assert far.p == pytest.approx(1 / 4001)
    assert noise.p == 1
    # Along one direction the root of the deviation has the error of that direction.
    assert np.sqrt(far.interval.low) == pytest.approx(3 - 0.196, abs=0.02)
    assert np.sqrt(far.interval.high) == pytest.approx(3 + 0.196, abs=0.02)
