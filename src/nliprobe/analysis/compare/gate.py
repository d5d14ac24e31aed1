"""Gates: decide whether a run passes, compared with a contract, with an earlier run, or with both.

Compared with a baseline, a gate fails if the new system is significantly worse on the cases both were asked: the
sign-flip test over groups is significant after Holm's correction over all comparisons. With a margin, the interval of
the difference must lie below minus the margin, too. A difference that may be chance passes.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import TYPE_CHECKING

from nliprobe.analysis.cases import NONE, RunData, read_run
from nliprobe.analysis.compare.baseline import baseline_checks, nothing_common_check
from nliprobe.analysis.compare.comparison import compare_sides
from nliprobe.analysis.compare.contract import Contract, ContractCheck, Kind
from nliprobe.analysis.compare.documents import GATE_SCHEMA, GateCheck, GateDocument, SideHead
from nliprobe.analysis.compare.pairing import choose_system, find_partners, read_side
from nliprobe.analysis.integrity import integrity
from nliprobe.analysis.measures import NEEDS, Measure, Place, measures
from nliprobe.base.errors import DataError, StoreError, UsageError, did_you_mean, option

if TYPE_CHECKING:
    from nliprobe.store.run import RunFolder

# The metrics of a contract made from a run, and on which side each is limited. A share of changed answers is neither
# good nor bad in itself, so a contract limits it only if somebody adds it.
WRITTEN: Mapping[str, Kind] = {
    "accuracy": "at_least",
    "macro_f1": "at_least",
    "gain": "at_least",
    "prohibited": "at_most",
    "broken": "at_most",
    "unanswered": "at_most",
}
# One point: a written contract is there to catch what broke, not to fail on the next seed. Tighten it by hand.
SLACK = 0.01


def gate(
    run: RunFolder,
    *,
    baseline: RunFolder | None = None,
    contract: Contract | None = None,
    system: str | None = None,
    baseline_system: str | None = None,
    margin: float = 0.0,
) -> GateDocument:
    """Decide whether a run passes.

    Args:
        run: the run to decide about; it must be complete.
        baseline: a run it must not be worse than.
        contract: limits it must keep.
        system: which system of the run; else the contract's, else the only one.
        baseline_system: which system of the baseline; else the one of the same name, else the only one.
        margin: how much worse than the baseline is still accepted, as a fraction.

    Raises:
        UsageError: there is nothing to compare the run with, or a system must be named.
        StoreError: a run is damaged or not complete.
        DataError: the contract names something that the run does not have.
    """
    if baseline is None and contract is None:
        raise UsageError(
            f"There is nothing to compare the run with: give {option('baseline', 'RUN')} "
            f"or {option('contract', 'FILE')}."
        )
    if not 0 <= margin <= 1:
        raise UsageError(f"The margin is a fraction from 0 to 1, not {margin}.")
    name = _system(run, system, contract)
    data = read_whole(run)
    checks = [_damaged_check(name, item) for item in (run, baseline) if item is not None and item.left_out]
    notes: list[str] = []
    head = read_side(run, name, data.cases).head
    before: SideHead | None = None
    if contract is not None:
        checks += _contract_checks(run, data, name, contract)
    if baseline is not None:
        compared, notes, before = _baseline_checks(run, data, name, baseline, baseline_system, margin)
        checks += compared
    return GateDocument(
        schema=GATE_SCHEMA,
        passed=all(check["passed"] for check in checks),
        run=head,
        baseline=before,
        contract=None if contract is None else contract.name,
        checks=checks,
        notes=list(dict.fromkeys([*(f"{name}: {line}" for line in run.system(name).remarks), *notes])),
    )


def write_contract(run: RunFolder, *, system: str | None = None, slack: float = SLACK) -> Contract:
    """Make a contract that a run just keeps: each limit is the unfavourable bound, eased by a slack and rounded.

    Args:
        run: the run; it must be complete.
        system: which system of the run; may be left out when it has one.
        slack: how much room to leave, as a fraction.
    """
    if not 0 <= slack <= 1:
        raise UsageError(f"The slack is a fraction from 0 to 1, not {slack}.")
    name = choose_system(run, system, option("system"))
    data = read_whole(run)
    if run.left_out:
        raise StoreError(f"A contract cannot be made from a part of the run {run.path}: repair it first.")
    measured = measures(data, name)
    places = [(part.corpus, part.probe, metric) for part in data.cases.slices() for metric in WRITTEN]
    checks = [
        _eased(place, measured[place], WRITTEN[place[2]], slack)
        for place in places
        if place in measured and measured[place].value is not None and not _repeated(place, measured)
    ]
    # Without a name the contract holds for the only system of any run, whatever it is called.
    return Contract(tuple(checks), name if len(data.systems) > 1 else None)


def read_whole(run: RunFolder) -> RunData:
    """Read a run that must be complete, because half a run must not pass a gate."""
    _require_complete(run)
    return read_run(run)


def _require_complete(run: RunFolder) -> None:
    if not run.complete:
        raise StoreError(
            f"The run {run.path} is not complete: a gate would decide on half of it. "
            "Repeat the command that made it: it continues."
        )


def _damaged_check(system: str, run: RunFolder) -> GateCheck:
    """Return the failed check of a run that is read in part: what is left of it is shown, but never passes."""
    return GateCheck(
        name=f"{run.path.resolve().name} is whole",
        system=system,
        corpus=None,
        probe=None,
        metric=None,
        kind="damaged",
        value=None,
        ci95=None,
        bound=None,
        limit=None,
        passed=False,
        reason=" ".join(integrity(run)["warnings"]),
    )


def _repeated(place: Place, measured: Mapping[Place, Measure]) -> bool:
    """Tell whether a share of broken expectations equals that of prohibited transitions, which has its own line."""
    corpus, probe, metric = place
    prohibited = measured.get((corpus, probe, "prohibited"))
    return metric == "broken" and prohibited is not None and prohibited.value == measured[place].value


def _system(run: RunFolder, system: str | None, contract: Contract | None) -> str:
    named = system if system is not None or contract is None else contract.system
    return choose_system(run, named, option("system"))


def _baseline_checks(
    run: RunFolder,
    data: RunData,
    system: str,
    baseline: RunFolder,
    baseline_system: str | None,
    margin: float,
) -> tuple[list[GateCheck], list[str], SideHead]:
    _require_complete(baseline)
    names = [item.name for item in baseline.systems]
    wanted = system if baseline_system is None and system in names else baseline_system
    before = read_side(baseline, choose_system(baseline, wanted, option("baseline-system")))
    # The same run may be its own baseline; then its cases are the same object and are matched row by row.
    same = run.path.resolve() == baseline.path.resolve()
    after = read_side(run, system, before.cases if same else data.cases)
    partners = find_partners(before, after)
    if not (partners.right != NONE).any():
        return [nothing_common_check(before, after)], [], before.head
    document = compare_sides(before, after, partners)
    notes = [*document["differences"], *document["notes"]]
    return baseline_checks(document, margin), notes, before.head


def _contract_checks(run: RunFolder, data: RunData, system: str, contract: Contract) -> list[GateCheck]:
    measured = measures(data, system)
    parts = [(part.corpus, part.probe) for part in data.cases.slices()]
    checks: list[GateCheck] = []
    for number, check in enumerate(contract.checks, start=1):
        place = f"{contract.name}, check {number}"
        probes = [probe for corpus, probe in parts if corpus == check.corpus]
        if not probes:
            near = did_you_mean(check.corpus, [corpus for corpus, _ in parts])
            raise DataError(f"{place}: the run {run.path} has no corpus '{check.corpus}'. {near}")
        if check.probe not in probes:
            near = did_you_mean(check.probe, probes)
            raise DataError(f"{place}: the run {run.path} has no probe '{check.probe}' on {check.corpus}. {near}")
        measure = measured.get((check.corpus, check.probe, check.metric))
        if measure is None:
            raise DataError(
                f"{place}: there is no {check.metric} of {check.probe} on {check.corpus}: {NEEDS[check.metric]}."
            )
        checks.append(_decide(check, measure, system))
    return checks


def _decide(check: ContractCheck, measure: Measure, system: str) -> GateCheck:
    at_least = check.kind == "at_least"
    bound = measure.value
    if check.on == "bound":
        bound = None if measure.ci95 is None else measure.ci95[0 if at_least else 1]
    passed = bound is not None and (bound >= check.limit if at_least else bound <= check.limit)
    if measure.value is None:
        reason = f"there is nothing to compute {check.metric} from"
    elif bound is None:
        reason = f"{check.metric} {measure.value:.3f} has no interval (too few groups); decide it with on: estimate"
    else:
        words = (
            check.metric if check.on == "estimate" else f"{'lower' if at_least else 'upper'} bound of {check.metric}"
        )
        sign = ("≥" if at_least else "≤") if passed else ("<" if at_least else ">")
        reason = f"{words} {bound:.4f} {sign} {check.limit:g}"
    return GateCheck(
        name=f"{check.metric} of {check.probe} on {check.corpus}",
        system=system,
        corpus=check.corpus,
        probe=check.probe,
        metric=check.metric,
        kind=check.kind,
        value=measure.value,
        ci95=measure.ci95,
        bound=bound,
        limit=check.limit,
        passed=passed,
        reason=reason,
    )


def _eased(place: tuple[str, str, str], measure: Measure, kind: Kind, slack: float) -> ContractCheck:
    at_least = kind == "at_least"
    bound = measure.value if measure.ci95 is None else measure.ci95[0 if at_least else 1]
    eased = Decimal(bound or 0.0) + (Decimal(-slack) if at_least else Decimal(slack))
    # Decimals of the exact number: rounding a float times 1000 can end on the wrong side of the bound.
    rounded = eased.quantize(Decimal("0.001"), rounding=ROUND_FLOOR if at_least else ROUND_CEILING)
    lowest = Decimal(-1) if place[2] == "gain" else Decimal(0)
    limit = float(min(max(rounded, lowest), Decimal(1)))
    return ContractCheck(*place, kind, limit, "estimate" if measure.ci95 is None else "bound")
