"""Quantifiers: what each claims about how many there are, and the entailment scale of those that speak about a share.

*All* says more than *most*, *most* more than *some* (tables.md, T6). A row that lists its items is complete (T9), so
how many there are is known, and a quantifier that counts them is true or false.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from nliprobe.probes._claims import Claim, Stretch


class Quantifier(NamedTuple):
    """A quantifier and what it claims about a number of things.

    Attributes:
        words: how it is written.
        claim: how many things there surely are, and may be.
        single: whether the noun after it is in the singular; None if it may be both.
    """

    words: str
    claim: Claim
    single: bool | None


def _quantifier(
    words: str, core: tuple[int, int | None], hull: tuple[int, int | None], *, single: bool | None
) -> Quantifier:
    surely, maybe = (Stretch(Fraction(low), None if high is None else Fraction(high)) for low, high in (core, hull))
    return Quantifier(words, Claim(surely, maybe), single)


# How many "several", "many" and "a few" are is nowhere written: what everybody would call so, and what somebody might.
COUNTING = (
    _quantifier("no", (0, 0), (0, 0), single=None),
    _quantifier("only a single", (1, 1), (1, 1), single=True),
    _quantifier("only one", (1, 1), (1, 1), single=True),
    _quantifier("just one", (1, 1), (1, 1), single=True),
    _quantifier("exactly one", (1, 1), (1, 1), single=True),
    _quantifier("a single", (1, 1), (1, 1), single=True),
    _quantifier("at least one", (1, None), (1, None), single=True),
    _quantifier("more than one", (2, None), (2, None), single=True),
    _quantifier("fewer than two", (0, 1), (0, 1), single=False),
    _quantifier("at least two", (2, None), (2, None), single=False),
    _quantifier("a couple of", (2, 2), (2, 3), single=False),
    _quantifier("some", (2, None), (1, None), single=False),
    _quantifier("a few", (3, 4), (2, 6), single=False),
    _quantifier("multiple", (2, None), (2, None), single=False),
    _quantifier("various", (3, None), (2, None), single=False),
    _quantifier("several", (4, None), (2, None), single=False),
    _quantifier("many", (8, None), (3, None), single=False),
    _quantifier("numerous", (8, None), (3, None), single=False),
    _quantifier("a number of", (3, None), (2, None), single=False),
)  # fmt: skip
BY_WORDS = {one.words: one for one in COUNTING}
# What may take the place of a quantifier, the plainest first.
REPLACEMENTS = {
    True: ("more than one", "at least one", "only one", "no"),
    False: ("multiple", "at least two", "some", "fewer than two", "no", "several"),
}

# Those that speak about a share of things, from all over most to some; before a plural, and not as an adverb ("the most
# popular", "they are all").
SHARES = re.compile(r"\b(?:all|most|some|many)\b", re.IGNORECASE)
SCALE = re.compile(
    r"(?<!\bthe\s)(?<!\bare\s)(?<!\bwere\s)(?<!\bis\s)(?<!\bwas\s)(?<!['’]s\s)(?<!\bthey\s)(?<!\bwe\s)(?<!\byou\s)"
    r"(?<!\bat\s)(?<!\bhave\s)(?<!\bhas\s)(?<!\bnot\s)"
    r"\b(?P<words>(?:all|most|some|many) of the|all the|all|most|some)\s+(?:[a-z-]+\s+){0,2}?"
    r"(?P<noun>(?:people|men|women|children|[a-z]{2,}[a-rt-z]s))\b",
    re.IGNORECASE,
)
FIND = re.compile(
    rf"\b(?P<words>{'|'.join(sorted(BY_WORDS, key=len, reverse=True))})\s+"
    r"(?P<rest>[a-z-]+(?:\s+(?!of\b|to\b|in\b|for\b|from\b|with\b|and\b|or\b)[a-z]+){0,2})\b",
    re.IGNORECASE,
)


# A text without any of these words has no quantifier.
_HINTS_TEXT = """
all most some many no one single two few couple multiple various several numerous number
"""
HINTS = frozenset(_HINTS_TEXT.split())


def exactly(number: Fraction) -> Claim:
    """Return what a number claims about how many things there are."""
    return Claim(Stretch(number, number), Stretch(number, number))


def on_scale(words: str, strength: str) -> str:
    """Return the words of another strength in the form of given ones: "all of the" and "some" give "some of the"."""
    first, _, rest = words.lower().partition(" ")
    rest = "of the" if first == "all" and rest == "the" else rest
    return f"{strength} {rest}" if rest else strength


def strength_of(words: str) -> int:
    """Return the place on the scale: 0 for all, 1 for most and many, 2 for some."""
    first = words.lower().split()[0]
    return {"all": 0, "most": 1, "many": 1, "some": 2}[first]
