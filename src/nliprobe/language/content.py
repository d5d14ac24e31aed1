"""The words of a text that say what it is about, without their endings: to tell whether two texts share a topic."""

from __future__ import annotations

import re
from functools import lru_cache

from nliprobe.language.words import FUNCTION_WORDS, lower_words

# Besides the function words that vectors leave out: pronouns, auxiliaries and words of place, time and degree.
_OTHERS = """
i me my mine we us our ours you your yours he him his she her hers they them their theirs this these those there here
not no nor but if then than so because while when where who whom whose which what how why about into onto over under
after before between during through against within without also only just even still very more most much many some any
all both each few other another such own same too out up down off again do does did done doing will would can could
shall should may might must being am isn't aren't wasn't weren't don't doesn't didn't won't can't one two three new
first last become became made make get got goes went come came say said says tell told use used like well back
know known people person man woman year years day days time times
"""
STOP_WORDS = FUNCTION_WORDS | frozenset(_OTHERS.split())

_ENDING = re.compile(r"(?:'s|s'|'|ings?|edly|ed|ers?|ies|es|s|ly|ions?|al|y|e)$")
_SHORTEST = 4
_STEM = 7


@lru_cache(maxsize=65_536)  # the sentences of a premise are compared with each of its hypotheses
def content_words(text: str) -> frozenset[str]:
    """Return the stems of the words that say something; numbers count as they are.

    >>> sorted(content_words("The warming oceans were warmer in 1998"))
    ['1998', 'ocean', 'warm']
    """
    return frozenset([_stem(word) for word in lower_words(text) if word not in STOP_WORDS])


def _stem(word: str) -> str:
    if not word[0].isalpha():
        return word
    for _ in range(2):
        shorter = _ENDING.sub("", word)
        if len(shorter) < _SHORTEST or shorter == word:
            break
        word = shorter
    return word[:_STEM]
