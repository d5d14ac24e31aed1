"""Table 8: prohibited transitions after the deletion of a relevant row."""

from __future__ import annotations

from nliprobe.papers.evidence._relevant import NOTES, measure, prohibited
from nliprobe.papers.evidence._transitions import FROM_PRINT, STAND_IN, prohibited_of_print
from nliprobe.papers.recipes import Cell, Computed, Folders, Value, recipe
from nliprobe.task.relations import DELETE_RELEVANT


@recipe("evidence:table8", "Prohibited transitions after the deletion of a relevant row")
def table8(folders: Folders) -> Computed:
    """Add up what is prohibited of figure 6's edges, and of the transitions of the models that were asked."""
    values: dict[Cell, float | Value | None] = {**prohibited_of_print("figure6", DELETE_RELEVANT.relation)}
    measured, notes = measure(folders, DELETE_RELEVANT, relevant=True)
    values |= prohibited(measured, DELETE_RELEVANT)
    return Computed(values, [FROM_PRINT.format("figure6"), STAND_IN, *NOTES, *notes])
