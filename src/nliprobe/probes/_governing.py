"""Find the word that governs a number or a date: *over* 40, *since* 1991, 40 *or more*, in the *early* 1990s."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from nliprobe.probes._claims import Relation

# The table of governing words; docs/guide/perturb-hypotheses.md prints it.
BEFORE = {
    Relation.ABOVE: "over|more than|greater than|larger than|bigger than|higher than|longer than|older than|"
    "taller than|heavier than|above|exceeding|exceeds|exceeded|in excess of|upwards of|upward of|beyond|after|"
    "later than|well over|tops|topped|surpassed|surpasses|surpassing|far more than|much more than|well above|"
    "well more than",
    Relation.BELOW: "under|less than|fewer than|smaller than|lower than|shorter than|younger than|lighter than|below|"
    "before|earlier than|prior to|well under|far less than|well below|much less than|sooner than",
    Relation.AT_LEAST: "at least|no less than|no fewer than|not less than|not fewer than|a minimum of|minimum of|"
    "no earlier than|not earlier than",
    Relation.AT_MOST: "at most|no more than|not more than|up to|a maximum of|maximum of|within|no later than|"
    "not later than|by|at the most",
    Relation.NEARLY: "nearly|almost|just under|just shy of|slightly under|slightly less than|a little under|"
    "a little less than|just below|a shade under|just less than",
    Relation.JUST_ABOVE: "just over|slightly over|slightly more than|a little over|a little more than|just above|"
    "a bit over|just more than",
    Relation.ABOUT: "about|around|approximately|roughly|circa|close to|near|some|an estimated|estimated|nearing|"
    "in the range of|somewhere around|approx|or",
    Relation.EXACT: "exactly|precisely|just|only|a total of|in|on|during|from|merely|at|of",
    Relation.SINCE: "since|ever since",
    Relation.UNTIL: "until|till|up until|through",
}
AFTER = {
    Relation.AT_LEAST: "or more|or over|or above|or older|or longer|or later|or higher|and up|and over|plus",
    Relation.AT_MOST: "or less|or fewer|or under|or below|or younger|or shorter|or earlier|or lower|at most",
    Relation.ABOUT: "or so",
}
# Governing words that only dates have, and those that a date reads in another way than a number does.
DATE_ONLY = frozenset(["since", "ever since", "until", "till", "up until", "through", "by"])
# After one of these, "over" compares; after other participles it may mean *during*: "painted over two years".
_COMPARED_TEXT = """
for of is was are were be been being has had have with at to lasted lasts last took takes runs ran run spans spanned
well lived made earned costs cost grossed weighs weighed measures covers contains includes employs just founded began
started introduced born waited served worked
"""
_COMPARED = frozenset(_COMPARED_TEXT.split())
# After one of these, "under" is no comparison: "recorded under four labels".
_NOT_LESS = frozenset(["recorded", "released", "signed", "performed", "worked", "published", "produced", "been"])
# Words between a governing word and its number: "over a 2 hour run time", "before they were 30".
_BETWEEN_TEXT = """
they he she it were was turned turning reached reaching a an the his her their its it's year years age that
"""
_ARTICLES = frozenset(_BETWEEN_TEXT.split())
_LONGEST = 4
_WINDOW = 60  # characters before a mention in which its governing words are
_LAST_MARK = re.compile(r"[,;:()\[\]!?]")


class Part(StrEnum):
    """Which part of a year, decade or century is meant."""

    WHOLE = "whole"
    EARLY = "early"
    MIDDLE = "middle"
    LATE = "late"
    FIRST_HALF = "first half"
    LAST_HALF = "last half"
    OPEN = "open"  # the turn of, the eve of: not clear which part


_PARTS = {
    Part.EARLY: "early|the beginning of|the start of|early in|the early part of|the early years of",
    Part.MIDDLE: "mid|mid-|the middle of|middle|midway through",
    Part.LATE: "late|the end of|late in|later in|the latter part of|towards the end of|the close of",
    Part.FIRST_HALF: "the first half of",
    Part.LAST_HALF: "the latter half of|the second half of|the last half of",
    Part.OPEN: "the turn of|the eve of|the dawn of|the last decade of|the first decade of|well into|into|"
    "the first years of",
}


def _phrases(table: dict[Relation, str]) -> dict[tuple[str, ...], Relation]:
    return {tuple(phrase.split()): relation for relation, text in table.items() for phrase in text.split("|")}


_WORDS_BEFORE = _phrases(BEFORE)
_WORDS_AFTER = _phrases(AFTER)
_WORDS_OF_PARTS = {
    tuple(word for word in phrase.split() if word != "the"): part
    for part, text in _PARTS.items()
    for phrase in text.split("|")
}
# Most words before a number end no such phrase.
_LAST_BEFORE = frozenset([phrase[-1] for phrase in _WORDS_BEFORE])
_LAST_OF_PARTS = frozenset([phrase[-1] for phrase in _WORDS_OF_PARTS])


class Governor(NamedTuple):
    """The words that govern a number or date.

    Attributes:
        relation: what they say about the value.
        words: the words, or nothing.
        start: where the phrase begins, with the words that govern it.
        part: for dates, which part of the year, decade or century is meant.
        sure: whether the words can be read in this way only.
    """

    relation: Relation
    words: str
    start: int
    part: Part = Part.WHOLE
    sure: bool = True


def governor_of(text: str, start: int, stop: int, *, date: bool) -> Governor:
    """Return what governs the number or date between two places of a text."""
    words = _words_before(text, start)
    part, words = _part_of(words) if date else (Part.WHOLE, words)
    for skipped in range(4):
        if skipped and (len(words) < skipped or words[-skipped] not in _ARTICLES or words[-1] in ("it",)):
            break
        kept = words[: len(words) - skipped]
        if not kept or kept[-1] not in _LAST_BEFORE:
            continue
        for length in range(min(_LONGEST, len(kept)), 0, -1):
            phrase = tuple(kept[-length:])
            relation = _WORDS_BEFORE.get(phrase)
            if relation is None or (" ".join(phrase) in DATE_ONLY and not date):
                continue
            before = kept[-length - 1] if len(kept) > length else ""
            return Governor(
                relation, " ".join(phrase), _place(text, start, phrase), part, _is_sure(phrase, before, date=date)
            )
    after = text[stop : stop + 24].lower().split()
    relation = _WORDS_AFTER.get(tuple(word.strip(".,;") for word in after[:2])) or _WORDS_AFTER.get(tuple(after[:1]))
    if relation is not None:
        return Governor(relation, " ".join(after[:2]), start, part)
    return Governor(Relation.EXACT, "", start, part)


def _is_sure(phrase: tuple[str, ...], before: str, *, date: bool) -> bool:
    if phrase == ("under",) and before in _NOT_LESS:
        return False
    if phrase in (("or",), ("some",), ("within",), ("at",), ("of",)):
        return phrase == ("of",)
    return phrase != ("over",) or date or before in _COMPARED or not before.endswith(("ed", "en", "ing", "place"))


def _place(text: str, start: int, phrase: tuple[str, ...]) -> int:
    """Return where a phrase before a place begins."""
    first = max(0, start - _WINDOW)
    place = text[first:start].lower().rfind(phrase[0])
    return first + place if place >= 0 else start


def _words_before(text: str, start: int) -> list[str]:
    """Return the words before a place, back to the last mark."""
    window = text[max(0, start - _WINDOW) : start].lower()
    return _LAST_MARK.split(window)[-1].split()


def _part_of(words: list[str]) -> tuple[Part, list[str]]:
    plain = [word for word in words if word != "the"]
    if not plain or plain[-1] not in _LAST_OF_PARTS:
        return Part.WHOLE, words
    for length in range(min(4, len(plain)), 0, -1):
        part = _WORDS_OF_PARTS.get(tuple(plain[-length:]))
        if part is not None:
            # Cut the same words, with their articles, from the end.
            left = length
            index = len(words)
            while left and index:
                index -= 1
                left -= words[index] != "the"
            return part, words[:index]
    return Part.WHOLE, words
