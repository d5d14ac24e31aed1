"""Write numbers, money and durations in the manner of others."""

from __future__ import annotations

import re
from fractions import Fraction

from nliprobe.base.errors import UsageError
from nliprobe.language.cells._write_times import ordinal_digits
from nliprobe.language.cells.records import Duration, Quantity
from nliprobe.language.cells.units import DIMENSIONS, SCALES, SECONDS, UnitMatch, match_unit
from nliprobe.language.english import ordinal, plural
from nliprobe.language.numbers import Manner, Number, find_numbers, write_number

_ABOUT = re.compile(r"(?:c\.|ca\.?|circa|~|≈)\s?", re.IGNORECASE)
_CLOCK = re.compile(r"\d{1,3}(\s?:\s?)\d{2,3}(?:\s?:\s?\d\d)?")
_JOINT = re.compile(r"\s?[-–—−]\s?|\s(?:to|or|and)\s", re.IGNORECASE)
_AND = re.compile(r"\d\s+and\s+\d")
_LAST_WORD = re.compile(r"(-?)([^\W\d_]+)(\W*)$")
_PARTS = re.compile(r"(\d+)(\s?(?:['’′]|[a-z]+\.?)[\s,]*(?:and\s)?)(\d+(?:\.\d+)?)(\D*)$", re.IGNORECASE)
# Scales that numbers in text do not have.
_SCALE = re.compile(r"\s?(crores?|lakhs?|mil|bil|mn)(?!\w)", re.IGNORECASE)
_IN_PARTS = {"ft": 12, "lb": 16, "yd": 3}
# Units that are words; signs such as "km" and "min" have one form.
_UNIT_WORDS = """
second minute hour day week month year decade century hr sec yr foot inch mile pound acre yard metre meter kilometre
kilometer centimetre centimeter gram kilogram litre liter gallon tonne ton hectare degree ounce dollar euro rupee franc
peso rouble ruble knot
"""
_WORDS = frozenset(_UNIT_WORDS.split())
_IRREGULAR = {
    plural(word): word for word in ("child", "man", "woman", "person", "foot", "tooth", "mouse", "wife", "life")
}


def write_quantity(value: Quantity, like: str) -> str:
    """Return a quantity in the manner of another one: its digits or words, scale, currency and unit."""
    sign = _ABOUT.match(like)
    body = like[sign.end() :] if sign else like
    about = (sign[0] if sign else "c. ") if value.about else ""
    if value.unit == "ordinal":
        return about + _ordinal(value, body)
    parts = _PARTS.search(body)
    if value.unit in _IN_PARTS and parts is not None and value.upper is None and _JOINT.fullmatch(parts[2]) is None:
        whole = value.value.numerator // value.value.denominator
        rest = write_number((value.value - whole) * _IN_PARTS[value.unit], "", Manner.DIGITS)
        return f"{about}{body[: parts.start()]}{whole}{parts[2]}{rest}{parts[4]}"
    number = _first_number(body)
    scale = _SCALE.match(body, number.stop)
    if scale is not None:
        size = SCALES[scale[1].lower()]
        value = value._replace(value=value.value / size, upper=None if value.upper is None else value.upper / size)
    core = _core(value, body, number)
    is_one, was_one = (value.value == 1 and value.upper is None), (number.value == 1 and number.upper is None)
    rest = body[number.stop :]
    return about + body[: number.start] + core + (agree(rest, value.unit, is_one=is_one) if is_one != was_one else rest)


def write_duration(value: Duration, like: str) -> str:
    """Return a duration in the manner of another one: as a clock, or in its units and smaller ones."""
    sign = _ABOUT.match(like)
    body = like[sign.end() :] if sign else like
    about = (sign[0] if sign else "c. ") if value.about else ""
    clock = _CLOCK.fullmatch(body)
    if clock is not None:
        return about + _clock(value, clock)
    numbers = find_numbers(body)
    units = [
        (number, unit.name, body[number.stop : unit.stop]) for number in numbers if (unit := _unit_after(body, number))
    ]
    if not units or not numbers:
        raise UsageError(f"There is no duration in {like!r}. Give a mention such as '46 minutes' or '46:06'.")
    number, name, spelling = units[0]
    amount = value.seconds / SECONDS[name]
    if len(units) == 1 and (amount.denominator == 1 or _ends(amount)):
        first = body[: number.start] + write_number(amount, body[number.start : number.stop], number.manner)
        written = spelling if (amount == 1) == (number.value == 1) else agree(spelling, name, is_one=amount == 1)
        return about + first + written + body[number.stop + len(spelling) :]
    return about + _compound(value.seconds, body, units)


def agree(rest: str, unit: str, *, is_one: bool) -> str:
    """Return what follows a number with its last noun in the singular if the number is one now, else in the plural."""
    match = _LAST_WORD.search(rest)
    # "90-minute" keeps its form, and so do signs such as "km" and "%".
    if match is None or match[1]:
        return rest
    word = match[2]
    lower = word.lower()
    single = singular(lower)
    is_noun = unit not in DIMENSIONS and unit not in SECONDS and not unit.isupper()
    if single in _WORDS or lower in _WORDS or is_noun:
        wanted = single if is_one else plural(single)
        word = wanted.upper() if word.isupper() and len(word) > 1 else wanted if word.islower() else wanted.capitalize()
    return rest[: match.start()] + word + match[3]


