"""Read a row of an infobox: which type its values have, and what they are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from nliprobe.language.cells._amounts import ABOUT, AmountMatch, read_amount, read_clock
from nliprobe.language.cells._dates import read_part, read_time
from nliprobe.language.cells._items import LONGEST, cut_row
from nliprobe.language.cells._keys import expected_type
from nliprobe.language.cells._names import is_place, name_type
from nliprobe.language.cells.records import Cell, CellType, Date, Dates, Duration, Quantity, Value

_YES_NO = re.compile(r"(yes|no|true|false|none)\b", re.IGNORECASE)
_OPEN_START = re.compile(r"(?:since|from)\s(?=\S)", re.IGNORECASE)
_OPEN_END = re.compile(r"\s?[-–—]\s?(?=$|\()")
_LEAD = re.compile(
    r"[\s(,]*(?:(?:early|mid|late|spring|summer|autumn|fall|winter|in|on|at|from|first|by)[\s-]+)*", re.IGNORECASE
)
_TIME_START = re.compile(
    r"(?<![\w.,/-])(?:\d|c\.|ca\.|circa|AD\b|the\s\d|(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec))",
    re.IGNORECASE,
)
_PARENTHESIS = re.compile(r"\s*\(([^()]*)\)")
_AGO = re.compile(r"\s*;?\s*\d+ years ago")
_AGE = re.compile(r"\s*(?:age|aged)\s*[:\d\s–-]+", re.IGNORECASE)
_TAIL = re.compile(r"[\s.,;]*")
_SEASON = re.compile(
    r"(?:as of |in |est\.? |census |estimate |fiscal |fy ?|q[1-4] )*"
    r"(?:(?:early|mid|late|spring|summer|autumn|fall|winter)[\s-])?",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
_MOST_AFTER = 10
_MOST_TIMES = 40
_TIMES = frozenset([CellType.DATE, CellType.DATES])


class Reading(NamedTuple):
    """What one value is."""

    type: CellType
    value: Value
    certain: bool


def read_cell(key: str, values: Sequence[str]) -> Cell:
    """Return the type and the values of a row.

    >>> read_cell("Length", ["46:06"]).values, read_cell("Genre", ["Rock", "pop"]).type
    ((Duration(seconds=Fraction(2766, 1), about=False),), <CellType.LIST: 'list'>)
    """
    expected = expected_type(key)
    items = cut_row(key, values, expected)
    if not items.texts:
        return Cell(CellType.TEXT, (), certain=False)
    if (
        len(items.texts) > 1
        and expected is CellType.PLACE
        and is_place(items.texts[-1])
        and not is_place(items.texts[0])
    ):
        items = items._replace(texts=(", ".join(items.texts),))  # a place and its country, one per line
    readings = [read_value(text, expected) for text in items.texts]
    certain = items.certain and all(reading.certain for reading in readings)
    if len(readings) == 1:
        return Cell(readings[0].type, (readings[0].value,), certain=certain)
    types = {reading.type for reading in readings}
    of = types.pop() if len(types) == 1 else CellType.TEXT
    read = tuple([reading.value for reading in readings]) if of is not CellType.TEXT else items.texts
    return Cell(CellType.LIST, read, of, certain)


def read_value(text: str, expected: CellType | None) -> Reading:
    """Return what one value of a row is, with the type that its key makes one expect."""
    if len(text) > LONGEST:
        return Reading(CellType.TEXT, text, certain=False)
    answer = _YES_NO.match(text)
    if answer is not None and _ends(text, answer.end()) and answer[1].lower() != "none":
        return Reading(CellType.YES_NO, answer[1].lower() in ("yes", "true"), _says_no_more(text, answer.end()))
    if _DIGIT.search(text) is not None or expected is CellType.DATE:
        reading = _time(text, expected) or _amount(text, expected)
        if reading is not None:
            return reading
    name, more = _without_additions(text)
    kind = name_type(name, expected)
    if kind is CellType.TEXT:
        return Reading(kind, text, certain=True)
    return Reading(kind, name, certain=not more)


def _time(text: str, expected: CellType | None) -> Reading | None:
    """Read a cell that is a date or a stretch of time; a cell of a date's key may have it anywhere."""
    if expected in (CellType.DURATION, CellType.MONEY, CellType.NUMBER):
        return None
    earliest = 1 if expected is CellType.DATE else 1000
    opened = _OPEN_START.match(text)
    lead = _LEAD.match(text)
    start = opened.end() if opened else lead.end() if lead else 0
    first = _time_at(text, start, earliest)
    if first is not None:
        value, stop = first
        if opened and isinstance(value, Date):
            value = Dates(value, None)
        end = _OPEN_END.match(text, stop)
        if end is not None and isinstance(value, Date):
            value, stop = Dates(value, None), end.end()
        strict = expected is CellType.DATE or _ends(text, stop)
        if not strict:
            return None
        kind = CellType.DATES if isinstance(value, Dates) else CellType.DATE
        return Reading(kind, value, _same_again(text, stop, value))
    if expected is not CellType.DATE:
        return None
    for count, match in enumerate(_TIME_START.finditer(text)):
        if count >= _MOST_TIMES:
            break
        later = _time_at(text, match.start(), 1000)
        if later is not None:
            kind = CellType.DATES if isinstance(later[0], Dates) else CellType.DATE
            return Reading(kind, later[0], certain=False)
    return _yearless(text, start)


