"""Write an item of a paper as lines of text: printed value, ours, the difference, and what produced ours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from nliprobe.papers.recipes import CellDocument, ItemDocument
from nliprobe.report.words import NOTHING

_MARKS = "abcdefghijklmnopqrstuvwxyz"


class Shown(NamedTuple):
    """The texts of a cell."""

    paper: str
    ours: str
    off: str
    ends: str


def show_cells(document: ItemDocument) -> list[Shown]:
    """Return the texts of an item's cells, ours with the spread over seeds, with as many decimals as needed."""
    numbers: dict[tuple[str, str], list[float]] = {}
    for cell in document["cells"]:
        for place in (("row", cell["row"]), ("col", cell["col"])):
            known = [float(value) for value in (cell["paper"], cell["ours"]) if value is not None]
            numbers.setdefault(place, []).extend(known)
    return [_shown(cell, numbers["row", cell["row"]], numbers["col", cell["col"]]) for cell in document["cells"]]


def _shown(cell: CellDocument, *around: Sequence[float]) -> Shown:
    # A row or column of whole numbers holds counts, one without anything above 1 holds shares or kappas.
    if any(all(number.is_integer() for number in numbers) for numbers in around) and not {"sd", "ci95"} & cell.keys():
        places = 0
    else:
        places = 4 if any(all(abs(number) <= 1 for number in numbers) for numbers in around) else 2
    paper, ours = cell["paper"], cell["ours"]
    # Adding 0.0 below turns a negative zero into a plain one.
    spread = f" ±{cell['sd']:.{places}f}" if "sd" in cell else ""
    return Shown(
        paper=NOTHING if paper is None else f"{paper:.{places}f}",
        ours=NOTHING if ours is None else f"{ours:.{places}f}{spread}",
        off=NOTHING if paper is None or ours is None else f"{round(ours - paper, places) + 0.0:+.{places}f}",
        ends="[{:.{places}f}, {:.{places}f}]".format(*cell["ci95"], places=places) if "ci95" in cell else "",
    )


def marks(document: ItemDocument) -> dict[str, str]:
    """Return a letter for each model of ours that takes the place of one of the paper's."""
    names = dict.fromkeys(cell["by"] for cell in document["cells"] if "by" in cell)
    return dict(zip(names, _MARKS, strict=False))


def text_lines(document: ItemDocument) -> Iterator[str]:
    """Yield the lines below the title."""
    rows = max((len(cell["row"]) for cell in document["cells"]), default=0)
    cols = max((len(cell["col"]) for cell in document["cells"]), default=0)
    letters = marks(document)
    yield f"  {'':<{rows}} {'':<{cols}} {'paper':>10} {'ours':>14} {'ours - paper':>13}"
    for cell, (paper, ours, off, ends) in zip(document["cells"], show_cells(document), strict=True):
        mark = f"  {letters.get(cell['by'], '*')}" if "by" in cell else ""
        interval = f"  {ends}" if ends else ""
        yield f"  {cell['row']:<{rows}} {cell['col']:<{cols}} {paper:>10} {ours:>14} {off:>13}{mark}{interval}"
    for name, letter in letters.items():
        yield f"  {letter}: not as in the paper but {name}"
    for note in document["notes"]:
        yield f"  note: {note}"
