"""Figure 14: how many rows a hypothesis needs, and how often it needs knowledge from outside the table."""

from __future__ import annotations

from collections.abc import Sequence

from nliprobe.papers.evidence._counting import share
from nliprobe.papers.recipes import Cell, CellDocument, Chart, Computed, Folders, Value, recipe
from nliprobe.report.bars import Bar

SAMPLE = "infotabs/train-sample?evidence=gold"
_NOTES = [
    "The paper's marks of 7,200 pairs are not public. Ours are the 140 released pairs of 18 tables of train, the rows "
    "that most of five raters marked; the bars of the figure have no printed numbers, so only what the text says is "
    "printed ('no row' as 'less than 0.25 %').",
    "'E and C' are both labels together. A pair may need rows and knowledge from outside the table.",
]
_BY = "the majority of five raters on {} pairs of {} tables of train"
_MOST = 3
_ORDER = ("no row", "1 row", "2 rows", f"{_MOST} rows or more", "out of table")


def _draw(cells: Sequence[CellDocument]) -> list[Chart]:
    ours = {Cell(cell["row"], cell["col"]): cell["ours"] for cell in cells}
    charts = []
    for col in ("all", "E", "N", "C"):
        bars = [
            Bar(row, (("all", percent),), f"{percent:.1f} %")
            for row in _ORDER
            if (percent := ours.get(Cell(row, col))) is not None
        ]
        if bars:
            charts.append(Chart(f"{col}: rows that a hypothesis needs, percent of pairs", bars))
    return charts


@recipe("evidence:figure14", "Rows that a hypothesis needs, and knowledge from outside the table", _draw)
def figure14(folders: Folders) -> Computed:
    """Count the rows of the released sample that most raters marked."""
    from nliprobe.api.sources import open_source

    pairs = [pair for pair in open_source(SAMPLE, folders.root).pairs() if pair.evidence is not None]
    by = _BY.format(len(pairs), len({pair.group for pair in pairs}))
    values: dict[Cell, float | Value | None] = {}
    columns = {"all": "ENC", "E": "E", "N": "N", "C": "C", "E and C": "EC"}
    for col, letters in columns.items():
        chosen = [(pair, pair.evidence) for pair in pairs if pair.evidence is not None and str(pair.gold) in letters]
        groups = [pair.group for pair, _ in chosen]
        sizes = [len(evidence.units) for _, evidence in chosen]
        for number in range(_MOST + 1):
            needed = [size == number or size > number == _MOST for size in sizes]
            values[Cell(_ORDER[number], col)] = share(needed, groups, by)
        values[Cell(_ORDER[-1], col)] = share([evidence.outside for _, evidence in chosen], groups, by)
    return Computed(values, list(_NOTES))
