"""Read numbers in digits, with what touches them: "1,200", "1 1/2", "3k", "5km", "21st", "U2"."""

from __future__ import annotations

from fractions import Fraction

from nliprobe.language.numbers._cardinals import CARDINALS, SCALES
from nliprobe.language.numbers._kinds import UNITS, follows_ordinal_end
from nliprobe.language.numbers._pieces import CURRENCIES, Piece
from nliprobe.language.numbers._tokens import Token, touch, word_at
from nliprobe.language.numbers.records import Kind, Manner

VULGAR = {"¼": Fraction(1, 4), "½": Fraction(1, 2), "¾": Fraction(3, 4), "⅓": Fraction(1, 3), "⅔": Fraction(2, 3)}
_LETTER_SCALES = {"k": 10**3, "bn": 10**9, "m": 10**6}
_SCALES = {"hundred": 100, "dozen": 12, **SCALES}
_KEYCAP = frozenset("\ufe0f\u20e3")
# Longer strings of digits are codes; Python also refuses to read very long ones.
MOST_DIGITS = 24


def read_digits(tokens: list[Token], index: int, *, ends_range: bool = False) -> Piece | None:
    """Read the number in digits at a token; None if it is too long or has several points.

    Args:
        tokens: the tokens of the text.
        index: the place of the digits.
        ends_range: whether a dash before the digits is the dash of a range, not a sign or a part of a name.
    """
    value = digit_value(tokens[index].text)
    if value is None:
        return None
    # What a number touches tells what it is, unless that is the dash of a range.
    before = word_at(tokens, index - 1) if touch(tokens, index - 1) and not ends_range else ""
    if _is_in_code(tokens, index, before):
        return Piece(index, index + 1, value, Kind.NAME, Manner.DIGITS)
    piece = Piece(index, index + 1, value, None, Manner.DIGITS)
    if before in ("-", "−", "+") and not touch(tokens, index - 2):
        piece = piece._replace(first=index - 1, value=value if before == "+" else -value)
    elif before == "/" and is_number(tokens, index - 2):
        piece = piece._replace(kind=Kind.NAME)
    if touch(tokens, index) and word_at(tokens, index + 1) in _KEYCAP:
        return Piece(index, index + 1, value, Kind.NAME, Manner.DIGITS)  # an emoji
    if follows_ordinal_end(tokens, index):
        return piece._replace(stop=index + 2, kind=Kind.ORDINAL)
    return _with_fraction(tokens, piece)


def is_number(tokens: list[Token], index: int) -> bool:
    """Tell whether the token at a place is a number in digits, or the beginning of one in words."""
    return 0 <= index < len(tokens) and (tokens[index].kind == "digits" or word_at(tokens, index) in CARDINALS)


def digit_value(text: str) -> Fraction | None:
    """Return what a string of digits is worth; None for one that is too long or has several points."""
    if text in VULGAR:
        return VULGAR[text]
    whole, point, rest = text.replace(",", "").partition(".")
    if len(text) > MOST_DIGITS or "." in rest:
        return None
    value = Fraction(int(whole or "0"))
    return value + Fraction(int(rest), 10 ** len(rest)) if point else value


def _is_in_code(tokens: list[Token], index: int, before: str) -> bool:
    """Tell whether the digits are a part of a name or the number of a note: "U2", "GGD-96-118", "the report,5"."""
    if before[:1].isalpha() or before == "_":
        return True
    if not touch(tokens, index - 2):
        return False
    if before == "-":
        return tokens[index - 2].kind != "mark"
    return before in (",", ".", ";", "]") and tokens[index - 2].kind == "word"


def _with_fraction(tokens: list[Token], piece: Piece) -> Piece:
    """Read "1/2", "1 1/2" and "1 ½"; a slash before other digits makes a code."""
    place, value = piece.stop, piece.value
    below = _below(tokens, place - 1)
    if below is not None:
        if 0 < below <= 100 and value < below and value.denominator == below.denominator == 1:
            return piece._replace(stop=place + 2, value=value / below, kind=None)
        piece = piece._replace(kind=Kind.NAME)
    if place < len(tokens) and tokens[place].kind == "digits" and value.denominator == 1:
        if tokens[place].text in VULGAR:
            return piece._replace(stop=place + 1, value=value + VULGAR[tokens[place].text])
        above, below = digit_value(tokens[place].text), _below(tokens, place)
        if above is not None and below and above < below <= 64:
            return piece._replace(stop=place + 3, value=value + above / below)
    return _with_scale(tokens, piece)


def _below(tokens: list[Token], index: int) -> Fraction | None:
    """Return the number after the digits at a place and a slash that touches both."""
    if word_at(tokens, index + 1) != "/" or not (touch(tokens, index) and touch(tokens, index + 1)):
        return None
    return digit_value(tokens[index + 2].text) if tokens[index + 2].kind == "digits" else None


def _with_scale(tokens: list[Token], piece: Piece) -> Piece:
    """Read the letters that touch the digits and the scale after them: "3k", "5km", "1.5 million"; "3D" is a name."""
    stop, word = piece.stop, word_at(tokens, piece.stop)
    if touch(tokens, stop - 1) and word[:1].isalpha() and word not in SCALES:
        if word in _LETTER_SCALES and (word != "m" or word_at(tokens, piece.first - 1) in CURRENCIES):
            return piece._replace(stop=stop + 1, value=piece.value * _LETTER_SCALES[word], manner=Manner.MIXED)
        if word not in UNITS:
            return piece._replace(stop=stop + 1, kind=Kind.NAME)
        return piece._replace(stop=stop + 1, unit=word, end=tokens[stop - 1].stop)
    while word_at(tokens, piece.stop) in _SCALES:
        scale = _SCALES[word_at(tokens, piece.stop)]
        piece = piece._replace(stop=piece.stop + 1, value=piece.value * scale, manner=Manner.MIXED)
    return piece
