"""Figure 6: how many hypotheses the busiest annotators wrote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from nliprobe.papers.recipes import Cell, CellDocument, Chart, Computed, Folders, recipe
from nliprobe.report.bars import Bar

_NOTES = [
    "The bars of the figure have no printed numbers, so their cells only have our values; the text says that the top "
    "40 annotators wrote about 90 % of the data. Our value is over all five splits (in train alone it is 88.4 %)."
]
_STEP = 10


def _draw(cells: Sequence[CellDocument]) -> list[Chart]:
    ours = {Cell(cell["row"], cell["col"]): cell["ours"] for cell in cells}
    bars = []
    for (row, col), n in ours.items():
        if col == "pairs" and n is not None:
            bars.append(Bar(row, (("all", n),), f"{n:,.0f} ({ours[Cell(row, 'percent')] or 0:.1f} %)"))
    return [Chart("pairs by the n annotators who wrote most", bars)]


@recipe("infotabs:figure6", "Pairs written by the n annotators who wrote most", _draw)
def figure6(folders: Folders) -> Computed:
    """Add up the pairs of each annotator over all splits."""
    from nliprobe.papers.infotabs._statistics import SPLITS, split_statistics

    pairs: Counter[str] = Counter()
    for split in SPLITS:
        pairs.update({one["author"]: one["pairs"] for one in split_statistics(split, folders.root)["authors"]})
    values: dict[Cell, float | None] = {}
    numbers = [1, 5, *range(_STEP, len(pairs), _STEP), len(pairs)]
    for n in numbers:
        written = sum(count for _, count in pairs.most_common(n))
        values[Cell(f"top {n}", "pairs")] = written
        values[Cell(f"top {n}", "percent")] = 100 * written / pairs.total()
    return Computed(values, list(_NOTES))
