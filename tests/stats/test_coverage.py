"""How often intervals of cases in groups hold the truth: few groups and many, rare things and common ones."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from tests.stats.samples import (
    apart_differences,
    at_least,
    at_most,
    grouped_hits,
    paired_differences,
    skewed_differences,
    uneven_sizes,
)

from nliprobe.stats.classification import balanced_accuracy_interval, macro_f1_interval
from nliprobe.stats.grouped import mean_difference_interval, share_interval

# Groups of 9, as the hypotheses of a table in InfoTabS.
SIZE = 9
# So many comparisons are corrected together.
FAMILY = 8
DRAWS = [800, pytest.param(20_000, marks=pytest.mark.simulation)]
RATES, CORRELATIONS = (0.1, 0.3, 0.5, 0.9), (0.0, 0.1, 0.3)


@pytest.mark.parametrize("draws", DRAWS)
@pytest.mark.parametrize("groups", [5, 10, 22, 222])
def test_shares_are_covered(groups: int, draws: int) -> None:
    sizes = np.full(groups, SIZE)
    for rate, icc in product(RATES, CORRELATIONS):
        random = np.random.default_rng([groups, int(10 * rate), int(10 * icc)])
        covered = 0
        for _ in range(draws):
            interval = share_interval(grouped_hits(random, sizes, rate, icc), sizes)
            assert interval is not None
            covered += interval.low <= rate <= interval.high
        if groups == 5:
            assert covered >= at_least(0.90, draws), (rate, icc, covered / draws)
        else:
            assert at_least(0.93, draws) <= covered <= at_most(0.97, draws), (rate, icc, covered / draws)


@pytest.mark.parametrize("draws", DRAWS)
@pytest.mark.parametrize("groups", [10, 22])
def test_shares_of_uneven_groups_are_covered(groups: int, draws: int) -> None:
    for rate, icc in product((0.1, 0.5), (0.0, 0.3)):
        random = np.random.default_rng([groups, int(10 * rate), int(10 * icc)])
        covered = 0
        for _ in range(draws):
            sizes = uneven_sizes(random, groups, SIZE)
            interval = share_interval(grouped_hits(random, sizes, rate, icc), sizes)
            assert interval is not None
            covered += interval.low <= rate <= interval.high
        assert covered >= at_least(0.93, draws), (rate, icc, covered / draws)


@pytest.mark.parametrize("draws", DRAWS)
@pytest.mark.parametrize("groups", [10, 22, 222])
def test_differences_are_covered(groups: int, draws: int) -> None:
    sizes = np.full(groups, SIZE)
    for first, icc in product((0.3, 0.6), (0.0, 0.3)):
        random = np.random.default_rng([groups, int(10 * first), int(10 * icc)])
        covered = 0
        for _ in range(draws):
            hits = [grouped_hits(random, sizes, rate, icc) for rate in (first, 0.7)]
            interval = mean_difference_interval(hits[1] - hits[0], sizes)
            assert interval is not None
            covered += interval.low <= 0.7 - first <= interval.high
        assert at_least(0.93, draws) <= covered <= at_most(0.97, draws), (first, icc, covered / draws)


@pytest.mark.parametrize("draws", [60, pytest.param(3_000, marks=pytest.mark.simulation)])
@pytest.mark.parametrize(
    ("groups", "least"),
    # Where few of 22 groups lose nearly everything, a sample may have none of them.
    [(8, 0.93), (22, 0.84), (100, 0.93)],
)
def test_intervals_of_a_family_hold_together(groups: int, least: float, draws: int) -> None:
    models = ((paired_differences, 0.0), (paired_differences, 0.5), (apart_differences, 0.3), (skewed_differences, 2.0))
    for place, (sampler, strength) in enumerate(models):
        random = np.random.default_rng([groups, place])
        held = 0
        for _ in range(draws):
            missed = 0
            for _ in range(FAMILY):
                sizes = np.full(groups, SIZE)
                sums, _ = sampler(random, sizes, 0.075, 0.025, strength)
                interval = mean_difference_interval(sums, sizes, 1 - 0.05 / FAMILY)
                assert interval is not None
                missed += not interval.low <= 0.05 <= interval.high
            held += not missed
        assert held >= at_least(least, draws), (place, held / draws)


@pytest.mark.parametrize("draws", [300, pytest.param(5_000, marks=pytest.mark.simulation)])
@pytest.mark.parametrize("groups", [10, 22, 200])
def test_macro_f1_and_balanced_accuracy_are_covered(groups: int, draws: int) -> None:
    # Three labels with three cases each per group; answers are right, or else any label, more often in some groups.
    gold = np.tile(np.repeat(np.arange(3), 3), groups)
    clusters = np.repeat(np.arange(groups), SIZE)
    right = 0.4
    truth = right + (1 - right) / 3
    random = np.random.default_rng(groups)
    covered = np.zeros(2)
    for _ in range(draws):
        ability = random.beta(0.4 * right * 10, 0.4 * (1 - right) * 10, size=groups)[clusters]
        predicted = np.where(random.random(len(gold)) < ability, gold, random.integers(0, 3, size=len(gold)))
        cells = np.bincount(clusters * 3 + gold, minlength=3 * groups).reshape(groups, 3)
        hits = np.bincount((clusters * 3 + gold)[predicted == gold], minlength=3 * groups).reshape(groups, 3)
        for place, interval in enumerate(
            (macro_f1_interval(gold, predicted, clusters, 3), balanced_accuracy_interval(hits, cells))
        ):
            assert interval is not None
            covered[place] += interval.low <= truth <= interval.high
    # The macro F1 of a sample is a little below that of the population, which 93 % allows for.
    assert (covered >= at_least(0.93, draws)).all(), covered / draws
    assert (covered <= at_most(0.975, draws)).all(), covered / draws
