"""Write dates and stretches of time in the manner of others."""

from __future__ import annotations

import re

from nliprobe.language.cells._dates import DASH, JOINT, PRESENT, Part, read_part
from nliprobe.language.cells.records import Date, Dates
from nliprobe.language.english import MONTHS, ordinal

_ABBREVIATED = re.compile(rf"\b(?:{'|'.join(m[:3] for m in MONTHS if m != 'May')}|Sept)(\.?)(?![a-z])", re.IGNORECASE)
_ORDINAL_DAY = re.compile(r"\d\s?(?:st|nd|rd|th)\b", re.IGNORECASE)
_ERA = re.compile(r"\b(?:(?i:BCE?)|CE|AD|(?i:B\.\s?C\.)|A\.\s?D\.)(?!\w)")
_ABOUT = re.compile(r"(?:c\.|ca\.?|circa|~|≈)\s?", re.IGNORECASE)
_THE = re.compile(r"the\s+", re.IGNORECASE)
_AND = re.compile(r"\s+and\s+", re.IGNORECASE)


def ordinal_digits(number: int) -> str:
    """Write an ordinal in digits.

    >>> ordinal_digits(1), ordinal_digits(12), ordinal_digits(23)
    ('1st', '12th', '23rd')
    """
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def write_date(value: Date, like: str) -> str:
    """Return a date in the manner of another one: its order, its month's spelling, its era."""
    part = read_part(like, 0)
    form = part.form if part else ""
    if value.years >= 100:
        text = _century(value, like)
    elif value.years == 10:
        text = _decade(value, like, form)
    elif form == "iso" and value.month and value.day and value.year >= 1000:
        text = f"{value.year}-{value.month:02}-{value.day:02}"
    else:
        text = _plain(value, like, form, with_year=True)
    return _with_about(value, text, like)


def write_dates(value: Dates, like: str) -> str:
    """Return a stretch in the manner of another one; what both ends share is left out where the other leaves it out."""
    first, joint, right = _ends(like)
    left_text = like[: first.stop] if first else ""
    start_text = write_date(value.start, left_text)
    if value.end is None:
        present = PRESENT.match(right)
        joint = " to the " if joint.strip().lower() in ("to", "and", "/") else joint
        return f"{start_text}{joint}{present[0] if present else 'present'}"
    joint = re.sub(r"the\s+$", "", joint, flags=re.IGNORECASE)
    last = read_part(right, 0)
    full = right if last is not None and last.year is not None else left_text
    end_text = write_date(value.end, full)
    if first is not None and first.form == "y" and last is not None and last.form == "n":
        return _short_end(value, start_text, end_text, joint)
    if first is not None and first.year is None:
        shared = _shared(value, first, full, joint)
        if shared is not None:
            return shared
    if not joint.isspace() and joint.strip() == joint and (" " in start_text or " " in end_text or "-" in start_text):
        joint = f" {joint} "
    return f"{start_text}{joint}{end_text}"


def _ends(like: str) -> tuple[Part | None, str, str]:
    """Return the first end of a stretch, what joins it to the other one, and the rest."""
    first = read_part(like, 0)
    if first is None:
        return None, " to ", ""
    joint = DASH.match(like, first.stop) or JOINT.match(like, first.stop) or _AND.match(like, first.stop)
    if joint is None:
        return first, "/" if like[first.stop : first.stop + 1] == "/" else " to ", like[first.stop + 1 :]
    return first, joint[0], like[joint.end() :]


def _short_end(value: Dates, start: str, end: str, joint: str) -> str:
    """Write "1849–50", or both years in full where two digits would say something else."""
    assert value.end is not None
    is_short = value.start.year // 100 == value.end.year // 100 and value.end.year % 100 >= 10 and start.isdigit()
    return (
        f"{start}{joint}{end[-2:]}" if is_short and end.isdigit() else f"{start}{'–' if joint == '/' else joint}{end}"
    )


