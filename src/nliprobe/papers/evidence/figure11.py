"""Figure 11: transitions after the deletion of an irrelevant row."""

from __future__ import annotations

from nliprobe.papers.evidence._graphs import draw_transitions
from nliprobe.papers.evidence._relevant import NOTES, edges, measure
from nliprobe.papers.evidence._transitions import STAND_IN
from nliprobe.papers.recipes import Cell, Computed, Folders, Value, recipe
from nliprobe.task.relations import DELETE_IRRELEVANT

_NOTE = "The edges of the figure are not in the paper's text, so the cells have only our values; table 17 sums them up."


@recipe(
    "evidence:figure11",
    "Transitions after the deletion of an irrelevant row",
    draw_transitions(DELETE_IRRELEVANT.relation),
)
def figure11(folders: Folders) -> Computed:
    """Compute the transitions of the models that were asked, where the relevant rows are known."""
    measured, notes = measure(folders, DELETE_IRRELEVANT, relevant=False)
    values: dict[Cell, float | Value | None] = {**edges(measured)}
    return Computed(values, [_NOTE, STAND_IN, *NOTES, *notes])
