"""Numbers, money and lengths of time, in cells and in sentences."""

from __future__ import annotations

import re
from fractions import Fraction

_SMALL = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
]  # fmt: skip
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
WORDS = {word: value for value, word in enumerate(_SMALL)} | {
    f"{ten}-{_SMALL[unit]}" if unit else ten: 20 + 10 * place + unit
    for place, ten in enumerate(_TENS)
    for unit in range(10)
}
ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8}
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
# The scale of a range stands behind it: $34–40 million.
_FIGURE = re.compile(rf"(?P<n>[-−]?\d[\d,]*(?:\.\d+)?)(?:\s*[-–]\s*\d[\d,.]*)?(?:\s*(?P<scale>{'|'.join(_SCALES)}))?")
_CLOCK = re.compile(r"(?:(\d+) ?: ?)?(\d+) ?: ?(\d\d)(?!\d)")
_PARTS = re.compile(r"(\d+(?:\.\d+)?) ?(hours?|hrs?|h|minutes?|mins?|min|m|seconds?|secs?|s)\b")
_LENGTHS = {"h": 3600, "m": 60, "s": 1}


def read_amount(text: str) -> Fraction | None:
    """Return the first number in a text, with its scale (3.7 million); None if there is none."""
    match = _FIGURE.search(text)
    if not match:
        return None
    plain = Fraction(match["n"].replace(",", "").replace("−", "-"))
    return plain * _SCALES.get(match["scale"] or "", 1)


def read_seconds(text: str) -> int | None:
    """Return a length of time in seconds: 46:06, 125 minutes, 2 hours 5 minutes."""
    if match := _CLOCK.search(text):
        hours, minutes, seconds = (int(part or 0) for part in match.groups())
        return hours * 3600 + minutes * 60 + seconds
    parts = _PARTS.findall(text)
    return int(sum(Fraction(number) * _LENGTHS[unit[0]] for number, unit in parts)) if parts else None


def whole(text: str) -> int:
    """Return a whole number that a sentence says in figures or words, also as an ordinal."""
    word = text.casefold()
    if word in WORDS or word in ORDINALS:
        return WORDS[word] if word in WORDS else ORDINALS[word]
    return int(word.replace(",", "").rstrip("stndrh"))
