"""Words as they are searched: without case, accents and punctuation; the same for texts and for what people type."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import polars as pl

# Of a longer search the first words count. Nobody types so many; whoever pastes a page gets an answer at once.
MOST_WORDS = 32
# A word of a text is found by so many of its first characters; longer ones are no words.
_LONGEST = 64
# Scripts without spaces: each character is a word, so that two of them are found as a phrase.
_UNSPACED = r"(\p{Han}|\p{Hiragana}|\p{Katakana}|\p{Thai})"
_QUOTED_OR_WORD = re.compile(r'"([^"]*)"?|(\S+)')
# Letters and digits, and beyond ASCII everything: what that holds is looked at letter by letter.
_RUN = re.compile(r"(?:[^\W_]|[^\x00-\x7f])+")
# The same scripts without spaces, in their simplest forms, for regular expressions that know no scripts.
_APART = re.compile(
    "[\u0e01-\u0e30\u0e32-\u0e33\u0e40-\u0e46\u0e50-\u0e59\u2e80-\u2fd5\u3005\u3007\u3021-\u3029\u3038-\u303b\u3041-\u3096"
    "\u309d-\u309f\u30a1-\u30fa\u30fd-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufad9\U00016fe3"
    "\U0001aff0-\U0001affe\U0001b000-\U0001b167"
    "\U00020000-\U0003ffff]"
)


class Term(NamedTuple):
    """What every case that is found must hold: words that follow one another, and how they were typed."""

    words: tuple[str, ...]
    typed: str


def plain(texts: pl.Series) -> pl.Series:
    """Return texts as words with a space between them, in small letters without accents.

    What is left are letters and digits, as the full-text index takes them apart at everything else.
    """
    spaced = (
        texts.str.normalize("NFKD")
        .str.to_lowercase()
        .str.replace_all(r"\p{M}", "")
        .str.replace_all(_UNSPACED, " ${1} ")
        .str.replace_all(r"[^\p{L}\p{N}]+", " ")
    )
    return spaced.str.replace_all(rf"(\S{{{_LONGEST}}})\S+", "${1}").str.strip_chars()


def plain_words(texts: Sequence[str]) -> list[list[str]]:
    """Return the words of some texts."""
    if not texts:
        return []
    import polars as pl

    return [text.split() for text in plain(pl.Series(texts, dtype=pl.String)).to_list()]


def terms(typed: str) -> list[Term]:
    """Take apart what somebody searches for; words in quotes follow one another, and so do the parts of an id.

    Nothing that can be typed is an error; what holds no letter and no digit is passed over.
    """
    # A lone half of a character pair, which a form may send, is no text.
    sane = typed.encode("utf-8", "replace").decode("utf-8").replace("\0", " ")
    pieces = [quoted or word for quoted, word in _QUOTED_OR_WORD.findall(sane)][: 4 * MOST_WORDS]
    taken = zip(plain_words(pieces), pieces, strict=True)
    found = dict.fromkeys(Term(tuple(words[:MOST_WORDS]), piece) for words, piece in taken if words)
    return list(found)[:MOST_WORDS]


def matching(words: Iterable[str]) -> str:
    """Return words that follow one another as the full-text index takes them; they hold letters and digits only."""
    return f'"{" ".join(words)}"'


def marked(text: str, searched: Sequence[Term]) -> Iterator[tuple[str, bool]]:
    """Yield a text in pieces, each with whether it is what was searched for: words that follow one another."""
    words = list(_shown_words(text)) if searched else []
    found = [False] * len(words)
    places: dict[str, list[int]] = {}
    for place, shown in enumerate(words):
        places.setdefault(shown.word, []).append(place)
    for term in searched:
        size = len(term.words)
        for place in places.get(term.words[0], ()):
            if [shown.word for shown in words[place : place + size]] == list(term.words):
                found[place : place + size] = [True] * size
    end = 0
    for is_found, run in groupby(_stretches(text, words, found), key=lambda stretch: stretch[1]):
        piece = "".join(text for text, _ in run)
        end += len(piece)
        yield piece, is_found
    if end < len(text):
        yield text[end:], False


def _stretches(text: str, words: Sequence[_Shown], found: Sequence[bool]) -> Iterator[tuple[str, bool]]:
    end = 0
    for word, is_found in zip(words, found, strict=True):
        # Of a sign that stands for several words, such as ½, one may have been found already.
        if is_found and word.end > end:
            if word.start > end:
                yield text[end : word.start], False
            yield text[max(word.start, end) : word.end], True
            end = word.end


class _Shown(NamedTuple):
    word: str
    start: int
    end: int


def _shown_words(text: str) -> Iterator[_Shown]:
    """Yield the words of a text with their places, as :func:`plain` takes them apart."""
    for run in _RUN.finditer(text):
        if run.group().isascii():
            yield _Shown(run.group().lower()[:_LONGEST], *run.span())
            continue
        # What of a word has been read, and where it begins and ends.
        word, start, end = "", 0, 0
        for place, sign, kind in _signs(run.group(), run.start()):
            if kind is _Sign.ACCENT:
                end = place + 1
            elif kind is _Sign.LETTER:
                start = start if word else place
                word, end = word + sign, place + 1
            else:
                if word:
                    yield _Shown(word.lower()[:_LONGEST], start, end)
                    word = ""
                if kind is _Sign.WORD:
                    yield _Shown(sign.lower(), place, place + 1)
        if word:
            yield _Shown(word.lower()[:_LONGEST], start, end)


class _Sign(Enum):
    """What a sign is to the words of a text: a letter or digit, a word by itself, an accent, or what parts words."""

    LETTER = auto()
    WORD = auto()
    ACCENT = auto()
    OTHER = auto()


def _signs(text: str, start: int) -> Iterator[tuple[int, str, _Sign]]:
    """Yield the signs of a text in their simplest forms, each with the place of what it stands in."""
    for place, character in enumerate(text, start):
        for sign in unicodedata.normalize("NFKD", character):
            yield place, sign, _kind(sign)


@lru_cache(maxsize=4096)
def _kind(sign: str) -> _Sign:
    category = unicodedata.category(sign)
    if category == "Cn":
        # The index may know a newer Unicode than this Python: it is asked what stands between two letters.
        between = plain_words([f"a{sign}a"])[0]
        known = {"aa": _Sign.ACCENT, "a a": _Sign.OTHER, f"a {sign} a": _Sign.WORD}
        return known.get(" ".join(between), _Sign.LETTER)
    if category.startswith("M"):
        return _Sign.ACCENT
    if not sign.isalnum():
        return _Sign.OTHER
    return _Sign.WORD if _APART.match(sign) else _Sign.LETTER
