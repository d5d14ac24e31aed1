"""Read the numbers, money and durations of cells."""

from __future__ import annotations

import re

from nliprobe.language.cells._amounts import ABOUT, AmountMatch, read_amount, read_clock
from nliprobe.language.cells._dates import read_time
from nliprobe.language.cells._rest import PARENTHESIS, Reading, ends_in_parentheses, is_end
from nliprobe.language.cells.records import CellType, Date, Duration, Quantity

_AMOUNTS = frozenset([CellType.NUMBER, CellType.MONEY, CellType.DURATION])
_NAMES = frozenset([CellType.PERSON, CellType.ORGANISATION, CellType.PLACE])
_START = re.compile(r"(?<![\w.,-])[$£€¥₹]?\d")
_WHEN = re.compile(
    r"(?:as of |in |est\.? |census |estimate |fiscal |fy ?|q[1-4] )*"
    r"(?:(?:early|mid|late|spring|summer|autumn|fall|winter)[\s-])?",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:1\d|20)\d\d")
_TOLERANCE = re.compile(r"\s?(?:±|\+-|\+/-)\s?\d")
_SIGN = re.compile(r"[A-Z]{1,3}(?![\w])")
# "23 Varsity sports teams" counts, "4 Non Blondes" is a name.
_LOWER_NOUN = re.compile(r"\b[a-z]{4,}s\b")
_MOST_STARTS = 40
# After more words than these, a number at the beginning is a part of prose.
_MOST_WORDS = 10
# In a cell of so few words a number is what it is about, also after another word: "from 63 nations".
_FEW_WORDS = 3


def read_cell_amount(text: str, expected: CellType | None) -> Reading | None:
    """Return the amount that a cell begins with; under a key of amounts, the first one that fits."""
    about = ABOUT.match(text)
    start = about.end() if about else 0
    read = _amount_at(text, start, expected)
    if read is None:
        return _later_amount(text, expected)
    kind, value, stop = read
    if expected is CellType.MONEY and isinstance(value, Quantity) and value.unit in ("", "lb"):
        kind, value = CellType.MONEY, value._replace(unit="GBP" if value.unit else "")
    if text[stop : stop + 1] == "+":
        stop, about = stop + 1, about or ABOUT.match("about ")
    if about is not None:
        value = value._replace(about=True)
    if ends_in_parentheses(text, stop):
        return Reading(kind, value, _adds_nothing(text, stop, value))
    if text[stop : stop + 1].isalnum():
        return None
    if expected in _AMOUNTS or _TOLERANCE.match(text, stop):
        return Reading(kind, value, certain=False)
    rest = text[stop:].lstrip(" ,;-–/(")
    goes_on = rest[:1].islower() and (len(rest.split()) <= _MOST_WORDS or not text[start:stop].isdigit())
    if expected in _NAMES and goes_on and text[start:stop].isdigit():
        return Reading(kind, value, certain=False)  # "75 member groups" where names are expected
    if expected is not None:
        return None
    if _YEAR.fullmatch(text, start, stop):
        return Reading(CellType.DATE, Date(int(text[start:stop]), about=about is not None), certain=False)
    has_unit = isinstance(value, Duration) or value.unit not in ("", "ordinal")
    is_ordinal = isinstance(value, Quantity) and value.unit == "ordinal"
    counts = not is_ordinal and len(rest.split()) <= _MOST_WORDS and _LOWER_NOUN.search(rest) is not None
    if has_unit or goes_on or counts or (not is_ordinal and _SIGN.match(rest) is not None):
        return Reading(kind, value, certain=False)
    return None


def _amount_at(text: str, start: int, expected: CellType | None) -> AmountMatch | None:
    if expected in (CellType.DURATION, None):
        clock = read_clock(text, start)
        if clock is not None and (expected is CellType.DURATION or ends_in_parentheses(text, clock.stop)):
            return clock
    return read_amount(text, start)


def _later_amount(text: str, expected: CellType | None) -> Reading | None:
    """Read the first amount of the expected type after other words: "Male: 540 kg", "Casual games: 10 min"."""
    if expected not in _AMOUNTS:
        return None
    for count, match in enumerate(_START.finditer(text)):
        read = _amount_at(text, match.start(), expected) if count < _MOST_STARTS else None
        if read is not None and expected is CellType.MONEY and read.type is CellType.NUMBER:
            read = read._replace(type=CellType.MONEY)
        if read is None or read.type is not expected:
            continue
        is_plain = len(text.split()) <= _FEW_WORDS or text[: match.start()].rstrip().endswith(":")
        if is_plain or isinstance(read.value, Duration) or read.value.unit:
            return Reading(read.type, read.value, certain=False)
    return None


def _adds_nothing(text: str, stop: int, value: Quantity | Duration) -> bool:
    """Tell whether all parentheses after an amount only convert it or say when it was counted."""
    while (parenthesis := PARENTHESIS.match(text, stop)) is not None:
        if not _converts(parenthesis[1].strip(), value) and not _dates(parenthesis[1].strip()):
            return False
        stop = parenthesis.end()
    return is_end(text, stop)


def _converts(text: str, value: Quantity | Duration) -> bool:
    about = ABOUT.match(text)
    read = read_amount(text, about.end() if about else 0)
    if read is None or read.stop < len(text):
        return False
    return isinstance(value, Duration) or (isinstance(read.value, Quantity) and read.value.unit not in ("", value.unit))


def _dates(text: str) -> bool:
    when = _WHEN.match(text)
    time = read_time(text, when.end() if when else 0)
    return time is not None and time.stop >= len(text)
