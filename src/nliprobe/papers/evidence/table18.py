"""Table 18: prohibited transitions after the deletion of a row and the insertion of another."""

from __future__ import annotations

from nliprobe.papers.evidence._transitions import table
from nliprobe.papers.recipes import Computed, Folders, recipe
from nliprobe.task.relations import DELETE, INSERT, together

_NOTES: list[str] = [
    "Nothing is prohibited from N: 0 is printed, and counts in the averages.",
]


@recipe("evidence:table18", "Prohibited transitions after the deletion of a row and the insertion of another")
def table18(folders: Folders) -> Computed:
    """Add up what is prohibited of figure 12's edges, and of the transitions of the model that was asked."""
    return table(folders, "figure12", "rows.compose?ops=insert+delete", together([DELETE, INSERT]), _NOTES)
