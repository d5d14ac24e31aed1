"""Table 10: how many words of a hypothesis its table has."""

from __future__ import annotations

from nliprobe.papers.recipes import Cell, Computed, Folders, recipe

_NOTES = [
    "The paper only says that stop words were removed. Ours is the share of a hypothesis's distinct words that occur "
    "in title, keys or values of its table with the same case: the definition was chosen because it comes nearest to "
    "the printed means and standard deviations, so agreement within 0.05 confirms little."
]


@recipe("infotabs:table10", "Mean share of the words of a hypothesis that its table has, by label and split")
def table10(folders: Folders) -> Computed:
    """Compute the means."""
    from nliprobe.papers.infotabs._statistics import LABELS, SPLITS, split_statistics

    values: dict[Cell, float | None] = {}
    for split in SPLITS:
        hypotheses = split_statistics(split, folders.root)["hypotheses"]
        for row, label in LABELS.items():
            overlap = hypotheses[label]["overlap_cased"] if label in hypotheses else None
            values[Cell(row, split)] = overlap and overlap["mean"]
    return Computed(values, list(_NOTES))
