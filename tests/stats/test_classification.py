"""Precision, recall, F1 and their macro average against scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, f1_score, precision_recall_fscore_support

from nliprobe.stats.classification import (
    accuracy,
    balanced_accuracy_interval,
    class_scores,
    confusion_matrix,
    macro_f1,
    macro_f1_interval,
)

# Classes 0, 1, 2 and 3 for no class.
ANSWERS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), min_size=1, max_size=60)


@given(ANSWERS)
def test_scores_equal_scikit_learn(answers: list[tuple[int, int]]) -> None:
    gold, predicted = (np.array(column) for column in zip(*answers, strict=True))
    confusion = confusion_matrix(gold, predicted, 3)
    expected = precision_recall_fscore_support(gold, predicted, labels=[0, 1, 2], zero_division=0)
    for place, score in enumerate(class_scores(confusion)):
        found = (score.precision or 0, score.recall or 0, score.f1 or 0, score.support)
        assert found == pytest.approx([column[place] for column in expected])
        assert (score.precision is None) == (score.predicted == 0)
        assert (score.recall is None) == (score.support == 0)
    occurring = sorted(set(gold.tolist()))
    assert macro_f1(confusion) == pytest.approx(f1_score(gold, predicted, labels=occurring, average="macro"))
    assert accuracy(confusion) == pytest.approx(accuracy_score(gold, predicted))


def test_nothing_has_no_scores() -> None:
    nothing = np.array([], dtype=np.int64)
    confusion = confusion_matrix(nothing, nothing, 2)
    assert accuracy(confusion) is None
    assert macro_f1(confusion) is None
    assert macro_f1_interval(nothing, nothing, nothing, 2) is None
    assert [score.f1 for score in class_scores(confusion)] == [None, None]


def test_answers_outside_the_classes_are_no_class() -> None:
    confusion = confusion_matrix(np.array([0, 1, 1]), np.array([-1, 2, 7]), 2)
    assert confusion.tolist() == [[0, 0, 1], [0, 0, 2]]


def test_gold_outside_the_classes_is_refused() -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        confusion_matrix(np.array([2]), np.array([0]), 2)


def test_macro_f1_interval_equals_leaving_out_groups() -> None:
    random = np.random.default_rng(3)
    gold = random.integers(0, 3, size=600)
    clusters = np.repeat(np.arange(60), 10)
    sure = random.random(60)[clusters]
    predicted = np.where(random.random(600) < sure, gold, random.integers(0, 4, size=600))
    found = macro_f1_interval(gold, predicted, clusters, 3)
    whole = f1_score(gold, predicted, labels=[0, 1, 2], average="macro")
    # The jackknife over groups, an independent way to the same variance.
    left_out = np.array(
        [
            f1_score(gold[clusters != group], predicted[clusters != group], labels=[0, 1, 2], average="macro")
            for group in range(60)
        ]
    )
    error = np.sqrt(59 / 60 * ((left_out - left_out.mean()) ** 2).sum())
    assert found is not None
    assert found.low < whole < found.high
    assert found.high - found.low == pytest.approx(2 * 2.0 * error, rel=0.05)
    alone = macro_f1_interval(gold, predicted, np.arange(600), 3)
    assert alone is not None
    assert found.high - found.low > 1.3 * (alone.high - alone.low), "answers of a group depend on one another"


def test_balanced_accuracy_needs_groups_of_every_label() -> None:
    sizes = np.zeros((8, 4), dtype=np.int64)
    sizes[:, 1], sizes[:6, 2] = 10, 10
    hits = sizes // 2
    hits[::2, 1] += 3
    interval = balanced_accuracy_interval(hits, sizes)
    assert interval is not None
    assert interval.low < 0.5 + 0.5 * 0.15 < interval.high
    sizes[2:6, 2] = 0
    assert balanced_accuracy_interval(np.minimum(hits, sizes), sizes) is None
    assert balanced_accuracy_interval(hits[:0], sizes[:0]) is None
