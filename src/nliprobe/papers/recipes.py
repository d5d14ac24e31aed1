"""The registry of recipes, and the documents that compare computed values with the printed ones.

A recipe is one file ``papers/PAPER/ITEM.py`` with a function decorated by :func:`recipe`, and the printed values in
``ITEM.csv`` next to it (columns row, col and paper).
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
from nliprobe.report.transition_graph import Graph

SCHEMA = "nliprobe/reproduce/1"
ITEM_SCHEMA = "nliprobe/reproduce-item/1"


class CellDocument(TypedDict):
    """One value as printed and as ours; ``docs/reference/schemas/reproduce.schema.json`` explains every field."""

    row: str
    col: str
    paper: float | None
    ours: float | None
    sd: NotRequired[float]
    ci95: NotRequired[list[float]]
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
    """A value with more information than its number.

    Attributes:
        number: the value, or None if it was not measured.
        by: what produced it, if that is not the paper's own model.
        sd: the standard deviation over seeds; the number is their mean.
        ci95: the interval of the number over tables or other groups, the mean of the intervals of the seeds.
        beside: the printed value of another row that it stands beside: of the same model, trained otherwise.
    """

    number: float | None
    by: str = ""
    sd: float | None = None
    ci95: tuple[float, float] | None = None
    beside: float | None = None


class Computed(NamedTuple):
    """The result of a recipe: a value for every printed cell and for others, and notes about them."""

    values: Mapping[Cell, float | Value | None]
    notes: list[str]


class Folders(NamedTuple):
    """The folders and files that a recipe reads.

    Attributes:
        root: the folder above the corpora, or None for NLIPROBE_DATA.
        answers: a folder with files of answers that replace those shipped with the package.
        responses: a file with the answers of the participants of a study.
    """

    root: Path | None = None
    answers: Path | None = None
    responses: Path | None = None


class Chart(NamedTuple):
    """A picture of some cells: bars, or graphs side by side."""

    title: str
    bars: Sequence[Bar] = ()
    graphs: Sequence[Graph] = ()


Compute = Callable[[Folders], Computed]
Draw = Callable[[Sequence[CellDocument]], list[Chart]]


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to compute an item of a paper from the released data.

    Attributes:
        item: paper and item, as in ``infotabs:table2``.
        title: a sentence on what the item shows.
        compute: computes the values.
        draw: draws them, for figures.
    """

    item: str
    title: str
    compute: Compute
    draw: Draw | None = None

    def printed(self) -> dict[Cell, float]:
        """Return the values in the paper, in the order of the file next to the recipe."""
        paper, _, name = self.item.partition(":")
        text = resources.files(f"nliprobe.papers.{paper}").joinpath(f"{name}.csv").read_text(encoding="utf-8")
        return {Cell(row["row"], row["col"]): float(row["paper"]) for row in csv.DictReader(text.splitlines())}

    def run(self, root: Path | None = None, answers: Path | None = None, responses: Path | None = None) -> ItemDocument:
        """Compute the item and compare it with the printed values; values that are not printed come last."""
        values, notes = self.compute(Folders(root, answers, responses))
        printed = self.printed()
        cells = [_document(cell, paper, values[cell]) for cell, paper in printed.items()]
        cells += [_document(cell, None, value) for cell, value in values.items() if cell not in printed]
        return {"item": self.item, "title": self.title, "cells": cells, "notes": notes}

    def failed(self, reason: str) -> ItemDocument:
        """Return the item if it could not be computed: the printed values, and the reason."""
        cells = [_document(cell, paper, None) for cell, paper in self.printed().items()]
        return {"item": self.item, "title": self.title, "cells": cells, "notes": [], "error": reason}


_RECIPES: dict[str, Recipe] = {}


def recipe(item: str, title: str, draw: Draw | None = None) -> Callable[[Compute], Recipe]:
    """Decorate the function that computes an item."""

    def register(compute: Compute) -> Recipe:
        _RECIPES[item] = registered = Recipe(item, title, compute, draw)
        return registered

    return register


def recipes() -> list[Recipe]:
    """Return every recipe, paper by paper; tables come before figures, in the order of their numbers."""
    import nliprobe.papers

    for paper in pkgutil.iter_modules(nliprobe.papers.__path__):
        if not paper.ispkg:
            continue
        package = importlib.import_module(f"nliprobe.papers.{paper.name}")
        for module in pkgutil.iter_modules(package.__path__):
            if not module.name.startswith("_"):
                importlib.import_module(f"{package.__name__}.{module.name}")
    return sorted(_RECIPES.values(), key=lambda one: _order(one.item))


def find_recipes(name: str) -> list[Recipe]:
    """Return the recipe of an item (``infotabs:table2``), or all recipes of a paper (``infotabs``)."""
    matches = [one for one in recipes() if name in (one.item, one.item.partition(":")[0])]
    if not matches:
        raise NotFoundError(f"There is no recipe '{name}'. {did_you_mean(name, (one.item for one in recipes()))}")
    return matches


def _document(cell: Cell, paper: float | None, value: float | Value | None) -> CellDocument:
    ours = value if isinstance(value, Value) else Value(value)
    printed = ours.beside if paper is None else paper
    document: CellDocument = {"row": cell.row, "col": cell.col, "paper": printed, "ours": ours.number}
    if ours.sd is not None:
        document["sd"] = ours.sd
    if ours.ci95 is not None:
        document["ci95"] = list(ours.ci95)
    if ours.by:
        document["by"] = ours.by
    return document


def _order(item: str) -> tuple[str, bool, str, int]:
    paper, _, name = item.partition(":")
    letters = name.rstrip("0123456789")
    return paper, letters != "table", letters, int(name[len(letters) :] or 0)