def _time_at(text: str, start: int, earliest: int) -> tuple[Date | Dates, int] | None:
    about = ABOUT.match(text, start)
    read = read_time(text, about.end() if about else start, earliest=earliest)
    if read is None or text[read.stop : read.stop + 1].isalnum():
        return None
    value = read.value
    if about and isinstance(value, Date):
        value = value._replace(about=True)
    return value, read.stop


def _yearless(text: str, start: int) -> Reading | None:
    """Read a day without its year, "5 August": the type is known, the value stays a text."""
    part = read_part(text, start)
    if part is None or part.month is None:
        return None
    rest = text[part.stop :].strip()
    kind = CellType.DATES if rest[:1] in ("-", "–", "—") else CellType.DATE
    return Reading(kind, text, certain=False)


def _same_again(text: str, stop: int, value: Date | Dates) -> bool:
    """Tell whether all that follows a date repeats it or says how long ago or at what age it was."""
    while True:
        parenthesis = _PARENTHESIS.match(text, stop)
        ago = _AGO.match(text, stop)
        if ago is not None:
            stop = ago.end()
        elif parenthesis is not None and _repeats(parenthesis[1].strip(), value):
            stop = parenthesis.end()
        else:
            break
    # "( 1979-03-29 ) 29 March 1979": the date in figures comes first.
    place = re.compile(r"[\s)]*").match(text, stop)
    again = read_time(text, place.end() if place else stop)
    if again is not None and again.value == value:
        return _same_again(text, again.stop, value)
    return _says_no_more(text, stop)


def _repeats(text: str, value: Date | Dates) -> bool:
    if _AGE.fullmatch(text):
        return True
    again = read_time(text, 0, earliest=1)
    if again is None or again.stop < len(text):
        return False
    return again.value == value or (
        isinstance(again.value, Date) and isinstance(value, Date) and again.value.year == value.year
    )


def _amount(text: str, expected: CellType | None) -> Reading | None:
    about = ABOUT.match(text)
    start = about.end() if about else 0
    read = _amount_at(text, start, expected)
    if read is None:
        return _later_amount(text, expected)
    value, stop = read.value, read.stop
    if about is not None:
        value = value._replace(about=True)
    kind = read.type
    if (
        kind is CellType.NUMBER
        and expected is CellType.MONEY
        and isinstance(value, Quantity)
        and value.unit in ("", "lb")
    ):
        kind, value = CellType.MONEY, value._replace(unit="GBP" if value.unit else "")
    if text[stop : stop + 1] == "+":
        stop, value = stop + 1, value._replace(about=True)
    if _ends(text, stop):
        return Reading(kind, value, _adds_nothing(text, stop, value))
    is_expected = expected in (kind, CellType.NUMBER, CellType.MONEY, CellType.DURATION)
    rest = text[stop:].lstrip(" ,;-–/(")
    has_unit = isinstance(value, Duration) or (value.unit not in ("", "ordinal"))
    if rest[:1].isalpha() and text[stop : stop + 1].isalnum():
        return None
    if is_expected or (has_unit and kind is not CellType.NUMBER):
        return Reading(kind, value, certain=False)
    if expected in (None, CellType.NUMBER) and rest[:1].islower() and len(rest.split()) <= _MOST_AFTER:
        return Reading(kind, value, certain=False)
    return None


def _amount_at(text: str, start: int, expected: CellType | None) -> AmountMatch | None:
    if expected in (CellType.DURATION, None):
        clock = read_clock(text, start)
        if clock is not None and (expected is CellType.DURATION or _ends(text, clock.stop)):
            return clock
    return read_amount(text, start)


def _later_amount(text: str, expected: CellType | None) -> Reading | None:
    """Read the first amount of the expected type after a few other words: "Male: 540 kg", "Casual games: 10 min"."""
    if expected not in (CellType.DURATION, CellType.MONEY, CellType.NUMBER):
        return None
    for count, match in enumerate(re.finditer(r"(?<![\w.,-])[$£€¥₹]?\d", text)):
        if count >= _MOST_TIMES:
            break
        read = _amount_at(text, match.start(), expected)
        if (
            read is not None
            and read.type is expected
            and (read.value != Quantity(read.value.value) if isinstance(read.value, Quantity) else True)
        ):
            return Reading(read.type, read.value, certain=False)
    return None


def _adds_nothing(text: str, stop: int, value: Quantity | Duration) -> bool:
    """Tell whether all parentheses after an amount only convert it or say when it was counted."""
    while (parenthesis := _PARENTHESIS.match(text, stop)) is not None:
        inside = parenthesis[1].strip()
        about = ABOUT.match(inside)
        read = read_amount(inside, about.end() if about else 0)
        season = _SEASON.match(inside)
        time = read_time(inside, season.end() if season else 0)
        converts = (
            read is not None
            and read.stop >= len(inside)
            and (
                isinstance(value, Duration)
                or (isinstance(read.value, Quantity) and read.value.unit not in ("", value.unit))
            )
        )
        if not converts and not (time is not None and time.stop >= len(inside)):
            return False
        stop = parenthesis.end()
    return _says_no_more(text, stop)


def _ends(text: str, stop: int) -> bool:
    """Tell whether nothing or only parentheses follow."""
    while (parenthesis := _PARENTHESIS.match(text, stop)) is not None:
        stop = parenthesis.end()
    return _says_no_more(text, stop)


def _says_no_more(text: str, stop: int) -> bool:
    tail = _TAIL.match(text, stop)
    return (tail.end() if tail else stop) >= len(text)


def _without_additions(text: str) -> tuple[str, bool]:
    """Return a name without what follows it in parentheses, and whether there was something."""
    name = text.partition("(")[0].strip(" ,;:")
    return (name, True) if name and name != text else (text, False)
