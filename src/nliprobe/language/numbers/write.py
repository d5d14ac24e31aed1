"""Write a number in the manner of another one."""

from __future__ import annotations

import re
from fractions import Fraction

from nliprobe.base.errors import UsageError
from nliprobe.language.english import number_words
from nliprobe.language.numbers._cardinals import SCALES
from nliprobe.language.numbers.records import Manner

_DIGITS = re.compile(r"[\d,.]*\d")
_SCALE = re.compile(rf"\s*-?(?:(?:{'|'.join(SCALES)})|k|bn|M|m)$", re.IGNORECASE)
_LETTERS = {"k": 10**3, "bn": 10**9, "m": 10**6}
_WORDS_END = 1_000_000
# From here on, digits are grouped even where the number they replace is too short to say.
_GROUPED_FROM = 10_000


def write_number(value: Fraction | int, like: str, manner: Manner) -> str:
    """Return a value written like another number: digits with its separators and decimals, its scale, or words.

    A value that has no short form in words is written in digits.

    >>> write_number(4200, "1,500", Manner.DIGITS), write_number(7, "Three", Manner.WORDS)
    ('4,200', 'Seven')
    >>> write_number(2_500_000, "1.5 million", Manner.MIXED)
    '2.5 million'
    """
    value = Fraction(value)
    if manner is Manner.WORDS:
        return _in_words(value, like)
    scale = _SCALE.search(like) if manner is Manner.MIXED else None
    if scale is not None:
        unit = scale[0].strip().lstrip("-").lower()
        size = SCALES.get(unit) or _LETTERS[unit]
        return _in_digits(value / size, like[: scale.start()]) + scale[0]
    return _in_digits(value, like)


def _in_words(value: Fraction, like: str) -> str:
    if value.denominator != 1:
        return _in_digits(value, "")
    words = _large(int(value))
    if " and " not in like.lower() and re.search(r"hundred|thousand", like, re.IGNORECASE):
        words = words.replace(" and ", " ")
    return words[0].upper() + words[1:] if like[:1].isupper() else words


def _large(number: int) -> str:
    """Write a number in words; millions and more only where they are whole."""
    if abs(number) >= _WORDS_END:
        for name, size in sorted(SCALES.items(), key=lambda item: -item[1]):
            if size >= _WORDS_END and number % size == 0 and abs(number) // size < 1000:
                return f"{number_words(number // size)} {name}"
    return number_words(number)


def _in_digits(value: Fraction, like: str) -> str:
    written = _DIGITS.search(like)
    text = written[0] if written else ""
    places = _places(value, len(text.partition(".")[2]))
    grouped = "," in text or (abs(value) >= _GROUPED_FROM and len(text.partition(".")[0]) < 4)
    scaled = value * 10**places
    whole, rest = divmod(abs(int(scaled)), 10**places)
    digits = f"{whole:,}" if grouped else str(whole)
    return ("-" if value < 0 else "") + digits + (f".{rest:0{places}}" if places else "")


def _places(value: Fraction, least: int) -> int:
    """Return how many decimals are needed to write a value exactly, at least as many as given."""
    for places in range(least, 16):
        if (value * 10**places).denominator == 1:
            return places
    raise UsageError(f"{value} has no exact form in decimals. Use a value whose decimals end.")
