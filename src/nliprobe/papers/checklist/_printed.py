"""Look up what a table prints besides its numbers: the label of a template, and its place in the public list."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nliprobe.templates.template import Template


def printed_column(item: str, column: str) -> dict[str, str]:
    """Return a further column of the file next to a recipe, by row."""
    text = resources.files("nliprobe.papers.checklist").joinpath(f"{item}.csv").read_text(encoding="utf-8")
    return {row["row"]: row[column] for row in csv.DictReader(text.splitlines())}


def realised(tag: str) -> Iterator[Template]:
    """Return the templates of the library that realise one of the paper's, such as ``table1:T5``."""
    from nliprobe.templates.library import load_library

    return (template for template in load_library() if tag in template.tags)


def agrees(templates: list[Template], labels: str) -> float | None:
    """Return 1 if every template has one of these labels, 0 if one has not, None if there is no template."""
    return float(all(template.label in labels for template in templates)) if templates else None
