"""Minimum detectable effects: their algebra, Student's power as oracle, and the power they promise, by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import nct
from scipy.stats import t as student
from tests.stats.samples import (
    apart_differences,
    at_least,
    at_most,
    paired_differences,
    skewed_differences,
    uneven_sizes,
)

from nliprobe.stats.detectable import (
    Disagreement,
    disagreement,
    least_unanimous,
    minimum_detectable,
    multiplier,
    needed_for_difference,
)
from nliprobe.stats.sign_flip import sign_flip_p

SEEN = st.builds(
    lambda groups, size, share, together: Disagreement(
        groups, groups * size, share, 1 + (size - 1) * together, groups - 1.0
    ),
    st.integers(6, 5_000),
    st.integers(1, 30),
    st.floats(0, 1),
    st.floats(0, 1),
)


def ideal(groups: int, size: int, share: float, icc: float) -> Disagreement:
    """The disagreement of a population, free of the noise of a sample."""
    return Disagreement(groups, groups * size, share, 1 + (size - 1) * icc, groups - 1.0)


def power(seen: Disagreement, icc: float, effect: float, draws: int) -> int:
    """Count how often the test that decides in reports finds a difference of this size."""
    random = np.random.default_rng([seen.groups, seen.cases, int(1000 * seen.share), int(10 * icc)])
    sizes = np.full(seen.groups, seen.cases // seen.groups)
    flips = max(seen.share, effect)
    rates = (flips + effect) / 2, (flips - effect) / 2
    return sum(sign_flip_p(paired_differences(random, sizes, *rates, icc)[0]) < 0.05 for _ in range(draws))


DRAWS = [600, pytest.param(20_000, marks=pytest.mark.simulation)]


@pytest.mark.parametrize("draws", DRAWS)
@pytest.mark.parametrize(
    ("groups", "size", "share", "icc"),
    [
        (1800, 1, 0.1, 0.0),
        (600, 3, 0.1, 0.0),
        (400, 9, 0.4, 0.2),
        (100, 9, 0.1, 0.2),
        (100, 9, 0.4, 0.0),
        (22, 9, 0.4, 0.2),
        (22, 9, 0.02, 0.2),
        (10, 9, 0.4, 0.2),
        (10, 9, 0.02, 0.0),
        (8, 9, 0.4, 0.2),
        (8, 1, 0.1, 0.0),
    ],
)
def test_the_power_is_what_was_promised(groups: int, size: int, share: float, icc: float, draws: int) -> None:
    seen = ideal(groups, size, share, icc)
    effect = minimum_detectable(seen)
    assert effect is not None
    found = power(seen, icc, effect, draws)
    # Exact tests go in steps, so that 80 % cannot always be had to the point.
    assert at_least(0.775, draws) <= found <= at_most(0.84, draws), found / draws


@pytest.mark.parametrize("draws", [200, pytest.param(3_000, marks=pytest.mark.simulation)])
@pytest.mark.parametrize("groups", [12, 100])
def test_the_power_holds_for_uneven_groups_that_go_together_in_other_ways(groups: int, draws: int) -> None:
    models = ((paired_differences, 0.0), (paired_differences, 0.5), (apart_differences, 0.3), (skewed_differences, 2.0))
    for place, (sampler, strength) in enumerate(models):
        for share in (0.1, 0.4):
            random = np.random.default_rng([groups, place])
            many = uneven_sizes(random, 4000, 9)
            sums, flips = sampler(random, many, share / 2, share / 2, strength)
            population = disagreement(sums, many, flips)
            assert population is not None
            effect = minimum_detectable(population.scaled(groups))
            assert effect is not None
            found, more = 0, max(share, effect)
            for _ in range(draws):
                sizes = uneven_sizes(random, groups, 9)
                sums, _ = sampler(random, sizes, (more + effect) / 2, (more - effect) / 2, strength)
                found += sign_flip_p(sums) < 0.05
            # Too large an effect is the safe side: no difference is promised to be seen that is not.
            assert found >= at_least(0.7, draws), (place, share, found / draws)


@pytest.mark.parametrize("draws", DRAWS)
@pytest.mark.parametrize(("groups", "share"), [(100, 0.1), (22, 0.1), (22, 0.4)])
def test_the_power_is_no_less_where_nearly_all_disagreement_goes_one_way(groups: int, share: float, draws: int) -> None:
    seen = ideal(groups, 1, share, 0.0)
    effect = minimum_detectable(seen)
    assert effect is not None
    assert power(seen, 0.0, effect, draws) >= at_least(0.79, draws)
    assert power(seen, 0.0, 0.7 * effect, draws) <= at_most(0.7, draws)


@pytest.mark.parametrize("draws", [600, pytest.param(10_000, marks=pytest.mark.simulation)])
@pytest.mark.parametrize(
    ("groups", "share", "icc", "least"),
    # What few groups say about their own variance is itself uncertain, and plans made from it fall short.
    [(400, 0.1, 0.2, 0.77), (100, 0.4, 0.2, 0.77), (22, 0.4, 0.2, 0.73), (22, 0.4, 0.0, 0.73), (10, 0.4, 0.2, 0.7)],
)
def test_a_plan_made_from_one_sample_finds_the_difference_in_the_next(
    groups: int, share: float, icc: float, least: float, draws: int
) -> None:
    random = np.random.default_rng([groups, int(100 * share), int(10 * icc)])
    found = 0
    for _ in range(draws):
        sizes = uneven_sizes(random, groups, 9) if groups > 22 else np.full(groups, 9)
        sums, flips = paired_differences(random, sizes, share / 2, share / 2, icc)
        seen = disagreement(sums, sizes, flips)
        effect = None if seen is None else minimum_detectable(seen)
        assert effect is not None
        more = max(share, effect)
        sums, _ = paired_differences(random, sizes, (more + effect) / 2, (more - effect) / 2, icc)
        found += sign_flip_p(sums) < 0.05
    assert at_least(least, draws) <= found <= at_most(0.85, draws), found / draws


@pytest.mark.parametrize("degrees", [4, 9, 21, 200])
@pytest.mark.parametrize("sides", [1, 2])
def test_the_multiplier_is_that_of_noncentral_student(degrees: int, sides: int) -> None:
    critical = student.ppf(1 - 0.05 / sides, degrees)
    exact = brentq(lambda shift: nct.sf(critical, degrees, shift) - 0.8, 0.1, 20)
    assert multiplier(degrees, sides=sides) == pytest.approx(exact, rel=0.025)  # type: ignore[arg-type]


def test_what_is_seen_of_a_disagreement() -> None:
    seen = disagreement(np.array([2, -1, 0, 1]), np.array([3, 3, 3, 3]), 6)
    assert seen is not None
    assert (seen.groups, seen.cases, seen.share) == (4, 12, 0.5)
    assert seen.degrees == pytest.approx(3)
    # The variance of the mean of four groups, over that of twelve independent cases.
    rates = np.array([2, -1, 0, 1]) / 3
    assert seen.together == pytest.approx(rates.var(ddof=1) / 4 / ((0.5 - (2 / 12) ** 2) / 12))
    assert disagreement(np.array([1, 0]), np.array([2, 0]), 1) is None
    with pytest.raises(ValueError, match="cannot be"):
        disagreement(np.array([2, 0]), np.array([3, 3]), 1)
    with pytest.raises(ValueError, match="sizes"):
        disagreement(np.array([2, 0]), np.array([3]), 2)


def test_independent_pairs_have_the_textbook_number() -> None:
    # 1,800 pairs of which a tenth flips: 2.80 standard errors of sqrt(0.1 / 1800), and a case for the steps.
    effect = minimum_detectable(ideal(1800, 1, 0.1, 0.0))
    assert effect == pytest.approx(2.8016 * math.sqrt(0.1 / 1800) + 1 / 1800, rel=5e-3)


def test_few_groups_cannot_show_anything() -> None:
    assert least_unanimous(0.05) == 6
    assert least_unanimous(0.0625) == 6, "the p-value must lie below the level"
    assert least_unanimous(0.07) == 5
    assert minimum_detectable(ideal(5, 1000, 0.5, 0.1)) is None
    assert minimum_detectable(ideal(6, 1000, 0.5, 0.1), level=0.05 / 12) is None


def test_systems_that_never_disagree_need_a_group_each() -> None:
    none = disagreement(np.zeros(600, dtype=np.int64), np.full(600, 3), 0)
    assert none is not None
    effect = minimum_detectable(none)
    # Eight of 600 groups: six in four of five samples, as nothing shows that cases of a group differ one by one.
    assert effect == pytest.approx(7.9 / 600, rel=0.01)


@given(SEEN, st.floats(1e-6, 0.2), st.floats(0.55, 0.99))
def test_effects_are_fractions_and_grow_with_what_is_asked(seen: Disagreement, level: float, power: float) -> None:
    effect = minimum_detectable(seen, level=level, power=power)
    if effect is None:
        assert seen.groups < least_unanimous(level) or seen.groups < 2 * least_unanimous(level)
        return
    assert 0 < effect < 1
    stricter = minimum_detectable(seen, level=level / 2, power=power)
    surer = minimum_detectable(seen, level=level, power=(1 + power) / 2)
    for more in (stricter, surer):
        assert more is None or more >= effect * (1 - 1e-9)
    larger = minimum_detectable(seen.scaled(4 * seen.groups), level=level, power=power)
    assert larger is not None
    assert larger <= effect * (1 + 1e-9)


@given(SEEN, st.floats(0.001, 0.5))
def test_a_needed_sample_is_the_smallest(seen: Disagreement, wanted: float) -> None:
    needed = needed_for_difference(seen, wanted)
    assert needed is not None
    effect = minimum_detectable(seen.scaled(needed.groups))
    assert effect is not None
    assert effect <= wanted
    fewer = minimum_detectable(seen.scaled(needed.groups - 1))
    assert fewer is None or fewer > wanted
    assert needed.cases == math.ceil(seen.cases / seen.groups * needed.groups)


@pytest.mark.parametrize("wanted", [0.0, -0.1, 1.0, math.nan])
def test_a_wanted_difference_is_a_fraction(wanted: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        needed_for_difference(ideal(100, 1, 0.1, 0.0), wanted)


def test_a_power_and_a_level_are_checked() -> None:
    with pytest.raises(ValueError, match=r"a power lies between one half and 1, not 0\.3"):
        multiplier(10, power=0.3)
    with pytest.raises(ValueError, match=r"the level of a test lies between 0 and one half, not 0\.7"):
        multiplier(10, level=0.7)
