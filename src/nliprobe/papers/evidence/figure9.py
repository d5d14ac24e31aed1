"""Figure 9: how many pairs have which precision and recall."""

from __future__ import annotations

from collections.abc import Sequence

from nliprobe.papers.recipes import Cell, CellDocument, Chart, Computed, Folders, Value, recipe
from nliprobe.report.bars import Bar

_NOTES = [
    "The bars of the figure have no printed numbers; the text says in how many pairs precision is below 80 % and "
    "recall below 90 %.",
    "Precision and recall of a pair are those of all its marks together against their majority; a pair without any "
    "relevant row has no recall and is 'undefined'.",
]
_MEASURES = ("precision", "recall")


def _draw(cells: Sequence[CellDocument]) -> list[Chart]:
    charts = []
    for measure in _MEASURES:
        bars = [
            Bar(cell["col"], (("all", cell["ours"]),), f"{cell['ours']:.1f} %")
            for cell in cells
            if cell["row"] == measure and cell["ours"] is not None
        ]
        charts.append(Chart(f"pairs by {measure}, percent", bars))
    return charts


@recipe("evidence:figure9", "Precision and recall of the marks of a pair", _draw)
def figure9(folders: Folders) -> Computed:
    """Compare the marks of each pair of the released sample with their majority."""
    from nliprobe.papers.evidence._counting import share
    from nliprobe.papers.evidence._marks import agreement, by, note

    measured, source = agreement(folders), by(folders)
    groups = [item.pair.group for item in measured.pairs]
    low = [(item.matches.precision or 0) < 0.8 for item in measured.pairs]
    short = [item.matches.recall is not None and item.matches.recall < 0.9 for item in measured.pairs]
    values: dict[Cell, float | Value | None] = {
        Cell("precision below 80 %", "percent"): share(low, groups, source),
        Cell("recall below 90 %", "percent"): share(short, groups, source),
    }
    for measure, counts in measured.distribution().items():
        for step, pairs in counts.items():
            values[Cell(measure, step)] = Value(100 * pairs / len(measured.pairs), source)
    return Computed(values, [*_NOTES, note(folders)])
