"""Kappa of two decisions: the value is Cohen's, and its interval covers the truth where cases depend on one another."""

from __future__ import annotations

import numpy as np
import pytest

from nliprobe.stats.agreement import cohen_kappa
from nliprobe.stats.kappa import kappa_of


def draw(generator: np.random.Generator, groups: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two decisions that agree in a part of the cases which differs between groups."""
    clusters = np.repeat(np.arange(groups), 5)
    level = generator.beta(2, 4, groups)[clusters]
    first = generator.random(len(clusters)) < level
    second = np.where(generator.random(len(clusters)) < 0.6, first, generator.random(len(clusters)) < 0.4)
    return first, second, clusters


def test_the_value_is_cohens() -> None:
    first, second, clusters = draw(np.random.default_rng(1), 40)
    measured = kappa_of(first, second, clusters)
    assert measured.value == cohen_kappa(first.astype(np.int64), second.astype(np.int64))
    assert measured.n == 200
    assert measured.ci95 is not None
    assert measured.value is not None
    assert measured.ci95.low < measured.value < measured.ci95.high


def test_intervals_cover_the_truth() -> None:
    generator = np.random.default_rng(7)
    truth = kappa_of(*draw(generator, 200_000)).value
    assert truth is not None
    covered = 0
    for _ in range(400):
        interval = kappa_of(*draw(generator, 60)).ci95
        assert interval is not None
        covered += interval.low <= truth <= interval.high
    assert 0.92 <= covered / 400 <= 0.985


def test_equal_decisions_and_single_ones() -> None:
    clusters = np.arange(30) // 2
    marks = np.arange(30) % 3 == 0
    same = kappa_of(marks, marks, clusters)
    assert same.value == pytest.approx(1)
    never = kappa_of(np.zeros(30, dtype=bool), np.zeros(30, dtype=bool), clusters)
    assert (never.value, never.ci95, never.n) == (None, None, 30)
