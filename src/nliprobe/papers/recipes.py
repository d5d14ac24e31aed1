"""What recipes share: their registry, the printed values, and the document in which both stand side by side.

A recipe is one file ``papers/PAPER/ITEM.py`` with a function decorated by :func:`recipe`, and the printed values in
``ITEM.csv`` beside it (columns row, col and paper).
"""

from __future__ import annotations

import csv
import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import NamedTuple, NotRequired, TypedDict

from nliprobe.base.errors import NotFoundError, did_you_mean
from nliprobe.report.bars import Bar

SCHEMA = "nliprobe/reproduce/1"
ITEM_SCHEMA = "nliprobe/reproduce-item/1"


class CellDocument(TypedDict):
    """One value as printed and as ours; ``docs/reference/schemas/reproduce.schema.json`` explains every field."""

    row: str
    col: str
    paper: float | None
    ours: float | None
    sd: NotRequired[float]
    by: NotRequired[str]


class ItemDocument(TypedDict):
    """A table or figure of a paper, as printed and as computed; ``error`` says why nothing could be computed."""

    item: str
    title: str
    cells: list[CellDocument]
    notes: list[str]
    error: NotRequired[str]


class Cell(NamedTuple):
    """The place of a value in a table."""

    row: str
    col: str


class Value(NamedTuple):
    """A value that needs more said than its number.

    Attributes:
        number: none where it was not measured.
        by: what produced it, where that is not the paper's own model.
        sd: the standard deviation over the seeds of which the number is the mean.
    """

    number: float | None
    by: str = ""
    sd: float | None = None


class Computed(NamedTuple):
    """What a recipe finds: a value for every cell that is printed and for others, and what should be known of them."""

    values: Mapping[Cell, float | Value | None]
    notes: list[str]


class Folders(NamedTuple):
    """Where a recipe looks.

    Attributes:
        root: the folder above the corpora, or none for NLIPROBE_DATA.
        answers: a folder whose files of answers take the place of those kept with the package.
        responses: a file with what the participants of a study answered.
    """

    root: Path | None = None
    answers: Path | None = None
    responses: Path | None = None


class Chart(NamedTuple):
    """A picture of some cells."""

    title: str
    bars: list[Bar]


Compute = Callable[[Folders], Computed]
Draw = Callable[[Sequence[CellDocument]], list[Chart]]


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to compute an item of a paper from the released data.

    Attributes:
        item: paper and item, as in ``infotabs:table2``.
        title: what the item shows, a sentence.
        compute: finds the values.
        draw: makes pictures of them, for figures.
    """

    item: str
    title: str
    compute: Compute
    draw: Draw | None = None

    def printed(self) -> dict[Cell, float]:
        """The values in the paper, in the order of the file beside the recipe."""
        paper, _, name = self.item.partition(":")
        text = resources.files(f"nliprobe.papers.{paper}").joinpath(f"{name}.csv").read_text(encoding="utf-8")
        return {Cell(row["row"], row["col"]): float(row["paper"]) for row in csv.DictReader(text.splitlines())}

    def run(self, root: Path | None = None, answers: Path | None = None, responses: Path | None = None) -> ItemDocument:
        """Compute the item and lay it beside the printed values; what is not printed comes after them."""
        values, notes = self.compute(Folders(root, answers, responses))
        printed = self.printed()
        cells = [_document(cell, paper, values[cell]) for cell, paper in printed.items()]
        cells += [_document(cell, None, value) for cell, value in values.items() if cell not in printed]
        return {"item": self.item, "title": self.title, "cells": cells, "notes": notes}

    def failed(self, reason: str) -> ItemDocument:
        """The item when it could not be computed: the printed values, and why they stand alone."""
        cells = [_document(cell, paper, None) for cell, paper in self.printed().items()]
        return {"item": self.item, "title": self.title, "cells": cells, "notes": [], "error": reason}


_RECIPES: dict[str, Recipe] = {}


def recipe(item: str, title: str, draw: Draw | None = None) -> Callable[[Compute], Recipe]:
    """Decorate the function that computes an item."""

    def keep(compute: Compute) -> Recipe:
        _RECIPES[item] = found = Recipe(item, title, compute, draw)
        return found

    return keep


def recipes() -> list[Recipe]:
    """Every recipe, paper by paper; in each, first tables and then figures, by their numbers."""
    import nliprobe.papers

    for paper in pkgutil.iter_modules(nliprobe.papers.__path__):
        if not paper.ispkg:
            continue
        package = importlib.import_module(f"nliprobe.papers.{paper.name}")
        for module in pkgutil.iter_modules(package.__path__):
            if not module.name.startswith("_"):
                importlib.import_module(f"{package.__name__}.{module.name}")
    return sorted(_RECIPES.values(), key=lambda found: _order(found.item))


def find_recipes(name: str) -> list[Recipe]:
    """The recipe of an item (``infotabs:table2``), or all those of a paper (``infotabs``)."""
    found = [one for one in recipes() if name in (one.item, one.item.partition(":")[0])]
    if not found:
        raise NotFoundError(f"There is no recipe '{name}'. {did_you_mean(name, (one.item for one in recipes()))}")
    return found


def _document(cell: Cell, paper: float | None, value: float | Value | None) -> CellDocument:
    found = value if isinstance(value, Value) else Value(value)
    document: CellDocument = {"row": cell.row, "col": cell.col, "paper": paper, "ours": found.number}
    if found.sd is not None:
        document["sd"] = found.sd
    if found.by:
        document["by"] = found.by
    return document


def _order(item: str) -> tuple[str, bool, str, int]:
    paper, _, name = item.partition(":")
    letters = name.rstrip("0123456789")
    return paper, letters != "table", letters, int(name[len(letters) :] or 0)
