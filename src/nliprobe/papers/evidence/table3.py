"""Table 3: prohibited transitions after the insertion of a row."""

from __future__ import annotations

from nliprobe.papers.evidence._transitions import table
from nliprobe.papers.recipes import Computed, Folders, recipe
from nliprobe.task.relations import INSERT

_NOTES: list[str] = [
    "An inserted row may decide about a neutral hypothesis, so nothing is prohibited from N: 0 is "
    "printed, and counts in the averages.",
]


@recipe("evidence:table3", "Prohibited transitions after the insertion of a row")
def table3(folders: Folders) -> Computed:
    """Add up what is prohibited of figure 3's edges, and of the transitions of the model that was asked."""
    return table(folders, "figure3", "rows.insert", INSERT.relation, _NOTES)
