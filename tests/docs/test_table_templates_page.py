"""The page about table templates names every operation, every function of phrasings and every parameter."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from nliprobe.templates.tables.operations import OPERATIONS, READINGS
from nliprobe.templates.tables.phrasing import FUNCTIONS
from nliprobe.templates.tables.source import TableParams

PAGE = (Path(__file__).parents[2] / "docs" / "guide" / "table-templates.md").read_text(encoding="utf-8")


def test_operations_are_on_the_page_with_their_meaning() -> None:
    for name, operation in {**READINGS, **OPERATIONS}.items():
        lines = [line for line in PAGE.splitlines() if line.startswith("|") and operation.about in line]
        assert any(name in line for line in lines), name


def test_functions_of_phrasings_are_on_the_page() -> None:
    for name, function in FUNCTIONS.items():
        assert f"`{{{name.rstrip('_')}(" in PAGE, name
        assert function.about in PAGE, name


def test_parameters_are_on_the_page() -> None:
    for name in (*(field.name for field in fields(TableParams)), "from"):
        assert f"| `{name}` |" in PAGE, name
