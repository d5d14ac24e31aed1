"""Table 8: keys and annotators of each split, and how many of them the training split has."""

from __future__ import annotations

from nliprobe.papers.recipes import Cell, Computed, Folders, recipe

_NOTES = [
    "Keys that differ only in spaces count as one. The paper does not say how it told keys apart; our unique keys are "
    "within 2 %, those shared with train within 2.5 %."
]


@recipe("infotabs:table8", "Keys and annotators of each split of InfoTabS")
def table8(folders: Folders) -> Computed:
    """Count keys and annotators."""
    from nliprobe.papers.infotabs._statistics import SPLITS, split_statistics

    values: dict[Cell, float | None] = {}
    for split in SPLITS:
        statistics = split_statistics(split, folders.root)
        keys, shared = statistics["keys"], statistics["shared"]
        values[Cell("unique_keys", split)] = keys and keys["unique"]
        values[Cell("keys_per_table", split)] = keys and keys["per_table"]
        values[Cell("annotators", split)] = len(statistics["authors"])
        if shared is not None:
            values[Cell("unique_keys_in_train", split)] = shared["keys"]
            values[Cell("annotators_in_train", split)] = shared["authors"]
            values[Cell("pairs_of_train_annotators", split)] = shared["pairs_of_shared_authors"]
    return Computed(values, list(_NOTES))
