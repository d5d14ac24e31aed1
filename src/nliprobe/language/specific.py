"""Tell whether a sentence says what another one says, and more: *I bought five books* says more than *I bought books*.

A neutral hypothesis of this kind entails its premise, so the pair is no longer neutral when it is swapped (swap,
Discussion). The rule looks at words only: every word of the premise is kept, in order, and something is added.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from nliprobe.language import wordnet
from nliprobe.language.words import lower_words

# Raised when the rule picks other pairs.
VERSION = 1

# Words of the premise that need not come back: "A man sits" and "The man is sitting" say the same here.
_FREE_WORDS = """
a an the some there is are was were be been being am and very really just also then while currently
"""
# With such a word, a sentence does not get stronger when something is added: "Every brown dog barks" does not entail
# "Every dog barks", and "Nobody slept outside" does not entail "Nobody slept".
_TURNING_WORDS = """
no not none never nobody nothing nowhere neither nor without cannot all every each everyone everybody everything any
anyone anybody anything most few fewer less least only if unless whether or rarely seldom hardly barely scarcely
almost nearly when whenever whoever whatever until before than too deny denies denied refuse refuses refused fail
fails failed lack lacks lacking doubt doubts doubted
"""
# What is added must not take back what is said: "A man tries to swim" does not mean that he swims.
_WEAKENING_WORDS = """
may might could would should can will shall must maybe perhaps possibly probably likely unlikely supposedly
allegedly apparently seem seems seemed seemingly appear appears appeared want wants wanted wanting hope hopes hoped
hoping wish wishes wished wishing try tries tried trying attempt attempts attempted attempting plan plans planned
planning intend intends intended intending pretend pretends pretended pretending prepare prepares prepared preparing
about going ready imagine imagines imagined imagining dream dreams dreamed dreaming think thinks thought thinking
believe believes believed believing claim claims claimed claiming say says said expect expects expected like fake
toy former future imaginary learn learns learning practice practicing waiting used cancelled canceled postponed
avoid avoids avoided avoiding stop stops stopped stopping
"""
_FREE, _TURNING, _WEAKENING = (frozenset(words.split()) for words in (_FREE_WORDS, _TURNING_WORDS, _WEAKENING_WORDS))
# Fewer words are mostly a heading ("Case studies"), which says nothing that could follow from a sentence.
_FEWEST = 3
# Plurals that WordNet has as words of their own, or that do not end in s.
_PLURALS = {"people": "person", "men": "man", "women": "woman", "children": "child"}
_PARTS: tuple[wordnet.Pos, ...] = ("noun", "verb", "adj")
# How far a word may be above another one, and how many pairs of words are remembered: a corpus repeats its words.
_DEPTH = 8
_REMEMBERED = 1 << 15


def more_specific(premise: str, hypothesis: str) -> bool:
    """Tell whether the hypothesis says what the premise says, and more.

    Every word of the premise except articles, auxiliaries and the like is kept in the same order: in another form, as a
    synonym, or as a kind of it. Questions and sentences with a negation, a universal quantifier or a condition are not
    judged, nor are hypotheses that add a doubt or a wish, nor premises of one or two words. The time is linear in the
    length of both texts.

    >>> more_specific("I bought books.", "I bought five books on history.")
    True
    >>> more_specific("I bought books.", "I bought a book."), more_specific("I bought books.", "I may buy books.")
    (False, False)
    """
    if "?" in premise or "?" in hypothesis:
        return False
    repeated = lower_words(hypothesis)
    said = lower_words(premise)
    wanted = [word for word in said if word not in _FREE]
    if not _FEWEST <= len(wanted) <= len(repeated) or any(map(_turns, said)) or any(map(_turns, repeated)):
        return False
    return _adds(wanted, repeated)


def _adds(wanted: Sequence[str], repeated: Sequence[str]) -> bool:
    """Tell whether words are kept within others, in order, and the others say more."""
    place = 0
    stronger = False
    for word in repeated:
        if place < len(wanted) and _keeps(wanted[place], word):
            stronger = stronger or _is_kind(wanted[place], word)
            place += 1
        elif word in _WEAKENING:
            return False
        elif word not in _FREE:
            stronger = True
    return place == len(wanted) and stronger


def _turns(word: str) -> bool:
    return word in _TURNING or word.endswith("n't")


@lru_cache(maxsize=_REMEMBERED)
def _keeps(word: str, other: str) -> bool:
    """Tell whether another word says what a word says, or more; several things are not one, so plurals stay."""
    if word == other:
        return True
    if not (word.isalpha() and other.isalpha()) or other in _FREE or _loses_plural(word, other):
        return False
    return bool(_bases(word) & _bases(other)) or _is_synonym(word, other) or _is_kind(word, other)


def _is_synonym(word: str, other: str) -> bool:
    """Tell whether two words have the same most frequent sense."""
    for pos in _PARTS:
        first, second = _base(word, pos), _base(other, pos)
        if first and second and second in wordnet.synonyms(first, pos, senses=1):
            return first in wordnet.synonyms(second, pos, senses=1)
    return False


@lru_cache(maxsize=_REMEMBERED)
def _is_kind(word: str, other: str) -> bool:
    """Tell whether another word in its most frequent sense names a kind of what a word names."""
    for pos in _PARTS[:2]:
        above, below = _base(word, pos), _base(other, pos)
        if above and below and above != below and above in wordnet.hypernyms(below, pos, depth=_DEPTH, senses=1):
            return True
    return False


@lru_cache(maxsize=_REMEMBERED)
def _bases(word: str) -> frozenset[str]:
    """Return the base forms of a word; a word that WordNet does not have is its own."""
    return frozenset(base for pos in _PARTS if (base := _base(word, pos))) or frozenset({word})


def _base(word: str, pos: wordnet.Pos) -> str | None:
    return _PLURALS.get(word) if pos == "noun" and word in _PLURALS else wordnet.lemma(word, pos)


def _loses_plural(word: str, other: str) -> bool:
    """Tell whether a word for several things becomes one for a single thing; "rides" may become "riding"."""
    return _plural(word) and not _plural(other) and _base(other, "verb") in (None, other)


@lru_cache(maxsize=_REMEMBERED)
def _plural(word: str) -> bool:
    return word in _PLURALS or (word.endswith("s") and wordnet.lemma(word, "noun") not in (None, word))
