"""Compare computed labels with the relations of T4: each move is allowed, a named exception, or prohibited.

The relations are decoded from the seed's figures. Labels that programs compute follow from logic, so a prohibited move
would mean that a relation, an exception or the execution of programs is wrong (tables.md, T4 and T9).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from nliprobe.probes._exact import computed
from nliprobe.probes._units import Which, deletion, update
from nliprobe.task.case import Case, Skip
from nliprobe.task.edits import Edits, apply_edits
from nliprobe.task.evidence import Evidence
from nliprobe.task.exceptions import INSERTED_DECIDES, Judgement, Verdict, explanations, judge_move
from nliprobe.task.relations import INSERT, PERMUTE, UnitEdit

_OPERATIONS = frozenset({"row.delete", "row.update", "row.insert", "rows.permute"})


class CheckedMoves(NamedTuple):
    """How the moves of computed labels compare with T4.

    Attributes:
        allowed: how many are inside the relation of their edits.
        exceptions: how many are explained by each exception, by its name.
        prohibited: the cases whose move nothing explains.
    """

    allowed: int
    exceptions: dict[str, int]
    prohibited: tuple[Case, ...]

    @property
    def n(self) -> int:
        """How many moves were compared."""
        return self.allowed + sum(self.exceptions.values()) + len(self.prohibited)


def check_moves(cases: Iterable[Case | Skip]) -> CheckedMoves:
    """Compare the label of each case that edits rows with that of its pair, by T4's relation for the edits."""
    allowed = 0
    exceptions: Counter[str] = Counter()
    prohibited: list[Case] = []
    for case in cases:
        if isinstance(case, Skip) or case.gold is None or case.source.gold is None or not edits_rows(case.edits):
            continue
        verdict, exception = judge_case(case)
        if verdict is Verdict.ALLOWED:
            allowed += 1
        elif exception is not None:
            exceptions[exception.name] += 1
        else:
            prohibited.append(case)
    return CheckedMoves(allowed, dict(sorted(exceptions.items())), tuple(prohibited))


def judge_case(case: Case) -> Judgement:
    """Judge the move from the label of a pair to that of a case which edits its rows.

    Where a row was deleted and another one inserted, the label may be what the rows that stay say, or what the inserted
    one says: the program tells, executed without the insertion.
    """
    before, after = str(case.source.gold), str(case.gold)
    kinds = edit_kinds(case.edits, case.source.evidence)
    judgement = judge_move(kinds, before, after)
    if judgement.exception is None or case.source.program is None:
        return judgement
    if INSERTED_DECIDES in explanations(kinds, before, after):
        rest = tuple([edit for edit in case.edits if edit.op in ("row.update", "row.delete")])
        premise, _ = apply_edits(case.source.premise, case.source.hypothesis, rest)
        if computed(case.source.program, premise).label == "N":
            return Judgement(Verdict.EXCEPTION, INSERTED_DECIDES)
    return judgement


def edits_rows(edits: Edits) -> bool:
    """Tell whether edits are of rows only, and of distinct ones: what T4 has a relation for."""
    return bool(edits) and all(edit.op in _OPERATIONS for edit in edits)


def edit_kinds(edits: Edits, evidence: Evidence | None) -> list[UnitEdit]:
    """Return what edits of rows are according to the evidence.

    Deletions and updates come before insertions, and deletions from the last row to the first, so that their places
    are those of the pair's table.
    """
    places = {op: [edit.unit for edit in edits if edit.op == op and edit.unit is not None] for op in _OPERATIONS}
    kinds = [update(evidence, place) for place in places["row.update"]]
    marked = () if evidence is None else evidence.units
    for relevant in (True, False):
        same = sorted(place for place in places["row.delete"] if (place in marked) == relevant)
        if same:
            kinds.append(deletion(evidence, same, Which.EACH)[0])
    operations = {edit.op for edit in edits}
    return [*kinds, *[INSERT] * ("row.insert" in operations), *[PERMUTE] * ("rows.permute" in operations)]
