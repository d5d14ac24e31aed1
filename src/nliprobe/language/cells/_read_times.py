"""Read the dates and stretches of time of cells."""

from __future__ import annotations

import re

from nliprobe.language.cells._amounts import ABOUT
from nliprobe.language.cells._dates import DASH, EARLIEST, JOINT, read_part, read_time
from nliprobe.language.cells._rest import PARENTHESIS, Reading, ends_in_parentheses, is_end
from nliprobe.language.cells.records import CellType, Date, Dates

_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_START = re.compile(rf"(?<![\w.,/-])(?:\d|c\.|ca\.|circa|AD\b|the\s\d|(?:{_MONTHS}))", re.IGNORECASE)
# Words and marks before a date that do not change which date it is.
_LEAD = re.compile(
    r"[\s(,]*(?:(?:early|mid|late|spring|summer|autumn|fall|winter|in|on|at|first|by)[\s-]+)*", re.IGNORECASE
)
_OPEN_START = re.compile(r"(?:since|from)\s(?=\S)", re.IGNORECASE)
_OPEN_END = re.compile(r"\s?[-–—]\s?(?=$|\()")
_AGO = re.compile(r"\s*;?\s*\d+ years ago")
_AGE = re.compile(r"\s*(?:age|aged)\s*[:\d\s–-]+", re.IGNORECASE)
_CLOSING = re.compile(r"[\s)]*")
_SECOND_DAY = re.compile(r"[\s)(]*\d{4}-\d\d-\d\d[\s)]*")
_MOST_STARTS = 40


def read_cell_time(text: str, expected: CellType | None) -> Reading | None:
    """Return the date or stretch that a cell is; under a key of dates, the first one that it has.

    A day without a year is a date whose value stays a text.
    """
    if expected in (CellType.DURATION, CellType.MONEY, CellType.NUMBER):
        return None
    is_date_key = expected is CellType.DATE
    opened, lead = _OPEN_START.match(text), _LEAD.match(text)
    start = opened.end() if opened else lead.end() if lead else 0
    first = _time_at(text, start, 1 if is_date_key else EARLIEST)
    if first is not None:
        value, stop = first
        end = _OPEN_END.match(text, stop)
        if isinstance(value, Date) and (opened or end):
            value, stop = Dates(value, None), end.end() if end else stop
        if not is_date_key and not ends_in_parentheses(text, stop):
            return None
        value, stop = _in_words(text, value, stop)
        if is_date_key and (stretch := _loose_stretch(text, value, stop)) is not None:
            return stretch
        return _reading(value, certain=_only_repeats(text, stop, value))
    later = _later_time(text, start) if is_date_key else None
    if later is not None:
        value, stop = _in_words(text, *later)
        return _loose_stretch(text, value, stop) or _reading(value, certain=False)
    return _without_year(text, start, is_date_key=is_date_key)


def _reading(value: Date | Dates, *, certain: bool) -> Reading:
    return Reading(CellType.DATES if isinstance(value, Dates) else CellType.DATE, value, certain)


def _time_at(text: str, start: int, earliest: int) -> tuple[Date | Dates, int] | None:
    about = ABOUT.match(text, start)
    read = read_time(text, about.end() if about else start, earliest=earliest)
    if read is None or text[read.stop : read.stop + 1].isalnum():
        return None
    value = read.value
    if about is not None and isinstance(value, Date):
        value = value._replace(about=True)
    return value, read.stop


def _later_time(text: str, start: int) -> tuple[Date | Dates, int] | None:
    """Return the first time after a place."""
    for count, match in enumerate(_START.finditer(text, start)):
        if count >= _MOST_STARTS:
            break
        later = _time_at(text, match.start(), EARLIEST)
        if later is not None:
            return later
    return None


def _loose_stretch(text: str, value: Date | Dates, stop: int) -> Reading | None:
    """Read a stretch whose second end is not written plainly: "51 BC to 10 or 12 August 30 BC"."""
    joint = (DASH.match(text, stop) or JOINT.match(text, stop)) if isinstance(value, Date) else None
    later = _later_time(text, joint.end()) if joint else None
    if later is None or not isinstance(value, Date) or not isinstance(later[0], Date) or later[0].last < value.first:
        return None
    return _reading(Dates(value, later[0]), certain=False)


def _in_words(text: str, value: Date | Dates, stop: int) -> tuple[Date | Dates, int]:
    """Return the stretch after its ends in figures: "(2008-08-07) (2008-08-23) 7 August – 23 August 2008"."""
    if isinstance(value, Dates):
        return value, stop
    second = _SECOND_DAY.match(text, stop) or _CLOSING.match(text, stop)
    again = read_time(text, second.end()) if second else None
    if again is not None and isinstance(again.value, Dates) and again.value.start == value:
        return again.value, again.stop
    return value, stop


def _without_year(text: str, start: int, *, is_date_key: bool) -> Reading | None:
    part = read_part(text, start)
    if part is not None and part.form == "n" and (joint := DASH.match(text, part.stop)) is not None:
        part = read_part(text, joint.end())  # 1–12 August
        if part is not None and part.form == "dmy" and part.stop == len(text):
            return Reading(CellType.DATES, text, certain=False)
    if part is None or part.month is None or part.form not in ("dmy", "mdy"):
        return None
    rest = text[part.stop :].strip()
    if rest and not is_date_key:
        return None
    return Reading(CellType.DATES if rest[:1] in ("-", "–", "—") else CellType.DATE, text, certain=False)


def _only_repeats(text: str, stop: int, value: Date | Dates) -> bool:
    """Tell whether all that follows a date is the same date, or says how long ago or at what age it was."""
    while True:
        if (ago := _AGO.match(text, stop)) is not None:
            stop = ago.end()
            continue
        parenthesis = PARENTHESIS.match(text, stop)
        if parenthesis is not None and _repeats(parenthesis[1].strip(), value):
            stop = parenthesis.end()
            continue
        # "( 1979-03-29 ) 29 March 1979": the date in figures comes first.
        closing = _CLOSING.match(text, stop)
        again = read_time(text, closing.end()) if closing else None
        if again is None or again.value != value:
            return is_end(text, stop)
        stop = again.stop


def _repeats(text: str, value: Date | Dates) -> bool:
    if _AGE.fullmatch(text) or _AGO.fullmatch(text):
        return True
    again = read_time(text, 0, earliest=1)
    if again is None or again.stop < len(text):
        return False
    same_year = isinstance(again.value, Date) and isinstance(value, Date) and again.value.year == value.year
    return again.value == value or same_year
