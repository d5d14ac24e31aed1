"""The checks of a contract on a run: what each measures, what decides it, and the reason in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from nliprobe.analysis.compare.contract import Contract, ContractCheck
from nliprobe.analysis.compare.deciding import Decision, Demand, decide, joint_level
from nliprobe.analysis.compare.documents import GateCheck
from nliprobe.analysis.compare.places import Places
from nliprobe.analysis.compare.relative import Against, Difference
from nliprobe.analysis.documents import LEVEL
from nliprobe.analysis.measures import Measure
from nliprobe.base.errors import UsageError, option


class Measured(NamedTuple):
    """A check of a contract and what it measures; the difference if it compares with the baseline."""

    check: ContractCheck
    measure: Measure
    difference: Difference | None = None


@dataclass(frozen=True)
class Decided:
    """A check with what it measured and how it was decided."""

    measured: Measured
    document: GateCheck


def measure_checks(contract: Contract, places: Places, against: Against | None) -> list[Measured]:
    """Measure what every check of a contract limits.

    Args:
        contract: the contract.
        places: the system of the run.
        against: the run beside its baseline, if there is one.
    """
    measured: list[Measured] = []
    for number, check in enumerate(contract.checks, start=1):
        place = f"{contract.name}, check {number}"
        if not check.relative:
            measured.append(Measured(check, places.measure(check, place)))
            continue
        if against is None:
            raise UsageError(
                f"{place} compares with a baseline ({check.kind}), and there is none: name it with "
                f"{option('baseline', 'RUN')} or by the key 'baseline' of the contract."
            )
        # What the run lacks is an error here, too: of the metric, and of what it is about.
        places.measure(check, place)
        difference = against.difference(places.part(check, place), check.metric)
        measured.append(Measured(check, difference.measure, difference))
    return measured


def decide_checks(measured: Sequence[Measured], contract: Contract, system: str) -> list[Decided]:
    """Decide every check: those that demand something together, those that forbid a loss together."""
    demands = [place for place, item in enumerate(measured) if item.check.kind != "not_worse"]
    losses = [place for place, item in enumerate(measured) if item.check.kind == "not_worse"]
    decisions = dict(zip(demands, decide([_demand(measured[at]) for at in demands], contract.correction), strict=True))
    family = [measured[place] for place in losses]
    decisions |= dict(zip(losses, _not_worse(family, corrected=contract.correction == "holm"), strict=True))
    return [Decided(item, _check(item, decisions[place], system)) for place, item in enumerate(measured)]


def _demand(item: Measured) -> Demand:
    check = item.check
    if item.difference is None:
        return Demand(item.measure, check.kind == "at_least", check.limit, check.on)
    margin = check.limit if check.kind == "non_inferior" else -check.limit
    return Demand(item.difference.beyond(margin), True, -margin, check.on)


def _not_worse(family: Sequence[Measured], *, corrected: bool) -> list[Decision]:
    """Decide checks that fail only if a loss is shown: by the sign-flip test, and by a joint interval with a margin."""
    from nliprobe.stats.paired import holm

    tested = [item for item in family if item.check.on == "bound"]
    raw = [1.0 if item.difference is None or item.difference.p is None else item.difference.p for item in tested]
    adjusted = dict(zip(map(id, tested), holm(raw) if corrected else raw, strict=True))
    level = joint_level(len(tested) if corrected else 1)
    decisions: list[Decision] = []
    for item in family:
        value, margin = item.measure.value, item.check.limit
        if value is None:
            decisions.append(Decision(False, None, None))
        elif item.check.on == "estimate":
            decisions.append(Decision(value >= -margin, value, None))
        else:
            ends = item.measure.ends(level)
            shown = adjusted[id(item)] < LEVEL and value < 0
            lost = shown and (not margin or (ends is not None and ends[1] < -margin))
            decisions.append(Decision(not lost, None if ends is None else ends[1], level))
    return decisions


def _check(item: Measured, decision: Decision, system: str) -> GateCheck:
    check, measure = item.check, item.measure
    return GateCheck(
        name=check.name,
        system=system,
        corpus=check.corpus or None,
        probe=check.probe or None,
        facet=None if check.facet is None else "=".join(check.facet),
        capability=check.capability or None,
        metric=check.metric,
        kind=check.kind,
        n=measure.n,
        groups=measure.groups,
        value=measure.value,
        ci95=measure.ends(),
        constant=measure.constant,
        level=None if decision.bound is None else decision.level,
        bound=decision.bound,
        limit=-check.limit if check.kind in ("non_inferior", "not_worse") else check.limit,
        passed=decision.passed,
        reason=_nothing(item) or (_absolute(item, decision) if item.difference is None else _relative(item, decision)),
        cases=[],
    )


def _nothing(item: Measured) -> str:
    """Say why there is no number, or no bound that could decide."""
    check, measure = item.check, item.measure
    if measure.value is None:
        if item.difference is not None:
            return f"missing: none of these {item.difference.unmatched:,} cases can be compared with the baseline"
        return f"there is nothing to compute {check.metric} from"
    if check.on == "bound" and check.kind != "not_worse" and measure.ends() is None:
        return f"{check.metric} {measure.value:.3f} has no interval (too few groups); decide it with on: estimate"
    return ""


def _absolute(item: Measured, decision: Decision) -> str:
    check, at_least = item.check, item.check.kind == "at_least"
    side = "" if check.on == "estimate" else f"{'lower' if at_least else 'upper'} bound of "
    sign = ("≥" if at_least else "≤") if decision.passed else ("<" if at_least else ">")
    rests = "" if check.on == "estimate" else f"{item.measure.value:.4f} "
    cases = f"{rests}on {item.measure.n:,} cases in {item.measure.groups:,} groups"
    constant = "" if item.measure.constant is None else f"; a constant answer gets {item.measure.constant:.4f}"
    return f"{side}{check.metric} {decision.bound:.4f} {sign} {check.limit:g} ({cases}{constant})"


def _relative(item: Measured, decision: Decision) -> str:
    check, difference = item.check, item.difference
    assert difference is not None
    before, after, value = difference.before or 0.0, difference.after or 0.0, item.measure.value or 0.0
    words = _verdict(check, passed=decision.passed)
    ends = item.measure.ends()
    interval = "no interval" if ends is None else f"95 % interval {100 * ends[0]:+.1f} to {100 * ends[1]:+.1f}"
    fine = {"accuracy": "right", "unanswered": "answered"}.get(check.metric, "kept")
    numbers = f"{fine} {100 * before:.1f} to {100 * after:.1f} on {item.measure.n:,} cases, {100 * value:+.1f} points"
    absent = f"; {difference.missing:,} cases of the baseline are not in this run" if difference.missing else ""
    return f"{words}: {numbers}, {interval}{_bound_words(check, decision)}{absent}"


def _bound_words(check: ContractCheck, decision: Decision) -> str:
    """Name the bound that decided, which is not an end of the interval beside it: its level and its sides differ."""
    if check.on == "estimate" or decision.bound is None or decision.level is None:
        return ""
    bound = f"{100 * decision.bound:+.1f} at {100 * decision.level:.4g} %"
    if check.kind == "not_worse":
        return f", upper bound {bound}"
    return f", one-sided lower bound {bound} if whole groups may be lost"


def _verdict(check: ContractCheck, *, passed: bool) -> str:
    """Say what a comparison with the baseline showed, or on an estimate, what it is."""
    points = f"{100 * check.limit:g} point{'' if check.limit == 0.01 else 's'}"
    sure = "" if check.on == "estimate" else "shown to be "
    if check.kind == "non_inferior":
        failed = f"more than {points} worse" if check.on == "estimate" else f"not shown to be at most {points} worse"
        return f"{sure}at most {points} worse" if passed else failed
    if check.kind == "better_by":
        return f"{sure}better by {points} or more" if passed else f"not {sure}better by {points}"
    beyond = f" by more than {points}" if check.limit else ""
    return f"not {sure}worse{beyond}" if passed else f"{sure}worse{beyond}"
