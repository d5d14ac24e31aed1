"""Dawid and Skene's estimate against brute force, its own conditions, and raters whose errors are known."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nliprobe.stats.agreement import Codes, count_labels, majority
from nliprobe.stats.dawid_skene import SMOOTHING, DawidSkene, Numbers, dawid_skene

# Three raters of four items with two labels; not everybody rated everything.
ITEMS = np.array([0, 0, 0, 1, 1, 2, 2, 2, 3, 3])
RATERS = np.array([0, 1, 2, 0, 1, 0, 1, 2, 1, 2])
LABELS = np.array([0, 0, 1, 1, 1, 0, 1, 0, 1, 1])


def tiny(**options: float) -> DawidSkene:
    return dawid_skene(ITEMS, RATERS, LABELS, size=4, people=3, classes=2, **options)  # type: ignore[arg-type]


def objective(shares: Numbers, tables: Numbers, smoothing: float) -> float:
    """Sum over every choice of right labels, which is what the estimate must maximise."""
    likelihood = 0.0
    for right in product(range(len(shares)), repeat=4):
        chance = np.prod([shares[label] for label in right])
        for item, rater, label in zip(ITEMS, RATERS, LABELS, strict=True):
            chance *= tables[rater, right[item], label]
        likelihood += float(chance)
    return float(np.log(likelihood) + smoothing * (np.log(shares).sum() + np.log(tables).sum()))


@pytest.mark.parametrize("smoothing", [0.05, SMOOTHING])
def test_the_objective_is_that_of_brute_force(smoothing: float) -> None:
    found = tiny(smoothing=smoothing)
    assert found.converged
    assert found.objective == pytest.approx(objective(found.shares, found.tables, smoothing), abs=1e-6)


@pytest.mark.parametrize("smoothing", [0.05, SMOOTHING])
def test_no_small_step_is_better(smoothing: float) -> None:
    found = tiny(smoothing=smoothing, tolerance=1e-15)
    here, step = objective(found.shares, found.tables, smoothing), 1e-4
    for rater, right in [(None, None), *product(range(3), range(2))]:
        ends = []
        for sign in (-1, 1):
            shares, tables = found.shares.copy(), found.tables.copy()
            row = shares if rater is None else tables[rater, right]
            row += sign * step * np.array([1, -1])
            ends.append(objective(shares, tables, smoothing))
        assert max(ends) <= here
        # At a maximum the slope vanishes, so that steps of both signs lose equally little.
        assert abs(ends[1] - ends[0]) / (2 * step) < 1e-3


def test_the_weights_are_bayes_rule() -> None:
    found = tiny(tolerance=1e-15)
    for item in range(4):
        joint = found.shares.copy()
        for place in np.flatnonzero(item == ITEMS):
            joint *= found.tables[RATERS[place], :, LABELS[place]]
        assert found.labels[item] == pytest.approx(joint / joint.sum(), abs=1e-6)
    right = [found.labels[ITEMS[rater == RATERS], LABELS[rater == RATERS]].mean() for rater in range(3)]
    assert found.accuracy == pytest.approx(right)


def simulated(
    seed: int, tables: Numbers, size: int, per_item: int, shares: tuple[float, ...]
) -> tuple[Codes, Codes, Codes, Codes]:
    """Return the right labels, and ratings by raters who are drawn for each item."""
    draw = np.random.default_rng(seed)
    truth = draw.choice(len(shares), size=size, p=shares)
    items = np.repeat(np.arange(size), per_item)
    raters = np.concatenate([draw.permutation(len(tables))[:per_item] for _ in range(size)])
    chances = tables[raters, truth[items]].cumsum(axis=1)
    labels = (draw.random(len(items))[:, None] > chances).sum(axis=1)
    return truth, items, raters, labels


def careful(error: float) -> Numbers:
    return np.full((3, 3), error / 2) + np.eye(3) * (1 - 1.5 * error)


@pytest.mark.parametrize("seed", range(3))
def test_tables_shares_and_accuracies_are_recovered(seed: int) -> None:
    odd = np.array([[0.8, 0.2, 0.0], [0.3, 0.7, 0.0], [0.0, 0.5, 0.5]])
    tables = np.stack([careful(error) for error in (0.05, 0.1, 0.15, 0.2, 0.3)] + [odd])
    truth, items, raters, labels = simulated(seed, tables, 4000, 4, (0.5, 0.3, 0.2))
    found = dawid_skene(items, raters, labels, size=4000, people=6, classes=3)
    assert found.converged
    assert found.shares == pytest.approx([0.5, 0.3, 0.2], abs=0.03)
    assert found.tables == pytest.approx(tables, abs=0.06)
    realised = [(labels[raters == rater] == truth[items[raters == rater]]).mean() for rater in range(6)]
    assert found.accuracy == pytest.approx(realised, abs=0.02)


@pytest.mark.parametrize("seed", range(3))
def test_raters_who_exchange_labels_are_witnesses_that_a_majority_loses(seed: int) -> None:
    turned = careful(0.05)[[1, 2, 0]]
    tables = np.stack([careful(0.15), careful(0.15), careful(0.2), turned, turned])
    truth, items, raters, labels = simulated(seed, tables, 600, 5, (1 / 3, 1 / 3, 1 / 3))
    found = dawid_skene(items, raters, labels, size=600, people=5, classes=3)
    most = majority(count_labels(items, labels, 600, 3)).labels
    assert (found.labels.argmax(axis=1) == truth).mean() > 0.95 > (most == truth).mean() + 0.1
    # They are right about as often as they seem to be: next to never.
    assert found.accuracy[3:].max() < 0.1
    assert found.accuracy[:3].min() > 0.7


rating = st.tuples(st.integers(0, 5), st.integers(0, 3), st.integers(0, 2))
ratings = st.lists(rating, min_size=1, max_size=40, unique_by=lambda one: one[:2])


@settings(max_examples=40)
@given(ratings, st.permutations(range(6)), st.permutations(range(4)), st.permutations(range(3)), st.randoms())
def test_names_and_order_do_not_matter(
    rows: list[tuple[int, int, int]], items: list[int], raters: list[int], labels: list[int], random: object
) -> None:
    table = np.array(rows)
    found = dawid_skene(*table.T, size=6, people=4, classes=3)
    random.shuffle(rows)  # type: ignore[attr-defined]
    other = np.array([(items[item], raters[rater], labels[label]) for item, rater, label in rows])
    again = dawid_skene(*other.T, size=6, people=4, classes=3)
    assert again.labels[np.ix_(items, labels)] == pytest.approx(found.labels, abs=1e-5)
    assert again.accuracy[raters] == pytest.approx(found.accuracy, abs=1e-5, nan_ok=True)


@settings(max_examples=40)
@given(ratings)
def test_no_turn_makes_it_worse(rows: list[tuple[int, int, int]]) -> None:
    table = np.array(rows)
    steps = [dawid_skene(*table.T, size=6, people=4, classes=3, most_turns=turns) for turns in range(1, 12)]
    values = [step.objective for step in steps]
    assert all(later >= earlier - 1e-9 for earlier, later in pairwise(values))
    last = steps[-1]
    assert last.labels.sum(axis=1) == pytest.approx(1)
    assert last.tables.sum(axis=2) == pytest.approx(1)
    assert last.converged or last.turns == 11


def test_what_nobody_rated_has_the_shares_and_who_rated_nothing_has_no_accuracy() -> None:
    found = dawid_skene(np.array([0, 0]), np.array([0, 2]), np.array([1, 1]), size=2, people=3, classes=2)
    assert found.labels[1] == pytest.approx(found.shares)
    assert np.isnan(found.accuracy).tolist() == [False, True, False]


def test_a_thousand_ratings_of_an_item_do_not_vanish() -> None:
    raters = np.arange(3000)
    labels = np.where(raters % 3 > 0, 1, 0)
    found = dawid_skene(np.zeros(3000, dtype=np.int64), raters, labels, size=1, people=3000, classes=2)
    assert np.isfinite(found.objective)
    assert found.labels[0, 1] > 0.99


def test_without_ratings_nothing_is_known() -> None:
    none = np.zeros(0, dtype=np.int64)
    found = dawid_skene(none, none, none, size=2, people=1, classes=2)
    assert found.labels == pytest.approx(np.full((2, 2), 0.5))
    assert found.converged


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(ValueError, match="smoothing"):
        tiny(smoothing=0.0)
    with pytest.raises(ValueError, match="raters are numbers from 0 to 1"):
        dawid_skene(ITEMS, RATERS, LABELS, size=4, people=2, classes=2)
