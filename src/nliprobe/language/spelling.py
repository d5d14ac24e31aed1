"""Misspell a word as people do: two neighbouring letters exchanged, or a neighbouring key of the keyboard struck.

Only plain words in small letters that WordNet knows are misspelled, and never so that another word comes out: *form*
does not become *from*. Names, numbers, function words, words with marks and other scripts are left alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from random import Random

from nliprobe.language import wordnet
from nliprobe.language._wordnet_sources import PARTS
from nliprobe.language.english import number_words, ordinal
from nliprobe.language.lexicon import Lexicon, load_lexicon

SHORTEST = 4
# Closed-class words of at least four letters, and adverbs that work like them. WordNet has few of them.
_FUNCTION_WORDS = """
about above across after again against ahead albeit almost alone along alongside already also although always amid
among amongst another anybody anyhow anymore anyone anything anyway anywhere apart aren around aside away back barely
because been before behind being below beneath beside besides between beyond both cannot concerning could couldn
despite didn does doesn doing done down during each either else elsewhere enough even ever every everybody everyone
everything everywhere except excluding following from further furthermore hadn hardly hasn have haven having hence
here hereby hers herself himself however including indeed inside instead into itself just least less lest like likewise
little many maybe meanwhile might mine more moreover most mostly much must myself namely near nearly neither never
nevertheless next nobody none nonetheless nothing notwithstanding nowhere often okay once oneself only onto opposite
other others otherwise ought ours ourselves outside over own past perhaps please plus quite rather really regarding
same scarcely seldom several shall should shouldn since some somebody somehow someone something sometime sometimes
somewhat somewhere soon still such than that their theirs them themselves then thence there thereby therefore these
they this those though through throughout thru thus till together too toward towards under underneath unless unlike
until unto upon versus very wasn were weren what whatever when whence whenever where whereas whereby wherever whether
which whichever while whilst whoever whom whomever whose will with within without won worth would wouldn yeah yes yet
your yours yourself yourselves
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
_LARGE = ("hundred", "thousand", "million", "billion", "trillion", "dozen", "half", "quarter", "zero", "nought")
_COUNTED = (*range(21), *range(30, 100, 10))
NUMBERS = frozenset([*map(number_words, _COUNTED), *map(ordinal, _COUNTED), *_LARGE])

_KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
# The keys left and right of each: the rule of the released stress tests, which never leaves the row.
NEIGHBOURS = {
    key: row[max(0, place - 1) : place] + row[place + 1 : place + 2] for row in _KEYS for place, key in enumerate(row)
}
# Not inside anything longer: don't, well-known, www.example.com, #tag, a/b, file_name.
_PLAIN = re.compile(rf"(?<![\w'’@#&/\\.+-])[a-z]{{{SHORTEST},}}(?![\w'’@#&/\\+-]|[.:]\w)", re.ASCII)
# Combining marks and invisible joiners belong to the letter before them; \w knows neither.
_ATTACHED = ("Mn", "Mc", "Me", "Cf", "Sk", "Lm")
# Distinct words that are remembered, so that a corpus asks for each of its words once.
_REMEMBERED = 1 << 16


class Misspelling(StrEnum):
    """How a word is misspelled."""

    SWAP = "swap"
    KEYBOARD = "keyboard"


def plain_words(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of the words of a text that may be misspelled."""
    source = wordnet.source()
    for match in _PLAIN.finditer(text):
        before, after = text[: match.start()][-1:], text[match.end() : match.end() + 1]
        if _stands_alone(before) and _stands_alone(after) and _is_content_word(source, match.group()):
            yield match.span()


def misspelled(word: str, kind: Misspelling, random: Random) -> str | None:
    """Draw a misspelling of a word that is no word; None if there is none."""
    forms = _swapped(word) if kind is Misspelling.SWAP else _struck(word)
    random.shuffle(forms)
    source = wordnet.source()
    return next((form for form in forms if form != word and not _is_word(source, form)), None)


def is_content_word(word: str) -> bool:
    """Tell whether a word in small letters is a noun, verb, adjective or adverb, and no name, number or function word.

    >>> is_content_word("dogs"), is_content_word("their"), is_content_word("paris")
    (True, False, False)
    """
    return _is_content_word(wordnet.source(), word)


def is_word(form: str) -> bool:
    """Tell whether letters are a word: one of WordNet's in any form, a function word, a number or a first name.

    >>> is_word("form"), is_word("from"), is_word("fomr")
    (True, True, False)
    """
    return _is_word(wordnet.source(), form)


@lru_cache(maxsize=_REMEMBERED)
def _is_content_word(source: wordnet.Source, word: str) -> bool:
    if len(word) < SHORTEST or word in FUNCTION_WORDS or word in NUMBERS or word in _names():
        return False
    bases = [(source.lemma(word, pos), pos) for pos in PARTS]
    # WordNet spells names with a capital letter.
    return any(base in source.synset(key).words for base, pos in bases if base for key in source.senses(base, pos))


@lru_cache(maxsize=_REMEMBERED)
def _is_word(source: wordnet.Source, form: str) -> bool:
    if form in FUNCTION_WORDS or form in NUMBERS or form in _names():
        return True
    return any(source.lemma(form, pos) is not None for pos in PARTS)


def _swapped(word: str) -> list[str]:
    return [word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1)]


def _struck(word: str) -> list[str]:
    return [word[:at] + key + word[at + 1 :] for at, letter in enumerate(word) for key in NEIGHBOURS[letter]]


def _stands_alone(character: str) -> bool:
    return not character or not (character.isalnum() or unicodedata.category(character) in _ATTACHED)


@lru_cache(maxsize=1)
def _names() -> frozenset[str]:
    names = load_lexicon("GIVEN_NAME")
    assert isinstance(names, Lexicon)
    return frozenset(name.lower() for name in names.column("text"))
