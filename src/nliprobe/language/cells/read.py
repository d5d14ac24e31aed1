"""Read a row of an infobox: which type its values have, and what they are."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nliprobe.language.cells._items import LONGEST, cut_row
from nliprobe.language.cells._keys import expected_type
from nliprobe.language.cells._names import is_place, name_type
from nliprobe.language.cells._read_amounts import read_cell_amount
from nliprobe.language.cells._read_times import read_cell_time
from nliprobe.language.cells._rest import Reading, ends_in_parentheses, is_end
from nliprobe.language.cells.records import Cell, CellType

_YES_NO = re.compile(r"(yes|no|true|false)\b", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_COORDINATES = re.compile(r"\s*,?\s*(?:-?\d{1,3}(?:\.\d+)?\s?°|-?\d{1,3}\.\d{2,}\s?;\s?-?\d).*", re.DOTALL)
_MONTH = re.compile(r"jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|centur", re.IGNORECASE)


def read_cell(key: str, values: Sequence[str]) -> Cell:
    """Return the type and the values of a row; nothing in a row makes it raise.

    Args:
        key: the key as the table spells it; it tells names of persons, places and organisations from each other.
        values: the row's texts.

    >>> read_cell("Length", ["46:06"]).values, read_cell("Genre", ["Rock", "pop"]).type
    ((Duration(seconds=Fraction(2766, 1), about=False),), <CellType.LIST: 'list'>)
    """
    expected = expected_type(key)
    items = cut_row(key, values, expected)
    texts = items.texts
    if not texts:
        return Cell(CellType.TEXT, (), certain=False)
    if len(texts) > 1 and expected is CellType.PLACE and is_place(texts[-1]) and not is_place(texts[0]):
        texts = (", ".join(texts),)  # a place and its country, one per line
    readings = [read_value(text, expected) for text in texts]
    certain = items.certain and all(reading.certain for reading in readings)
    if len(readings) == 1:
        return Cell(readings[0].type, (readings[0].value,), certain=certain)
    types = {reading.type for reading in readings}
    of = types.pop() if len(types) == 1 else CellType.TEXT
    return Cell(
        CellType.LIST,
        texts if of is CellType.TEXT else tuple([reading.value for reading in readings]),
        of,
        certain,
    )


def read_value(text: str, expected: CellType | None) -> Reading:
    """Return what one value of a row is, with the type that its key makes one expect."""
    if len(text) > LONGEST:
        return Reading(CellType.TEXT, text, certain=False)
    answer = _YES_NO.match(text)
    if answer is not None and ends_in_parentheses(text, answer.end()):
        return Reading(CellType.YES_NO, answer[1].lower() in ("yes", "true"), is_end(text, answer.end()))
    if _DIGIT.search(text) is not None or (expected is CellType.DATE and _MONTH.search(text)):
        reading = read_cell_time(text, expected) or read_cell_amount(text, expected)
        if reading is not None:
            return reading
    plain = _COORDINATES.sub("", text) or text
    name = plain.partition("(")[0].strip(" ,;:") or plain
    kind = name_type(name, expected)
    if kind is CellType.TEXT:
        return Reading(kind, text, certain=True)
    return Reading(kind, name, certain=name == text)
