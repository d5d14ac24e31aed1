"""Perturb hypotheses about texts by words of the premise: an adjective that it has, and names that it mentions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from random import Random
from typing import NamedTuple

from nliprobe.language.content import content_words
from nliprobe.language.english import article
from nliprobe.language.lexicon import lexicon_column, lower_column
from nliprobe.language.parser import Entity
from nliprobe.language.words import word_spans
from nliprobe.probes._hypothesis import Effect, Perturbation
from nliprobe.task.case import Certainty

_OPPOSITES = {
    "young": "old", "old": "young", "elderly": "young", "tall": "short", "big": "small", "small": "big",
    "large": "small", "little": "big", "huge": "tiny", "tiny": "huge", "wet": "dry", "dry": "wet", "empty": "full",
    "happy": "sad", "sad": "happy",
}  # fmt: skip
_YOUNG = frozenset(["boy", "girl", "child", "baby", "kid", "toddler", "puppy", "kitten", "lady", "gentleman"])
_DETERMINERS = frozenset(["a", "an", "the", "this", "that", "his", "her", "their"])
_DENIAL = re.compile(r"\b(?:not|no|never|none|without|nobody|nor)\b|n['’]t\b", re.IGNORECASE)
_MOST_WORDS = 60


def modified(premise: str, text: str, label: str, random: Random) -> Iterator[Perturbation]:
    """Yield hypotheses in which a noun gets the adjective that the premise gives it, or the opposite one."""
    described = _described(premise)
    words = word_spans(text)
    if not described or len(words) > _MOST_WORDS:
        return
    counts = [word for word, _, _ in words]
    denied = _DENIAL.search(text) is not None
    repeats = label == "E" and not denied and content_words(text) <= content_words(premise)
    for (before, start, _), (noun, place, _) in pairwise(words):
        adjective = described.get(noun)
        if adjective is None or before not in _DETERMINERS or counts.count(noun) > 1:
            continue
        if adjective in counts or not text[place].islower():
            continue
        certain = Certainty.CERTAIN if repeats else Certainty.LIKELY
        yield _inserted(text, start, place, adjective, "adjective-added", Effect.PRESERVE, certain)
        if noun in _YOUNG and adjective in _OPPOSITES:
            continue  # there is no old boy
        other = _OPPOSITES.get(adjective) or random.choice([item for item in _colours() if item != adjective])
        effect = Effect.FLIP if label == "E" else Effect.PRESERVE
        yield _inserted(text, start, place, other, "opposite-added", effect, Certainty.LIKELY)


def _inserted(
    text: str, start: int, noun: int, adjective: str, rule: str, effect: Effect, certainty: Certainty
) -> Perturbation:
    before = text[start:noun].strip()
    if before.lower() in ("a", "an"):
        right = article(adjective)
        before = right.capitalize() if before[0].isupper() else right
    return Perturbation((start, noun), f"{before} {adjective} ", rule, effect, certainty)


def _described(premise: str) -> dict[str, str]:
    """Return the nouns of a premise that occur once, right after an adjective that is known."""
    words = [word for word, _, _ in word_spans(premise)[: 4 * _MOST_WORDS]]
    known = _colours()
    described: dict[str, str] = {}
    for place in range(len(words) - 1):
        if (words[place] in _OPPOSITES or words[place] in known) and words.count(words[place + 1]) == 1:
            after = words[place + 2] if place + 2 < len(words) else ""
            # "a red fire truck" is no red fire; "an orange and white dog" is not orange only.
            if after in _FOLLOWING and (place == 0 or words[place - 1] in _DETERMINERS):
                described[words[place + 1]] = words[place]
    return described


_FOLLOWING_TEXT = """
is are was were in on at with and by near from to of who that which has wearing sitting standing walking holding playing
running looking over under while as for up down through into outside behind beside along around sits stands walks holds
"""
_FOLLOWING = frozenset([*_FOLLOWING_TEXT.split(), ""])


class _Kind(NamedTuple):
    names: tuple[str, ...]
    known: frozenset[str]


def renamed(
    premise: str, text: str, label: str, random: Random, entities: tuple[Entity, ...]
) -> Iterator[Perturbation]:
    """Yield hypotheses in which a name that the premise mentions is replaced by another one of its kind.

    Nothing says that the new name is wrong of what the premise speaks of, so it is never certain.
    """
    spans = {(item.start, item.stop): _LABELS.get(item.label, "") for item in entities}
    words = word_spans(text)
    # Longer texts are no hypotheses, and every name is compared with all others.
    for word, start, stop in words if len(words) <= 4 * _MOST_WORDS else ():
        if text[start].isupper() and "/" not in word and not any(first <= start < last for first, last in spans):
            end = stop - 2 if word.endswith("'s") else stop
            spans[start, end] = next((name for name, kind in _kinds().items() if text[start:end] in kind.known), "")
    effect = Effect.FLIP if label == "E" else Effect.PRESERVE
    for (start, stop), kind in sorted(spans.items()):
        old = text[start:stop]
        if kind and text.count(old) == 1 and re.search(rf"\b{re.escape(old)}\b", premise):
            others = [name for name in _kinds()[kind].names if name not in premise and name not in text]
            if others:
                yield Perturbation((start, stop), random.choice(others), "other-name", effect, Certainty.LIKELY)


_LABELS = {"PERSON": "person", "GPE": "city"}


@cache
def _kinds() -> dict[str, _Kind]:
    names = {"country": lexicon_column("COUNTRY"), "city": lexicon_column("CITY"), "person": lexicon_column("NAME")}
    return {kind: _Kind(tuple(sorted(set(texts))), frozenset(texts)) for kind, texts in names.items()}


@cache
def _colours() -> tuple[str, ...]:
    plain = {"red", "blue", "green", "yellow", "white", "black", "brown", "orange", "purple", "pink", "gray", "grey"}
    return tuple(sorted(plain & set(lower_column("COLOUR"))))
