"""Table 9: how long hypotheses are."""

from __future__ import annotations

from nliprobe.papers.recipes import Cell, Computed, Folders, recipe

_NOTES = [
    "Words are separated by spaces. The paper cuts off after the second decimal instead of rounding; only the 10.5 "
    "of alpha3, Entail, is rounded, to one decimal: it is 10.48."
]


@recipe("infotabs:table9", "Mean number of words in a hypothesis, by label and split")
def table9(folders: Folders) -> Computed:
    """Compute the means."""
    from nliprobe.papers.infotabs._statistics import LABELS, SPLITS, split_statistics

    values: dict[Cell, float | None] = {}
    for split in SPLITS:
        hypotheses = split_statistics(split, folders.root)["hypotheses"]
        for row, label in LABELS.items():
            values[Cell(row, split)] = hypotheses[label]["words"]["mean"] if label in hypotheses else None
    return Computed(values, list(_NOTES))
