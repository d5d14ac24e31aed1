"""Table 2: how far the people who verified InfoTabS agree."""

from __future__ import annotations

from nliprobe.papers.recipes import Cell, Computed, Folders, recipe

_NOTES = [
    "The first five ratings of each pair count, a majority is three or more, and no majority counts as wrong in human "
    "accuracy. Kappa is between majority and gold, over pairs with a majority. The file's own column majoritylabel "
    "does not give the printed values.",
    "The paper cuts percentages off instead of rounding them: 79.78 is 1,429 of 1,791.",
    "The kappa of alpha1 is printed as 0.80 here and as 0.7930 in table 14; ours is 0.7922. Its majority agreement is "
    "that of 45 pairs without a majority; the released file has 44.",
]


@recipe("infotabs:table2", "Agreement of the people who verified InfoTabS")
def table2(folders: Folders) -> Computed:
    """Compute the table from the released verification files."""
    from nliprobe.api.agreement import agreement

    values: dict[Cell, float | None] = {}
    notes = list(_NOTES)
    for verified in agreement(["infotabs"], folders.root)["files"]:
        split = verified["name"].partition("/")[2]
        values[Cell(split, "cohen_kappa")] = verified["cohen_kappa"]
        for col, rate in (("human_accuracy", verified["accuracy"]), ("majority_agreement", verified["majority"])):
            values[Cell(split, col)] = None if rate["value"] is None else 100 * rate["value"]
        notes += [f"{split}: {note}" for note in verified["notes"]]
    return Computed(values, notes)
