"""Sentences near those of training pairs, among which a search looks for sets that break a rule."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from nliprobe.models.zoo._fluency import Fluency

if TYPE_CHECKING:
    from numpy.typing import NDArray

# The longest phrase that is removed or inserted. The paper takes subtrees of parses; here there is no parser.
_PHRASE = 4
# So many times the wanted changes are tried, and the most fluent kept.
_TRIED = 2

Sentence = list[int]


class Neighbours(NamedTuple):
    """Sets of sentences near some pairs.

    Attributes:
        sentences: every sentence that a set may have, as numbers of words.
        sets: by how many sentences a set has: their places in ``sentences``, (pairs, candidates, sentences per set).
            One sentence: a changed one. Two: a premise and a hypothesis of which one was changed. Three: premise,
            hypothesis and changed hypothesis, or changed premise, premise and hypothesis.
    """

    sentences: list[Sentence]
    sets: dict[int, NDArray[np.int64]]


def neighbours(
    pairs: Sequence[tuple[Sentence, Sentence]],
    pool: Sequence[NDArray[np.int32]],
    fluency: Fluency,
    candidates: int,
    longest: int,
    order: random.Random,
) -> Neighbours:
    """Change one sentence of each pair in several ways; the first candidate is the pair as it is.

    Args:
        pairs: premises and hypotheses to begin with.
        pool: sentences whose phrases may be inserted.
        fluency: the language model that sorts changes out.
        candidates: per pair, with the one that is not changed.
        longest: sentences are cut after so many words.
        order: where chance comes from.
    """
    tried: list[Sentence] = []
    for premise, hypothesis in pairs:
        for number in range(_TRIED * (candidates - 1)):
            pair = (premise, hypothesis)
            tried.append(_changed(pair[number % 2], pair[1 - number % 2], pool, fluency, order)[:longest])
    # A change is measured by what it adds: a rare word that was there before is not its fault.
    added = fluency.costs(tried).reshape(len(pairs), -1) if tried else np.zeros((len(pairs), 0))
    before = fluency.costs([sentence for pair in pairs for sentence in pair]).reshape(len(pairs), 2)
    added = added - np.tile(before, added.shape[1] // 2)
    kept = np.argsort(added, axis=1, kind="stable")[:, : candidates - 1]
    sentences: list[Sentence] = []
    sets: dict[int, list[list[list[int]]]] = {1: [], 2: [], 3: []}
    for place, (premise, hypothesis) in enumerate(pairs):
        one = len(sentences)
        two = one + 1
        sentences += [premise, hypothesis]
        single, double, triple = [[one if order.random() < 0.5 else two]], [[one, two]], [[one, two, two]]
        for number in kept[place].tolist():
            new = len(sentences)
            sentences.append(tried[place * added.shape[1] + number])
            single.append([new])
            double.append([one, new] if number % 2 else [new, two])
            triple.append([one, two, new] if number % 2 else [new, one, two])
        sets[1].append(single)
        sets[2].append(double)
        sets[3].append(triple)
    return Neighbours(sentences, {size: np.array(rows, dtype=np.int64) for size, rows in sets.items()})


def _changed(
    sentence: Sentence, other: Sentence, pool: Sequence[NDArray[np.int32]], fluency: Fluency, order: random.Random
) -> Sentence:
    """Return a sentence with another word, without a phrase, or with one of another sentence."""
    chance = order.random()
    place = order.randrange(len(sentence))
    if chance < 1 / 3 and len(sentence) > 1:
        end = place + 1 + order.randrange(min(_PHRASE, len(sentence) - 1))
        return sentence[:place] + sentence[end:] or sentence[:1]
    if chance < 2 / 3:
        # The other sentence of the pair is what the paper inserts from, too.
        source = other if order.random() < 0.5 else pool[order.randrange(len(pool))].tolist()
        begin = order.randrange(len(source))
        return sentence[:place] + list(source[begin : begin + 1 + order.randrange(_PHRASE)]) + sentence[place:]
    word = fluency.follower(sentence[place - 1] if place else None, order.random())
    return sentence if word is None else [*sentence[:place], word, *sentence[place + 1 :]]
