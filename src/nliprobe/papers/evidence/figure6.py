"""Figure 6: transitions after the deletion of a relevant row."""

from __future__ import annotations

from nliprobe.papers.evidence._graphs import draw_transitions
from nliprobe.papers.evidence._relevant import NOTES, edges, measure
from nliprobe.papers.evidence._transitions import STAND_IN
from nliprobe.papers.recipes import Cell, Computed, Folders, Value, recipe
from nliprobe.task.relations import DELETE_RELEVANT

_NOTE = (
    "The printed numbers stand at their edges by layout: outgoing edges of a label add up to 100, table 8 gives what "
    "is prohibited, and the text says that N becomes C more often than E."
)


@recipe(
    "evidence:figure6", "Transitions after the deletion of a relevant row", draw_transitions(DELETE_RELEVANT.relation)
)
def figure6(folders: Folders) -> Computed:
    """Compute the transitions of the models that were asked, where the relevant rows are known."""
    values: dict[Cell, float | Value | None] = dict.fromkeys(figure6.printed())
    measured, notes = measure(folders, DELETE_RELEVANT, relevant=True)
    return Computed(values | edges(measured), [_NOTE, STAND_IN, *NOTES, *notes])
