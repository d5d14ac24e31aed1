"""Tell from the words around a number in a text whether it says how much, when, how long, or is a part of a name."""

from __future__ import annotations

import re

from nliprobe.language.cells._amounts import with_unit
from nliprobe.language.numbers import Kind, Manner, Number

_DETERMINER = re.compile(r"(?:\b(?:the|his|her|its|their|my|our|your|a|an)|['’]s?)\s+$", re.IGNORECASE)
_SENTENCE_START = re.compile(r"(?:^|[.!?:;\n\"“])\s*$")
_CAPITAL_BEFORE = re.compile(r"\s([A-Z][\w'’-]*)\s$")
_NO_NAMES = """
the in on over about with at a an only more all of and for its his her their from to by since than just some after
"""
_NO_NAME = frozenset(_NO_NAMES.split())
_MARKS = re.compile(r"[.,/]")
_HALF_DAY = re.compile(r"\s?[ap]\.?\s?m\b", re.IGNORECASE)
_CLOCK_BEFORE = re.compile(r"\b(?:at|by|until|till|before|after|around|from|to)\s$", re.IGNORECASE)
_LENGTH = re.compile(
    r"\b(?:long(?:er)?|short(?:er)?|lengths?|last(?:s|ed|ing)|runs?|ran|running|runtime|durations?|minutes|tracks?"
    r"|songs?|albums?)\b",
    re.IGNORECASE,
)
_LAST_HOUR = 24
# So far from a number words are looked at; a limit, so that long texts take no longer per word than short ones.
_AROUND = 200


def words_before(text: str, place: int) -> str:
    """Return the few characters before a place."""
    return text[max(0, place - 24) : place]


def is_in_name(text: str, number: Number) -> bool:
    """Tell whether capital letters around a number show that it is a part of a name: "Seven Pillars", "568 Group"."""
    around = text[max(0, number.start - _AROUND) : number.stop + _AROUND]
    if number.kind not in (Kind.QUANTITY, Kind.ORDINAL) or around.isupper():
        return False
    written = text[number.start : number.stop]
    if number.manner is Manner.WORDS:
        return written[0].isupper() and _SENTENCE_START.search(words_before(text, number.start)) is None
    if number.kind is not Kind.QUANTITY or not written.isdigit() or len(written) > 3:
        return False
    if not number.unit:
        after = text[number.stop + 1 : number.stop + 3]
        return after[:1].isupper() and after[1:2].islower()
    # The "hijackers" of "Flight 93 described three hijackers" are not counted by the number of the flight.
    name = _CAPITAL_BEFORE.search(words_before(text, number.start))
    is_next = text[number.stop : number.stop + 60].lstrip(" -").lower().startswith(number.unit)
    return name is not None and name[1].lower() not in _NO_NAME and not is_next


def is_adverb(text: str, number: Number) -> bool:
    """Tell the "first" of "was first shown" from the one of "the first film"."""
    if text[number.start : number.stop].lower() != "first":
        return False
    return _DETERMINER.search(words_before(text, number.start)) is None


def is_early_year(text: str, number: Number) -> bool:
    """Tell whether a number that counts nothing is a year of the eleventh century: "in 1066"."""
    if number.kind is not Kind.QUANTITY or number.unit or number.manner is not Manner.DIGITS or number.value is None:
        return False
    ends = (number.value, number.upper or number.value)
    written = text[number.start : number.stop]
    return 1000 <= ends[0] < 1100 and ends[1] < 2100 and written[:4].isdigit() and _MARKS.search(written) is None


def is_measured(text: str, number: Number) -> bool:
    """Tell the number in "1500 %" and "1500 km" from a year; a single letter after a year is no unit."""
    if number.value is None or number.manner is not Manner.DIGITS:
        return False
    read = with_unit(text, number.stop, number.value, number.upper, in_inches=False)
    return read.stop > number.stop and (read.stop - number.stop > 2 or not text[read.stop - 1].isalpha())


def is_time_of_day(text: str, start: int, stop: int) -> bool:
    """Tell "at 7:39" from the length of a song: without words for a length, "7:39" is a time of day."""
    if _HALF_DAY.match(text, stop) or _CLOCK_BEFORE.search(words_before(text, start)):
        return True
    if int(text[start:stop].partition(":")[0]) > _LAST_HOUR or (start == 0 and stop == len(text)):
        return False
    return _LENGTH.search(text, max(0, start - _AROUND), stop + _AROUND) is None
