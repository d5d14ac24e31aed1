"""Figure 2: the kinds of reasoning that pairs need."""

from __future__ import annotations

from collections.abc import Sequence

from nliprobe.papers.infotabs._reasoning import kind_name, label_bars
from nliprobe.papers.recipes import Cell, CellDocument, Chart, Computed, Folders, recipe
from nliprobe.report.bars import Bar

_NOTES = [
    "The bars of the figure have no printed numbers, so their cells only have our values. The text prints the mean "
    "number of kinds per pair and the share of dev pairs that need knowledge and common sense.",
    "The experts' consensus as released gives knowledge and common sense to 76 of the 160 dev pairs (47.5 %); the "
    "printed 48.75 % is 78.",
    "The 160 pairs of alpha3 are about tables of their own (T2246 to T2269) and not in the test split.",
]
_SPLITS = ("dev", "alpha3")


def _draw(cells: Sequence[CellDocument]) -> list[Chart]:
    charts: list[Chart] = []
    for split in _SPLITS:
        charts += label_bars(cells, split, f"{split}: pairs by kind of reasoning and label")
    for split in _SPLITS:
        bars = [
            Bar(cell["col"].replace("_", " "), (("all", cell["ours"]),), f"{cell['ours']:g}")
            for cell in cells
            if cell["row"] == f"{split}: kinds in a pair" and cell["ours"] is not None
        ]
        charts.append(Chart(f"{split}: kinds of reasoning in a pair", bars))
    return charts


@recipe("infotabs:figure2", "Kinds of reasoning in 160 pairs of dev and 160 like those of alpha3", _draw)
def figure2(folders: Folders) -> Computed:
    """Count the experts' consensus."""
    from nliprobe.papers.infotabs._statistics import split_statistics

    values: dict[Cell, float | None] = {}
    for split in _SPLITS:
        reasoning = split_statistics(f"reasoning-{split}", folders.root)["facets"]["reasoning"]
        values[Cell(split, "types_per_pair")] = reasoning["mean_per_pair"]
        for kind, counts in reasoning["values"].items():
            values.update({Cell(f"{split}: {kind_name(kind)}", label): counts.get(label, 0) for label in "ENC"})
        values.update({Cell(f"{split}: kinds in a pair", n): count for n, count in reasoning["per_pair"].items()})
        if split == "dev":
            values[Cell(split, "kcs_percent")] = (
                100 * sum(reasoning["values"].get("KCS", {}).values()) / reasoning["pairs"]
            )
    return Computed(values, list(_NOTES))
