"""Find the words of a sentence that can be replaced by their opposite so that the sentence contradicts itself before.

"The room was clean" and "the room was dirty" exclude one another, "clean rooms are nice" and "dirty rooms are nice" do
not, and "a clean sweep" has no opposite. So words are replaced only where the words around them show the part of speech
and the sense, and where the sentence says how something is or what happened. The pairs are in ``opposites.tsv``: pairs
of antonyms of WordNet that were read through, forms of such pairs, and some of our own, each with where it may be used.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Literal, NamedTuple, get_args

from nliprobe.base.errors import DataError
from nliprobe.base.hashing import digest
from nliprobe.language import wordnet
from nliprobe.language._clauses import Clause, Frame, Text
from nliprobe.language._opposite_places import (
    Place,
    adjective_place,
    adverb_place,
    excludes,
    is_sure,
    is_whole,
    noun_place,
)
from nliprobe.language._opposite_words import WORD_CLASSES
from nliprobe.language.english import article

__all__ = ["OURS", "WORDNET", "Entry", "Opposite", "entries", "opposites_digest", "opposites_in"]

Part = Literal["noun", "adj", "adv"]
PARTS: tuple[Part, ...] = get_args(Part)
# Raised when the same text would give other opposites.
_VERSION = 1
WORDNET = "wordnet"
OURS = "ours"
_FIELDS = "text antonym part kind where before except source"
_NONE = "-"
_FRAME = "frame:"


class Entry(NamedTuple):
    """A word, its opposite, and where one may stand for the other.

    Attributes:
        word: the word, in the form it has in texts.
        antonym: its opposite in the same form.
        part: the part of speech.
        kind: ``gender`` or ``age`` for persons, else empty.
        places: where the word may stand in its phrase.
        frames: the only words around it with which it is replaced; any if there are none.
        before: the words one of which must follow, or none.
        barred: the words around it with which it has another sense.
        source: ``wordnet``, the pair of WordNet that this is a form of (``large/small``), or ``ours``.
    """

    word: str
    antonym: str
    part: Part
    kind: str
    places: frozenset[str]
    frames: tuple[Frame, ...]
    before: frozenset[str]
    barred: tuple[Frame, ...]
    source: str


class Opposite(NamedTuple):
    """A word of a text that can be replaced.

    Attributes:
        start: where the word begins.
        stop: where it ends.
        after: what stands there instead.
        entry: the pair of words.
        sure: whether the label needs no more than that both sentences are about the same event.
        article: the span of *a* or *an* before the word and the article that it needs, if that is another one.
    """

    start: int
    stop: int
    after: str
    entry: Entry
    sure: bool
    article: tuple[int, int, str] | None


def opposites_in(text: str) -> list[Opposite]:
    """List the words of a text that can be replaced by their opposite, in their order.

    >>> [item.after for item in opposites_in("The street was narrow.")]
    ['wide']
    >>> opposites_in("The street was not narrow.")
    []
    """
    by_word = _by_word()
    parsed = Text.of(text)
    places = [place for place, word in enumerate(parsed.lower) if word in by_word]
    opposites = []
    for place in places:
        # A word that comes twice would have to be replaced twice.
        clause = parsed.plain_clause(place) if parsed.counts[parsed.lower[place]] == 1 else None
        opposite = _first_fitting(parsed, clause, by_word[parsed.lower[place]]) if clause else None
        if opposite:
            opposites.append(opposite)
    return opposites


def opposites_digest() -> str:
    """Return a hash of everything that :func:`opposites_in` depends on."""
    return digest("opposites", str(_VERSION), _table(), wordnet.source().version)


@cache
def entries() -> tuple[Entry, ...]:
    """Return all pairs, each in the directions in which it is used."""
    header, *lines = _table().splitlines()
    if header.split("\t") != _FIELDS.split():
        raise DataError(f"opposites.tsv should have the fields {_FIELDS}, not {header}. Install nliprobe again.")
    return tuple(_entry(line) for line in lines)


def _first_fitting(text: Text, clause: Clause, candidates: tuple[Entry, ...]) -> Opposite | None:
    """Return the opposite of the first entry whose conditions hold, if there is one."""
    for entry in candidates:
        place = _place_of(text, clause, entry)
        if place is not None and excludes(text, clause, place, entry.kind):
            start, stop = text.spans[clause.place]
            sure = is_sure(text, clause, place, entry.kind)
            return Opposite(start, stop, entry.antonym, entry, sure, _article(text, clause.place, entry.antonym))
    return None


def _place_of(text: Text, clause: Clause, entry: Entry) -> Place | None:
    """Return where in its phrase a word stands, or None if the entry must not be used there."""
    if any(form in text.counts for form in _forms(entry.antonym)):
        return None
    if any(text.matches(frame, clause.place) for frame in entry.barred):
        return None
    if entry.frames:
        matching = [frame for frame in entry.frames if text.matches(frame, clause.place)]
        return Place.FRAME if any(frame.right or is_whole(text, clause) for frame in matching) else None
    if entry.part == "adj":
        place = adjective_place(text, clause, entry.before)
    elif entry.part == "adv":
        place = adverb_place(text, clause)
    else:
        place = noun_place(text, clause, person=bool(entry.kind))
    if place is None:
        return None
    # What is somebody's is known, as what has the article is.
    return place if place in entry.places or (place is Place.HIS and Place.THE in entry.places) else None


@cache
def _forms(word: str) -> frozenset[str]:
    """Return a word and the forms of it that would stand beside their own opposite."""
    forms = {word, word + "s", word.removesuffix("s"), word.replace("man", "men"), word.replace("men", "man")}
    return frozenset(forms | {word + "ly", word.removesuffix("e") + "er", word.removesuffix("e") + "est"})


def _article(text: Text, place: int, antonym: str) -> tuple[int, int, str] | None:
    if place == 0 or text.lower[place - 1] not in ("a", "an"):
        return None
    start, stop = text.spans[place - 1]
    old = text.text[start:stop]
    needed = article(antonym)
    if needed == old.lower():
        return None
    return start, stop, needed.capitalize() if old[0].isupper() else needed


def _entry(line: str) -> Entry:
    word, antonym, named, kind, where, before, barred, source = line.split("\t")
    part = next(part for part in PARTS if part == named)
    framed = where.startswith(_FRAME)
    return Entry(
        word,
        antonym,
        part,
        "" if kind == _NONE else kind,
        frozenset() if framed else frozenset(where.split()),
        _frames(where.removeprefix(_FRAME), "_") if framed else (),
        frozenset() if before == _NONE else _words(before),
        () if barred == _NONE else _frames(barred, word),
        source,
    )


def _frames(phrases: str, word: str) -> tuple[Frame, ...]:
    """Read phrases separated by bars, around the word that stands for the place."""
    cut = [(words := phrase.split(), words.index(word)) for phrase in phrases.split("|")]
    return tuple(Frame(tuple(words[:at]), tuple(words[at + 1 :])) for words, at in cut)


def _words(text: str) -> frozenset[str]:
    """Read words separated by bars, where the name of a class stands for its members."""
    return frozenset(word for name in text.split("|") for word in WORD_CLASSES.get(name, (name,)))


@cache
def _by_word() -> dict[str, tuple[Entry, ...]]:
    words: dict[str, list[Entry]] = {}
    for entry in entries():
        words.setdefault(entry.word, []).append(entry)
    return {word: tuple(group) for word, group in words.items()}


@cache
def _table() -> str:
    return resources.files("nliprobe.language").joinpath("opposites.tsv").read_text(encoding="utf-8")
