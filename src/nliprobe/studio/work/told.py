"""What an item tells about a system: any JSON, with examples and their marked words drawn as such."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from nliprobe.people.records import Json


class Piece(NamedTuple):
    """A stretch of a text, and whether it is marked."""

    text: str
    marked: bool


class Example(NamedTuple):
    """A pair that is told about, with whatever else is said of it."""

    premise: Json
    premise_pieces: list[Piece]
    hypothesis: list[Piece]
    more: dict[str, Json]


Told: TypeAlias = "Example | str | list[Told] | dict[str, Told]"
_OF_THE_PAIR = ("premise", "hypothesis", "premise_marks", "hypothesis_marks")


def told(value: Json) -> Told:
    """Return JSON in the form in which pages draw it; nothing is left out.

    >>> told({"E": 0.5, "more": [None, True]})
    {'E': '0.5', 'more': ['–', 'yes']}
    """
    if isinstance(value, dict):
        if isinstance(value.get("hypothesis"), str) and isinstance(value.get("premise"), str | dict):
            return _example(value)
        return {name: told(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [told(inner) for inner in value]
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def pieces(text: str, marks: object) -> list[Piece]:
    """Cut a text where marks begin and end; what are no places of this text marks nothing.

    >>> pieces("a big cat", [[2, 5]])
    [Piece(text='a ', marked=False), Piece(text='big', marked=True), Piece(text=' cat', marked=False)]
    """
    inside = [False] * len(text)
    for start, stop in _spans(marks):
        inside[start:stop] = [True] * len(inside[start:stop])
    cut = [0, *(place for place in range(1, len(text)) if inside[place] != inside[place - 1]), len(text)]
    return [Piece(text[start:stop], inside[start]) for start, stop in pairwise(cut) if start < stop]


def _example(value: dict[str, Json]) -> Example:
    premise, hypothesis = value["premise"], str(value["hypothesis"])
    words = pieces(premise, value.get("premise_marks")) if isinstance(premise, str) else []
    more = {name: inner for name, inner in value.items() if name not in _OF_THE_PAIR}
    return Example(premise, words, pieces(hypothesis, value.get("hypothesis_marks")), more)


def _spans(marks: object) -> Sequence[tuple[int, int]]:
    found = []
    for mark in marks if isinstance(marks, list) else []:
        places = mark if isinstance(mark, list) else []
        if len(places) == 2 and type(places[0]) is int and type(places[1]) is int and 0 <= places[0] < places[1]:
            found.append((places[0], places[1]))
    return found
