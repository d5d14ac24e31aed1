"""Figure 4: transitions after the update of a value."""

from __future__ import annotations

from nliprobe.papers.evidence._graphs import draw_transitions
from nliprobe.papers.evidence._transitions import figure
from nliprobe.papers.recipes import Computed, Folders, recipe
from nliprobe.task.relations import UPDATE

_NOTES = [
    "The printed numbers stand at their edges by layout: outgoing edges of a label add up to 100, and "
    "table 4 gives what is prohibited. Which of C's two prohibited edges has which numbers is a guess; no"
    " sum depends on it.",
    "N to E on alpha3 is 0.07 here and 0.09 in table 4.",
    "Updates that change nothing are left out; about 6 % of the paper's should have been such.",
]


@recipe("evidence:figure4", "Transitions after the update of a value", draw_transitions(UPDATE.relation))
def figure4(folders: Folders) -> Computed:
    """Compute the transitions of the model that was asked."""
    return figure(folders, "figure4", "rows.update", _NOTES)