def _shared(value: Dates, first: Part, like: str, joint: str) -> str | None:
    """Write "May–December 1978", "6–21 August 2016" and "March 5–9, 1990"; None if the ends do not share enough."""
    start, end = value.start, value.end
    if end is None or start.month is None or end.month is None or start.year != end.year or start.years != 1:
        return None
    form = (part.form if (part := read_part(like, 0)) else "") or first.form
    full = write_date(end, like if form != "m" else "May 1978")
    if (start.day is None) != (end.day is None):
        return None
    if start.day is not None and start.month == end.month and start.day <= (end.day or 0):
        if first.form == "mdy":
            return f"{_plain(start, like, 'mdy', with_year=False)}{joint}{end.day}, {_year(end, like)}"
        if first.form == "n":
            return f"{start.day}{joint}{full}"
    if start.day is not None and joint.strip() == joint:
        joint = f" {joint} "
    return f"{_plain(start, like, first.form, with_year=False)}{joint}{full}"


def _plain(value: Date, like: str, form: str, *, with_year: bool) -> str:
    year = _year(value, like)
    if value.month is None:
        return year
    month = _month(value.month, like)
    if value.day is None:
        return f"{month} {year}" if with_year else month
    day = ordinal_digits(value.day) if _ORDINAL_DAY.search(like) else str(value.day)
    if form == "mdy":
        return f"{month} {day}, {year}" if with_year else f"{month} {day}"
    of = " of" if " of " in like.lower() and form == "dmy" else ""
    return f"{day}{of} {month} {year}" if with_year else f"{day}{of} {month}"


def _year(value: Date, like: str) -> str:
    era = _ERA.search(like)
    is_before = era is not None and era[0][0] in "Bb"
    if value.year < 0:
        return f"{-value.year} {era[0] if era is not None and is_before else 'BC'}"
    if era is not None and not is_before:
        return f"{era[0]} {value.year}" if like.startswith(era[0]) and not value.month else f"{value.year} {era[0]}"
    if 1000 <= value.year < 2100 or (value.month and value.year >= 100):
        return str(value.year)
    return f"{value.year} AD" if value.month else f"AD {value.year}"


def _month(number: int, like: str) -> str:
    name = MONTHS[number - 1]
    short = _ABBREVIATED.search(like)
    if short is not None and name != "May":
        name = name[:3] + short[1]
    letters = [character for character in like if character.isalpha()]
    return name.upper() if letters and all(letter.isupper() for letter in letters) and len(letters) > 2 else name


def _decade(value: Date, like: str, form: str) -> str:
    the = _THE.match(_ABOUT.sub("", like, count=1))
    is_bare = re.fullmatch(r"[1-9]0['’]?s", like) is not None  # of "the early 90s"
    if (form == "short" or is_bare) and 1910 <= value.year <= 1990:
        return re.sub(r"\d0", f"{value.year % 100:02}", like, count=1)
    ending = "'s" if re.search(r"\d['’]s", like) else "s"
    return f"{the[0] if the else '' if form == 'decade' or is_bare else 'the '}{value.year}{ending}"


def _century(value: Date, like: str) -> str:
    size = value.years
    count = -value.year // size if value.year < 0 else (value.year - 1) // size + 1
    the = _THE.match(_ABOUT.sub("", like, count=1))
    in_words = re.search(r"\d", like) is None and count <= 21
    name = "millennium" if size >= 1000 else "century"
    era = _ERA.search(like)
    tail = f" {era[0] if era is not None and era[0][0] in 'Bb' else 'BC'}" if value.year < 0 else ""
    is_like = re.search(r"centur|millenn|\bc\.", like, re.IGNORECASE) is not None
    article = the[0] if the else "" if is_like else "the "
    return f"{article}{ordinal(count) if in_words and is_like else ordinal_digits(count)} {name}{tail}"


def _with_about(value: Date, text: str, like: str) -> str:
    if not value.about:
        return text
    sign = _ABOUT.match(like)
    return f"{sign[0] if sign else 'c. '}{text}"
