"""Split texts into the words that are looked up among word vectors."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

# Words that hold sentences together and say nothing about their topic. Of the 166 rows that raters of the evidence
# sample (evidence-probes §5) call relevant, the three nearest sentences hold 75.9 % without these words, 75.3 %
# without a list of 222 stop words, and 72.3 % when all words count.
_FUNCTION_WORDS = """
a an the of in on at to for from by with is are was were be been and or as it its that this has have had
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())

_WORD = re.compile(r"[^\W_]+(?:[-.,'][^\W_]+)*")
# A word in lower case, where it starts, and where it stops; plain tuples, because hypotheses are read by the million.
WordSpan: TypeAlias = tuple[str, int, int]
_SPANNED = re.compile(r"[^\W_]+(?:[-'.&,:/][^\W_]+)*")
# The same for texts in plain letters and lower case, which are nearly all, in half the time.
_SPANNED_ASCII = re.compile(r"[a-z0-9]+(?:[-'.&,:/][a-z0-9]+)*")
_PIECE = re.compile(r"[^\W_]+")


def lower_words(text: str) -> list[str]:
    """Return the words of a text, lower-cased, in order; marks inside a word stay, other punctuation is dropped.

    >>> lower_words("The X-ray (of 1,200 volts)")
    ['the', 'x-ray', 'of', '1,200', 'volts']
    """
    return _WORD.findall(text.lower().replace("’", "'"))


@lru_cache(maxsize=64)  # several probes read the same hypothesis, one after the other
def word_spans(text: str) -> tuple[WordSpan, ...]:
    """Return the words of a text in lower case and their places; marks inside names, dates and amounts stay.

    >>> [word for word, _, _ in word_spans("Ann’s X-ray of 5/6 costs $1,200.")]
    ["ann's", 'x-ray', 'of', '5/6', 'costs', '1,200']
    """
    plain = text if text.isascii() else text.replace("’", "'")
    if plain.isascii():
        return tuple([(match[0], match.start(), match.end()) for match in _SPANNED_ASCII.finditer(plain.lower())])
    # Lower case may have another length ("İ"), so words are lowered one by one.
    return tuple([(match[0].lower(), match.start(), match.end()) for match in _SPANNED.finditer(plain)])


def plain_words(text: str) -> list[str]:
    """Return the words of :func:`word_spans` without their places."""
    plain = text if text.isascii() else text.replace("’", "'")
    if plain.isascii():
        return _SPANNED_ASCII.findall(plain.lower())
    return [word.lower() for word in _SPANNED.findall(plain)]


def known_words(word: str, known: Callable[[str], bool]) -> list[str]:
    """Return what counts of one of :func:`lower_words`: the word if it is known, else its known pieces.

    Function words do not count.

    >>> known_words("co-founder's", {"co", "founder"}.__contains__)
    ['co', 'founder']
    """
    pieces = [word] if known(word) else _PIECE.findall(word)
    return [piece for piece in pieces if piece not in FUNCTION_WORDS and known(piece)]
