"""Cut a text into words and marks, and find the clauses that say plainly how something is."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from nliprobe.language._opposite_words import (
    ADDING,
    BE,
    BEFORE_PARTICIPLE,
    NEAR_SCOPE,
    NOT_EVENTS,
    NOT_GOING_ON,
    NOT_PAST,
    OPEN_AT_END,
    PAST,
    PRESENT,
    SCOPE,
)

# The "'s" of "it 's", as tokenised corpora write it, is a word.
_TOKEN = re.compile(r"(?<=\s)['’](?:s|re|m|ll|d|ve)\b|[^\W_]+(?:[-'’.,/&][^\W_]+)*['’]?|[^\w\s]|_+|\n")
_QUOTES = frozenset('"“”«»`')
_BREAKS = frozenset([".", "!", "?", ";", ":", "\n", "…", "؟", "。", "！", "？"])
_COMMAS = frozenset([",", "(", ")", "–", "—", "،"])
# A word beside one of these is a part of something else: "un(happy)", "man/boy", "half-empty".
_GLUE = frozenset("-–—/&@#_*'’\\+=<>")
# Quotation marks around up to this many tokens hold a title or a phrase; around more, what somebody says.
_SHORT_QUOTATION = 6
_SHORTEST_ING = 5


class Frame(NamedTuple):
    """Words that stand directly before and after another word; ``~`` stands for any word."""

    left: tuple[str, ...]
    right: tuple[str, ...]


class Clause(NamedTuple):
    """A word by its place among all tokens, and the sentence around it.

    Attributes:
        place: the place of the word.
        first: the first token of the sentence.
        stop: the token that ends it.
        words: its words.
        event: whether it is about something that happened or goes on, and not about what is usual.
    """

    place: int
    first: int
    stop: int
    words: frozenset[str]
    event: bool


@dataclass(frozen=True)
class Text:
    """A text as tokens: words, numbers and marks.

    Attributes:
        text: the text.
        spans: where its tokens are.
        lower: the tokens in lower case, with plain apostrophes.
    """

    text: str
    spans: tuple[tuple[int, int], ...]
    lower: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> Text:
        """Cut a text into tokens."""
        matches = list(_TOKEN.finditer(text))
        lower = tuple(match.group().lower().replace("’", "'") for match in matches)
        return cls(text, tuple(match.span() for match in matches), lower)

    @cached_property
    def counts(self) -> Counter[str]:
        """How often each token occurs."""
        return Counter(self.lower)

    def written(self, place: int) -> str:
        """Return a token as the text has it."""
        start, stop = self.spans[place]
        return self.text[start:stop]

    def plain_clause(self, place: int) -> Clause | None:
        """Return the sentence around a word, or None where no word may be replaced.

        That is in names, in short quotations, as a part of a compound, in questions, and where a sentence denies
        or leaves open what it says.
        """
        if self.written(place) != self.lower[place] or self._is_glued(place) or self._in_short_quotation(place):
            return None
        at = bisect_right(self._breaks, place)
        first = self._breaks[at - 1] + 1 if at else 0
        stop = self._breaks[at] if at < len(self._breaks) else len(self.lower)
        if stop < len(self.lower) and self.lower[stop] in OPEN_AT_END:
            return None
        if first not in self._sentences:
            words = frozenset(self.lower[first:stop])
            self._sentences[first] = words, words.isdisjoint(NOT_EVENTS) and _is_event(self.lower[first:stop])
        words, event = self._sentences[first]
        if words & SCOPE or self._is_left_open(place, first, stop):
            return None
        return Clause(place, first, stop, words, event)

    def following(self, clause: Clause) -> str:
        """Return the word after the word of a clause, or an empty text before a mark and at the end."""
        after = clause.place + 1
        return self.lower[after] if after < clause.stop and self.lower[after][0].isalnum() else ""

    def matches(self, frame: Frame, place: int) -> bool:
        """Tell whether the words around a place are those of a frame."""
        return self._fits(frame.left, place - len(frame.left)) and self._fits(frame.right, place + 1)

    def _fits(self, words: Sequence[str], start: int) -> bool:
        if start < 0 or start + len(words) > len(self.lower):
            return False
        return all(
            word == self.lower[start + offset] or (word == "~" and self.lower[start + offset][0].isalpha())
            for offset, word in enumerate(words)
        )

    def _is_left_open(self, place: int, first: int, last: int) -> bool:
        """Tell whether the part of a sentence between commas leaves open what it says."""
        at = bisect_right(self._commas, place)
        start = max(self._commas[at - 1] + 1 if at else 0, first)
        stop = min(self._commas[at] if at < len(self._commas) else last, last)
        if start > first and self.lower[start] in ADDING:
            start += 1
        before, after = self.lower[start:place], self.lower[place + 1 : stop]
        if "than" in before or not NEAR_SCOPE.isdisjoint(before) or not NEAR_SCOPE.isdisjoint(after):
            return True
        return any(word.endswith("n't") for word in self.lower[start:stop])

    def _is_glued(self, place: int) -> bool:
        start, stop = self.spans[place]
        around = self.text[max(start - 1, 0) : start] + self.text[stop : stop + 1]
        return any(mark in _GLUE for mark in around)

    def _in_short_quotation(self, place: int) -> bool:
        at = bisect_right(self._quotes, place)
        if at % 2 == 0:
            return False
        stop = self._quotes[at] if at < len(self._quotes) else len(self.lower)
        return stop - self._quotes[at - 1] <= _SHORT_QUOTATION

    @cached_property
    def _breaks(self) -> list[int]:
        return [place for place, token in enumerate(self.lower) if token in _BREAKS]

    @cached_property
    def _commas(self) -> list[int]:
        return [place for place, token in enumerate(self.lower) if token in _COMMAS]

    @cached_property
    def _quotes(self) -> list[int]:
        return [place for place, token in enumerate(self.lower) if token in _QUOTES]

    @cached_property
    def _sentences(self) -> dict[int, tuple[frozenset[str], bool]]:
        """What was worked out about sentences, by their first token: a long one may hold many words."""
        return {}


def _is_event(words: Sequence[str]) -> bool:
    """Tell whether words say what happened or goes on: *was*, *is sitting*, or *sitting* in a caption."""
    goes_on = False
    for at, word in enumerate(words):
        if word in PAST or (_is_past(word) and at and words[at - 1] not in BEFORE_PARTICIPLE):
            return True
        if _is_going_on(word):
            if not BE.isdisjoint(words[max(at - 2, 0) : at]):
                return True
            goes_on = True
    return goes_on and PRESENT.isdisjoint(words)


@lru_cache(maxsize=1 << 14)
def _is_going_on(word: str) -> bool:
    return word.endswith("ing") and len(word) >= _SHORTEST_ING and word not in NOT_GOING_ON


@lru_cache(maxsize=1 << 14)
def _is_past(word: str) -> bool:
    return word.endswith("ed") and word not in NOT_PAST and "-" not in word
