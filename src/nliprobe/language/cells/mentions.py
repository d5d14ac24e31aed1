"""Find the numbers, amounts, dates, stretches of time and durations that an English text mentions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from nliprobe.language.cells._amounts import AmountMatch, read_amount, read_clock, with_unit
from nliprobe.language.cells._contexts import (
    is_adverb,
    is_early_year,
    is_in_name,
    is_measured,
    is_time_of_day,
    words_before,
)
from nliprobe.language.cells._dates import TimeMatch, read_time
from nliprobe.language.cells.records import CellType, Date, Dates, Duration, Mention, Quantity
from nliprobe.language.cells.units import MONEY_BEFORE, SECONDS, match_unit
from nliprobe.language.english import plural
from nliprobe.language.numbers import Kind, Manner, Number, find_numbers
from nliprobe.language.numbers._cardinals import CARDINALS

_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_ORDINALS = (
    "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelf|thirteen|fourteen|fifteen|sixteen"
    "|seventeen|eighteen|nineteen|twent"
)
# Where a time may begin that shows by its form that it is one.
_TIME_START = re.compile(
    rf"(?<![\w.,$£€/'’-])(?:\d|c\.\s?\d|ca\.|circa\s|~|A\.?D\b|the\s(?=['’]?\d|{_ORDINALS})|['’]\d|(?:{_MONTHS})|(?:{_ORDINALS}))",
    re.IGNORECASE,
)
_THE_YEAR = re.compile(r"\bthe\syear\s$", re.IGNORECASE)
_BETWEEN = re.compile(r"\bbetween\s{1,3}$", re.IGNORECASE)
_MONEY_END = re.compile(rf"{MONEY_BEFORE}\s?$", re.IGNORECASE)
_ABOUT_SIGN = re.compile(r"(?:(?<!\w)c\.|(?<!\w)ca\.|(?<!\w)circa\s|~|≈)\s?$", re.IGNORECASE)
# "'77" is 1977; "'05" may be 1905 or 2005.
_SHORT_YEAR = re.compile(r"['’](\d\d)")
_FIRST_SHORT_YEAR = 30
# "the early 90s" is a decade, "his early 60s" is an age.
_SHORT_DECADE = re.compile(r"([1-9]0)['’]?s")
_PART_OF_DECADE = re.compile(r"\b(?:the|a|in)\s(?:early|mid|late)[\s-]$", re.IGNORECASE)
_AND = re.compile(r",?\s(?:and\s)?")
_LAST = re.compile(r"[^\W\d_]+$")
_DIGIT = re.compile(r"\d")
_NOUN = re.compile(r"[^\W\d_]+")
_IRREGULAR = frozenset(["people", "men", "women", "children", "feet", "teeth", "mice", "geese"])


def find_mentions(text: str) -> tuple[Mention, ...]:
    """Return the numbers, amounts, dates, stretches and durations of a text in order, without overlaps.

    >>> text = "From May 1978 to 1980 it sold four million copies."
    >>> [(text[mention.start : mention.stop], mention.type.value) for mention in find_mentions(text)]
    [('May 1978 to 1980', 'date range'), ('four million copies', 'number')]
    """
    numbers = find_numbers(text)
    if not numbers:
        return ()
    mentions: list[Mention] = []
    place = 0
    weak: dict[int, TimeMatch] = {}
    times = _times(text, weak)
    time = next(times, None)
    for number in numbers:
        while time is not None and time.start < number.stop:
            if time.start >= place:
                mentions.append(time)
                place = time.stop
            time = next(times, None)
        if number.start < place:
            continue
        mention = _mention(text, number, place, weak)
        if mention is not None:
            place = mention.stop
            added = _added(text, mentions[-1], mention) if mentions else None
            if added is not None:
                mentions[-1] = added
            else:
                mentions.append(mention)
    if time is not None and time.start >= place:
        mentions.append(time)
    return tuple(mentions)


def _times(text: str, weak: dict[int, TimeMatch]) -> Iterator[Mention]:
    """Find the times that are sure by their form: with a month, an era, or as a decade, century or stretch.

    Those that are not, such as years, are kept in ``weak`` by where they begin, so that nobody reads them again.
    """
    stop = 0
    lower = text.lower()
    has_year, has_between = "year" in lower, "between" in lower
    for match in _TIME_START.finditer(text):
        start = match.start()
        if start < stop:
            continue
        is_year = has_year and _is_after(_THE_YEAR, text, start)
        is_between = has_between and _is_after(_BETWEEN, text, start)
        read = read_time(text, start, earliest=1 if is_year else 1000, between=is_between)
        if read is None:
            continue
        if not (read.strong or is_year) or not _ends_well(text, read.stop):
            if not is_year:
                weak[start] = read
            continue
        stop = read.stop
        yield _time(start, read)


def _ends_well(text: str, stop: int) -> bool:
    return not (
        text[stop : stop + 1].isalnum() or (text[stop : stop + 1] in "-–" and text[stop + 1 : stop + 2].isalnum())
    )


def _time(start: int, read: TimeMatch) -> Mention:
    return Mention(start, read.stop, CellType.DATES if isinstance(read.value, Dates) else CellType.DATE, read.value)


def _is_after(pattern: re.Pattern[str], text: str, start: int) -> bool:
    """Tell whether the words just before a place match."""
    return pattern.search(words_before(text, start)) is not None


def _mention(text: str, number: Number, place: int, weak: dict[int, TimeMatch]) -> Mention | None:
    """Return what a number mentions; None for parts of names, times of day, scores and dates without a year."""
    if (number.kind is Kind.YEAR or is_early_year(text, number)) and not is_measured(text, number):
        return _year(text, number, place, weak.get(number.start))
    if number.kind in (Kind.TIME, Kind.SCORE):
        return _clock(text, number)
    if number.value is None or is_in_name(text, number):
        return None
    if number.kind is Kind.ORDINAL and is_adverb(text, number):
        return None
    if number.kind is Kind.ORDINAL:
        return Mention(number.start, number.stop, CellType.NUMBER, Quantity(number.value, "ordinal"))
    # "USD 30" looks like the name of a model.
    is_money = number.kind is Kind.NAME and _MONEY_END.search(text, max(place, number.start - 8), number.start)
    if number.kind not in (Kind.QUANTITY, Kind.YEAR) and not is_money:
        return None
    return _quantity(text, number, place)


def _year(text: str, number: Number, place: int, read: TimeMatch | None) -> Mention | None:
    if read is None:
        read = read_time(text, number.start, between=_is_after(_BETWEEN, text, number.start))
    if read is not None and read.stop >= number.stop:
        sign = _ABOUT_SIGN.search(text, max(place, number.start - 6), number.start)
        if sign is not None:
            read = read_time(text, sign.start()) or read
        return _time(sign.start() if sign else number.start, read)
    short = _SHORT_YEAR.fullmatch(text, number.start, number.stop)
    if short is not None and int(short[1]) >= _FIRST_SHORT_YEAR:
        return Mention(number.start, number.stop, CellType.DATE, Date(1900 + int(short[1])))
    decade = _SHORT_DECADE.fullmatch(text, number.start, number.stop)
    if decade is not None and _is_after(_PART_OF_DECADE, text, number.start):
        return Mention(number.start, number.stop, CellType.DATE, Date(1900 + int(decade[1]), years=10))
    if number.manner is not Manner.WORDS or number.value is None or number.upper is not None:
        return None
    return Mention(number.start, number.stop, CellType.DATE, Date(int(number.value)))


def _clock(text: str, number: Number) -> Mention | None:
    read = read_clock(text, number.start)
    if read is None or is_time_of_day(text, number.start, read.stop):
        return None
    return Mention(number.start, read.stop, read.type, read.value)


def _quantity(text: str, number: Number, place: int) -> Mention | None:
    start = number.start
    money = _MONEY_END.search(text, max(place, start - 8), start)
    if money is not None:
        start = money.start()
    read: AmountMatch | None
    if number.manner is Manner.WORDS:
        read = with_unit(text, number.stop, number.value or Fraction(0), number.upper, in_inches=False)
    else:
        read = read_amount(text, start, in_inches=False)
        if read is None or (isinstance(read.value, Quantity) and read.stop < number.stop):
            # The amounts of cells do not have all forms of numbers in running text: "2 and a half", "1/2".
            read = with_unit(text, number.stop, number.value or Fraction(0), number.upper, in_inches=False)
    value, stop = read.value, read.stop
    if isinstance(value, Quantity) and not value.unit and (noun := _counted(text, number)) is not None:
        value, stop = value._replace(unit=noun[0]), noun[1]
    sign = _ABOUT_SIGN.search(text, max(place, start - 4), start)
    if sign is not None:
        start, value = sign.start(), value._replace(about=True)
    return Mention(start, stop, read.type, value)


def _added(text: str, one: Mention, other: Mention) -> Mention | None:
    """Join "two hours" and "five minutes"; None if they are two durations."""
    if not isinstance(one.value, Duration) or not isinstance(other.value, Duration) or other.value.about:
        return None
    larger, smaller = (SECONDS.get(_last_unit(text[part.start : part.stop]), 0) for part in (one, other))
    if not 0 < smaller < larger or _AND.fullmatch(text, one.stop, other.start) is None:
        return None
    return one._replace(stop=other.stop, value=one.value._replace(seconds=one.value.seconds + other.value.seconds))


def _last_unit(text: str) -> str:
    word = _LAST.search(text)
    unit = match_unit(text, word.start()) if word else None
    return unit.name if unit else ""


def _counted(text: str, number: Number) -> tuple[str, int] | None:
    """Return the noun that a number counts, in the plural, and where it ends."""
    if not number.unit.isalpha() or (number.value == 1 and number.unit.endswith(("ed", "ing"))):
        return None
    is_one = number.value == 1 and number.upper is None
    for match in _NOUN.finditer(text, number.stop, number.stop + 80):
        word = match[0].lower()
        # What follows another number is counted by that one, and one thing is not in the plural.
        if word in CARDINALS or _DIGIT.search(text, number.stop, match.start()):
            return None
        if word == number.unit or is_one:
            is_single = is_one and word not in _IRREGULAR and not word.endswith("s")
            return (plural(word) if is_single else word), match.end()
    return None
