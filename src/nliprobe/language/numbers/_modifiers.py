"""Find the words beside a number that widen it or make it exact: "more than 5", "5 or more"."""

from __future__ import annotations

from nliprobe.language.numbers._tokens import Token, word_at
from nliprobe.language.numbers.records import Bound, Modifier

_BEFORE = {
    Bound.ABOVE: "more than|greater than|larger than|bigger than|higher than|longer than|older than|over|above|"
    "upwards of|upward of|in excess of|beyond|exceeding|exceed|exceeds|exceeded|better than|just over|well over|"
    "slightly over",
    Bound.BELOW: "less than|fewer than|smaller than|lower than|shorter than|younger than|under|below|just under|"
    "well under",
    Bound.AT_LEAST: "at least|no less than|no fewer than|not less than|not fewer than|a minimum of|minimum of|"
    "as many as|as much as|at the least",
    Bound.AT_MOST: "at most|no more than|not more than|up to|a maximum of|maximum of|as few as|as little as|"
    "at the most",
    Bound.ABOUT: "about|around|approximately|approx|roughly|nearly|almost|some|close to|circa|an estimated|estimated|"
    "an average of|average of|like|maybe|perhaps|probably|say|or|near|virtually|practically|barely|~|≈|another|"
    "somewhere",
    Bound.EXACTLY: "exactly|precisely|just|only|merely|all of|a total of|total of|a full|a mere|a whole|fully",
}
_AFTER = {
    Bound.AT_LEAST: "or more|or over|or above|or older|or better|and up|and over|plus|at least|+|or greater|or higher",
    Bound.AT_MOST: "or less|or fewer|or under|or below|or younger|at most|or lower",
    Bound.ABOUT: "or so|odd|ish|or thereabouts|some",
}
_LONGEST = 3


def _table(phrases: dict[Bound, str]) -> dict[tuple[str, ...], Bound]:
    return {tuple(phrase.split()): bound for bound, text in phrases.items() for phrase in text.split("|")}


_PHRASES_BEFORE = _table(_BEFORE)
_PHRASES_AFTER = _table(_AFTER)
_LAST_WORDS = frozenset([phrase[-1] for phrase in _PHRASES_BEFORE])
_FIRST_WORDS = frozenset([phrase[0] for phrase in _PHRASES_AFTER]) | {"-"}


def modifier_of(tokens: list[Token], first: int, stop: int) -> Modifier | None:
    """Return the modifier of the phrase from token ``first`` to the token before ``stop``."""
    if word_at(tokens, first - 1) in _LAST_WORDS:
        for length in range(_LONGEST, 0, -1):
            words = tuple([word_at(tokens, first - length + step) for step in range(length)])
            bound = _PHRASES_BEFORE.get(words)
            if bound is not None:
                return Modifier(tokens[first - length].start, tokens[first - 1].stop, bound)
    if word_at(tokens, stop) in _FIRST_WORDS:
        # "20-odd" and "40-ish" have a hyphen.
        begin = stop + (word_at(tokens, stop) == "-")
        for length in range(_LONGEST, 0, -1):
            words = tuple([word_at(tokens, begin + step) for step in range(length)])
            bound = _PHRASES_AFTER.get(words)
            if bound is not None:
                return Modifier(tokens[stop].start, tokens[begin + length - 1].stop, bound)
    return None
