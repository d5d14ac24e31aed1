"""Table 5: prohibited transitions after a permutation of the rows."""

from __future__ import annotations

from nliprobe.papers.evidence._transitions import table
from nliprobe.papers.recipes import Computed, Folders, recipe
from nliprobe.task.relations import PERMUTE

_NOTES: list[str] = [
    "The table differs from sums of figure 5 by up to 0.09 (NEUTRAL on alpha2).",
]


@recipe("evidence:table5", "Prohibited transitions after a permutation of the rows")
def table5(folders: Folders) -> Computed:
    """Add up what is prohibited of figure 5's edges, and of the transitions of the model that was asked."""
    return table(folders, "figure5", "rows.permute", PERMUTE.relation, _NOTES)
