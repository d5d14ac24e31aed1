"""Dates, clock times, phone numbers and codes: groups of digits that are one thing and no quantity."""

from __future__ import annotations

import re
from typing import NamedTuple

from nliprobe.language.english import MONTHS
from nliprobe.language.numbers.records import Kind

_MONTH = "|".join([*MONTHS, *[rf"{month[:3]}\.?" for month in MONTHS if month != "May"], r"Sept\.?"])
_MONTH_STARTS = "|".join([month[:3] for month in MONTHS])
_DAY = r"(?:3[01]|[12]\d|0?[1-9])"
_YEAR = r"(?:1\d{3}|20\d\d)"
_TH = r"(?:\s?(?:st|nd|rd|th))?"
_HALF_DAY = r"(?:[ap]\.\s?m\.|[ap]\.?m\b)"
_CLOCK = r"(?:[01]?\d|2[0-4])"
_CODES = re.compile(
    rf"""
    # What each of them begins with, so that most places are left at once.
    (?=[\d\#§'’]|[(+vV]\d|https?:|www\.|[aA]\.|AD|(?:{_MONTH_STARTS})|^\s)(?:
    (?P<name>
        (?:https?://|www\.)\S+
        | (?<![\w-])(?:\+?\d{{1,2}}[ .-]?)?\(?\d{{3}}\)?[ .-]?\d{{3}}[.-]\d{{4}}(?![\w-])
        | (?<!\w)(?:1-)?(?:800|888|877)-[A-Z\d-]{{4,12}} | (?<![\w-])\d{{3}}-\d{{4}}(?![\w-])
        | (?<!\w)[vV]?\d+(?:\.\d+){{2,}} | (?<![\w/])24/7(?![\w/])
        | (?<![\w(])\(\d{{1,2}}\) | ^\s*\d{{1,2}}\s?[.)](?=\s) | \#\s?\d+ | (?<![\w§])§+\s?\d[\w.()-]*
    )
    | (?P<date>
        \b(?:{_MONTH})\s{_DAY}{_TH}(?!\d)(?:\s?,?\s{_YEAR}(?!\d))?
        | (?<![\w.,$]){_DAY}{_TH}\s(?:of\s)?(?:{_MONTH})(?![a-z])(?:\s?,?\s{_YEAR}(?!\d))?
        | \b(?:{_MONTH}),?\s{_YEAR}(?!\d)
        | (?<![\w/.-]){_YEAR}[-/](?:0[1-9]|1[0-2])[-/]{_DAY}(?![\w/-])
        | (?<![\w/.-]){_DAY}/{_DAY}/(?:\d\d|\d{{4}})(?![\w/-]) | (?<![\w/-])9[/-]11(?![\w/-])
    )
    | (?P<year>
        (?<![\w$£€.,]){_YEAR}\s?['’]?s\b | (?<!\w)['’]\d\ds?\b | (?<![\w$.,])\d0['’]?s(?!\w)
        | (?<![\w.,$]){_YEAR}\s?[-–—/]\s?(?:{_YEAR}|\d\d)(?![\w%,-])
        | (?<![\w.,$])\d{{1,4}}\s(?:BCE?|AD|CE|[bB]\.\s?[cC]\.|[aA]\.\s?[dD]\.)(?!\w)
        | \b(?:AD|[aA]\.\s?[dD]\.)\s\d{{1,4}}(?!\w)
    )
    | (?P<time>
        (?<![\w.,:$]){_CLOCK}\s?:[0-5]\d(?::[0-5]\d)?(?:\s?{_HALF_DAY}|(?![\w:]))
        | (?<![\w.,$]){_CLOCK}(?:\s?[-–]\s?{_CLOCK})?\s?{_HALF_DAY} | (?<![\w.,$]){_CLOCK}\s[oO]\s?['’]\s?clock
    )
    | (?P<score> (?<![\w.,:$])\d+\s?:\s?\d+(?![\w:]) )
    )
    """,
    re.VERBOSE,
)
_KINDS = {kind.value: kind for kind in Kind}
_DIGIT = re.compile(r"\d")
_LONGEST_BEGINNING = 24


class Code(NamedTuple):
    """A span that is a date, a time or a code."""

    start: int
    stop: int
    kind: Kind


def codes(text: str) -> list[Code]:
    """Return the dates, times and codes of a text in order."""
    digit = _DIGIT.search(text)
    if digit is None:
        return []
    # Nothing but an address begins long before its first digit, and the pattern is slow.
    start = digit.start() - _LONGEST_BEGINNING
    if start < 0 or "www." in text or "http" in text or not text[: digit.start()].strip():
        start = 0
    return [Code(*match.span(), _KINDS[match.lastgroup or ""]) for match in _CODES.finditer(text, start)]
