"""Table 10: how many words of a hypothesis its table has."""

from __future__ import annotations

from nliprobe.papers.recipes import Cell, Computed, Folders, recipe

_NOTES = [
    "The paper says that stop words were removed and no more. Ours is the share of the distinct words of a hypothesis "
    "that stand in title, keys or values of its table with the same case: the definition was chosen because it comes "
    "nearest to the printed means and standard deviations, so agreement within 0.05 confirms little."
]


@recipe("infotabs:table10", "Mean share of the words of a hypothesis that its table has, by label and split")
def table10(folders: Folders) -> Computed:
    """Compute the means."""
    from nliprobe.papers.infotabs._statistics import LABELS, SPLITS, split_statistics

    values: dict[Cell, float | None] = {}
    for split in SPLITS:
        found = split_statistics(split, folders.root)["hypotheses"]
        for row, label in LABELS.items():
            overlap = found[label]["overlap_cased"] if label in found else None
            values[Cell(row, split)] = overlap and overlap["mean"]
    return Computed(values, list(_NOTES))
