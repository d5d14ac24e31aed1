"""Cells of the tables of a page that hold more than a text: lines below it, a tone, or whole sentences."""

from __future__ import annotations

from typing import TypedDict


class TableCell(TypedDict):
    """One cell.

    Attributes:
        text: its text.
        notes: smaller lines below the text.
        tone: the style of the text, such as ``bad``; empty for the plain one.
        long: whether it holds sentences, which need the whole width where a row becomes a block.
    """

    text: str
    notes: list[str]
    tone: str
    long: bool


def cell(text: str, *notes: str, tone: str = "", long: bool = False) -> TableCell:
    """Make a cell; notes without a text are left out."""
    return {"text": text, "notes": [note for note in notes if note], "tone": tone, "long": long}
