"""Table 1: tables and pairs of each split."""

from __future__ import annotations

from nliprobe.papers.recipes import Cell, Computed, Folders, recipe


@recipe("infotabs:table1", "Tables and pairs of each split of InfoTabS")
def table1(folders: Folders) -> Computed:
    """Count tables and pairs."""
    from nliprobe.papers.infotabs._statistics import SPLITS, split_statistics

    values: dict[Cell, float | None] = {}
    for split in SPLITS:
        counts = split_statistics(split, folders.root)
        values[Cell(split, "tables")] = counts["tables"]
        values[Cell(split, "pairs")] = counts["pairs"]
    return Computed(values, [])
