"""Read dates and stretches of time that begin at a place of a text."""

from __future__ import annotations

import re
from typing import NamedTuple

from nliprobe.language.cells.records import Date, Dates
from nliprobe.language.english import MONTHS, ordinal

_MONTH_NUMBERS = {month.lower(): number for number, month in enumerate(MONTHS, 1)}
_MONTH_NUMBERS |= {month[:3].lower(): number for number, month in enumerate(MONTHS, 1)} | {"sept": 9}
_MONTH = "|".join([*MONTHS, r"Sept\.?", *[rf"{month[:3]}\.?" for month in MONTHS if month != "May"]])
_LENGTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_ORDINALS = {ordinal(number): number for number in range(1, 22)} | {
    ordinal(number).replace("-", " "): number for number in (20, 21)
}
_S = r"\s{1,3}"
_DAY = r"[0-3]?\d"
_TH = r"(?:\s?(?:st|nd|rd|th)\b)?"
_BC = r"BCE|BC|B\.\s?C\.(?:\s?E\.)?"
# In lower case, "ad" and "ce" are other words.
_AD = r"(?-i:AD|CE|A\.\s?D\.|C\.\s?E\.)"
_ERA = rf"(?:\s?(?:{_BC}|{_AD})(?!\w))"
_YEAR = rf"\d{{1,4}}(?={_ERA})|\d{{3,4}}(?!\w|,\d)"
_ORDINAL = rf"(?:\d{{1,2}}\s?(?:st|nd|rd|th)|{'|'.join(sorted(_ORDINALS, key=len, reverse=True))})"
_SPAN = r"(?:century|centuries|millennium|millennia|c\.)"
_PART = re.compile(
    rf"""
    (?P<about>(?:c\.|ca\.?|circa|~|≈)\s?)?
    (?:
        (?P<iso>(?P<iy>[12]\d{{3}})-(?P<im>[01]\d)-(?P<id>[0-3]\d)(?![\w-]))
      | (?P<century>(?:the{_S})?(?P<cn>{_ORDINAL})[\s-]{{1,2}}(?P<cw>{_SPAN})(?P<ce>{_ERA})?)(?!\w)
      | (?P<decade>(?:the{_S})?(?P<dd>[12]\d\d0)\s?['’]?s(?!\w))
      | (?P<short>(?:the{_S}['’]?|['’])(?P<sd>[1-9]0)['’]?s(?!\w))
      | (?P<dmy>(?P<d1>{_DAY}){_TH}(?:{_S}of)?(?:{_S}|-)(?P<m1>{_MONTH})(?![a-z])
          (?:(?:,?{_S}|-|\s,\s)(?P<y1>{_YEAR})(?P<e1>{_ERA})?)?)
      | (?P<mdy>(?P<m2>{_MONTH}){_S}(?P<d2>{_DAY}){_TH}(?!\d|,\d)
          (?:\s?,?{_S}(?P<y2>{_YEAR})(?P<e2>{_ERA})?)?)
      | (?P<my>(?P<m3>{_MONTH})(?:{_S}of)?(?:\s?,)?{_S}(?P<y3>{_YEAR})(?P<e3>{_ERA})?)
      | (?P<m>(?P<m4>{_MONTH})(?![a-z]))
      | (?P<ad>(?-i:AD|A\.\s?D\.)\s?(?P<ya>\d{{1,4}})(?!\w|,\d))
      | (?P<era>(?P<yb>\d{{1,4}}|\d,\d{{3}})(?P<eb>{_ERA}))
      | (?P<y>(?P<y4>\d{{3,4}})(?![\w%]|[.,]\d))
      | (?P<n>(?P<n1>\d{{1,2}}){_TH}(?![\w%]|[.,:]\d))
    )
    """,
    re.VERBOSE | re.IGNORECASE,
)
DASH = re.compile(r"\s{0,2}[-–—−‒]\s{0,2}(?:,\s{1,2})?")
JOINT = re.compile(r"\s{1,3}(?:to|until|till|through|thru)\s{1,3}(?:the\s{1,3}(?=present))?", re.IGNORECASE)
_AND = re.compile(r"\s{1,3}and\s{1,3}", re.IGNORECASE)
_SLASH = re.compile(r"/(?=\d\d(?:\d\d)?(?!\d))")
PRESENT = re.compile(
    r"(?:the )?(?:present(?: day)?|now|today|current(?:ly)?|ongoing|date(?=\W*$))(?!\w)", re.IGNORECASE
)
_DAY_YEAR = re.compile(r"([0-3]?\d)(?:st|nd|rd|th)?\s?,\s{0,2}(\d{3,4})(?!\w|,\d)")
# Smaller numbers are years only with an era, or where the key of a cell says so.
EARLIEST = 1000
_LATEST = 2200


class Part(NamedTuple):
    """One end of a stretch of time as it is written; the other end may say the rest of it."""

    stop: int
    year: int | None = None
    month: int | None = None
    day: int | None = None
    years: int = 1
    about: bool = False
    form: str = ""
    era: str = ""
    number: int = 0

    @property
    def strong(self) -> bool:
        """Whether the form alone shows that it is a time: not a bare number."""
        return self.form not in ("y", "n", "m")


class TimeMatch(NamedTuple):
    """A time in a text: what it is and where it ends."""

    value: Date | Dates
    stop: int
    strong: bool


def read_time(text: str, start: int, *, earliest: int = EARLIEST, between: bool = False) -> TimeMatch | None:
    """Return the longest date or stretch of time that begins at a place; None if there is none.

    Args:
        text: the text.
        start: where to read.
        earliest: the first year that may stand alone, without a month or an era.
        between: whether "and" joins two ends: "between 1990 and 1997".
    """
    first = read_part(text, start)
    if first is None:
        return None
    return _stretch(text, first, earliest, between=between) or _single(first, earliest)


