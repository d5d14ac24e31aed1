"""Explanations of the SVM as the plain way makes them: one mask, one text and one sum over n-grams after the other."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.linear_model import Ridge
from tests.explain.machines import pairs_of, trained_machine

from nliprobe.base.hashing import digest
from nliprobe.base.seeds import draws
from nliprobe.explain.features import UnitFeatures, WordFeatures
from nliprobe.explain.lime import LimeOptions, explain
from nliprobe.explain.masks import FARTHEST, draw_masks
from nliprobe.explain.words import Words
from nliprobe.models._ngrams import ngrams, tokens
from nliprobe.models._svm_files import read
from nliprobe.models.svm import Svm
from nliprobe.models.system import System
from nliprobe.task.explanation import Lime
from nliprobe.task.pair import Pair
from nliprobe.task.table import Table

FEW = LimeOptions(masks=120)
Masks = NDArray[np.bool_]


def plain_masks(features: int, wanted: int, name: str) -> Masks:
    if 2**features - 1 <= wanted:
        ways = [way[::-1] for way in product([True, False], repeat=features)]
        return np.array([way for way in ways if any(way)])
    generator = np.random.default_rng(draws(0, "masks", name).getrandbits(64))
    removed = generator.integers(1, max(2, int(FARTHEST * features) + 1), size=wanted - 1)
    ranks = generator.random((wanted - 1, features)).argsort(axis=1).argsort(axis=1)
    return np.array([[True] * features, *(ranks >= removed[:, None])])


def plain_text(words: Words, kept: list[bool]) -> str:
    text, starts = words.text, [start for start, _ in words.spans] + [len(words.text)]
    left = text[: starts[0]]
    for keep, (start, stop), end in zip(kept, words.spans, starts[1:], strict=True):
        gap = text[stop:end]
        left += text[start:end] if keep else "" if gap.isspace() else gap
    return left


class PlainMachine:
    """An SVM read from its files, whose margin is a sum over n-grams."""

    def __init__(self, system: System, folder: Path) -> None:
        folder.mkdir()
        assert isinstance(system.model, Svm)
        system.model.save(folder)
        self.params, _, vocabulary, self.weights, self.intercept = read(folder)
        self.places = {name: place for place, name in enumerate(vocabulary)}

    def margins(self, premise: str, hypothesis: str) -> NDArray[np.float64]:
        total = self.intercept.copy()
        for weight, text in ((self.params["premise_weight"], premise), (1.0, hypothesis)):
            assert isinstance(weight, float)
            for name in ngrams(tokens(text)):
                if name in self.places:
                    total += weight * self.weights[self.places[name]]
        return total


@pytest.mark.parametrize("source", ["builtin/sentences", "builtin/tables"])
def test_as_the_plain_way(source: str, tmp_path: Path) -> None:
    system = trained_machine(f"{source}-train")
    machine = PlainMachine(system, tmp_path / "machine")
    for pair in pairs_of(f"{source}-dev", 40)[::9]:
        explanation = explain(system, pair, FEW)
        asked = system.reader.read_pair(pair)
        place = int(machine.margins(asked.premise, asked.hypothesis).argmax())
        words = WordFeatures.of(asked)

        def by_words(kept: list[bool], words: WordFeatures = words, place: int = place) -> float:
            border = len(words.premise)
            texts = plain_text(words.premise, kept[:border]), plain_text(words.hypothesis, kept[border:])
            return float(machine.margins(*texts)[place])

        def by_rows(kept: list[bool], pair: Pair = pair, place: int = place) -> float:
            assert isinstance(pair.premise, Table)
            rows = tuple(row for row, keep in zip(pair.premise.rows, kept, strict=True) if keep)
            table = Table(pair.premise.title, rows, pair.premise.category, pair.premise.columns)
            read = system.reader.read_pair(Pair("x", table, pair.hypothesis))
            return float(machine.margins(read.premise, read.hypothesis)[place])

        compare(explanation["words"], by_words, digest(asked.id, "words"))
        if UnitFeatures.of(pair, system.reader) is not None:
            assert source == "builtin/tables"
            compare(explanation["units"], by_rows, digest(asked.id, "units"))


def compare(made: Lime | None, says: Callable[[list[bool]], float], name: str) -> None:
    assert made is not None
    weights = np.array([item["weight"] for item in made["features"]])
    masks = plain_masks(len(weights), FEW.masks, name)
    values = np.array([says(kept.tolist()) for kept in masks])
    distances = 100 * (1 - np.sqrt(masks.mean(axis=1)))
    near = np.sqrt(np.exp(-(distances**2) / 25**2))
    plain = Ridge(alpha=1.0).fit(masks.astype(float), values, sample_weight=near)
    np.testing.assert_allclose(weights, plain.coef_, atol=2e-6)
    assert made["fit"] == pytest.approx(plain.score(masks.astype(float), values, sample_weight=near), abs=1e-4)
    order = [place for place in np.argsort(-plain.coef_, kind="stable") if plain.coef_[place] > 0][:3]
    faithful = made["faithfulness"]
    assert (faithful is None) == (not order)
    for step in [] if faithful is None else faithful["named"]:
        kept = np.ones(len(weights), dtype=bool)
        kept[order[: step["removed"]]] = False
        assert step["value"] == pytest.approx(says(kept.tolist()), abs=1e-6)


def test_masks_as_by_ranks() -> None:
    for features, wanted in ((1, 2), (6, 500), (9, 500), (40, 500), (3000, 30)):
        np.testing.assert_array_equal(draw_masks(features, wanted, 0, "a").kept, plain_masks(features, wanted, "a"))
