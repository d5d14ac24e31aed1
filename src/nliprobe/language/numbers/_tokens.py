"""Cut a text into words, digit strings and marks: the pieces that numbers are made of."""

from __future__ import annotations

import re
from typing import NamedTuple

_TOKEN = re.compile(
    r"(?P<digits>(?<![\w.])\.\d+|\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)*|[¼½¾⅓⅔])"
    r"|(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)*)|(?P<mark>[^\w\s]|_)"
)
# The same for texts in plain letters, which are nearly all, in half the time.
_TOKEN_ASCII = re.compile(
    r"(?P<word>[A-Za-z]+(?:'[A-Za-z]+)*)"
    r"|(?P<digits>(?<![\w.])\.[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)*)"
    r"|(?P<mark>[^A-Za-z0-9\s])"
)


class Token(NamedTuple):
    """A piece of a text.

    Attributes:
        start: where it begins.
        stop: where it ends.
        text: the piece as it is written.
        kind: ``digits``, ``word`` or ``mark``.
        word: a word or mark in lower case, which is looked at many times; empty for digits.
    """

    start: int
    stop: int
    text: str
    kind: str
    word: str

    @property
    def is_capital(self) -> bool:
        """Whether it begins with a capital letter."""
        return self.text[0].isupper()


def cut(text: str) -> list[Token]:
    """Return the pieces of a text in order, without the white space between them."""
    tokens: list[Token] = []
    for match in (_TOKEN_ASCII if text.isascii() else _TOKEN).finditer(text):
        piece, kind = match[0], match.lastgroup or ""
        word = "" if kind == "digits" else piece.lower() if piece.isascii() else piece.lower().replace("’", "'")
        tokens.append(Token(match.start(), match.end(), piece, kind, word))
    return tokens


def word_at(tokens: list[Token], index: int) -> str:
    """Return the word or mark at a place in lower case; an empty text outside the tokens and for digits."""
    return tokens[index].word if 0 <= index < len(tokens) else ""


def touch(tokens: list[Token], index: int) -> bool:
    """Tell whether nothing is between a token and the next one."""
    return 0 <= index < len(tokens) - 1 and tokens[index].stop == tokens[index + 1].start
