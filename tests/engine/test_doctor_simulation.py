"""False alarms and wrong orders found, with the pairs that the doctor really asks (see docs/guide/doctor.md)."""

from __future__ import annotations

import pytest
from scripts.simulate_doctor import PARTITIONS, habit_alarms, honest_systems, permuted_systems, stopped

from nliprobe.stats.binomial import binomial_tail
from nliprobe.task.labels import Partition

# Draws per system, and how improbable a result must be that the promised rate fails the test.
DRAWS = [30, pytest.param(2000, marks=pytest.mark.simulation)]
UNLIKELY = 1e-4
FALSE_ALARMS, FOUND = 0.005, 0.99


@pytest.mark.parametrize("draws", DRAWS)
@pytest.mark.parametrize("partition", PARTITIONS, ids=str)
def test_no_honest_system_is_stopped(partition: Partition, draws: int) -> None:
    for rate in stopped(honest_systems(partition), partition, draws):
        assert binomial_tail(rate.alarms, rate.draws, FALSE_ALARMS) > UNLIKELY, rate


@pytest.mark.parametrize("draws", DRAWS)
@pytest.mark.parametrize("partition", PARTITIONS, ids=str)
def test_every_wrong_order_of_a_good_system_is_found(partition: Partition, draws: int) -> None:
    for rate in stopped(permuted_systems(partition, 0.85), partition, draws):
        assert binomial_tail(rate.draws - rate.alarms, rate.draws, 1 - FOUND) > UNLIKELY, rate


@pytest.mark.parametrize("draws", [3, pytest.param(400, marks=pytest.mark.simulation)])
def test_no_habit_is_named_by_chance(draws: int) -> None:
    for rate in habit_alarms(draws):
        assert binomial_tail(rate.alarms, rate.draws, FALSE_ALARMS) > UNLIKELY, rate
