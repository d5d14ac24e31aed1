"""How many cases a gate needs: for a wanted margin, from what varies in this run.

The assumption is that more cases would come in groups of the same kind: as large, and with answers that go together as
much as in this run. For a limit, the margin is how far the deciding bound may lie from the number itself. Against a
baseline it is a loss: one that is to be seen, or for ``non_inferior`` one that is to be excluded if both are equally
good; in 80 of 100 such samples.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from nliprobe.analysis.compare.baseline import Compared
from nliprobe.analysis.compare.contract import Contract
from nliprobe.analysis.compare.contract_checks import Decided, Measured
from nliprobe.analysis.compare.deciding import joint_level, unfavourable
from nliprobe.analysis.compare.documents import Suggestion
from nliprobe.analysis.compare.relative import Against, Difference
from nliprobe.analysis.measures import Measure

# The metric of a comparison in a gate, as a contract calls it.
_METRICS = {"accuracy": "accuracy", "holds": "broken"}


def suggestions(
    decided: Sequence[Decided],
    compared: Sequence[Compared],
    against: Against | None,
    contract: Contract | None,
    margin: float,
) -> list[Suggestion]:
    """Say for each check how many cases it needs.

    Args:
        decided: the checks of a contract.
        compared: the checks against a baseline that no contract asks for.
        against: the run beside its baseline, if there is one.
        contract: the contract, whose correction counts.
        margin: the wanted margin, as a fraction.
    """
    corrected = contract is not None and contract.correction == "holm"
    # All are planned for the level of the first of Holm's steps, so that the plan is enough for every order.
    bounds = [item.measured for item in decided if item.measured.check.on == "bound"]
    level = joint_level(len(bounds) if corrected else 1)
    found = [_of_check(item, level, margin) for item in bounds]
    entries = [(check, entry) for check, entry in compared if entry is not None and entry["n"]]
    for check, entry in entries:
        if against is None:
            continue
        parts = [part for part in against.after.cases.slices() if part[:2] == (entry["corpus"], entry["probe"])]
        for part in parts:
            difference = against.difference(part, _METRICS[str(check["metric"])])
            found.append(_of_loss(check["name"], difference, joint_level(len(entries)), margin, excluded=False))
    return found


def _of_check(item: Measured, level: float, margin: float) -> Suggestion:
    if item.difference is not None:
        excluded = item.check.kind == "non_inferior"
        return _of_loss(f"{item.check.name}, {item.check.kind}", item.difference, level, margin, excluded=excluded)
    return _of_limit(item, level, margin)


def _of_limit(item: Measured, level: float, margin: float) -> Suggestion:
    measure = item.measure
    bound = unfavourable(measure, level, at_least=item.check.kind == "at_least")
    if bound is None or measure.value is None:
        return _suggestion(item.check.name, measure, level, margin, None, None, _TOO_FEW)
    reach = abs(measure.value - bound)
    # Bounds come closer with the square root of the groups; where nothing varies, in proportion to them.
    factor = reach / margin if measure.value in (0.0, 1.0) else (reach / margin) ** 2
    return _suggestion(item.check.name, measure, level, margin, reach, factor * measure.groups, "")


def _of_loss(name: str, difference: Difference, level: float, margin: float, *, excluded: bool) -> Suggestion:
    from nliprobe.stats.detectable import disagreement, minimum_detectable, needed_for_difference
    from nliprobe.stats.noninferiority import detectable_margin, needed_for_margin

    measure = difference.measure
    seen = disagreement(difference.sums, measure.sizes, difference.flips) if measure.n else None
    if seen is None:
        return _suggestion(name, measure, level, margin, None, None, _TOO_FEW)
    reach = (detectable_margin if excluded else minimum_detectable)(seen, level=1 - level)
    needed = (needed_for_margin if excluded else needed_for_difference)(seen, margin, level=1 - level)
    groups = None if needed is None else float(needed.groups)
    return _suggestion(name, measure, level, margin, reach, groups, "" if groups else "no number of cases is enough")


_TOO_FEW = "there is no interval to start from: too few groups"


def _suggestion(
    name: str,
    measure: Measure,
    level: float,
    margin: float,
    reach: float | None,
    groups: float | None,
    reason: str,
) -> Suggestion:
    # A hair below a whole number is rounding.
    needed = None if groups is None else max(1, math.ceil(groups - 1e-9))
    per_group = measure.n / measure.groups if measure.groups else 1.0
    return Suggestion(
        name=name,
        margin=margin,
        level=level,
        n=measure.n,
        groups=measure.groups,
        reach=reach,
        n_needed=None if needed is None else math.ceil(needed * per_group - 1e-9),
        groups_needed=needed,
        reason=reason,
    )
