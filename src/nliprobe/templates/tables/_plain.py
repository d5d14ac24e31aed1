"""Read the plain forms of cells that makers write."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from nliprobe.language.cells.records import Cell, CellType, Date, Dates, Duration, Quantity, Value
from nliprobe.language.english import MONTHS

_MONTHS = list(MONTHS)
_MONTH = "(" + "|".join(_MONTHS) + ")"
_DATES = [
    (re.compile(rf"(\d{{1,2}}) {_MONTH} (\d{{3,4}})"), "dmy"),
    (re.compile(rf"{_MONTH} (\d{{1,2}}), (\d{{3,4}})"), "mdy"),
    (re.compile(rf"{_MONTH} (\d{{3,4}})"), "my"),
    (re.compile(r"(\d{4})"), "y"),
]


def _date(text: str) -> Date | None:
    for pattern, form in _DATES:
        match = pattern.fullmatch(text.strip())
        if match:
            parts = dict(zip(form, match.groups(), strict=True))
            month = _MONTHS.index(parts["m"]) + 1 if "m" in parts else None
            return Date(int(parts["y"]), month, int(parts["d"]) if "d" in parts else None)
    return None


def _value(text: str) -> tuple[CellType, Value]:
    text = text.strip()
    date = _date(text)
    if date:
        return CellType.DATE, date
    if "–" in text:
        one, _, two = text.partition("–")
        start, end = _date(one), _date(two)
        if start and (end or two.strip() == "present"):
            return CellType.DATES, Dates(start, end)
    if match := re.fullmatch(r"(?:(\d+):)?(\d+):(\d\d)", text):
        hours, minutes, seconds = (int(part or 0) for part in match.groups())
        return CellType.DURATION, Duration(Fraction(hours * 3600 + minutes * 60 + seconds))
    if match := re.fullmatch(r"(\d+) minutes", text):
        return CellType.DURATION, Duration(Fraction(int(match[1]) * 60))
    if match := re.fullmatch(r"([$£€])([\d,.]+)(?: (million|billion))?", text):
        scale = {"million": 10**6, "billion": 10**9}.get(match[3] or "", 1)
        return CellType.MONEY, Quantity(
            Fraction(match[2].replace(",", "")) * scale, {"$": "USD", "£": "GBP", "€": "EUR"}[match[1]]
        )
    if match := re.fullmatch(r"([\d,]+(?:\.\d+)?) ?(\S*)", text):
        return CellType.NUMBER, Quantity(Fraction(match[1].replace(",", "")), match[2])
    if text.lower() in ("yes", "no"):
        return CellType.YES_NO, text.lower() == "yes"
    return CellType.TEXT, text


def read_cell(key: str, values: Sequence[str]) -> Cell:
    """Read a cell."""
    read = [_value(value) for value in values]
    if len(read) == 1:
        return Cell(read[0][0], (read[0][1],))
    kinds = {kind for kind, _ in read}
    return Cell(CellType.LIST, tuple(value for _, value in read), kinds.pop() if len(kinds) == 1 else CellType.TEXT)
