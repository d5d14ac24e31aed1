"""Figure 2: transitions after the deletion of a row."""

from __future__ import annotations

from nliprobe.papers.evidence._graphs import draw_transitions
from nliprobe.papers.evidence._transitions import figure
from nliprobe.papers.recipes import Computed, Folders, recipe
from nliprobe.task.relations import DELETE

_NOTES = [
    "The printed numbers stand at their edges by layout: outgoing edges of a label add up to 100, and "
    "table 2 gives what is prohibited. Which of N's two prohibited edges has the smaller numbers is read "
    "from where they stand.",
]


@recipe("evidence:figure2", "Transitions after the deletion of a row", draw_transitions(DELETE.relation))
def figure2(folders: Folders) -> Computed:
    """Compute the transitions of the model that was asked."""
    return figure(folders, "figure2", "rows.delete", _NOTES)
