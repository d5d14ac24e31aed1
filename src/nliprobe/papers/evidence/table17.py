"""Table 17: prohibited transitions after the deletion of an irrelevant row."""

from __future__ import annotations

from nliprobe.papers.evidence._relevant import NOTES, measure, prohibited
from nliprobe.papers.evidence._transitions import AVERAGE, STAND_IN
from nliprobe.papers.recipes import Cell, Computed, Folders, Value, recipe
from nliprobe.task.relations import DELETE_IRRELEVANT

_NOTE = (
    "The edges of figure 11 are not in the paper's text. In the paper's own rows, only the averages can be computed: "
    "ours are the averages of the printed cells. The average of alpha3 is 6.00, not 6.01."
)
_LABELS = ("ENTAIL", "NEUTRAL", "CONTRADICT")


@recipe("evidence:table17", "Prohibited transitions after the deletion of an irrelevant row")
def table17(folders: Folders) -> Computed:
    """Average what is printed, and add up what is prohibited of the transitions of the models that were asked."""
    printed = table17.printed()
    values: dict[Cell, float | Value | None] = dict.fromkeys(printed)
    for cell in printed:
        if cell.row == "Average":
            values[cell] = sum(printed[Cell(row, cell.col)] for row in _LABELS) / len(_LABELS)
        elif cell.col == AVERAGE:
            others = [value for other, value in printed.items() if other.row == cell.row and other.col != AVERAGE]
            values[cell] = sum(others) / len(others)
    measured, notes = measure(folders, DELETE_IRRELEVANT, relevant=False)
    values |= prohibited(measured, DELETE_IRRELEVANT)
    return Computed(values, [_NOTE, STAND_IN, *NOTES, *notes])
