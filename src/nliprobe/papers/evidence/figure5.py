"""Figure 5: transitions after a permutation of the rows."""

from __future__ import annotations

from nliprobe.papers.evidence._graphs import draw_transitions
from nliprobe.papers.evidence._transitions import figure
from nliprobe.papers.recipes import Computed, Folders, recipe
from nliprobe.task.relations import PERMUTE

_NOTES = [
    "The printed numbers stand at their edges by layout: outgoing edges of a label add up to 100, and "
    "table 5 gives what is prohibited. Text and layout tell the two other edges of each label apart.",
    "Sums of these edges differ from table 5 by up to 0.09.",
]


@recipe("evidence:figure5", "Transitions after a permutation of the rows", draw_transitions(PERMUTE.relation))
def figure5(folders: Folders) -> Computed:
    """Compute the transitions of the model that was asked."""
    return figure(folders, "figure5", "rows.permute", _NOTES)