def singular(noun: str) -> str:
    """Return the singular of a plural noun; the noun itself if it is none or its form is not sure.

    >>> singular("children"), singular("cities"), singular("boxes"), singular("series"), singular("minute")
    ('child', 'city', 'box', 'series', 'minute')
    """
    if noun in _IRREGULAR:
        return _IRREGULAR[noun]
    if noun in ("series", "species", "means", "news") or not noun.endswith("s"):
        return noun
    for ending, single in (("ies", "y"), ("es", ""), ("s", "")):
        if noun.endswith(ending) and plural(noun[: -len(ending)] + single) == noun:
            return noun[: -len(ending)] + single
    return noun


def _first_number(text: str) -> Number:
    """Return the number of a mention; "3 and 5" is one only after "between", and "half" only before "of"."""
    before = "between " if _AND.search(text) else ""
    number = next(iter(find_numbers(before + text) or find_numbers(f"{text} of them")), None)
    if number is None:
        raise UsageError(f"There is no number in {text!r}. Give a mention with a number.")
    return number._replace(start=number.start - len(before), stop=number.stop - len(before))


def _core(value: Quantity, body: str, number: Number) -> str:
    """Write the number itself, or both ends of a range."""
    text = body[number.start : number.stop]
    if value.upper is not None and number.manner is Manner.WORDS and not _are_words(value.value, value.upper):
        # Both ends of a range are written alike.
        return f"{write_number(value.value, '', Manner.DIGITS)} to {write_number(value.upper, '', Manner.DIGITS)}"
    joint = _JOINT.search(text) if number.upper is not None else None
    if joint is None:
        one = write_number(value.value, text, number.manner)
        if value.upper is None:
            return one
        if number.manner is Manner.MIXED:
            scale = re.search(r"[\s-]?[A-Za-z]+$", text)
            size = scale.start() if scale else len(text)
            one = write_number(value.value, text, Manner.MIXED)[: size - len(text) or None] if scale else one
        return f"{one} to {write_number(value.upper, text, number.manner)}"
    left, right = text[: joint.start()], text[joint.end() :]
    if value.upper is None:
        return write_number(value.value, right, number.manner)
    high = write_number(value.upper, right, number.manner)
    manner = number.manner
    if manner is Manner.MIXED and re.search(r"[A-Za-z]", left) is None:
        # The scale after "95–100 million" counts for both ends.
        low = write_number(value.value, right, manner)
        scale = re.search(r"[\s-]?[A-Za-z]+$", right)
        low = low[: -len(scale[0])] if scale else low
    else:
        low = write_number(value.value, left, manner)
    return low + joint[0] + high


def _are_words(*values: Fraction) -> bool:
    return all(value.denominator == 1 and value < 10**6 for value in values)


def _ordinal(value: Quantity, like: str) -> str:
    number = int(value.value)
    if re.search(r"\d", like):
        return re.sub(r"\d+\s?(?:st|nd|rd|th)", ordinal_digits(number), like, count=1, flags=re.IGNORECASE)
    words = ordinal(number)
    return words.capitalize() if like[:1].isupper() else words


def _unit_after(text: str, number: Number) -> UnitMatch | None:
    place = number.stop
    while place < len(text) and text[place] in " -\t":
        place += 1
    unit = match_unit(text, place)
    return unit if unit is not None and unit.name in SECONDS else None


def _clock(value: Duration, like: re.Match[str]) -> str:
    if value.seconds.denominator != 1 or value.seconds < 0:
        raise UsageError(f"{value.seconds} seconds cannot be written like {like[0]!r}: a clock shows whole seconds.")
    minutes, seconds = divmod(int(value.seconds), 60)
    joint = like[1]
    if like[0].count(":") == 2 or minutes > 999:
        return f"{minutes // 60}{joint}{minutes % 60:02}{joint}{seconds:02}"
    return f"{minutes}{joint}{seconds:02}"


def _compound(seconds: Fraction, body: str, units: list[tuple[Number, str, str]]) -> str:
    """Write "2 hours and 5 minutes", with the units that are there and smaller ones where they are needed."""
    spellings = {name: spelling for _, name, spelling in units}
    first, manner = units[0][0], units[0][0].manner
    largest = SECONDS[units[0][1]]
    pieces = []
    for name, size in sorted(SECONDS.items(), key=lambda item: -item[1]):
        if size > largest or (name == "week" and name not in spellings):
            continue
        count, seconds = divmod(seconds, size)
        if not count:
            continue
        spelling = spellings.get(name, f" {plural(name)}")
        text = write_number(Fraction(count), body[first.start : first.stop], manner)
        pieces.append(text + agree(spelling, name, is_one=count == 1))
    if seconds or not pieces:
        raise UsageError(f"A duration cannot be written like {body!r} in whole units. Give whole seconds.")
    if len(pieces) > 1 and "-" in spellings[units[0][1]]:
        raise UsageError(f"A duration of several units cannot be written like {body!r}. Give a round one.")
    joint = " and " if " and " in body or len(units) == 1 else ", " if ", " in body else " "
    head = body[: first.start]
    return head + (", ".join(pieces[:-1]) + " and " + pieces[-1] if len(pieces) > 2 else joint.join(pieces))


def _ends(value: Fraction) -> bool:
    """Tell whether a value has a short form in decimals."""
    return (value * 1000).denominator == 1
