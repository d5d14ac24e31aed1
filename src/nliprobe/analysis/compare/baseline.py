"""Turns a comparison with an earlier run into checks of a gate: one per corpus, probe and kind of expectation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from nliprobe.analysis.compare.correction import shown
from nliprobe.analysis.compare.deciding import joint_level
from nliprobe.analysis.compare.documents import Comparison, GateCheck, SideComparison, suite_check
from nliprobe.analysis.compare.pairing import nothing_in_common

if TYPE_CHECKING:
    from nliprobe.analysis.compare.pairing import Side

# What the rates of a comparison are called in a gate: right answers, and expectations that hold.
METRICS = {"gold": "accuracy", "expects": "holds"}


class Compared(NamedTuple):
    """A check against the baseline, and the comparison it was made from; none if there was nothing to compare."""

    document: GateCheck
    entry: Comparison | None = None


def baseline_checks(document: SideComparison, margin: float) -> list[Compared]:
    """Turn a comparison (baseline left, new run right) into checks.

    Args:
        document: the comparison.
        margin: how much worse is still accepted, as a fraction.
    """
    system = document["right"]["system"]
    level = joint_level(sum(bool(entry["n"]) for entry in document["comparisons"]) if margin else 1)
    checks = [Compared(_check(entry, system, margin, level), entry) for entry in document["comparisons"]]
    # A gate that checked nothing must not pass.
    nothing = "no case has a gold label or expects anything: nothing to compare"
    return checks or [Compared(suite_check("suite", system, "suite", nothing))]


def nothing_common_check(before: Side, after: Side) -> GateCheck:
    """Return the failed check of a run that shares no case with its baseline."""
    return suite_check("suite", after.system, "suite", nothing_in_common(before.run, after.run))


def worse(entry: Comparison, margin: float) -> bool:
    """Tell whether the right side is significantly worse than the left, and by more than a margin if there is one."""
    if not shown(entry) or entry["difference"] is None or entry["difference"] >= 0:
        return False
    if not margin:
        return True
    # The test is of no difference at all; that the loss exceeds a margin is read from intervals that hold together.
    return entry["ci95_family"] is not None and entry["ci95_family"][1] < -margin


def _check(entry: Comparison, system: str, margin: float, level: float) -> GateCheck:
    kind = _kind(entry)
    metric = METRICS[entry["kind"]]
    return GateCheck(
        name=f"{metric} of {entry['probe']} on {entry['corpus']}",
        system=system,
        corpus=entry["corpus"],
        probe=entry["probe"],
        facet=None,
        capability=None,
        metric=metric,
        kind=kind,
        n=entry["n"],
        groups=entry["groups"],
        value=entry["difference"],
        ci95=entry["ci95"],
        constant=None,
        level=None if entry["ci95"] is None else level,
        bound=_bound(entry, margin),
        limit=-margin if margin else 0.0,
        passed=kind != "missing" and not worse(entry, margin),
        reason=_reason(entry, kind, margin),
        cases=[],
    )


def _kind(entry: Comparison) -> Literal["not_worse", "missing", "new"]:
    if entry["n"]:
        return "not_worse"
    # An expectation says nothing about silence, so a system that fell silent must not pass for lack of cases.
    fell_silent = entry["unanswered_right"] > entry["unanswered_left"]
    if entry["only_left"] or entry["altered"] or fell_silent:
        return "missing"
    return "new" if entry["only_right"] else "not_worse"


def _reason(entry: Comparison, kind: str, margin: float) -> str:
    if kind == "missing":
        if entry["left_out"]:
            return f"missing: this run did not answer {entry['unanswered_right']:,} cases and none is left to compare"
        if entry["only_right"] or entry["altered"]:
            return "missing: none of the baseline's cases is in this run"
        return f"missing: the baseline has {entry['only_left']:,} cases, this run none"
    if kind == "new":
        return f"new: {entry['only_right']:,} cases that the baseline does not have"
    if entry["left"] is None or entry["right"] is None or entry["difference"] is None or entry["p_holm"] is None:
        unreached = max(entry["unchanged_left"], entry["unchanged_right"])
        if unreached:
            return f"nothing to compare: {unreached:,} cases do not reach one of the systems"
        return f"nothing to compare: in {entry['left_out']:,} cases one side cannot be judged or did not answer"
    interval = "no interval" if entry["ci95"] is None else f"95 % interval {_points(entry['ci95'])}"
    numbers = (
        f"{100 * entry['left']:.1f} to {100 * entry['right']:.1f} on {entry['n']:,} cases, "
        f"{100 * entry['difference']:+.1f} points, {interval}, adjusted p {entry['p_holm']:.2g}"
    )
    if worse(entry, margin):
        word = "worse" if not margin else f"worse by more than {100 * margin:g} points"
    elif entry["difference"] < 0:
        word = "not surely worse" if not margin else f"not surely worse by more than {100 * margin:g} points"
    else:
        word = "better" if shown(entry) else "not worse"
    absent = f"; {entry['only_left']:,} cases of the baseline are not in this run" if entry["only_left"] else ""
    return f"{word}: {numbers}{absent}"


def _bound(entry: Comparison, margin: float) -> float | None:
    """Return the upper end of the difference, of the interval that is looked at if there is a margin."""
    interval = entry["ci95_family"] if margin else entry["ci95"]
    return None if interval is None else interval[1]


def _points(ends: list[float]) -> str:
    return f"{100 * ends[0]:+.1f} to {100 * ends[1]:+.1f}"
