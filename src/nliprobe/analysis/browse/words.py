"""Words as they are searched: without case, accents and punctuation; the same for texts and for what people type."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
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
_SHOWN_WORD = re.compile(r"[^\W_]+")


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
    """Yield a text in pieces, each with whether it is a word that was searched for."""
    wanted = {word for term in searched for word in term.words}
    end = 0
    for found in _SHOWN_WORD.finditer(text) if wanted else ():
        if wanted.intersection(_plain_word(found.group())):
            if found.start() > end:
                yield text[end : found.start()], False
            yield found.group(), True
            end = found.end()
    if end < len(text):
        yield text[end:], False


def _plain_word(word: str) -> set[str]:
    letters = unicodedata.normalize("NFKD", word).lower()
    whole = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return {whole[:_LONGEST], *whole} if not whole.isascii() else {whole[:_LONGEST]}
