"""Ranking: the area under the ROC curve, its interval, and the best threshold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import norm
from sklearn.metrics import balanced_accuracy_score, roc_auc_score
from tests.stats.samples import at_least, at_most

from nliprobe.stats.ranking import best_threshold, roc_auc, roc_auc_interval

# Few distinct scores, so that ties are frequent.
CASES = st.lists(st.tuples(st.booleans(), st.integers(0, 8)), min_size=2, max_size=60)


@given(CASES)
def test_the_area_is_that_of_scikit_learn(cases: list[tuple[bool, int]]) -> None:
    positive, scores = np.array([item[0] for item in cases]), np.array([item[1] for item in cases]) / 8
    area = roc_auc(positive, scores)
    if positive.all() or not positive.any():
        assert area is None
        assert roc_auc_interval(positive, scores, np.arange(len(cases))) is None
    else:
        assert area == pytest.approx(roc_auc_score(positive, scores))
        assert roc_auc(~positive, scores) == pytest.approx(1 - float(roc_auc_score(positive, scores)))


@given(CASES)
def test_no_threshold_is_better_than_the_best(cases: list[tuple[bool, int]]) -> None:
    positive, scores = np.array([item[0] for item in cases]), np.array([item[1] for item in cases]) / 8
    assume(positive.any() and not positive.all())
    best = best_threshold(positive, scores)
    assert best is not None
    assert 0 <= best <= 1

    def balanced(threshold: float) -> float:
        return float(balanced_accuracy_score(positive, scores >= threshold))

    others = [balanced(threshold) for threshold in np.arange(-1, 19) / 16]
    assert balanced(best) >= max(others) - 1e-9


def test_of_equal_thresholds_the_one_nearest_to_a_half_is_taken() -> None:
    positive = np.array([True, False])
    assert best_threshold(positive, np.array([0.9, 0.1])) == pytest.approx(0.5)
    assert best_threshold(positive, np.array([0.2, 0.2])) in (0.0, 1.0)
    assert best_threshold(np.array([True, True]), np.array([0.9, 0.1])) is None


def test_an_interval_needs_groups_of_both_classes() -> None:
    positive, scores = np.tile([True, False], 10), np.linspace(0, 1, 20)
    assert roc_auc_interval(positive, scores, np.arange(20)) is not None
    assert roc_auc_interval(positive, scores, np.repeat(np.arange(2), 10)) is None
    # The positive cases come from two groups only.
    assert roc_auc_interval(positive, scores, np.where(positive, np.arange(20) % 4, np.arange(20))) is None


def test_groups_that_agree_make_the_interval_wider() -> None:
    random = np.random.default_rng(0)
    positive = np.repeat(random.random(40) < 0.5, 10)
    scores = np.repeat(random.normal(size=40), 10) + positive
    grouped = roc_auc_interval(positive, scores, np.repeat(np.arange(40), 10))
    alone = roc_auc_interval(positive, scores, np.arange(400))
    assert grouped is not None
    assert alone is not None
    assert grouped.high - grouped.low > 2 * (alone.high - alone.low)


@pytest.mark.parametrize("draws", [150, pytest.param(5_000, marks=pytest.mark.simulation)])
@pytest.mark.parametrize("groups", [10, 22, 100])
@pytest.mark.parametrize("mixed", [True, False])
def test_areas_are_covered(groups: int, mixed: bool, draws: int) -> None:
    """Groups share a part of their scores; they hold cases of both classes (documents of SummEdits) or of one."""
    clusters = np.repeat(np.arange(groups), 9)
    for shift, spread in ((0.0, 0.0), (1.0, 0.5), (2.5, 0.5), (1.0, 1.5)):
        truth = float(norm.cdf(shift / np.sqrt(2 * (1 + spread * spread))))
        random = np.random.default_rng([groups, int(10 * shift), int(10 * spread)])
        covered = drawn = 0
        while drawn < draws:
            own = random.random(len(clusters)) < 0.4 if mixed else (random.random(groups) < 0.5)[clusters]
            scores = spread * random.normal(size=groups)[clusters] + random.normal(size=len(clusters)) + shift * own
            interval = roc_auc_interval(own, scores, clusters)
            if interval is None:
                continue
            drawn += 1
            covered += interval.low <= truth <= interval.high
        assert at_least(0.92, draws) <= covered <= at_most(0.98, draws), (shift, spread, covered / draws)
