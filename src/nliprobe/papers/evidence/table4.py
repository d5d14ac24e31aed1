"""Table 4: prohibited transitions after the update of a value."""

from __future__ import annotations

from nliprobe.papers.evidence._transitions import table
from nliprobe.papers.recipes import Computed, Folders, recipe
from nliprobe.task.relations import UPDATE

_NOTES: list[str] = [
    "NEUTRAL on alpha3 is printed as 0.09, but figure 4 has 0.07.",
]


@recipe("evidence:table4", "Prohibited transitions after the update of a value")
def table4(folders: Folders) -> Computed:
    """Add up what is prohibited of figure 4's edges, and of the transitions of the model that was asked."""
    return table(folders, "figure4", "rows.update", UPDATE.relation, _NOTES)
