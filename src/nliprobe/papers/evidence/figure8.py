"""Figure 8: how many ratings pairs have."""

from __future__ import annotations

from collections.abc import Sequence

from nliprobe.papers.recipes import Cell, CellDocument, Chart, Computed, Folders, Value, recipe
from nliprobe.report.bars import Bar

_NOTE = "The bars of the figure have no printed numbers; the text says that every pair has at least 5 ratings."


def _draw(cells: Sequence[CellDocument]) -> list[Chart]:
    bars = [
        Bar(cell["row"], (("all", cell["ours"]),), f"{cell['ours']:.1f} %")
        for cell in cells
        if cell["col"] == "percent" and cell["ours"] is not None
    ]
    return [Chart("pairs by their number of ratings, percent", bars)]


@recipe("evidence:figure8", "Ratings per pair", _draw)
def figure8(folders: Folders) -> Computed:
    """Count the ratings of the released sample."""
    from nliprobe.papers.evidence._marks import agreement, by, note

    measured, source = agreement(folders), by(folders)
    counts = measured.ratings_per_pair()
    values: dict[Cell, float | Value | None] = {Cell("fewest ratings per pair", "ratings"): Value(min(counts), source)}
    for ratings, pairs in counts.items():
        values[Cell(f"{ratings} ratings", "percent")] = Value(100 * pairs / len(measured.pairs), source)
    return Computed(values, [_NOTE, note(folders)])
