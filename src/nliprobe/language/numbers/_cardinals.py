"""Read numbers in words: "twenty-five", "three hundred and two", "half a million", "two thirds"."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from nliprobe.language.english import number_words, ordinal
from nliprobe.language.numbers._tokens import Token, touch, word_at

ONES = {number_words(number): number for number in range(10)}
TEENS = {number_words(number): number for number in range(10, 20)}
TENS = {number_words(number): number for number in range(20, 100, 10)} | {"fourty": 40}
SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
CARDINALS = {**ONES, **TEENS, **TENS}
ORDINALS = {ordinal(number): number for number in (*range(1, 20), *range(20, 100, 10))}
ORDINALS |= {"hundredth": 100, "thousandth": 1000, "millionth": 10**6}
_DENOMINATORS = {word: number for word, number in ORDINALS.items() if number > 2} | {"half": 2, "quarter": 4}
_DENOMINATORS |= {f"{word}s": number for word, number in _DENOMINATORS.items()} | {"halves": 2}
_GROUPS = {"hundred": 100, **SCALES, "dozen": 12}
HALF = Fraction(1, 2)


class Reading(NamedTuple):
    """A number that was read: the place after its last token, and its value."""

    stop: int
    value: Fraction
    is_year: bool = False


def read_words(tokens: list[Token], index: int) -> Reading | None:
    """Read the longest number in words that begins at a token; None if there is none."""
    first = word_at(tokens, index)
    if first == "half" and word_at(tokens, index + 1) in ("a", "an"):
        scale = _GROUPS.get(word_at(tokens, index + 2))
        return Reading(index + 3, HALF * scale) if scale else Reading(index + 1, HALF)
    if first == "half":
        return Reading(index + 1, HALF) if word_at(tokens, index + 1) in ("of", "the", "my", "his", "their") else None
    if first in ("a", "an"):
        return _after_article(tokens, index + 1)
    if first not in CARDINALS:
        return None
    whole = _whole(tokens, index)
    if whole.is_year:
        return whole
    return _fraction(tokens, whole) or _and_a_half(tokens, whole)


def _after_article(tokens: list[Token], index: int) -> Reading | None:
    word = word_at(tokens, index)
    if word in _GROUPS:
        return _and_a_half(tokens, _whole(tokens, index))
    if word in ("third", "quarter", "fifth", "tenth") and word_at(tokens, index + 1) == "of":
        return Reading(index + 1, Fraction(1, _DENOMINATORS[word]))
    return None


def _whole(tokens: list[Token], index: int) -> Reading:
    """Read a whole number, or a year such as "nineteen eighty-four"."""
    number = _plain(tokens, index)
    if not (11 <= number.value <= 20) or number.stop > index + 1:
        return number
    word = word_at(tokens, number.stop)
    if word not in TENS and (word not in TEENS or (number.value == 20 and word == "ten")):
        return number
    rest = _plain(tokens, number.stop)
    goes_on = 11 <= rest.value <= 20 and word_at(tokens, rest.stop) in {**TEENS, **TENS}
    if goes_on or not 10 <= rest.value < 100:
        return number
    return Reading(rest.stop, number.value * 100 + rest.value, is_year=True)


def _plain(tokens: list[Token], index: int) -> Reading:
    """Read a whole number; a group without a number before it ("hundred") counts once."""
    total, group, place = 0, 0, index
    last_scale = 10**15
    while True:
        following = _skip_joint(tokens, place) if place > index else place
        word = word_at(tokens, following)
        if place > index and word == "and" and (total or group >= 100) and group % 100 == 0:
            following += 1
            word = word_at(tokens, following)
            room = 100 if group or last_scale < 10**15 else 0
            if not 0 < CARDINALS.get(word, 0) < room or _stands_alone(tokens, following):
                break
        if word in CARDINALS and (place == index or _fits(group, CARDINALS[word], after=word_at(tokens, place - 1))):
            group += CARDINALS[word]
        elif word == "hundred" and group < 100 and (group % 10 or not group or group in TENS.values()):
            group = (group or 1) * 100
        elif word in SCALES and SCALES[word] < last_scale and (group or place == index):
            last_scale = SCALES[word]
            total += (group or 1) * last_scale
            group = 0
        elif word == "dozen":
            return Reading(following + 1, Fraction((total + group or 1) * 12))
        else:
            break
        place = following + 1
    return Reading(place, Fraction(total + group))


def _skip_joint(tokens: list[Token], place: int) -> int:
    """Return the place after a hyphen that touches the words on both sides."""
    is_hyphen = word_at(tokens, place) in ("-", "‐", "‑") and touch(tokens, place - 1) and touch(tokens, place)
    return place + 1 if is_hyphen else place


def _fits(group: int, number: int, after: str) -> bool:
    """Tell whether a number goes on with a smaller one: "twenty five", "hundred five", not "two three"."""
    if after in ("hundred", *SCALES, "and"):
        return number > 0
    return group % 100 >= 20 and group % 10 == 0 and 0 < number < 10


def _stands_alone(tokens: list[Token], place: int) -> bool:
    """Tell whether the number after "and" is followed by its own "hundred" or "thousand"."""
    return word_at(tokens, place + 1) == "hundred"


def _fraction(tokens: list[Token], whole: Reading) -> Reading | None:
    """Read "two thirds" and "one-third"; a single denominator needs a one before it."""
    place = _skip_joint(tokens, whole.stop)
    word = word_at(tokens, place)
    if word not in _DENOMINATORS or not 0 < whole.value <= 20:
        return None
    is_plural = word.endswith("s")
    if (whole.value == 1) == is_plural and place == whole.stop:
        return None
    return Reading(place + 1, whole.value / _DENOMINATORS[word])


def _and_a_half(tokens: list[Token], whole: Reading) -> Reading:
    """Add "and a half", and the scale that may follow: "two and a half million"."""
    if [word_at(tokens, whole.stop + step) for step in range(3)] != ["and", "a", "half"]:
        return whole
    scale = _GROUPS.get(word_at(tokens, whole.stop + 3), 0)
    return Reading(whole.stop + 3 + bool(scale), (whole.value + HALF) * (scale or 1))


def read_ordinal(tokens: list[Token], index: int) -> Reading | None:
    """Read an ordinal in words: "third", "twenty-first"."""
    word = word_at(tokens, index)
    if word in ORDINALS:
        return Reading(index + 1, Fraction(ORDINALS[word]))
    if word not in CARDINALS:
        return None
    whole = _whole(tokens, index)
    if whole.is_year:
        return None
    last = _skip_joint(tokens, whole.stop)
    if word_at(tokens, last) == "and":
        last += 1
    number = ORDINALS.get(word_at(tokens, last), 0)
    if not number:
        return None
    tens = whole.value % 100
    if number >= 100:
        return Reading(last + 1, whole.value * number) if whole.value < 100 else None  # two hundredth
    if (number < 10 and tens in TENS.values()) or (whole.value >= 100 and tens == 0):
        return Reading(last + 1, whole.value + number)
    return None
