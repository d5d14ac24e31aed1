"""Sentences of other passages that can be put into a passage: self-contained, and about something else."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from nliprobe.language import reference
from nliprobe.language.content import content_words
from nliprobe.probes._sentences import sentences_of
from nliprobe.task.source import Pool

_ENDS = re.compile(r"[\w)%\"”’'][.!][\"”’')]*$")
_FEWEST, _MOST = 5, 60
# First and second persons belong to the text they come from, wherever they are; so do questions and orders to it.
_PERSONS = re.compile(
    r"\b(?:I|me|my|mine|we|us|our|ours|you|your|yours|myself|ourselves|yourself|he|she|him|her|his|hers|they|them|their|"
    r"it|its|this|these|those|I'[a-z]+|we'[a-z]+|you'[a-z]+|it's|he's|she's|they're|here|now|today|yesterday|tomorrow|"
    r"also|too|another|others?|same|such|latter|former|above|below|following|again|instead|only|both|similar|previous)\b",
    re.IGNORECASE,
)
_STARTS = re.compile(
    r"(?:The|A|An|In|On|At|To|With|As|By|From|When|While|Although|Though|Despite|If|For|Of|During) (?=[a-z])"
)
_NAME = re.compile(r"(?<=[a-z,] )(?:[A-Z][a-z]+)")


class Donor(NamedTuple):
    """A sentence that may be put into another passage, with the group that it comes from."""

    text: str
    group: str
    words: frozenset[str]


@lru_cache(maxsize=2)  # a suite works through its corpora one after the other
def donors(pool: Pool) -> tuple[Donor, ...]:
    """Return the sentences of a split that stand by themselves, by group; they are looked for once."""
    return tuple(_collect(pool))


def _collect(pool: Pool) -> list[Donor]:
    seen: set[str] = set()
    collected: list[Donor] = []
    for group, premise in sorted(pool.premises.items(), key=lambda item: item[0]):
        if not isinstance(premise, str):
            continue
        for text in sentences_of(premise, pool.sentences.get(group, ())).parts:
            if text not in seen and is_self_contained(text):
                seen.add(text)
                collected.append(Donor(text, group, content_words(text)))
    return collected


def is_self_contained(sentence: str) -> bool:
    """Tell whether a sentence says what it is about, so that it means the same in any passage."""
    if "\n" in sentence or not _ENDS.search(sentence) or not sentence[0].isupper():
        return False
    if not _FEWEST <= len(sentence.split()) <= _MOST or sentence.count('"') % 2 or ":" in sentence:
        return False
    if _PERSONS.search(sentence) or reference.leans_back(sentence) or reference.is_definite(sentence):
        return False
    if reference.is_turn(sentence) or reference.takes_back(sentence):
        return False
    # It names something, and does not begin with what is known from before: "The film", "In the novel".
    return _NAME.search(sentence) is not None and _STARTS.match(sentence) is None
