"""Cut a row into the texts of its values, for reading; where a list is likely but not sure, that is said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from nliprobe.language.cells.records import CellType
from nliprobe.language.values import value_places

_SPACES = re.compile(r"[\s\u00a0\u200b-\u200f\u2060\ufeff]+")
_NOTE = re.compile(r"\s?\[(?:\d{1,3}|[a-z]|note \d{1,2}|citation needed)\]")
_CONTROL = re.compile(r"[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u202a-\u202e\u2066-\u2069]")
_CUTS = re.compile(r"\s*(?:\n|;|\s,(?!\d)|,\s(?!(?:Jr|Sr|Inc|Ltd|LLC|MD|M\.D|Ph)\b))\s*")
_SPACED_CUTS = re.compile(r"\s+,\s*|\s*\n\s*")
_AND = re.compile(r"\s(?:and|&)\s")
# Longer cells are prose; nothing in them is read as a value.
LONGEST = 2_000


class Items(NamedTuple):
    """The texts of a row's values, and whether it is sure that they are one each."""

    texts: tuple[str, ...]
    certain: bool


def clean(text: str) -> str:
    """Return a cell's text with single spaces, without control characters and the marks of notes."""
    text = _SPACES.sub(" ", _CONTROL.sub("", text.replace("&amp;", "&").replace("&nbsp;", " ")))
    return _NOTE.sub("", text).strip(" ,;•·|") if text else ""


def cut_row(key: str, values: Sequence[str], expected: CellType | None) -> Items:
    """Return the values of a row as clean texts."""
    cells = [cell for cell in values if len(cell) <= LONGEST]
    if len(cells) < len(values):
        return Items(tuple([text for text in map(clean, values) if text]), certain=False)
    texts = [clean(cells[place.cell][place.start : place.stop]) for place in value_places(key, cells)]
    texts = _with_additions([text for text in texts if text])
    if len(texts) == 1 and len(cells) == 1 and expected in _NAMES:
        names = _names(clean(cells[0]), expected)
        if names:
            return Items(names, certain=False)
    if len(texts) == 1 and len(cells) > 1:
        # The row is one fact told in parts.
        return Items((", ".join(filter(None, map(clean, cells))),), certain=True)
    return Items(tuple(texts), certain=True)


_NAMES = frozenset([CellType.PERSON, CellType.ORGANISATION])


def _with_additions(texts: Sequence[str]) -> list[str]:
    """Join what stands in parentheses to the value before it."""
    joined: list[str] = []
    for text in texts:
        if joined and text.startswith("(") and text.endswith(")"):
            joined[-1] += f" {text}"
        else:
            joined.append(text)
    return joined


def _names(cell: str, expected: CellType) -> tuple[str, ...]:
    """Cut "Ann Lee (chair) , Bob Ray" where names are expected, outside parentheses; fewer than two are no list."""
    pieces: list[str] = []
    depth = start = 0
    cuts = _SPACED_CUTS if _SPACED_CUTS.search(cell) or expected is CellType.ORGANISATION else _CUTS
    for match in re.finditer(r"[()\[\]]|" + cuts.pattern, cell):
        if match[0] in "([":
            depth += 1
        elif match[0] in ")]":
            depth = max(0, depth - 1)
        elif not depth:
            pieces.append(cell[start : match.start()])
            start = match.end()
    pieces.append(cell[start:])
    names = _with_additions([piece for piece in map(clean, pieces) if piece])
    fits = all(name[0].isupper() and len(name.partition("(")[0].split()) <= 6 for name in names)
    return tuple(names) if len(names) > 1 and fits else ()
