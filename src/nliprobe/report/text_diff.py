"""Two versions of a text as one: what both have, what is gone and what is new, word by word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

from nliprobe.base.prefix import shared_start

_WORD = re.compile(r"\w+|\s+|[^\w\s]")
# What sentences end with, and what of it needs no space after it.
_STOPS = frozenset(".!?…。！？")
_FULL_STOPS = frozenset("。！？")
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
    runs = [_Run("same", old[:start]), *_inside(*inside), _Run("same", old[len(old) - stop :])]
    settled = _settled([run for run in runs if run.words])
    return [Piece(run.kind, "".join(run.words)) for run in settled if run.words]


class _Run(NamedTuple):
    kind: Kind
    words: list[str]


def _inside(old: list[str], new: list[str]) -> Iterator[_Run]:
    if max(len(old), len(new)) > _MOST_WORDS:
        yield from (_Run("removed", old), _Run("added", new))
        return
    for kind, start, stop, other, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            yield _Run("same", old[start:stop])
            continue
        yield _Run("removed", old[start:stop])
        yield _Run("added", new[other:end])


def _settled(runs: list[_Run]) -> list[_Run]:
    """Move what is gone or new to where sentences begin and end, if the texts stay the same.

    Of "The tea is hot. The cat sleeps." and "The cat sleeps.", the first sentence is gone, and not "tea is hot. The".
    """
    for place in range(1, len(runs) - 1):
        before, run, after = runs[place - 1 : place + 2]
        if run.kind == "same" or not before.kind == after.kind == "same":
            continue
        words = [*before.words, *run.words, *after.words]
        size, start = len(run.words), len(before.words)
        # Between two changes something must stay, or they would be one.
        first = 0 if place == 1 else 1
        last = len(words) - size - (0 if place == len(runs) - 2 else 1)
        best = start
        for step in (-1, 1):
            at = start
            while first <= at + step <= last and words[at - (step < 0)] == words[at + size - (step < 0)]:
                at += step
                if _ends(words, at) + _ends(words, at + size) > _ends(words, best) + _ends(words, best + size):
                    best = at
        runs[place - 1] = _Run("same", words[:best])
        runs[place] = _Run(run.kind, words[best : best + size])
        runs[place + 1] = _Run("same", words[best + size :])
    return runs


def _ends(words: list[str], place: int) -> int:
    """Say how much ends before a word: a text or a line, a sentence, a word."""
    if place in (0, len(words)):
        return 3
    before, after = words[place - 1], words[place]
    if "\n" in before or "\n" in after:
        return 3
    if before in _FULL_STOPS or (before.isspace() and place > 1 and words[place - 2] in _STOPS):
        return 2
    if after.isspace() and before in _STOPS:
        return 2
    return int(before.isspace() or after.isspace())