def read_part(text: str, start: int) -> Part | None:
    """Return what is written of a date at a place."""
    match = _PART.match(text, start)
    if match is None:
        return None
    # The group of a form ends after those inside it, so it is the last one that matched.
    stop, form = match.end(), match.lastgroup or ""
    about = match["about"] is not None
    if form == "y":
        year = int(match["y4"])
        part = Part(stop, year, about=about, form=form, number=year)
    elif form == "n":
        part = Part(stop, about=about, form=form, number=int(match["n1"]))
    elif form == "iso":
        part = Part(stop, int(match["iy"]), int(match["im"]), int(match["id"]), about=about, form=form)
    elif form == "century":
        part = _century(stop, match["cn"], match["cw"], match["ce"] or "", about=about)
    elif form == "decade":
        part = Part(stop, int(match["dd"]), years=10, about=about, form=form)
    elif form == "short":
        part = Part(stop, 1900 + int(match["sd"]), years=10, about=about, form=form)
    elif form in _NAMED_GROUPS:
        part = _named(match, form, about=about)
    elif form == "ad":
        part = Part(stop, int(match["ya"]), about=about, form=form)
    else:
        era = match["eb"]
        part = Part(stop, _signed(int(match["yb"].replace(",", "")), era), about=about, form="era", era=era)
    return part if _is_possible(part) else None


# The groups of month, day, year and era in the forms with the name of a month.
_NAMED_GROUPS = {
    "dmy": ("m1", "d1", "y1", "e1"),
    "mdy": ("m2", "d2", "y2", "e2"),
    "my": ("m3", "", "y3", "e3"),
    "m": ("m4", "", "", ""),
}


def _named(match: re.Match[str], form: str, *, about: bool) -> Part:
    name, day, year, era = [match[group] or "" if group else "" for group in _NAMED_GROUPS[form]]
    return Part(
        match.end(),
        _signed(int(year), era) if year else None,
        _MONTH_NUMBERS[name.lower().rstrip(".")],
        int(day) if day else None,
        about=about,
        form=form,
        era=era,
    )


def _signed(year: int, era: str) -> int:
    return -year if era.strip()[:1] in ("B", "b") else year


def _century(stop: int, number: str, word: str, era: str, *, about: bool) -> Part:
    digits = re.match(r"\d+", number)
    count = int(digits[0]) if digits else _ORDINALS[number.lower()]
    size = 1000 if word.lower().startswith("mill") else 100
    year = -count * size if _signed(1, era) < 0 else (count - 1) * size + 1
    return Part(stop, year, years=size, about=about, form="century", era=era)


def _is_possible(part: Part) -> bool:
    if part.year == 0 or (part.month is not None and not 1 <= part.month <= 12):
        return False
    return part.day is None or (part.month is not None and 1 <= part.day <= _LENGTHS[part.month - 1])


def _date(part: Part) -> Date | None:
    if part.year is None:
        return None
    return Date(part.year, part.month, part.day, part.years, part.about)


def _single(part: Part, earliest: int) -> TimeMatch | None:
    date = _date(part)
    if date is None or (part.form == "y" and not earliest <= date.year < _LATEST):
        return None
    return TimeMatch(date, part.stop, part.strong)


def _stretch(text: str, first: Part, earliest: int, *, between: bool) -> TimeMatch | None:
    joint = DASH.match(text, first.stop) or JOINT.match(text, first.stop)
    if joint is None and between:
        joint = _AND.match(text, first.stop)
    if joint is None and first.form == "y":
        joint = _SLASH.match(text, first.stop)
    if joint is None:
        return None
    present = PRESENT.match(text, joint.end())
    if present is not None:
        start = _date(first)
        if start is None or (first.form == "y" and not earliest <= start.year < _LATEST):
            return None
        return TimeMatch(Dates(start, None), present.end(), strong=True)
    last = _day_and_year(text, joint.end(), first) or read_part(text, joint.end())
    if last is None:
        return None
    joined = _joined(first, last, tight=not joint[0].strip().isalpha())
    if joined is None:
        return None
    start, end = joined
    bare = first.form == "y" and last.form in ("y", "n")
    if start.year > 0 and bare and not (earliest <= start.year < _LATEST and end.year < _LATEST):
        return None
    if start.first > end.last:
        return None
    return TimeMatch(Dates(start, end), last.stop, strong=not bare or not joint[0].strip().isalpha())


def _day_and_year(text: str, start: int, first: Part) -> Part | None:
    """Read the second end of "March 5–9, 1990"."""
    if first.form != "mdy" or first.year is not None:
        return None
    match = _DAY_YEAR.match(text, start)
    return match and Part(match.end(), int(match[2]), first.month, int(match[1]), form="mdy")


def _joined(first: Part, last: Part, *, tight: bool) -> tuple[Date, Date] | None:
    """Return both ends, each completed by what the other one says: "6–21 August 2016", "1849–50", "58–50 BC"."""
    if first.form in ("m", "dmy", "mdy") and first.year is None and last.year is not None:
        first = first._replace(year=last.year)
    elif first.form == "n" and last.form == "dmy" and last.year is not None:
        first = first._replace(year=last.year, month=last.month, day=first.number)
    elif first.form in ("y", "n") and last.form == "era" and last.year is not None:
        first = first._replace(year=_signed(first.number, last.era), form="era")
    if last.form == "n" and tight and first.form == "y" and first.year is not None and last.number >= 10:
        last = last._replace(year=first.year - first.year % 100 + last.number)
    start, end = _date(first), _date(last)
    if start is None or end is None or not _is_possible(first) or not _is_possible(last):
        return None
    return start, end
