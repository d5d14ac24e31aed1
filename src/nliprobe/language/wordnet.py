"""Look up synonyms, antonyms, hypernyms and base forms in WordNet, without a download.

Words are looked up in any case, with spaces or underscores, and as given: ``lemma`` finds the base form of an
inflected one. Answers are spelled as WordNet spells them ("United States"). Parts of speech are ``noun``, ``verb``,
``adj`` and ``adv``; without one all four are asked in this order, and ``senses`` counts in each of them.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Iterator
from functools import lru_cache
from itertools import chain

from nliprobe.base.errors import UsageError, did_you_mean
from nliprobe.language._wordnet_file import FileSource
from nliprobe.language._wordnet_sources import PARTS, NltkSource, Pos, Source, WnSource

__all__ = ["Pos", "Source", "antonyms", "hypernyms", "is_a", "lemma", "lemmas", "similar", "source", "synonyms"]

VARIABLE = "NLIPROBE_WORDNET"
_SOURCES = ("builtin", "nltk", "wn")
# Distinct questions of each kind that are remembered, so that a corpus asks for each of its words once.
_REMEMBERED = 1 << 15


def synonyms(word: str, pos: Pos | None = None, senses: int | None = None) -> tuple[str, ...]:
    """Return the words that share a meaning with a word, in the order of its senses.

    Args:
        word: the word; it is not among the answers.
        pos: a part of speech, or all.
        senses: how many senses count, from the most frequent; all if not given.

    >>> synonyms("car", "noun", senses=1)
    ('auto', 'automobile', 'machine', 'motorcar')
    """
    return _synonyms(source(), _plain(word), _parts(pos), _positive("senses", senses))


def antonyms(word: str, pos: Pos | None = None, senses: int | None = None) -> tuple[str, ...]:
    """Return the opposites of a word (not of its synonyms), in the order of its senses.

    >>> antonyms("tall", "adj")
    ('short',)
    """
    return _antonyms(source(), _plain(word), _parts(pos), _positive("senses", senses))


def hypernyms(word: str, pos: Pos | None = None, depth: int = 1, senses: int | None = None) -> tuple[str, ...]:
    """Return the words for what a noun or verb is a kind of, the nearest first and in the order of its senses.

    For a name they are what it is an instance of.

    Args:
        word: the word; it is not among the answers.
        pos: a part of speech, or all.
        depth: how many steps up to go; the answers of all steps come together.
        senses: how many senses count, from the most frequent; all if not given.

    >>> hypernyms("dog", "noun", senses=1)
    ('canine', 'canid', 'domestic animal', 'domesticated animal')
    """
    steps = _positive("depth", depth)
    return _hypernyms(source(), _plain(word), _parts(pos), steps, _positive("senses", senses))


def similar(word: str, senses: int | None = None) -> tuple[str, ...]:
    """Return the adjectives WordNet calls similar to an adjective: near in meaning, but not synonyms.

    >>> "enormous" in similar("large")
    True
    """
    return _similar(source(), _plain(word), _positive("senses", senses))


def is_a(word: str, ancestor: str, pos: Pos = "noun", senses: int | None = None) -> bool:
    """Tell whether a word, in one of its senses, means the same as another or a kind of it.

    Senses make this looser than it sounds, and not transitive: some ``dog`` is a person. ``senses=1`` takes the most
    frequent sense of the word; the ancestor may have any.

    >>> is_a("dog", "animal"), is_a("animal", "dog")
    (True, False)
    """
    return _is_a(source(), _plain(word), _plain(ancestor), _parts(pos), _positive("senses", senses))


def lemma(word: str, pos: Pos) -> str | None:
    """Return the base form of a word, or None if WordNet does not have it; a word in WordNet is its own base form.

    >>> lemma("geese", "noun"), lemma("ran", "verb"), lemma("glasses", "noun")
    ('goose', 'run', 'glasses')
    """
    _parts(pos)
    return _lemma(source(), _plain(word), pos)


def lemmas(word: str, pos: Pos) -> tuple[str, ...]:
    """Return all base forms that a word may have, the word itself first if WordNet has it.

    >>> lemmas("men", "noun"), lemmas("saw", "verb")
    (('men', 'man'), ('saw', 'see'))
    """
    _parts(pos)
    return source().lemmas(_plain(word), pos)


def source() -> Source:
    """Return the WordNet that answers: the built-in one, or the one that the variable NLIPROBE_WORDNET names.

    It may be ``nltk`` or ``wn`` for those packages, with the name of a corpus or lexicon where there are several
    (``nltk:wordnet31``, ``wn:oewn:2024``).

    Raises:
        NotFoundError: the package or its data is not installed; the message says how to get it.
        UsageError: the variable names something else.
    """
    return _opened(os.environ.get(VARIABLE, "").strip())


@lru_cache(maxsize=8)
def _opened(named: str) -> Source:
    name, _, which = named.partition(":")
    if name == "nltk":
        return NltkSource(which)
    if name == "wn":
        return WnSource(which)
    if named in ("", "builtin"):
        return FileSource()
    raise UsageError(f"{VARIABLE}={named} names no WordNet. {did_you_mean(name, _SOURCES)}")


@lru_cache(maxsize=_REMEMBERED)
def _synonyms(wordnet: Source, word: str, parts: tuple[Pos, ...], senses: int | None) -> tuple[str, ...]:
    synsets = map(wordnet.synset, _keys(wordnet, word, parts, senses))
    return _distinct(word, (other for synset in synsets for other in synset.words))


@lru_cache(maxsize=_REMEMBERED)
def _antonyms(wordnet: Source, word: str, parts: tuple[Pos, ...], senses: int | None) -> tuple[str, ...]:
    synsets = map(wordnet.synset, _keys(wordnet, word, parts, senses))
    pairs = (pair for synset in synsets for pair in synset.antonyms)
    return _distinct(word, (pair.opposite for pair in pairs if pair.word.lower() == word))


@lru_cache(maxsize=_REMEMBERED)
def _hypernyms(
    wordnet: Source, word: str, parts: tuple[Pos, ...], depth: int | None, senses: int | None
) -> tuple[str, ...]:
    above = map(wordnet.synset, _above(wordnet, _keys(wordnet, word, parts, senses), depth))
    return _distinct(word, (other for synset in above for other in synset.words))


@lru_cache(maxsize=_REMEMBERED)
def _similar(wordnet: Source, word: str, senses: int | None) -> tuple[str, ...]:
    synsets = map(wordnet.synset, _keys(wordnet, word, ("adj",), senses))
    neighbours = (wordnet.synset(key) for synset in synsets for key in synset.similar)
    return _distinct(word, (other for synset in neighbours for other in synset.words))


@lru_cache(maxsize=_REMEMBERED)
def _is_a(wordnet: Source, word: str, ancestor: str, parts: tuple[Pos, ...], senses: int | None) -> bool:
    wanted = set(_keys(wordnet, ancestor, parts, None))
    keys = _keys(wordnet, word, parts, senses)
    return bool(wanted) and any(key in wanted for key in chain(keys, _above(wordnet, keys, None)))


@lru_cache(maxsize=_REMEMBERED)
def _lemma(wordnet: Source, word: str, pos: Pos) -> str | None:
    return wordnet.lemma(word, pos)


def _keys(wordnet: Source, word: str, parts: tuple[Pos, ...], senses: int | None) -> list[Hashable]:
    return [key for pos in parts for key in wordnet.senses(word, pos)[:senses]]


def _above(wordnet: Source, keys: Iterable[Hashable], depth: int | None) -> Iterator[Hashable]:
    """Yield the synsets above others, level by level, each once: WordNet 3.0 has a cycle (inhibit, restrain)."""
    seen: set[Hashable] = set()
    level = list(keys)
    steps = 0
    while level and (depth is None or steps < depth):
        over = dict.fromkeys(above for key in level for above in wordnet.synset(key).hypernyms)
        level = [key for key in over if key not in seen]
        seen.update(level)
        steps += 1
        yield from level


def _distinct(word: str, others: Iterable[str]) -> tuple[str, ...]:
    """Return each word once, in its first spelling, without the one that was asked for."""
    first: dict[str, str] = {}
    for other in others:
        first.setdefault(other.lower(), other)
    first.pop(word, None)
    return tuple(first.values())


def _plain(word: str) -> str:
    return " ".join(word.replace("_", " ").lower().split())


def _parts(pos: Pos | None) -> tuple[Pos, ...]:
    if pos is None:
        return PARTS
    if pos not in PARTS:
        raise UsageError(f"WordNet has no part of speech '{pos}'. {did_you_mean(str(pos), PARTS)}")
    return (pos,)


def _positive(what: str, number: int | None) -> int | None:
    if number is not None and number < 1:
        raise UsageError(f"{what} should be 1 or more, but is {number}.")
    return number
