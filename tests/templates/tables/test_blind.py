"""Hypotheses of the table library tell nothing by themselves: models that see no table are at chance."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import MultinomialNB

from nliprobe.task.pair import Pair
from nliprobe.templates.tables.draw import Fictional
from nliprobe.templates.tables.find import load_tables
from nliprobe.templates.tables.generate import Suite, plan_suite, wanted

TEMPLATES = load_tables().templates
# The labels of a suite are even within every template, so what is frequent in one part of it is rare in the rest, and
# a model trained on a part is below chance on the rest. Two seeds share no table and have no such dependence.
TRAIN, TEST = 21, 22
PAIRS = 6_000


@cache
def pairs(seed: int, total: int = PAIRS) -> tuple[Pair, ...]:
    turns = plan_suite(TEMPLATES, TEMPLATES)
    return tuple(Suite(turns, Fictional(seed), seed, wanted(TEMPLATES, None, total)).pairs())


def best_constant(labels: Sequence[str]) -> float:
    return max(Counter(labels).values()) / len(labels)


def labels_of(some: Sequence[Pair]) -> list[str]:
    return [str(pair.gold) for pair in some]


def accuracy(train: Sequence[Pair], test: Sequence[Pair], *, words: int = 1) -> float:
    """The accuracy of logistic regression on words and phrases of hypotheses."""
    vectors = CountVectorizer(ngram_range=(1, words), token_pattern=r"\S+", min_df=2)
    model = LogisticRegression(max_iter=300, C=0.3)
    model.fit(vectors.fit_transform([pair.hypothesis for pair in train]), labels_of(train))
    answers = model.predict(vectors.transform([pair.hypothesis for pair in test]))
    return float(np.mean(answers == np.array(labels_of(test))))


def test_no_table_is_in_both_suites() -> None:
    titles = [{pair.premise for pair in pairs(seed)} for seed in (TRAIN, TEST)]
    assert titles[0].isdisjoint(titles[1])
    assert all(abs(len(pairs(seed)) - PAIRS) <= len(TEMPLATES) for seed in (TRAIN, TEST))


def test_words_and_phrases_do_not_tell_the_label() -> None:
    constant = best_constant(labels_of(pairs(TEST)))
    assert constant < 0.345
    for words in (1, 2):
        assert accuracy(pairs(TRAIN), pairs(TEST), words=words) <= constant + 0.03


def test_the_check_finds_what_tells_the_label() -> None:
    """The same model on hypotheses that give themselves away in one case of five."""
    train, test = ([_giveaway(pair, place) for place, pair in enumerate(pairs(seed))] for seed in (TRAIN, TEST))
    assert accuracy(train, test) > best_constant(labels_of(test)) + 0.05


def test_no_template_tells_its_label() -> None:
    """Words and first digits of numbers, for each template alone; 164 pairs each leave some 4 points to chance."""
    lifts = skew(pairs(TRAIN, 24_000), pairs(TEST, 24_000))
    assert len(lifts) == len(TEMPLATES)
    assert float(np.mean(list(lifts.values()))) < 0.03
    assert {name: lift for name, lift in lifts.items() if lift > 0.2} == {}


def skew(train: Sequence[Pair], test: Sequence[Pair]) -> Mapping[str, float]:
    """By how much a model that sees words only beats the best constant answer, per template."""
    sides: list[defaultdict[str, list[Pair]]] = [defaultdict(list), defaultdict(list)]
    for side, some in zip(sides, (train, test), strict=True):
        for pair in some:
            side[next(facet.value for facet in pair.facets if facet.name == "template")].append(pair)
    lifts: dict[str, float] = {}
    for name, mine in sides[0].items():
        vectors = CountVectorizer(token_pattern=r"\S+")
        model = MultinomialNB().fit(vectors.fit_transform(_texts(mine)), labels_of(mine))
        gold = labels_of(sides[1][name])
        right = model.predict(vectors.transform(_texts(sides[1][name]))) == np.array(gold)
        lifts[name] = float(np.mean(right)) - best_constant(gold)
    return lifts


def _texts(some: Sequence[Pair]) -> list[str]:
    """Hypotheses with the first digits of their numbers beside the numbers, as 1,234 is rarely seen twice."""
    return [pair.hypothesis + re.sub(r"[^\d ]", "", re.sub(r"(\d\d)[\d,]*", r" \1", pair.hypothesis)) for pair in some]


def _giveaway(pair: Pair, place: int) -> Pair:
    return replace(pair, hypothesis=f"{pair.gold} {pair.hypothesis}") if place % 5 == 0 else pair
