"""Find the numbers of an English text."""

from __future__ import annotations

import re
from fractions import Fraction

from nliprobe.language.numbers._cardinals import CARDINALS, ORDINALS, SCALES, read_ordinal, read_words
from nliprobe.language.numbers._codes import codes
from nliprobe.language.numbers._digits import MOST_DIGITS, is_number, read_digits
from nliprobe.language.numbers._kinds import (
    counted,
    digit_kind,
    is_function_word,
    is_one_a_number,
    is_unit_of_time,
    range_kind,
    word_kind,
)
from nliprobe.language.numbers._modifiers import modifier_of
from nliprobe.language.numbers._pieces import Piece
from nliprobe.language.numbers._tokens import Token, cut, touch, word_at
from nliprobe.language.numbers.records import CURRENCIES, PERCENT, Kind, Manner, Number

_WORDS = frozenset([*CARDINALS, *ORDINALS, *SCALES, "hundred", "dozen", "half"])
_STARTS = _WORDS | {"a", "an", "minus", "negative"}
_HINTS = _WORDS | {"quarter"}
_DIGIT = re.compile(r"[\d¼½¾⅓⅔]")
_LETTERS = re.compile(r"[a-z]+")
_DASHES = frozenset("-–—−")


def find_numbers(text: str) -> tuple[Number, ...]:
    """Return the numbers of a text in order, without overlaps.

    >>> [(number.kind.value, str(number.value)) for number in find_numbers("On page 3, five men won $1.5 million.")]
    [('name', '3'), ('quantity', '5'), ('quantity', '1500000')]
    """
    if not may_have_numbers(text):
        return ()
    tokens = cut(text)
    numbers: list[Number] = []
    known = iter(codes(text))
    code = next(known, None)
    index = 0
    while index < len(tokens):
        start, _, _, kind, word = tokens[index]
        while code is not None and code.stop <= start:
            code = next(known, None)
        if code is not None and code.start <= start:
            numbers.append(_coded(text, code.start, code.stop, code.kind))
            while index < len(tokens) and tokens[index].start < code.stop:
                index += 1
            continue
        if kind == "digits":
            piece = read_digits(tokens, index)
        elif word in _STARTS:
            piece = _words(tokens, index)
        else:
            piece = None
        if piece is None:
            index += 1
            continue
        piece = _with_upper(tokens, piece)
        numbers.append(_number(tokens, piece))
        index = piece.stop
    return tuple(numbers)


def may_have_numbers(text: str) -> bool:
    """Tell by a quick look whether a text may have numbers."""
    return _DIGIT.search(text) is not None or not _HINTS.isdisjoint(_LETTERS.findall(text.lower()))


def _coded(text: str, start: int, stop: int, kind: Kind) -> Number:
    digits = re.findall(r"\d+", text[start:stop])
    is_single = len(digits) == 1 and len(digits[0]) <= MOST_DIGITS and kind in (Kind.YEAR, Kind.NAME)
    value = Fraction(int(digits[0])) if is_single else None
    return Number(start, stop, value, kind, Manner.DIGITS, (start, stop))


def _words(tokens: list[Token], index: int) -> Piece | None:
    word = word_at(tokens, index)
    if word in ("minus", "negative") and word_at(tokens, index + 1) in CARDINALS and not is_number(tokens, index - 1):
        reading = read_words(tokens, index + 1)
        return reading and Piece(index, reading.stop, -reading.value, None, Manner.WORDS)
    if word not in _WORDS and word not in ("a", "an"):
        return None
    ordinal = read_ordinal(tokens, index)
    if ordinal is not None:
        if word == "second" and is_unit_of_time(tokens, index):
            return None
        return Piece(index, ordinal.stop, ordinal.value, Kind.ORDINAL, Manner.WORDS)
    reading = read_words(tokens, index)
    if reading is None or (word == "one" and reading.stop == index + 1 and not is_one_a_number(tokens, index)):
        return None
    return Piece(index, reading.stop, reading.value, Kind.YEAR if reading.is_year else None, Manner.WORDS)


def _with_upper(tokens: list[Token], piece: Piece) -> Piece:
    """Join the two ends of a range: "3-5", "5 to 10", "between 3 and 5", "from 3 to 5", "five or six"."""
    joint, place = word_at(tokens, piece.stop), piece.stop + 1
    if piece.kind is not None or piece.value < 0:
        return piece
    is_tight = joint in _DASHES and (touch(tokens, piece.stop - 1) == touch(tokens, piece.stop))
    is_between = joint == "and" and word_at(tokens, piece.first - 1) == "between"
    if not (is_tight or is_between or joint in ("to", "or")):
        return piece
    if word_at(tokens, place) in CURRENCIES:
        place += 1
    if place >= len(tokens):
        return piece
    is_digits = tokens[place].kind == "digits"
    other = read_digits(tokens, place, ends_range=True) if is_digits else _words(tokens, place)
    if other is None or other.kind is not None or (other.manner is Manner.WORDS) != (piece.manner is Manner.WORDS):
        return piece
    if is_tight and piece.value >= other.value:
        return piece._replace(stop=other.stop, kind=Kind.SCORE)
    if piece.value >= other.value:
        return piece
    return piece._replace(stop=other.stop, upper=other.value, manner=other.manner, unit=other.unit, end=other.end)


def _number(tokens: list[Token], piece: Piece) -> Number:
    first, stop = piece.first, piece.stop
    start, end = tokens[first].start, piece.end or tokens[stop - 1].stop
    kind = piece.kind
    if kind is None and piece.manner is Manner.WORDS:
        kind = word_kind(tokens, first, stop, piece.value)
    currency = word_at(tokens, first - 1) if word_at(tokens, first - 1) in CURRENCIES else ""
    if kind is None and (currency or piece.unit):
        kind = Kind.QUANTITY
    elif kind is None and piece.upper is not None:
        kind = range_kind(tokens, first, stop, (piece.value, piece.upper))
    elif kind is None:
        kind = digit_kind(tokens, first, stop, piece.value)
    if kind is Kind.SCORE:
        return Number(start, end, None, kind, piece.manner, (start, end))
    phrase_first, phrase_stop, unit = first, stop, piece.unit
    if currency:
        phrase_first, unit = first - 1, currency
    elif word_at(tokens, stop) in PERCENT or word_at(tokens, stop) == "°":
        phrase_stop, unit = stop + 1, word_at(tokens, stop)
    elif kind is Kind.QUANTITY and not unit:
        unit = counted(tokens, stop) or _singular(tokens, stop, piece.value)
    phrase = (tokens[phrase_first].start, tokens[phrase_stop - 1].stop)
    modifier = modifier_of(tokens, phrase_first, phrase_stop) if kind is Kind.QUANTITY else None
    return Number(start, end, piece.value, kind, piece.manner, phrase, piece.upper, modifier, unit)


def _singular(tokens: list[Token], stop: int, value: Fraction) -> str:
    """Return the noun after "one" and the unit after a hyphen: "one man", "5-year-old"."""
    place = stop + (word_at(tokens, stop) == "-" and touch(tokens, stop - 1))
    word = word_at(tokens, place)
    return word if word[:1].isalpha() and (place > stop or value == 1) and not is_function_word(word) else ""
