"""Precision, recall, F1 and their macro average against scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, f1_score, precision_recall_fscore_support

from nliprobe.stats.bootstrap import generator
from nliprobe.stats.classification import accuracy, class_scores, confusion_matrix, macro_f1, macro_f1_interval

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
    confusion = confusion_matrix(np.array([], dtype=np.int64), np.array([], dtype=np.int64), 2)
    assert accuracy(confusion) is None
    assert macro_f1(confusion) is None
    assert macro_f1_interval(confusion, generator(0)) is None
    assert [score.f1 for score in class_scores(confusion)] == [None, None]


def test_answers_outside_the_classes_are_no_class() -> None:
    confusion = confusion_matrix(np.array([0, 1, 1]), np.array([-1, 2, 7]), 2)
    assert confusion.tolist() == [[0, 0, 1], [0, 0, 2]]


def test_gold_outside_the_classes_is_refused() -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        confusion_matrix(np.array([2]), np.array([0]), 2)


@pytest.mark.parametrize(("draws", "tolerance"), [(400, 0.1), pytest.param(20_000, 0.03, marks=pytest.mark.simulation)])
def test_macro_f1_interval_equals_resampling_examples(draws: int, tolerance: float) -> None:
    random = np.random.default_rng(3)
    gold = random.integers(0, 3, size=400)
    predicted = np.where(random.random(400) < 0.6, gold, random.integers(0, 4, size=400))
    confusion = confusion_matrix(gold, predicted, 3)
    values = []
    for _ in range(draws):
        drawn = random.integers(0, 400, size=400)
        values.append(f1_score(gold[drawn], predicted[drawn], labels=[0, 1, 2], average="macro"))
    expected = np.quantile(values, [0.025, 0.975])
    found = macro_f1_interval(confusion, generator(0), replicates=10_000)
    assert found == pytest.approx(expected, abs=tolerance * (expected[1] - expected[0]))
    assert found == macro_f1_interval(confusion, generator(0), replicates=10_000)
