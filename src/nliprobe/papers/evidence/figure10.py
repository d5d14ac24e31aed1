"""Figure 10: how many raters of a pair marked exactly the same rows."""

from __future__ import annotations

from collections.abc import Sequence

from nliprobe.papers.recipes import Cell, CellDocument, Chart, Computed, Folders, Value, recipe
from nliprobe.report.bars import Bar

_NOTE = "The bars of the figure have no printed numbers; the text says in how many pairs at least 3 and 4 raters agree."


def _draw(cells: Sequence[CellDocument]) -> list[Chart]:
    bars = [
        Bar(cell["row"], (("all", cell["ours"]),), f"{cell['ours']:.1f} %")
        for cell in cells
        if not cell["row"].startswith("at least") and cell["ours"] is not None
    ]
    return [Chart("pairs by the most raters with exactly the same marks, percent", bars)]


@recipe("evidence:figure10", "Raters of a pair with exactly the same marks", _draw)
def figure10(folders: Folders) -> Computed:
    """Count the raters with the same marks, pair by pair, in the released sample."""
    from nliprobe.papers.evidence._counting import share
    from nliprobe.papers.evidence._marks import agreement, by, note

    measured, source = agreement(folders), by(folders)
    groups = [item.pair.group for item in measured.pairs]
    values: dict[Cell, float | Value | None] = {
        Cell(f"at least {least} identical", "percent"): share(
            [item.identical >= least for item in measured.pairs], groups, source
        )
        for least in (3, 4)
    }
    for identical, pairs in measured.identical_marks().items():
        values[Cell(f"{identical} identical", "percent")] = Value(100 * pairs / len(measured.pairs), source)
    return Computed(values, [_NOTE, note(folders)])
