"""Regressions over vectors: folds, penalties, soft targets, and that nothing tested decides anything."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.metrics import f1_score

from nliprobe.base.errors import DataError
from nliprobe.corpora.transfer.task import DEV, TEST, TRAIN, Metric, TransferTask
from nliprobe.training.regression import PENALTIES, Division, Regression, choose_penalty, soft_lessons
from nliprobe.training.transfer import Answered, pair_features, run_task, stratified_folds

Vectors = NDArray[np.float32]


def made_task(targets: list[float], splits: list[str], metric: Metric = Metric.ACCURACY) -> TransferTask:
    classes = () if metric is Metric.PEARSON else tuple(str(n) for n in range(int(max(targets)) + 1))
    texts = tuple(f"text {number}" for number in range(len(targets)))
    return TransferTask("made", "", texts, (), tuple(targets), classes, tuple(splits), metric)


def drawn(size: int, width: int, seed: int = 0) -> Vectors:
    return np.random.default_rng(seed).standard_normal((size, width)).astype(np.float32)


def accuracy(task: TransferTask, tested: Answered) -> float:
    return float((np.array(task.targets)[tested.places] == tested.answers).mean())


@given(
    st.lists(st.integers(0, 3), min_size=1, max_size=60),
    st.integers(2, 10),
    st.integers(0, 2**32),
)
def test_folds_are_stratified_and_seeded(targets: list[int], folds: int, seed: int) -> None:
    values = np.array(targets, dtype=np.float64)
    fold = stratified_folds(values, folds, seed)
    assert (fold == stratified_folds(values, folds, seed)).all()
    assert ((fold >= 0) & (fold < folds)).all()
    for chosen in (values == values, *(values == target for target in set(targets))):
        sizes = np.bincount(fold[chosen], minlength=folds)
        assert sizes.max() - sizes.min() <= 1


def test_other_seeds_give_other_folds() -> None:
    values = np.repeat([0.0, 1.0], 50)
    assert (stratified_folds(values, 5, 0) != stratified_folds(values, 5, 1)).any()


def test_every_item_is_tested_once_by_what_learnt_from_others() -> None:
    task = made_task([0.0, 1.0] * 40, [])
    tested = run_task(task, drawn(80, 4), None, folds=5)
    assert sorted(tested.places.tolist()) == list(range(80))
    assert np.bincount(tested.folds).tolist() == [16] * 5
    assert len(tested.penalties) == 5
    assert tested.width == 4


@pytest.mark.parametrize("splits", [[], [TRAIN] * 100 + [DEV] * 50 + [TEST] * 50, [TRAIN] * 150 + [TEST] * 50])
def test_what_can_be_separated_is_and_what_cannot_is_not(splits: list[str]) -> None:
    targets = [float(number % 3) for number in range(200)]
    task = made_task(targets, splits)
    noise = drawn(200, 30)
    marked = noise.copy()
    marked[np.arange(200), [int(target) for target in targets]] += 20
    assert accuracy(task, run_task(task, marked, None)) == 1.0
    assert accuracy(task, run_task(task, noise, None)) < 0.5


def test_random_targets_stay_at_chance_with_more_features_than_items() -> None:
    """A penalty that had seen the test would do better than chance here."""
    right = []
    for seed in range(6):
        task = made_task(np.random.default_rng(seed).permutation([0.0, 1.0] * 40).tolist(), [])
        right.append(accuracy(task, run_task(task, drawn(80, 100, seed), None, seed=seed, folds=5)))
    assert 0.40 <= np.mean(right) <= 0.60


@pytest.mark.parametrize("dev", [0, 40])
def test_what_is_tested_decides_neither_penalty_nor_scale_nor_weights(dev: int) -> None:
    targets = np.random.default_rng(5).integers(0, 2, 200).astype(float)
    vectors = drawn(200, 12)
    vectors[:, 0] += targets
    splits = [TRAIN] * (140 - dev) + [DEV] * dev + [TEST] * 60
    task = made_task(targets.tolist(), splits)
    before = run_task(task, vectors, None)
    others = replace(task, targets=(*task.targets[:140], *(1 - target for target in task.targets[140:])))
    after = run_task(others, vectors, None)
    assert after.penalties == before.penalties
    assert (after.answers == before.answers).all()
    strange = vectors.copy()
    strange[199] = 1e6
    after = run_task(task, strange, None)
    assert after.penalties == before.penalties
    assert (after.answers[:-1] == before.answers[:-1]).all()


def test_a_fold_that_is_tested_does_not_choose_its_penalty() -> None:
    targets = [float(number % 2) for number in range(120)]
    vectors = drawn(120, 40)
    vectors[:, 3] += np.array(targets, dtype=np.float32)
    task = made_task(targets, [])
    before = run_task(task, vectors, None, folds=4)
    for number in range(4):
        strange = vectors.copy()
        # Whoever looked at these would take the weakest penalty: they give their class away.
        strange[before.places[before.folds == number], 11] = 1e4 * (
            np.array(targets, dtype=np.float32)[before.places[before.folds == number]] - 0.5
        )
        assert run_task(task, strange, None, folds=4).penalties[number] == before.penalties[number]


def test_dev_items_choose_and_are_not_learnt_from() -> None:
    """Dev items that contradict the training items lower no weight of what is learnt in the end."""
    targets = np.array([0.0, 1.0] * 60)
    vectors = drawn(120, 3)
    vectors[:, 0] += 30 * targets
    vectors[60:90, 0] = -vectors[60:90, 0]
    task = made_task(targets.tolist(), [TRAIN] * 60 + [DEV] * 30 + [TEST] * 30)
    assert accuracy(task, run_task(task, vectors, None)) == 1.0


def test_scores_are_shares_of_their_neighbours() -> None:
    rows, classes, weights = soft_lessons(np.array([1.0, 3.7, 4.0, 5.0, 4.999]), 5)
    by_item = [
        {int(classes[lesson]): round(float(weights[lesson]), 6) for lesson in np.flatnonzero(rows == place)}
        for place in range(5)
    ]
    # Tai et al. (2015): floor(y) - y + 1 for i = floor(y), y - floor(y) for i = floor(y) + 1; counted from 0 here.
    assert by_item == [{0: 1.0}, {2: 0.3, 3: 0.7}, {3: 1.0}, {4: 1.0}, {3: 0.001, 4: 0.999}]


@given(st.lists(st.floats(1, 5), min_size=1, max_size=30))
def test_soft_targets_have_the_score_as_their_mean(scores: list[float]) -> None:
    rows, classes, weights = soft_lessons(np.array(scores), 5)
    assert np.bincount(rows, weights=weights) == pytest.approx(np.ones(len(scores)))
    assert np.bincount(rows, weights=weights * (classes + 1)) == pytest.approx(np.array(scores))
    assert classes.min() >= 0
    assert classes.max() <= 4


def test_scores_are_learnt() -> None:
    random = np.random.default_rng(2)
    scores = random.uniform(1, 5, 300).round(1)
    vectors = drawn(300, 5)
    vectors[:, 2] = scores
    task = made_task(scores.tolist(), [TRAIN] * 200 + [DEV] * 50 + [TEST] * 50, Metric.PEARSON)
    tested = run_task(task, vectors, None)
    gold = scores[tested.places]
    assert np.corrcoef(gold, tested.answers)[0, 1] > 0.97
    assert tested.answers.min() >= 1
    assert tested.answers.max() <= 5
    noise = run_task(task, drawn(300, 5, seed=9), None)
    assert abs(np.corrcoef(gold, noise.answers)[0, 1]) < 0.35


def test_pairs_are_distance_and_product() -> None:
    first, second = np.array([[1.0, -2.0]], dtype=np.float32), np.array([[3.0, 5.0]], dtype=np.float32)
    assert pair_features(first, second).tolist() == [[2.0, 7.0, 3.0, -10.0]]


def test_constant_features_and_constant_answers_do_no_harm() -> None:
    task = made_task([0.0, 1.0] * 20, [])
    assert accuracy(task, run_task(task, np.ones((40, 3), dtype=np.float32), None, folds=4)) == 0.5


def test_a_class_smaller_than_the_folds_is_refused() -> None:
    task = made_task([0.0] * 30 + [1.0] * 4, [])
    with pytest.raises(DataError, match="a class with 4 items, too few for 10 folds"):
        run_task(task, drawn(34, 2), None)


def test_of_equally_good_penalties_the_strongest_is_taken() -> None:
    targets = np.array([0.0, 1.0] * 30)
    vectors = np.column_stack([100 * targets, targets]).astype(np.float32)
    half = Division(np.arange(40), np.arange(40, 60))
    chosen = choose_penalty(vectors, targets, [half], lambda gold, answers: float((gold == answers).sum()))
    assert chosen == PENALTIES[0]


def test_penalties_that_all_answer_the_most_frequent_class_do_not_end_the_search() -> None:
    """The first three penalties are so strong that nothing but the larger class is answered."""
    targets = np.repeat([0.0, 1.0], [180, 20])
    vectors = drawn(200, 10)
    vectors[:, 4] += 4 * targets
    task = made_task(targets.tolist(), [])
    tested = run_task(task, vectors, None, folds=5)
    assert accuracy(task, tested) > 0.95
    assert min(tested.penalties) >= 0.01


def test_training_that_is_cut_short_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nliprobe.training.regression.MOST_ROUNDS", 1)
    targets = np.array([0.0, 1.0] * 50)
    vectors = drawn(100, 20)
    vectors[:, 0] += targets
    assert not Regression(vectors, targets).fit(10.0)
    monkeypatch.setattr("nliprobe.training.regression.MOST_ROUNDS", 500)
    assert Regression(vectors, targets).fit(0.01)


def test_f1_is_scikit_learns() -> None:
    from nliprobe.api._transfer_measures import result_document

    random = np.random.default_rng(4)
    gold, answers = random.integers(0, 2, 80).astype(float), random.integers(0, 2, 80).astype(float)
    task = made_task(gold.tolist(), [TEST] * 80, Metric.ACCURACY_F1)
    tested = Answered(np.arange(80), answers, np.zeros(80, dtype=np.int64), (1.0,), 2, 0)
    measure = result_document(task, tested, None)["f1"]
    assert measure is not None
    assert measure["value"] == pytest.approx(f1_score(gold, answers))
