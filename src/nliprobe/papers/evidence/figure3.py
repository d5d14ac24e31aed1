"""Figure 3: transitions after the insertion of a row."""

from __future__ import annotations

from nliprobe.papers.evidence._graphs import draw_transitions
from nliprobe.papers.evidence._transitions import figure
from nliprobe.papers.recipes import Computed, Folders, recipe
from nliprobe.task.relations import INSERT

_NOTES = [
    "The printed numbers stand at their edges by layout: outgoing edges of a label add up to 100, and "
    "table 3 gives what is prohibited. Which of a label's two other edges has which of two numbers is a "
    "guess from the other figures; no sum depends on it.",
    "We insert one row per pair, drawn from a table of the same category; the paper does not say how many it drew.",
]


@recipe("evidence:figure3", "Transitions after the insertion of a row", draw_transitions(INSERT.relation))
def figure3(folders: Folders) -> Computed:
    """Compute the transitions of the model that was asked."""
    return figure(folders, "figure3", "rows.insert", _NOTES)
