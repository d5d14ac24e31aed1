"""Deciding the checks of a contract: on bounds that hold together for all of them, by Holm's steps.

A check that demands something passes if the unfavourable bound of its interval meets the limit. With m checks left, the
bound is that of the interval with the confidence 1 - 0.05/m. What passes is taken away, the others are looked at again
with the confidence for those that are left, until nothing more passes. So the chance that any check passes although its
true value misses the limit is below 5 % for the whole contract, and less is lost than by Bonferroni's correction.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nliprobe.analysis.compare.contract import Correction, On
from nliprobe.analysis.documents import LEVEL
from nliprobe.analysis.measures import Measure


class Demand(NamedTuple):
    """A measure that must lie on one side of a limit."""

    measure: Measure
    at_least: bool
    limit: float
    on: On = "bound"


class Decision(NamedTuple):
    """Whether a demand is met, the number that decided, and the confidence level of its interval if it is a bound."""

    passed: bool
    bound: float | None
    level: float | None


def decide(demands: Sequence[Demand], correction: Correction) -> list[Decision]:
    """Decide demands together; those on an estimate are no part of the family."""
    decisions = [_decision(demand, None) for demand in demands]
    family = [place for place, demand in enumerate(demands) if demand.on == "bound"]
    while family:
        level = joint_level(len(family) if correction == "holm" else 1)
        for place in family:
            decisions[place] = _decision(demands[place], level)
        left = [place for place in family if not decisions[place].passed]
        if len(left) == len(family) or correction == "none":
            break
        family = left
    return decisions


def joint_level(family: int) -> float:
    """Return the confidence level at which the intervals of a family hold together (Bonferroni)."""
    return 1 - LEVEL / max(1, family)


def unfavourable(measure: Measure, level: float, *, at_least: bool) -> float | None:
    """Return the bound of a measure that decides: the lower one if it must be large, else the upper one."""
    ends = measure.ends(level)
    return None if ends is None else ends[0 if at_least else 1]


def _decision(demand: Demand, level: float | None) -> Decision:
    measure, at_least, limit, _ = demand
    bound = measure.value if level is None else unfavourable(measure, level, at_least=at_least)
    passed = bound is not None and (bound >= limit if at_least else bound <= limit)
    return Decision(passed, bound, level)
