"""Compute tables 5 and 6: the accuracy of one template by the value of a placeholder and by gender."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from nliprobe.papers.recipes import Cell, Computed, Value

CELLS = Path(__file__).parent / "cells"
PER_CELL = 100
# As it is asked from the root of the repository; the digest does not depend on the path.
ASKED = f"templates:src/nliprobe/papers/checklist/{CELLS.name}?n={PER_CELL}"
GENDERS = {"Male": "m", "Female": "f"}
ALL = "all"


def by_gender(printed: Iterable[Cell], kind: str, label: str) -> Computed:
    """Return the printed cells, unmeasured, and the accuracy of our model and its control in columns of their own.

    Args:
        printed: the cells of the paper.
        kind: what the rows are, ``profession`` or ``adjective``, as in the ids of the cells' templates.
        label: the gold label of all examples of the table.
    """
    from nliprobe.papers.checklist.answers_file import CELLS_HYPOTHESIS_ONLY, CELLS_WITH_PREMISE, has_answers

    places = list(printed)
    words = list(dict.fromkeys(cell.row for cell in places))
    values: dict[Cell, float | Value | None] = dict.fromkeys(places)
    notes = [
        "The printed cells are BERT's, which is not available here, so they are not measured. MiniLM is another model, "
        f"in columns of its own: the same cells, {PER_CELL} examples each, with other names.",
        f"All examples have the label {label}: who always answers {label} gets 1.00 in every cell. MiniLM, no premise "
        "is the same model trained and asked without premises.",
    ]
    for model, name in (("MiniLM", CELLS_WITH_PREMISE), ("MiniLM, no premise", CELLS_HYPOTHESIS_ONLY)):
        if not has_answers(name):
            notes.append(f"{model}: not measured (there are no answers '{name}').")
            continue
        for word in (*words, ALL):
            for col, gender in GENDERS.items():
                ids = [f"cell.{kind}.{one}.{gender}" for one in (words if word == ALL else [word])]
                values[Cell(word, f"{model} {col}")] = _share(name, ids)
    return Computed(values, notes)


def _share(name: str, templates: list[str]) -> Value:
    """Return the share of right answers to some cells, over seeds."""
    from nliprobe.papers.checklist._gold import over_seeds
    from nliprobe.papers.checklist.answers_file import shipped_answers

    right = right_by_cell(name)
    n = sum(len(right[0][template]) for template in templates)
    shares = [sum(sum(seed[template]) for template in templates) / n for seed in right]
    return over_seeds(shares, shipped_answers(name).by("the cells of the table"))


@cache
def right_by_cell(name: str) -> list[dict[str, list[bool]]]:
    """Return which answers to the cells are right, by template, one mapping per seed."""
    from nliprobe.api.sources import open_source
    from nliprobe.papers.checklist.answers_file import shipped_answers

    source = open_source(f"templates:{CELLS}?n={PER_CELL}")
    pairs = list(source.pairs())
    seeds: list[dict[str, list[bool]]] = []
    for letters in shipped_answers(name).to(source.digest(), len(pairs)):
        right: dict[str, list[bool]] = {}
        for pair, letter in zip(pairs, letters, strict=True):
            right.setdefault(str(pair.group), []).append(letter == str(pair.gold))
        seeds.append(right)
    return seeds
