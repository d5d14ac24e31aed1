"""Read amounts that begin at a place of a text: numbers with units, money and durations, in digits."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from nliprobe.language.cells.records import CellType, Duration, Quantity
from nliprobe.language.cells.units import (
    MONEY_BEFORE,
    MONEY_SCALES,
    SCALES,
    SECONDS,
    currency_code,
    match_money,
    match_unit,
)

_VULGAR = {"¼": Fraction(1, 4), "½": Fraction(1, 2), "¾": Fraction(3, 4), "⅓": Fraction(1, 3), "⅔": Fraction(2, 3)}
_NUMBER = (
    r"(?:\d{1,3}(?:,\d{3}){1,6}(?!\d)(?:\.\d{1,12})?|\d{1,3}(?:\.\d{3}){2,5}(?![\d.])|\d{1,15}(?:\.\d{1,12})?(?!\d)"
    r"|\.\d{1,12}(?!\d))"
)
_PART = r"(?:\s?[¼½¾⅓⅔]|\s[1-9]\d?/[1-9]\d?(?![\d/]))?"
_ABOUT_WORDS = r"""
c\. ca\.? circa approx(?:\.|imately)? about around nearly almost roughly some over under above below est\.? estimated
more\sthan less\sthan fewer\sthan at\sleast at\smost up\sto as\smany\sas ~ ≈ < > ≤ ≥ ±
"""
ABOUT = re.compile(rf"(?:(?:{'|'.join(_ABOUT_WORDS.split())})(?:(?<=\W)|\b)[:\s]{{0,2}})+", re.IGNORECASE)
_ALL_SCALES = "|".join(sorted(map(re.escape, SCALES), key=len, reverse=True))
_WORD_SCALES = "|".join(scale for scale in SCALES if scale not in MONEY_SCALES)
_AMOUNT = re.compile(
    rf"(?P<money>{MONEY_BEFORE})?\s?(?P<sign>[-−+](?=\.?\d))?(?P<lower>{_NUMBER}{_PART})"
    rf"(?:[\s-]?(?P<own>{_WORD_SCALES})(?=\s?[-–—]|\s(?:to|or)\s))?"
    rf"(?:(?:\s?[-–—]\s?|\s(?:to|or)\s)(?:{MONEY_BEFORE}\s?)?(?P<upper>{_NUMBER}{_PART})(?![\d:]))?"
    rf"(?:(?P<gap>[\s-]?)(?P<scale>{_ALL_SCALES})(?!\w))?",
    re.IGNORECASE,
)
_TH = re.compile(r"\s?(?:st|nd|rd|th)(?!\w)")
_GAP = re.compile(r"\s?-?\s?")
_FEET = re.compile(r"(\d{1,2})\s?['’′]\s?(\d{1,2}(?:\.\d{1,2})?)?\s?(?:[\"”″]|''|’’)?(?![\w'])")
_CLOCK = re.compile(r"(?:(\d{1,3})\s?:\s?)?(\d{1,3})\s?:\s?([0-5]\d(?:\.\d{1,3})?)(?![\d:]|\s?:\s?\d)")
_AND = re.compile(r"\.?\s?(?:,\s?)?(?:and\s|&\s)?")
# What of a smaller unit may follow a larger one: "5 ft 9 in", "6 lb 3 oz".
_SMALLER = {"ft": ("in", Fraction(1, 12)), "lb": ("oz", Fraction(1, 16)), "yd": ("ft", Fraction(1, 3))}


class AmountMatch(NamedTuple):
    """An amount in a text: what it is and where it ends."""

    type: CellType
    value: Quantity | Duration
    stop: int


def read_amount(text: str, start: int, *, in_inches: bool = True) -> AmountMatch | None:
    """Return the amount in digits that begins at a place, with its currency, scale and unit; None if there is none.

    Args:
        text: the text.
        start: where to read.
        in_inches: whether "in" after a number means inches; in running text it is mostly another word.
    """
    feet = _FEET.match(text, start)
    if feet is not None and "." not in feet[1]:
        value = Fraction(int(feet[1])) + (Fraction(feet[2]) / 12 if feet[2] else 0)
        return AmountMatch(CellType.NUMBER, Quantity(value, "ft"), feet.end())
    match = _AMOUNT.match(text, start)
    if match is None:
        return None
    lower, upper, stop, currency = _values(match)
    if currency:
        return AmountMatch(CellType.MONEY, Quantity(lower, currency, upper), stop)
    if upper is None and match["scale"] is None and (end := _TH.match(text, stop)):
        return AmountMatch(CellType.NUMBER, Quantity(lower, "ordinal"), end.end())
    return with_unit(text, stop, lower, upper, in_inches=in_inches)


def with_unit(text: str, stop: int, lower: Fraction, upper: Fraction | None, *, in_inches: bool = True) -> AmountMatch:
    """Return a number with the currency or unit that follows it, and with what of smaller units is added to it."""
    gap = _GAP.match(text, stop)
    place = gap.end() if gap else stop
    money = match_money(text, place)
    if money is not None:
        return AmountMatch(CellType.MONEY, Quantity(lower, money.name, upper), money.stop)
    unit = match_unit(text, place)
    if unit is None or (text[place : unit.stop].lower() == "in" and not in_inches):
        return AmountMatch(CellType.NUMBER, Quantity(lower, "", upper), stop)
    if unit.name in SECONDS:
        if upper is not None:
            return AmountMatch(CellType.DURATION, Duration(lower * SECONDS[unit.name], about=True), unit.stop)
        return _duration(text, unit.stop, lower, unit.name)
    if upper is None and unit.name in _SMALLER:
        smaller, share = _SMALLER[unit.name]
        joint = _AND.match(text, unit.stop)
        rest = _AMOUNT.match(text, joint.end() if joint else unit.stop)
        if rest is not None and rest["money"] is None and rest["upper"] is None and rest["sign"] is None:
            gap = _GAP.match(text, rest.end())
            added = match_unit(text, gap.end() if gap else rest.end())
            if added is not None and added.name == smaller:
                value = lower + number_value(rest["lower"]) * share
                return AmountMatch(CellType.NUMBER, Quantity(value, unit.name), added.stop)
    return AmountMatch(CellType.NUMBER, Quantity(lower, unit.name, upper), unit.stop)


def read_clock(text: str, start: int) -> AmountMatch | None:
    """Return the duration written as a clock, "46:06" or "1:02:03", that begins at a place."""
    match = _CLOCK.match(text, start)
    if match is None:
        return None
    hours, minutes, seconds = int(match[1] or 0), int(match[2]), Fraction(match[3])
    if match[1] is not None and minutes >= 60:
        return None
    return AmountMatch(CellType.DURATION, Duration(hours * 3600 + minutes * 60 + seconds), match.end())


def number_value(text: str) -> Fraction:
    """Return what a number in digits is worth: "1,200", "1 1/2", "2.870.310"."""
    whole, part = text.strip(), Fraction(0)
    if whole.isdecimal():
        return Fraction(int(whole))
    if whole[-1] in _VULGAR:
        whole, part = whole[:-1].strip(), _VULGAR[whole[-1]]
    elif "/" in whole:
        whole, _, fraction = whole.rpartition(" ")
        above, _, below = fraction.partition("/")
        part = Fraction(int(above), int(below))
    if whole.count(".") > 1:
        whole = whole.replace(".", "")
    digits, _, decimals = whole.replace(",", "").partition(".")
    value = Fraction(int(digits or "0"))
    return value + part + (Fraction(int(decimals), 10 ** len(decimals)) if decimals else 0)


def _values(match: re.Match[str]) -> tuple[Fraction, Fraction | None, int, str]:
    """Return both ends, where the number ends and the code of its currency."""
    currency = currency_code(match["money"]) if match["money"] else ""
    scale, stop = (match["scale"] or "").lower(), match.end()
    if scale in MONEY_SCALES and not currency and not match_money(match.string, stop + 1):
        scale, stop = "", match.start("gap")
    size, own = SCALES.get(scale, 1), SCALES.get((match["own"] or "").lower(), 0)
    lower = -number_value(match["lower"]) if match["sign"] in ("-", "−") else number_value(match["lower"])
    if match["upper"] is None:
        factor = own or size
        return lower if factor == 1 else lower * factor, None, stop, currency
    upper = number_value(match["upper"]) * size
    # In "$95–100 million" the scale counts for both ends.
    if lower * (own or size) < upper:
        return lower * (own or size), upper, stop, currency
    return lower * (own or 1), None, match.end("own") if own else match.end("lower"), currency


def _duration(text: str, stop: int, value: Fraction, unit: str) -> AmountMatch:
    """Add the smaller units that follow: "2 hours and 5 minutes", "21 years, 6 months and 19 days"."""
    seconds = value * SECONDS[unit]
    while True:
        joint = _AND.match(text, stop)
        rest = _AMOUNT.match(text, joint.end() if joint else stop)
        if rest is None or rest["money"] or rest["upper"] or rest["sign"] or rest["scale"]:
            break
        gap = _GAP.match(text, rest.end())
        added = match_unit(text, gap.end() if gap else rest.end())
        if added is None or SECONDS.get(added.name, 10**12) >= SECONDS[unit]:
            break
        seconds += number_value(rest["lower"]) * SECONDS[added.name]
        stop, unit = added.stop, added.name
    return AmountMatch(CellType.DURATION, Duration(seconds), stop)
