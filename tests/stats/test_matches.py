"""Precision, recall and F1: against scikit-learn, and their intervals against those of shares."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import precision_recall_fscore_support

from nliprobe.stats.grouped import share_interval
from nliprobe.stats.matches import Matches, mean_of, pooled_matches, total

BITS = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30)


@given(BITS)
def test_matches_agree_with_scikit_learn(bits: list[tuple[bool, bool]]) -> None:
    chosen = {place for place, (mine, _) in enumerate(bits) if mine}
    wanted = {place for place, (_, other) in enumerate(bits) if other}
    matches = Matches.of(chosen, wanted)
    expected = precision_recall_fscore_support(
        [other for _, other in bits], [mine for mine, _ in bits], average="binary", zero_division=0
    )
    for mine, other in zip((matches.precision, matches.recall, matches.f1), expected[:3], strict=True):
        assert (mine or 0.0) == pytest.approx(other)
    assert (matches.precision is None) == (not chosen)
    assert (matches.recall is None) == (not wanted)
    assert (matches.f1 is None) == (not chosen and not wanted)


def test_pooled_measures_have_the_intervals_of_shares() -> None:
    matches = [Matches(place % 3, place % 2, 1) for place in range(40)]
    groups = [place // 4 for place in range(40)]
    hits = np.array([sum(item.hits for item in matches[start : start + 4]) for start in range(0, 40, 4)])
    chosen = np.array([sum(item.chosen for item in matches[start : start + 4]) for start in range(0, 40, 4)])
    pooled = pooled_matches(matches, groups)
    assert pooled.precision.ci95 == share_interval(hits, chosen)
    assert pooled.precision.value == total(matches).precision
    assert pooled.f1.n == 40


def test_what_is_not_defined_is_none() -> None:
    nothing = pooled_matches([Matches(0, 0, 2), Matches()], ["a", "b"])
    assert (nothing.precision.value, nothing.precision.ci95) == (None, None)
    assert (nothing.recall.value, nothing.f1.value) == (0.0, 0.0)
    assert mean_of([None, None], ["a", "b"]).value is None
    mean = mean_of([0.5, None, 1.0], ["a", "b", "c"])
    assert (mean.value, mean.n, mean.ci95) == (0.75, 2, None)


def test_a_mean_over_groups_covers_the_truth() -> None:
    draws = np.random.default_rng(0)
    covered = 0
    for _ in range(300):
        values: list[float | None] = []
        groups: list[int] = []
        for group in range(25):
            level = draws.uniform(0.3, 0.9)
            values += [float(value) for value in np.clip(draws.normal(level, 0.05, 6), 0, 1)]
            groups += [group] * 6
        ends = mean_of(values, groups).ci95
        covered += ends is not None and ends.low <= 0.6 <= ends.high
    assert 0.90 <= covered / 300 <= 0.99
