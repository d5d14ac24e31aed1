"""What recipes share: their registry, the printed values, and the document in which both stand side by side.

A recipe is one file ``papers/PAPER/ITEM.py`` with a function decorated by :func:`recipe`, and the printed values in
``ITEM.csv`` beside it (columns row, col and paper).
"""

from __future__ import annotations

import csv
import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import NamedTuple, TypedDict

from nliprobe.base.errors import NotFoundError, did_you_mean

SCHEMA = "nliprobe/reproduce/1"


class CellDocument(TypedDict):
    """One printed value and ours; ours is none where it is not defined."""

    row: str
    col: str
    paper: float
    ours: float | None


class ItemDocument(TypedDict):
    """A table or figure of a paper, as printed and as computed."""

    item: str
    title: str
    cells: list[CellDocument]
    notes: list[str]


class ReproduceDocument(TypedDict):
    """What ``nliprobe reproduce --format json`` writes."""

    schema: str
    items: list[ItemDocument]


class Cell(NamedTuple):
    """The place of a value in a table."""

    row: str
    col: str


class Computed(NamedTuple):
    """What a recipe finds: a value for every cell that is printed, and what should be known about them."""

    values: Mapping[Cell, float | None]
    notes: list[str]


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to compute an item of a paper from the released data.

    Attributes:
        item: paper and item, as in ``infotabs:table2``.
        title: what the item shows, a sentence.
        compute: takes the folder above the corpora, or none for NLIPROBE_DATA.
    """

    item: str
    title: str
    compute: Callable[[Path | None], Computed]

    def printed(self) -> dict[Cell, float]:
        """The values in the paper, in the order of the file beside the recipe."""
        paper, _, name = self.item.partition(":")
        text = resources.files(f"nliprobe.papers.{paper}").joinpath(f"{name}.csv").read_text(encoding="utf-8")
        return {Cell(row["row"], row["col"]): float(row["paper"]) for row in csv.DictReader(text.splitlines())}

    def run(self, root: Path | None = None) -> ItemDocument:
        """Compute the item and lay it beside the printed values."""
        values, notes = self.compute(root)
        cells: list[CellDocument] = [
            {"row": cell.row, "col": cell.col, "paper": paper, "ours": values[cell]}
            for cell, paper in self.printed().items()
        ]
        return {"item": self.item, "title": self.title, "cells": cells, "notes": notes}


_RECIPES: dict[str, Recipe] = {}


def recipe(item: str, title: str) -> Callable[[Callable[[Path | None], Computed]], Recipe]:
    """Decorate the function that computes an item."""

    def keep(compute: Callable[[Path | None], Computed]) -> Recipe:
        _RECIPES[item] = found = Recipe(item, title, compute)
        return found

    return keep


def recipes() -> list[Recipe]:
    """Every recipe, paper by paper; in each, tables and figures by their numbers."""
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


def _order(item: str) -> tuple[str, str, int]:
    paper, _, name = item.partition(":")
    letters = name.rstrip("0123456789")
    return paper, letters, int(name[len(letters) :] or 0)
