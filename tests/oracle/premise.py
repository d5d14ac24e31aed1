"""Reading the ``struct`` text of a table as a model reads it: title : T ; key : value , value ; key : value."""

from __future__ import annotations

from typing import NamedTuple


class Premise(NamedTuple):
    """What the text says: a title, and the values per key."""

    title: str
    rows: dict[str, list[str]]

    def row(self, *keys: str) -> list[str] | None:
        """Return the values of the first of these keys that the text has, or None: the row is missing."""
        return next((self.rows[key] for key in keys if key in self.rows), None)


def read_premise(text: str) -> Premise:
    """Read the text. A piece without a colon belongs to the row before it, whose value has a semicolon."""
    pieces: list[str] = []
    for piece in text.split(" ; "):
        if " : " in piece or not pieces:
            pieces.append(piece)
        else:
            pieces[-1] += " ; " + piece
    head, *rest = [piece.partition(" : ") for piece in pieces]
    if head[0] != "title":
        raise ValueError(f"A table should begin with its title; this one begins with '{text[:60]}'.")
    rows: dict[str, list[str]] = {}
    for key, _, cell in rest:
        rows.setdefault(_folded(key), []).extend(value.strip() for value in cell.split(" , "))
    return Premise(head[2], rows)


def _folded(key: str) -> str:
    return " ".join(key.split()).casefold()
