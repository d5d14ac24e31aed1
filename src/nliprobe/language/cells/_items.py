"""Cut a row into the texts of its values, for reading; where a list is likely but not sure, that is said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from nliprobe.language.cells._places import is_known_place
from nliprobe.language.cells.records import CellType
from nliprobe.language.values import is_one_fact, value_places

_SPACES = re.compile(r"[\s\u00a0\u200b-\u200f\u2060\ufeff]+")
_NOTE = re.compile(r"\s?\[(?:\d{1,3}|[a-z]|note \d{1,2}|citation needed)\]")
_CONTROL = re.compile(r"[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u202a-\u202e\u2066-\u2069]")
_UNCLEAN = re.compile(r"[\[&\u0000-\u001f\u007f\u00a0\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\s\s")
_BRACKET = re.compile(r"[()\[\]]")
_SPACED_COMMA = re.compile(r"\s+,(?:(?!\s*\d)|(?=\s*\d{1,2}(?:\.\d{1,3})?\s?%))\s*")
_COMMA = re.compile(r"\s*(?:;|,)\s+(?!(?:Jr|Sr|Inc|Ltd|LLC|MD|M\.D|Ph|\d+(?:st|nd|rd|th))\b)")
_NUMBERS = re.compile(r"[\w-]*\d[\w-]*(?:,\s[\w-]*\d[\w-]*)+")
_AND = re.compile(r",?\s+(?:and|&)\s+|,\s+")
_LEADING_AND = re.compile(r"(?:and|&)\s+(?=\w)")
_ADDITION = re.compile(r"(?:by|of|in|at|on|for|from|with|to|since|until|as|who|which|see|near|aged?)\b", re.IGNORECASE)
_NAMES = re.compile(r"other names?|also known|alias|nick ?name|former names?|products|services", re.IGNORECASE)
_COLOURS = re.compile(r"colou?rs?\b", re.IGNORECASE)
_TOWNS_LIKE_STATES = frozenset(["New York", "New York City", "Washington", "Georgia", "Kent"])
_UNIONS = frozenset(["united states", "u.s", "us", "usa", "u.s.a", "united kingdom", "uk", "u.k", "england"])
# Longer cells are prose; nothing in them is read as a value.
LONGEST = 2_000
_MOST_WORDS = 8
_WORDS = frozenset([None, CellType.TEXT])


class Items(NamedTuple):
    """The texts of a row's values, and whether it is sure that they are one each."""

    texts: tuple[str, ...]
    certain: bool


def clean(text: str) -> str:
    """Return a cell's text with single spaces, without control characters and the marks of notes."""
    if _UNCLEAN.search(text) is not None:
        text = _SPACES.sub(" ", _CONTROL.sub("", text.replace("&amp;", "&").replace("&nbsp;", " ")))
        text = _NOTE.sub("", text)
    return text.strip(" ,;•·|")


def cut_row(key: str, values: Sequence[str], expected: CellType | None) -> Items:
    """Return the values of a row as clean texts."""
    if any(len(cell) > LONGEST for cell in values):
        return Items(tuple([text for text in map(clean, values) if text]), certain=False)
    texts = [clean(values[place.cell][place.start : place.stop]) for place in value_places(key, values)]
    texts = _with_additions([text for text in texts if text])
    if len(texts) == 1 and len(values) > 1:
        cleaned = tuple([text for text in map(clean, values) if text])
        # The row is one fact told in parts, or a list that was cut in the middle of its values.
        return Items((", ".join(cleaned),), certain=True) if is_one_fact(key) else Items(cleaned, certain=False)
    if len(texts) == 1 and not is_one_fact(key):
        if expected is CellType.NUMBER and texts[0][:1].isalpha():
            expected = None  # the names of the children, not their number
        likely = _likely_list(key, clean(values[0]), expected)
        if likely:
            return Items(likely, certain=False)
    return Items(tuple(texts), certain=True)


def _likely_list(key: str, cell: str, expected: CellType | None) -> tuple[str, ...]:
    """Cut a cell that probably holds several values; an empty tuple if it does not."""
    if "," not in cell and ";" not in cell and _COLOURS.search(key) is None:
        return ()
    if _NUMBERS.fullmatch(cell) and expected in _WORDS:
        return tuple(cell.split(", "))
    if _COLOURS.search(key) and len(cell.split()) <= _MOST_WORDS:
        return _several(text for text in map(clean, _AND.split(cell)) if text)
    spaced = _pieces(cell, _SPACED_COMMA)
    if expected is CellType.PLACE:
        return _places(key, cell, spaced)
    if expected not in _WORDS and expected not in (CellType.PERSON, CellType.ORGANISATION):
        return ()
    if len(spaced) > 1 and all(_is_item(text) for text in spaced):
        return tuple(spaced)
    texts = _pieces(cell, _COMMA)
    if expected is CellType.PERSON:
        are_names = all(text.lstrip("(")[:1].isupper() and _is_item(text) for text in texts)
        return _several(texts) if are_names and not is_known_place(texts[-1]) else ()
    fewest = 2 if _NAMES.search(key) else 3
    is_terms = expected in _WORDS and len(texts) >= fewest
    return _several(texts) if is_terms and all(_is_item(text) and len(text.split()) <= 4 for text in texts) else ()


def _several(texts: Iterable[str]) -> tuple[str, ...]:
    values = tuple(texts)
    return values if len(values) > 1 else ()


def _places(key: str, cell: str, spaced: Sequence[str]) -> tuple[str, ...]:
    """Cut a list of places: each with a remark of its own, or more than a place with its state and country."""
    if len(spaced) > 1 and all(text.endswith(")") for text in spaced):
        return tuple(spaced)
    if len(spaced) > 2 and not is_known_place(spaced[-1]) and all(_is_item(text) for text in spaced):
        return tuple(spaced)
    texts = _pieces(cell, _COMMA)
    are_served = len(texts) > 2 and "served" in key.lower() and not is_known_place(texts[-1])
    # "New York, New York, U.S." and "Washington, D.C., U.S." are one place.
    is_town = texts[0] in _TOWNS_LIKE_STATES or texts[-1].lower().strip(" .") in _UNIONS
    are_countries = len(texts) > 1 and is_known_place(texts[0]) and not is_town
    return tuple(texts) if (are_served or are_countries) and all(_is_item(text) for text in texts) else ()


def _pieces(cell: str, cut: re.Pattern[str]) -> list[str]:
    """Cut a text outside parentheses."""
    pieces: list[str] = []
    depth = start = place = 0
    for match in cut.finditer(cell):
        for bracket in _BRACKET.finditer(cell, place, match.start()):
            depth = max(0, depth + (1 if bracket[0] in "([" else -1))
        place = match.start()
        if not depth:
            pieces.append(cell[start : match.start()])
            start = match.end()
    pieces.append(cell[start:])
    return _with_additions([piece for piece in map(clean, pieces) if piece])


def _with_additions(texts: Sequence[str]) -> list[str]:
    """Join what stands in parentheses to the value before it, and leave out the "and" before a later value."""
    joined: list[str] = []
    for text in texts:
        if joined and (leading := _LEADING_AND.match(text)) is not None:
            text = text[leading.end() :]
        if joined and text.startswith("(") and text.endswith(")"):
            joined[-1] += f" {text}"
        else:
            joined.append(text)
    return joined


def _is_item(text: str) -> bool:
    """Tell whether a text is short and begins like a value, not like more about the one before it."""
    name = text.lstrip("(").partition("(")[0]
    return 0 < len(name.split()) <= _MOST_WORDS and name[0].isalnum() and not _ADDITION.match(name)
