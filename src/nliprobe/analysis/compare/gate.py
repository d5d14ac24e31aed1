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
from nliprobe.analysis.compare.against_cases import add_cases
from nliprobe.analysis.compare.baseline import Compared, baseline_checks, nothing_common_check
from nliprobe.analysis.compare.comparison import compare_sides
from nliprobe.analysis.compare.contract import Contract, ContractCheck, Kind
from nliprobe.analysis.compare.contract_checks import Decided, decide_checks, measure_checks
from nliprobe.analysis.compare.deciding import joint_level, unfavourable
from nliprobe.analysis.compare.documents import GATE_SCHEMA, GateCheck, GateDocument, suite_check
from nliprobe.analysis.compare.pairing import Side, choose_system, find_partners, read_side, suite_differences
from nliprobe.analysis.compare.places import Places
from nliprobe.analysis.compare.relative import Against
from nliprobe.analysis.compare.suggest import suggestions
from nliprobe.analysis.integrity import integrity
from nliprobe.analysis.measures import Measure, Measures
from nliprobe.base.errors import StoreError, UsageError, option

if TYPE_CHECKING:
    from nliprobe.store.run import RunFolder

# Corpus, probe and metric.
Place = tuple[str, str, str]
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
    cases: int = 0,
    suggest: float | None = None,
) -> GateDocument:
    """Decide whether a run passes.

    Args:
        run: the run to decide about; it must be complete.
        baseline: a run it must not be worse than. If the contract says what to compare with it, nothing else is.
        contract: limits it must keep.
        system: which system of the run; else the contract's, else the only one.
        baseline_system: which system of the baseline; else the one of the same name, else the only one.
        margin: how much worse than the baseline is still accepted, as a fraction.
        cases: how many cases that speak against the system are given with each failed check.
        suggest: a margin, as a fraction: also say how many cases each check needs for it.

    Raises:
        UsageError: there is nothing to compare the run with, or a system must be named.
        StoreError: a run is damaged or not complete.
        DataError: the contract names something that the run does not have.
    """
    _check_request(baseline, contract, margin, cases, suggest)
    name = _system(run, system, contract)
    data = read_whole(run)
    checks = [_damaged_check(name, item) for item in (run, baseline) if item is not None and item.left_out]
    notes: list[str] = []
    before: Side | None = None
    against: Against | None = None
    if baseline is not None:
        before, after = _sides(run, data, name, baseline, baseline_system)
        against = Against(before, after, find_partners(before, after))
    head = read_side(run, name, data.cases).head if against is None else against.after.head
    decided: list[Decided] = []
    compared: list[Compared] = []
    if contract is not None:
        decided = decide_checks(measure_checks(contract, Places(run, data, name), against), contract, name)
        checks += [item.document for item in decided]
    if against is not None:
        compared, notes = _baseline_checks(against, margin, only_notes=contract is not None and contract.relative)
        checks += [item.document for item in compared]
    if cases:
        add_cases(run, name, data, decided, compared, cases)
    return GateDocument(
        schema=GATE_SCHEMA,
        passed=all(check["passed"] for check in checks),
        run=head,
        baseline=None if before is None else before.head,
        contract=None if contract is None else contract.name,
        correction=None if contract is None else contract.correction,
        checks=checks,
        suggestions=[] if suggest is None else suggestions(decided, compared, against, contract, suggest),
        notes=list(dict.fromkeys([*(f"{name}: {line}" for line in run.system(name).remarks), *notes])),
    )


def _check_request(
    baseline: RunFolder | None, contract: Contract | None, margin: float, cases: int, suggest: float | None
) -> None:
    if baseline is None and contract is None:
        raise UsageError(
            f"There is nothing to compare the run with: give {option('baseline', 'RUN')} "
            f"or {option('contract', 'FILE')}."
        )
    if not 0 <= margin <= 1:
        raise UsageError(f"The margin is a fraction from 0 to 1, not {margin}.")
    if suggest is not None and not 0 < suggest < 1:
        raise UsageError(f"A margin to suggest cases for lies between 0 and 1, such as 0.01; not {suggest}.")
    if cases < 0:
        raise UsageError(f"The number of cases to show cannot be negative, but is {cases}.")


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
    measured = Measures(data, name)
    found = {
        (*place, metric): measure
        for place in measured.parts
        for metric in WRITTEN
        if (measure := measured.measure(*place, metric)) is not None and measure.value is not None
    }
    kept = {place: measure for place, measure in found.items() if not _repeated(place, found)}
    # The bounds of a contract hold together, so its limits do, too: else its own run might break it.
    level = joint_level(sum(measure.ends() is not None for measure in kept.values()))
    checks = [_eased(place, measure, WRITTEN[place[2]], slack, level) for place, measure in kept.items()]
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
    reason = " ".join(integrity(run)["warnings"])
    return suite_check(f"{run.path.resolve().name} is whole", system, "damaged", reason)


def _repeated(place: Place, measured: Mapping[Place, Measure]) -> bool:
    """Tell whether a share of broken expectations equals that of prohibited transitions, which has its own line."""
    corpus, probe, metric = place
    prohibited = measured.get((corpus, probe, "prohibited"))
    return metric == "broken" and prohibited is not None and prohibited.value == measured[place].value


def _system(run: RunFolder, system: str | None, contract: Contract | None) -> str:
    named = system if system is not None or contract is None else contract.system
    return choose_system(run, named, option("system"))


def _sides(
    run: RunFolder, data: RunData, system: str, baseline: RunFolder, baseline_system: str | None
) -> tuple[Side, Side]:
    _require_complete(baseline)
    names = [item.name for item in baseline.systems]
    wanted = system if baseline_system is None and system in names else baseline_system
    # The same run may be its own baseline; then its cases are the same object and are matched row by row.
    same = run.path.resolve() == baseline.path.resolve()
    chosen = choose_system(baseline, wanted, option("baseline-system"))
    return read_side(baseline, chosen, data.cases if same else None), read_side(run, system, data.cases)


def _baseline_checks(against: Against, margin: float, *, only_notes: bool) -> tuple[list[Compared], list[str]]:
    """Check every corpus and probe against the baseline, unless a contract says what to compare."""
    before, after, partners = against.before, against.after, against.partners
    if not (partners.right != NONE).any():
        return [Compared(nothing_common_check(before, after))], []
    if only_notes:
        return [], suite_differences(before.run, after.run)
    document = compare_sides(before, after, partners)
    return baseline_checks(document, margin), [*document["differences"], *document["notes"]]


def _eased(place: Place, measure: Measure, kind: Kind, slack: float, level: float) -> ContractCheck:
    at_least = kind == "at_least"
    known = unfavourable(measure, level, at_least=at_least)
    bound = measure.value if known is None else known
    eased = Decimal(bound or 0.0) + (Decimal(-slack) if at_least else Decimal(slack))
    # Decimals of the exact number: rounding a float times 1000 can end on the wrong side of the bound.
    rounded = eased.quantize(Decimal("0.001"), rounding=ROUND_FLOOR if at_least else ROUND_CEILING)
    lowest = Decimal(-1) if place[2] == "gain" else Decimal(0)
    limit = float(min(max(rounded, lowest), Decimal(1)))
    return ContractCheck(*place, kind, limit, "estimate" if known is None else "bound")
