"""Table 2: prohibited transitions after the deletion of a row."""

from __future__ import annotations

from nliprobe.papers.evidence._transitions import table
from nliprobe.papers.recipes import Computed, Folders, recipe
from nliprobe.task.relations import DELETE

_NOTES: list[str] = []


@recipe("evidence:table2", "Prohibited transitions after the deletion of a row")
def table2(folders: Folders) -> Computed:
    """Add up what is prohibited of figure 2's edges, and of the transitions of the model that was asked."""
    return table(folders, "figure2", "rows.delete", DELETE.relation, _NOTES)
