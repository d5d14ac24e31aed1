"""What follows the leading value of a cell: nothing, parentheses, or more."""

from __future__ import annotations

import re
from typing import NamedTuple

from nliprobe.language.cells.records import CellType, Value

PARENTHESIS = re.compile(r"\s*\(([^()]*)\)")
_TAIL = re.compile(r"[\s.,;*†]*")


class Reading(NamedTuple):
    """What one value of a row is, and whether the text says nothing else."""

    type: CellType
    value: Value
    certain: bool


def is_end(text: str, place: int) -> bool:
    """Tell whether nothing follows a place."""
    tail = _TAIL.match(text, place)
    return (tail.end() if tail else place) >= len(text)


def ends_in_parentheses(text: str, place: int) -> bool:
    """Tell whether nothing or only parentheses follow a place."""
    while (parenthesis := PARENTHESIS.match(text, place)) is not None:
        place = parenthesis.end()
    return is_end(text, place)
