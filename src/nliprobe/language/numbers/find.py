"""Find the numbers of an English text."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from nliprobe.language.numbers._cardinals import CARDINALS, ORDINALS, SCALES, read_ordinal, read_words
from nliprobe.language.numbers._codes import codes
from nliprobe.language.numbers._kinds import (
    UNITS,
    counted,
    digit_kind,
    follows_ordinal_end,
    is_function_word,
    is_one_a_number,
    is_unit_of_time,
    range_kind,
    word_kind,
)
from nliprobe.language.numbers._modifiers import modifier_of
from nliprobe.language.numbers._tokens import Token, cut, touch, word_at
from nliprobe.language.numbers.records import Kind, Manner, Number

_WORDS = frozenset([*CARDINALS, *ORDINALS, *SCALES, "hundred", "dozen", "half"])
_HINTS = _WORDS | {"quarter"}
_DIGIT = re.compile(r"[\d¼½¾⅓⅔]")
_LETTERS = re.compile(r"[a-z]+")
_VULGAR = {"¼": Fraction(1, 4), "½": Fraction(1, 2), "¾": Fraction(3, 4), "⅓": Fraction(1, 3), "⅔": Fraction(2, 3)}
_LETTER_SCALES = {"k": 10**3, "bn": 10**9, "m": 10**6}
_CURRENCIES = frozenset("$£€¥")
_DASHES = frozenset("-–—−")
_KEYCAP = frozenset("\ufe0f\u20e3")
# Longer strings of digits are codes; Python also refuses to read very long ones.
_MOST_DIGITS = 24


class _Piece(NamedTuple):
    """A number before the words around it are looked at: its tokens, its values and how it is written."""

    first: int
    stop: int
    value: Fraction
    kind: Kind | None
    manner: Manner
    upper: Fraction | None = None
    unit: str = ""
    end: int | None = None  # where it ends inside a token


def find_numbers(text: str) -> tuple[Number, ...]:
    """Return the numbers of a text in order, without overlaps.

    >>> [(number.kind.value, str(number.value)) for number in find_numbers("On page 3, five men won $1.5 million.")]
    [('name', '3'), ('quantity', '5'), ('quantity', '1500000')]
    """
    if _DIGIT.search(text) is None and _HINTS.isdisjoint(_LETTERS.findall(text.lower())):
        return ()
    tokens = cut(text)
    numbers: list[Number] = []
    known = iter(codes(text))
    code = next(known, None)
    index = 0
    while index < len(tokens):
        while code is not None and code.stop <= tokens[index].start:
            code = next(known, None)
        if code is not None and code.start <= tokens[index].start:
            numbers.append(_coded(text, code.start, code.stop, code.kind))
            while index < len(tokens) and tokens[index].start < code.stop:
                index += 1
            continue
        piece = _piece(tokens, index)
        if piece is None:
            index += 1
            continue
        piece = _with_upper(tokens, piece)
        numbers.append(_number(tokens, piece))
        index = piece.stop
    return tuple(numbers)


def _coded(text: str, start: int, stop: int, kind: Kind) -> Number:
    digits = re.findall(r"\d+", text[start:stop])
    is_single = len(digits) == 1 and len(digits[0]) <= _MOST_DIGITS and kind in (Kind.YEAR, Kind.NAME)
    value = Fraction(int(digits[0])) if is_single else None
    return Number(start, stop, value, kind, Manner.DIGITS, (start, stop))


def _piece(tokens: list[Token], index: int) -> _Piece | None:
    token = tokens[index]
    if token.kind == "digits":
        return _digits(tokens, index)
    if token.kind == "mark":
        return None
    return _words(tokens, index)


def _words(tokens: list[Token], index: int) -> _Piece | None:
    word = word_at(tokens, index)
    if word in ("minus", "negative") and word_at(tokens, index + 1) in CARDINALS and not _is_number(tokens, index - 1):
        reading = read_words(tokens, index + 1)
        return reading and _Piece(index, reading.stop, -reading.value, None, Manner.WORDS)
    if word not in _WORDS and word not in ("a", "an"):
        return None
    ordinal = read_ordinal(tokens, index)
    if ordinal is not None:
        if word == "second" and is_unit_of_time(tokens, index):
            return None
        return _Piece(index, ordinal.stop, ordinal.value, Kind.ORDINAL, Manner.WORDS)
    reading = read_words(tokens, index)
    if reading is None or (word == "one" and reading.stop == index + 1 and not is_one_a_number(tokens, index)):
        return None
    return _Piece(index, reading.stop, reading.value, Kind.YEAR if reading.is_year else None, Manner.WORDS)


def _is_number(tokens: list[Token], index: int) -> bool:
    return 0 <= index < len(tokens) and (tokens[index].kind == "digits" or word_at(tokens, index) in CARDINALS)


def _digits(tokens: list[Token], index: int, *, ends_range: bool = False) -> _Piece | None:
    token = tokens[index]
    value = digit_value(token.text)
    if value is None:
        return None
    kind, stop, manner, first = None, index + 1, Manner.DIGITS, index
    # What a number touches tells what it is, unless that is the dash of a range.
    before = word_at(tokens, index - 1) if touch(tokens, index - 1) and not ends_range else ""
    if (
        before[:1].isalpha()
        or before == "_"
        or (before == "-" and touch(tokens, index - 2) and not _is_mark(tokens, index - 2))
    ):
        return _Piece(index, stop, value, Kind.NAME, manner)  # U2, Covid-19, GGD-96-118
    if before in (",", ".", ";", "]") and touch(tokens, index - 2) and tokens[index - 2].kind == "word":
        return _Piece(index, stop, value, Kind.NAME, manner)  # the number of a note: "the report,5"
    if before in ("-", "−", "+") and not touch(tokens, index - 2):
        first, value = index - 1, -value if before != "+" else value
    elif before == "/" and _is_number(tokens, index - 2):
        kind = Kind.NAME
    if touch(tokens, index) and word_at(tokens, stop) in _KEYCAP:
        return _Piece(index, stop, value, Kind.NAME, manner)  # an emoji
    if follows_ordinal_end(tokens, index):
        return _Piece(first, index + 2, value, Kind.ORDINAL, manner)
    slash = word_at(tokens, stop) == "/" and touch(tokens, index) and touch(tokens, stop)
    if slash and stop + 1 < len(tokens) and tokens[stop + 1].kind == "digits":
        below = digit_value(tokens[stop + 1].text)
        if below and value < below <= 100 and value.denominator == below.denominator == 1:
            return _Piece(first, stop + 2, value / below, None, manner)
        kind = Kind.NAME
    next_token = tokens[stop] if stop < len(tokens) else None
    if next_token is not None and next_token.kind == "digits" and value.denominator == 1:
        part = _VULGAR.get(next_token.text) or _slashed(tokens, stop)
        if part is not None:
            return _Piece(first, stop + (1 if next_token.text in _VULGAR else 3), value + part, kind, manner)
    word = word_at(tokens, stop)
    if touch(tokens, index) and word[:1].isalpha() and word not in SCALES:
        if word in _LETTER_SCALES and (word != "m" or word_at(tokens, first - 1) in _CURRENCIES):
            return _Piece(first, stop + 1, value * _LETTER_SCALES[word], kind, Manner.MIXED)
        if word not in UNITS:
            return _Piece(first, stop + 1, value, Kind.NAME, manner)  # 3D, 747s
        return _Piece(first, stop + 1, value, kind, manner, unit=word, end=token.stop)
    while word_at(tokens, stop) in SCALES or word_at(tokens, stop) in ("hundred", "dozen"):
        word = word_at(tokens, stop)
        value, stop, manner = value * ({"hundred": 100, "dozen": 12} | SCALES)[word], stop + 1, Manner.MIXED
    return _Piece(first, stop, value, kind, manner)


def _is_mark(tokens: list[Token], index: int) -> bool:
    return tokens[index].kind == "mark"


def _slashed(tokens: list[Token], index: int) -> Fraction | None:
    """Read the "1/2" of "1 1/2"."""
    if word_at(tokens, index + 1) != "/" or not (touch(tokens, index) and touch(tokens, index + 1)):
        return None
    if index + 2 >= len(tokens) or tokens[index + 2].kind != "digits":
        return None
    above, below = digit_value(tokens[index].text), digit_value(tokens[index + 2].text)
    return above / below if above is not None and below and above < below <= 64 else None


def digit_value(text: str) -> Fraction | None:
    """Return what a string of digits is worth; None for one that is too long or has several points."""
    if text in _VULGAR:
        return _VULGAR[text]
    whole, point, rest = text.replace(",", "").partition(".")
    if len(text) > _MOST_DIGITS or "." in rest:
        return None
    value = Fraction(int(whole or "0"))
    return value + Fraction(int(rest), 10 ** len(rest)) if point else value


def _with_upper(tokens: list[Token], piece: _Piece) -> _Piece:
    """Join the two ends of a range: "3-5", "5 to 10", "between 3 and 5", "from 3 to 5", "five or six"."""
    joint, place = word_at(tokens, piece.stop), piece.stop + 1
    if piece.kind is not None or piece.value < 0:
        return piece
    is_tight = joint in _DASHES and (touch(tokens, piece.stop - 1) == touch(tokens, piece.stop))
    is_between = joint == "and" and word_at(tokens, piece.first - 1) == "between"
    if not (is_tight or is_between or joint in ("to", "or")) or place >= len(tokens):
        return piece
    if word_at(tokens, place) in _CURRENCIES:
        place += 1
    is_digits = tokens[place].kind == "digits"
    other = _digits(tokens, place, ends_range=True) if is_digits else _words(tokens, place)
    if other is None or other.kind is not None or (other.manner is Manner.WORDS) != (piece.manner is Manner.WORDS):
        return piece
    if is_tight and piece.value >= other.value:
        return piece._replace(stop=other.stop, kind=Kind.SCORE)
    if piece.value >= other.value:
        return piece
    return piece._replace(stop=other.stop, upper=other.value, manner=other.manner, unit=other.unit, end=other.end)


def _number(tokens: list[Token], piece: _Piece) -> Number:
    first, stop = piece.first, piece.stop
    start, end = tokens[first].start, piece.end or tokens[stop - 1].stop
    kind = piece.kind
    if kind is None and piece.manner is Manner.WORDS:
        kind = word_kind(tokens, first, stop, piece.value)
    currency = word_at(tokens, first - 1) if word_at(tokens, first - 1) in _CURRENCIES else ""
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
    elif word_at(tokens, stop) in ("%", "percent", "pct", "°"):
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
