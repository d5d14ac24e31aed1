"""A text with its edits in place: what stays, what is struck out, and what is new."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

from nliprobe.task.edits import Edit

Kind: TypeAlias = Literal["same", "gone", "new"]
# The same as a page reads it: so many characters stay, so many (below zero) are struck out, or new text.
Marks: TypeAlias = list[int | str]


class Piece(NamedTuple):
    """A stretch of a text, and what became of it."""

    kind: Kind
    text: str


def marked_pieces(text: str, edits: Sequence[Edit]) -> list[Piece] | None:
    """Carry out edits on a text and keep what they take out; None if an edit is not about a span of it.

    >>> marked_pieces("a big cat", [Edit("premise.replace", span=(2, 5), before="big", after="red")])
    [Piece(kind='same', text='a '), Piece(kind='gone', text='big'), Piece(kind='new', text='red'), \
Piece(kind='same', text=' cat')]
    """
    pieces = [Piece("same", text)]
    for edit in edits:
        if edit.op == "sentences.permute" or (edit.span is None and not edit.op.endswith(".replace")):
            return None
        size = sum(len(piece.text) for piece in pieces if piece.kind != "gone")
        start, stop = edit.span or (0, size)
        if edit.op.endswith(".keep"):
            pieces = _replaced(_replaced(pieces, stop, size, ""), 0, start, "")
        else:
            pieces = _replaced(pieces, start, stop, edit.after)
    return pieces


def text_marks(pieces: Sequence[Piece]) -> Marks:
    """Write pieces by their lengths, for a page that has the text; characters are counted as a browser does."""
    return [piece.text if piece.kind == "new" else _SIGNS[piece.kind] * _units(piece.text) for piece in pieces]


_SIGNS: dict[Kind, int] = {"same": 1, "gone": -1, "new": 0}


def _replaced(pieces: Sequence[Piece], start: int, stop: int, after: str) -> list[Piece]:
    """Replace a span, counted in what is not struck out; what was new before and is taken out again disappears."""
    result: list[Piece] = []
    at, placed = 0, not after
    for piece in pieces:
        if piece.kind == "gone":
            result.append(piece)
            continue
        low, high = max(0, start - at), max(0, stop - at)
        left, middle, right = piece.text[:low], piece.text[low:high], piece.text[max(low, high) :]
        at += len(piece.text)
        if left:
            result.append(Piece(piece.kind, left))
        if middle and piece.kind == "same":
            result.append(Piece("gone", middle))
        if not placed and at >= stop:
            result.append(Piece("new", after))
            placed = True
        if right:
            result.append(Piece(piece.kind, right))
    if not placed:
        result.append(Piece("new", after))
    return result


def _units(text: str) -> int:
    """Return the length of a text in UTF-16 units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
