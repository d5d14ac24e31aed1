"""Two versions of a text as one: what both have, what is gone and what is new, word by word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

from nliprobe.base.prefix import shared_start

_WORD = re.compile(r"\w+|\s+|[^\w\s]")
# Comparing takes time that grows with the square of the words; longer stretches are shown as replaced.
_MOST_WORDS = 2_000

Kind = Literal["same", "removed", "added"]


class Piece(NamedTuple):
    """A stretch of a text, and whether both versions have it."""

    kind: Kind
    text: str


def text_diff(before: str, after: str) -> list[Piece]:
    """Compare two texts word by word; the pieces that are not added make the first, those not removed the second.

    >>> [(piece.kind, piece.text) for piece in text_diff("A man sleeps.", "A woman sleeps.")]
    [('same', 'A '), ('removed', 'man'), ('added', 'woman'), ('same', ' sleeps.')]
    """
    old, new = _WORD.findall(before), _WORD.findall(after)
    start = shared_start(old, new)
    stop = shared_start(old[start:][::-1], new[start:][::-1])
    inside = old[start : len(old) - stop], new[start : len(new) - stop]
    pieces = [Piece("same", "".join(old[:start])), *_inside(*inside), Piece("same", "".join(old[len(old) - stop :]))]
    return [piece for piece in pieces if piece.text]


def _inside(old: list[str], new: list[str]) -> Iterator[Piece]:
    if max(len(old), len(new)) > _MOST_WORDS:
        yield from (Piece("removed", "".join(old)), Piece("added", "".join(new)))
        return
    for kind, start, stop, other, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            yield Piece("same", "".join(old[start:stop]))
            continue
        yield Piece("removed", "".join(old[start:stop]))
        yield Piece("added", "".join(new[other:end]))
