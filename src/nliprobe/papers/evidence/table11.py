"""Table 11: H5, a hypothesis that its table contradicts, and what raising or lowering its number does."""

from __future__ import annotations

from nliprobe.papers.evidence._printed import FILM, H5, LABELS, made_of, rule_of, share_entailed
from nliprobe.papers.recipes import Cell, Computed, Folders, Value, recipe
from nliprobe.task.case import Case, Certainty

_PROBE = "hypothesis.temporal"
_NOTES = [
    LABELS,
    "'label' is the one under which our rules are certain of something: they compare the number with the table. "
    "'raised' and 'lowered' are the labels after these moves. The paper's text says of H5 that raising the hours keeps "
    "the label and that lowering them by half flips it.",
]


@recipe("evidence:table11", "A hypothesis that contradicts its table, and its number raised and lowered")
def table11(folders: Folders) -> Computed:
    """Find out which label of H5 the table confirms, and move its number."""
    certain = {label: _certain(label) for label in ("E", "C")}
    confirmed = [label for label, cases in certain.items() if cases]
    values: dict[Cell, float | Value | None] = {
        Cell("H5", "label"): float(confirmed[0] == "E") if len(confirmed) == 1 else None
    }
    for move in ("raised", "lowered"):
        cases = [case for case in certain["C"] if rule_of(case).endswith(f"-{move}")]
        values[Cell("H5", move)] = share_entailed(cases)
        values[Cell("H5", f"{move}, cases")] = len(cases)
    return Computed(values, _NOTES)


def _certain(label: str) -> list[Case]:
    return [case for case in made_of(FILM, H5, label, _PROBE) if case.certainty is Certainty.CERTAIN]
