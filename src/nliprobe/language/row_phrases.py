"""What the rows of an infobox say, by their keys: of which kind the values are, which words say it, how to write it.

The table ``row-phrases.tsv`` has one line per relation: the keys that mean it (``@album label`` only in tables of that
category), the kind of its values, whether a row that is there lists all of them (``closed``), the words by which
sentences say it, a phrase that follows *which* or *who* or begins with *whose* (``{}`` is the value, ``{a}`` the value
with an article), and whether the phrase can be said of ``any`` title or only of a ``thing``: the president in the table
of a politician is not a president of that person.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache, lru_cache
from importlib import resources
from typing import NamedTuple

from nliprobe.base.hashing import digest
from nliprobe.language.english import with_article
from nliprobe.language.words import FUNCTION_WORDS, lower_words

_FILE = "row-phrases.tsv"


class ValueKind(StrEnum):
    """What the values of a row are."""

    PERSON = "person"
    ORGANISATION = "organisation"
    BAND = "band"  # a person or a group
    PLACE = "place"
    COUNTRY = "country"
    VENUE = "venue"
    WORK = "work"
    ANIMAL = "animal"
    TERM = "term"  # no name: a genre, an occupation, a language
    DATE = "date"
    SINCE = "since"  # the year in which something began that goes on
    DURATION = "duration"
    MONEY = "money"
    OTHER = "other"

    __hash__ = str.__hash__  # that of an Enum is written in Python

    @property
    def named(self) -> bool:
        """Whether the values are names."""
        return self in _NAMED


_NAMED = frozenset(
    {
        ValueKind.PERSON, ValueKind.ORGANISATION, ValueKind.BAND, ValueKind.PLACE, ValueKind.COUNTRY, ValueKind.VENUE,
        ValueKind.WORK, ValueKind.ANIMAL,
    }
)  # fmt: skip


class RowPhrase(NamedTuple):
    """What rows with certain keys say.

    Attributes:
        name: the first of the keys; rows of the same name say the same.
        kind: what their values are.
        closed: whether such a row lists everything: a name that is not in it is wrong.
        words: the words by which sentences say it.
        phrase: what follows *which* or *who*, with ``{}`` for a value, or begins with *whose*; empty if there is none.
        of_persons: whether the phrase can be said of a person.
    """

    name: str
    kind: ValueKind
    closed: bool
    words: frozenset[str]
    phrase: str = ""
    of_persons: bool = True

    def said(self, value: str) -> str:
        """Return the phrase with a value."""
        if "{a}" in self.phrase:
            return self.phrase.replace("{a}", with_article(value))
        return self.phrase.replace("{}", value)


def row_phrase(key: str, category: str = "") -> RowPhrase:
    """Return what rows with a key say; for a key that is not in the table, what its own words tell.

    >>> row_phrase("Directed by").phrase, row_phrase("Label", "Album").phrase
    ('was directed by {}', 'was released on the label {}')
    >>> sorted(row_phrase("Upper house").words)
    ['house', 'upper']
    """
    return _row_phrase(_plain(key), category.casefold().strip())


@lru_cache(maxsize=8192)
def _row_phrase(key: str, category: str) -> RowPhrase:
    known = _phrases()
    phrase = known.get(f"@{category} {key}") or known.get(key)
    if phrase is not None:
        return phrase
    words = frozenset(lower_words(key)) - FUNCTION_WORDS
    return RowPhrase(key, ValueKind.OTHER, closed=False, words=words)


@lru_cache(maxsize=8192)
def _plain(key: str) -> str:
    return " ".join(key.casefold().split())


@cache
def phrases_version() -> str:
    """Return a hash of the table."""
    return digest(_text())


@cache
def _phrases() -> dict[str, RowPhrase]:
    phrases: dict[str, RowPhrase] = {}
    for line in _text().splitlines()[1:]:
        keys, kind, world, words, text, of = line.split("\t")
        names = keys.split(",")
        said = frozenset(words.split())
        phrase = RowPhrase(names[0], ValueKind(kind), world == "closed", said, text, of_persons=of == "any")
        phrases.update(dict.fromkeys(names, phrase))
    return phrases


@cache
def _text() -> str:
    return (resources.files("nliprobe.language") / _FILE).read_text(encoding="utf-8")
