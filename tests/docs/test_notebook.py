"""The notebook of the manual, executed: its outputs are what the page and the file show."""

from __future__ import annotations

import re

import pytest
from scripts.notebook import NOTEBOOK, PAGE, Cell, execute, notebook, page, read


def plain(text: str) -> list[str]:
    """The words and numbers, without the lines around a table, which differ between versions of Polars."""
    return re.findall(r"[\w.%'/-]+", text)


@pytest.fixture(scope="module")
def cells() -> list[Cell]:
    return read(NOTEBOOK)


def test_the_notebook_gives_what_it_shows(cells: list[Cell]) -> None:
    code = [cell for cell in cells if cell.kind == "code"]
    assert len(code) >= 8
    for stored, made in zip(cells, execute(cells), strict=True):
        assert plain(made.output.printed) == plain(stored.output.printed)
        assert plain(made.output.text) == plain(stored.output.text)
        assert bool(made.output.html) == bool(stored.output.html)
    assert sum(bool(cell.output.html) for cell in code) >= 2


def test_the_file_and_the_page_are_those_that_the_script_writes(cells: list[Cell]) -> None:
    assert NOTEBOOK.read_text(encoding="utf-8") == notebook(cells)
    assert PAGE.read_text(encoding="utf-8") == page(cells)
