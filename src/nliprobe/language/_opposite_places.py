"""Tell from the words around a word where it stands in its phrase, and whether its opposite contradicts it there."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache

from nliprobe.language import wordnet
from nliprobe.language._clauses import Clause, Text
from nliprobe.language._opposite_words import (
    AFTER_IS,
    ARTICLES,
    BE,
    BEFORE_BE,
    BEFORE_IMPERATIVE,
    COMPARING,
    DEGREE,
    DETERMINERS,
    FUNCTION,
    GENDER_PRONOUNS,
    GENDER_TRAITS,
    GROUPS,
    IMPERATIVES,
    KIN,
    LINKING,
    NOT_EVENTS,
    NUMBERS,
    OWNED,
    POSSESSIVES,
    PRONOUN_IS,
    SOME,
    THERE,
    WORD_CLASSES,
)

GENDER = "gender"
_MOST_MODIFIERS = 3
_IS = BE | PRONOUN_IS


class Place(StrEnum):
    """Where a word stands: after *is*, in a phrase with an article, a possessive or a number, or in a frame."""

    IS = "is"
    A = "a"
    THE = "the"
    HIS = "his"
    COUNT = "count"
    GROUP = "group"
    ADVERB = "adv"
    FRAME = "frame"


def adjective_place(text: Text, clause: Clause, before: frozenset[str]) -> Place | None:
    """Return where an adjective stands: after *is*, or in a phrase with a noun that follows.

    Args:
        text: the text.
        clause: the adjective and its sentence.
        before: the words one of which must follow in a phrase; any if there are none.
    """
    following = text.following(clause)
    left = clause.place - 1
    while left >= clause.first and (text.lower[left] in DEGREE or text.lower[left].endswith("ly")):
        left -= 1
    if left < clause.first:
        return None
    if _is_copula(text, clause, left):
        return Place.IS if not following or following in AFTER_IS else None
    if not following or (not following[0].isalpha() and following not in before) or following in FUNCTION:
        return None
    if (
        (before and following not in before)
        or text.lower[left] in COMPARING
        or text.written(clause.place + 1)[0].isupper()
    ):
        return None
    # "A long dark-haired man" is not long.
    if "-" in following and following.endswith("ed"):
        return None
    # "There is a good hotel" leaves room for a bad one.
    if not THERE.isdisjoint(text.lower[clause.first : left]):
        return None
    place = _determined(text, clause, left)
    # "The old houses" may be all old houses there are.
    return None if place in (Place.A, Place.THE, Place.HIS) and _has_plural(text, clause) else place


def noun_place(text: Text, clause: Clause, *, person: bool) -> Place | None:
    """Return how a noun is determined: by *a*, *the*, a number, or as *a group of*."""
    following = text.following(clause)
    if following and following not in FUNCTION and not (person and _may_follow_person(following)):
        return None
    return _determined(text, clause, clause.place - 1)


def adverb_place(text: Text, clause: Clause) -> Place | None:
    """Tell whether an adverb or a preposition stands alone or before a phrase, and after no article."""
    if clause.place == clause.first or text.lower[clause.place - 1] in DETERMINERS or not clause.event:
        return None
    return Place.ADVERB if is_whole(text, clause) else None


def is_whole(text: Text, clause: Clause) -> bool:
    """Tell whether no other noun follows that a word could belong to."""
    following = text.following(clause)
    return not following or following in FUNCTION


def excludes(text: Text, clause: Clause, place: Place, kind: str) -> bool:
    """Tell whether a sentence is about one thing or event, so that it excludes the sentence with the opposite."""
    if kind == GENDER and not _gender_is_free(text, clause):
        return False
    if _is_imperative(text, clause):
        return False
    if place is Place.IS:
        return clause.words.isdisjoint(SOME)
    if place in (Place.FRAME, Place.ADVERB):
        return True
    # The article of "a group of men" is two words before "of".
    at = _determiner_at(text, clause) - (2 if place is Place.GROUP else 0)
    indefinite = place in (Place.A, Place.COUNT, Place.GROUP)
    # "It is hard for a boy to sit still" is about all boys.
    if indefinite and at > clause.first and text.lower[at - 1] == "for" and text.following(clause) == "to":
        return False
    if kind:
        # "A man sits on a bench" describes a scene; "the man is the head of the family" does not.
        return clause.event or (indefinite and at == clause.first and clause.words.isdisjoint(NOT_EVENTS))
    return clause.event or not indefinite or not (at == clause.first or text.lower[at - 1] == "of")


def is_sure(text: Text, clause: Clause, place: Place, kind: str) -> bool:
    """Tell whether nothing but the same event must be assumed: *the old house* may be another house."""
    if place in (Place.IS, Place.FRAME):
        return True
    if kind:
        return clause.event
    at = _determiner_at(text, clause)
    return place is Place.A and at > clause.first and text.lower[at - 1] in _IS


def _is_imperative(text: Text, clause: Clause) -> bool:
    """Tell whether a sentence asks for something, as *Give a small gift* does; it says nothing that could be false."""
    at = clause.first
    while at < clause.place and (text.lower[at] in BEFORE_IMPERATIVE or not text.lower[at][0].isalpha()):
        at += 1
    if text.lower[at] in IMPERATIVES:
        return True
    if at + 1 >= clause.place or text.lower[at] in FUNCTION or text.lower[at + 1] not in ARTICLES:
        return False
    return wordnet.lemma(text.lower[at], "verb") == text.lower[at]


def _is_copula(text: Text, clause: Clause, at: int) -> bool:
    word = text.lower[at]
    if word == "be":
        return at > clause.first and text.lower[at - 1] in BEFORE_BE
    # Some corpora write "it 's".
    if word in ("'s", "'re", "'m"):
        return at > clause.first and text.lower[at - 1] + word in PRONOUN_IS
    # "Goals that are rational" are some goals among others, and "there are attractive forces" leaves room for others.
    if word in THERE or (at > clause.first and text.lower[at - 1] in THERE):
        return False
    if word in ("are", "were") and at > clause.first and text.lower[at - 1] == "that":
        return False
    return word in BE or word in LINKING or word in PRONOUN_IS


def _determined(text: Text, clause: Clause, left: int) -> Place | None:
    steps = 0
    while left >= clause.first and steps < _MOST_MODIFIERS and _is_modifier(text.lower[left]):
        left, steps = left - 1, steps + 1
    if left < clause.first:
        return None
    word = text.lower[left]
    if word in ("a", "an"):
        return Place.A
    if word in ("the", "this"):
        return Place.THE
    if word in POSSESSIVES:
        return Place.HIS
    if word in NUMBERS:
        return None if left > clause.first and text.lower[left - 1] in OWNED else Place.COUNT
    if word == "of" and left - 2 >= clause.first and text.lower[left - 1] in GROUPS:
        return Place.GROUP
    return None


def _determiner_at(text: Text, clause: Clause) -> int:
    left = clause.place - 1
    while left > clause.first and text.lower[left] not in DETERMINERS:
        left -= 1
    return left


def _gender_is_free(text: Text, clause: Clause) -> bool:
    """Tell whether nothing else shows the gender; a pronoun directly before a relative is another person's."""
    if not GENDER_TRAITS.isdisjoint(text.counts):
        return False
    pronouns = sum(text.counts[pronoun] for pronoun in GENDER_PRONOUNS)
    if not pronouns:
        return True
    relative = text.lower[clause.place] in KIN
    return relative and pronouns == 1 and text.lower[clause.place - 1] in GENDER_PRONOUNS


@lru_cache(maxsize=1 << 14)
def _is_modifier(word: str) -> bool:
    """Tell whether a word can stand between an article and what it belongs to: *smiling*, *tall*, *bearded*."""
    if word in FUNCTION or word in DETERMINERS or not word[0].isalpha():
        return False
    return word.endswith(("ed", "ing")) or wordnet.lemma(word, "adj") is not None


@lru_cache(maxsize=1 << 14)
def _may_follow_person(word: str) -> bool:
    if not word[0].isalpha() or word in WORD_CLASSES["person"]:
        return False
    return word.endswith(("ed", "ing", "ly")) or wordnet.lemma(word, "verb") is not None


def _has_plural(text: Text, clause: Clause) -> bool:
    """Tell whether the noun after an adjective is plural; another adjective may be between them."""
    first, second = clause.place + 1, clause.place + 2
    if _is_plural(text.lower[first]):
        return True
    return second < clause.stop and _is_modifier(text.lower[first]) and _is_plural(text.lower[second])


def _is_plural(word: str) -> bool:
    if word in ("men", "women", "children", "people"):
        return True
    return word[0].isalpha() and word.endswith("s") and not word.endswith(("ss", "us", "is"))
