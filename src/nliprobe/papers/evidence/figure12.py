"""Figure 12: transitions after the deletion of a row and the insertion of another."""

from __future__ import annotations

from nliprobe.papers.evidence._graphs import draw_transitions
from nliprobe.papers.evidence._transitions import figure
from nliprobe.papers.recipes import Computed, Folders, recipe
from nliprobe.task.relations import DELETE, INSERT, together

_NOTES = [
    "The printed numbers stand at their edges by layout: outgoing edges of a label add up to 100, and "
    "table 18 gives what is prohibited. N's two other edges are read in the order of figure 6, which is "
    "drawn alike.",
    "On alpha1 the printed edges of E add up to 100.2 and those of N to 99.8.",
]


@recipe(
    "evidence:figure12",
    "Transitions after the deletion of a row and the insertion of another",
    draw_transitions(together([DELETE, INSERT])),
)
def figure12(folders: Folders) -> Computed:
    """Compute the transitions of the model that was asked."""
    return figure(folders, "figure12", "rows.compose?ops=insert+delete", _NOTES)
