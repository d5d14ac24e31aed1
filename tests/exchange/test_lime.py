"""Explanations beside those of the ``lime`` package: equal weights from equal masks, the same words from its own."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest
from tests.exchange.conftest import need

from nliprobe.api.sources import open_source
from nliprobe.base.hashing import digest
from nliprobe.explain.features import WordFeatures
from nliprobe.explain.lime import LimeOptions, explain
from nliprobe.explain.masks import draw_masks
from nliprobe.explain.target import Target, target_of, usable
from nliprobe.explain.words import Words
from nliprobe.models.svm import Svm
from nliprobe.models.system import System, SystemSpec
from nliprobe.task.case import Input
from nliprobe.task.explanation import ranked
from nliprobe.task.pair import Pair
from nliprobe.training.fit import read_examples

if TYPE_CHECKING:
    from numpy.typing import NDArray

TEXTS = 50
# The package explains one text: both are joined by a sign that neither has.
BORDER = "‖"


class Both(NamedTuple):
    """A system, what it is asked, and what it is asked about."""

    system: System
    pairs: list[Pair]


@pytest.fixture(scope="module", params=["small", "svm"])
def both(request: pytest.FixtureRequest) -> Both:
    need("lime")
    pairs = list(islice(open_source("builtin/sentences-dev").pairs(), TEXTS))
    assert len(pairs) == TEXTS
    if request.param == "small":
        return Both(System.build(SystemSpec.parse("small")), pairs)
    source = open_source("builtin/sentences-train")
    system = System.build(SystemSpec.parse("svm"), model=Svm(), train={source.name: source.digest()})
    assert isinstance(system.model, Svm)
    system.model.fit(read_examples(system.learning_reader, [source]))
    return Both(system, pairs)


def test_equal_masks_have_equal_weights(both: Both) -> None:
    """The package's distances, kernel and regression, fed with our masks and the answers to them."""
    from lime.lime_text import LimeTextExplainer

    explainer = LimeTextExplainer(bow=False)
    for pair in both.pairs:
        asked = both.system.reader.read_pair(pair)
        target, features = target_of(both.system, asked), WordFeatures.of(asked)
        masks = draw_masks(len(features.listed), LimeOptions().masks, 0, digest(asked.id, "words")).kept
        values = usable(target.ask(features.inputs(masks)), both.system)
        _, weighed, fit, _ = explainer.base.explain_instance_with_data(
            masks.astype(float), np.stack([1 - values, values], axis=1), distances(masks), 1, masks.shape[1], "none"
        )
        words = explain(both.system, pair)["words"]
        assert words is not None
        theirs = np.zeros(masks.shape[1])
        theirs[[place for place, _ in weighed]] = [weight for _, weight in weighed]
        np.testing.assert_allclose([item["weight"] for item in words["features"]], theirs, atol=2e-6)
        assert words["fit"] == pytest.approx(fit, abs=1e-4)


def distances(masks: NDArray[np.bool_]) -> NDArray[np.float64]:
    """As the package computes them (in a function inside a function)."""
    from sklearn.metrics.pairwise import pairwise_distances

    numbers = masks.astype(float)
    found: NDArray[np.float64] = pairwise_distances(numbers, numbers[:1], metric="cosine").ravel() * 100
    return found


def test_the_most_important_words_are_those_of_the_package(both: Both) -> None:
    """From its own masks, which take out any number of words: other questions, so that not all words are the same."""
    from lime.lime_text import LimeTextExplainer

    first = shared = 0.0
    for pair in both.pairs:
        words = explain(both.system, pair)["words"]
        assert words is not None
        asked = both.system.reader.read_pair(pair)
        target = target_of(both.system, asked)
        explainer = LimeTextExplainer(bow=False, mask_string="", split_expression=words_of, random_state=0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = explainer.explain_instance(
                f"{asked.premise} {BORDER} {asked.hypothesis}",
                lambda texts, target=target: said(target, texts),
                labels=(1,),
                num_features=200,
                num_samples=1000,
            )
        order = [place for place, _ in made.as_map()[1]]
        ours = [words["features"].index(item) for item in ranked(words["features"])]
        assert len(order) == len(ours), "both see the same words"
        first += order[0] in ours[:2]
        shared += len({*order[:3]} & {*ours[:3]}) / min(3, len(ours))
    assert first / TEXTS >= 0.9, "its first word is our first or second"
    assert shared / TEXTS >= 0.8, "of three words so many are the same"


def words_of(text: str) -> list[str]:
    return [text[slice(*span)] for span in Words.of(text).spans]


def said(target: Target, texts: Sequence[str]) -> NDArray[np.float64]:
    """Answer as the package wants it: a row per text, here with the label that is explained in the second column."""
    inputs = []
    for place, text in enumerate(texts):
        premise, _, hypothesis = text.partition(BORDER)
        inputs.append(Input(str(place), (premise.strip(),) if premise.strip() else (), hypothesis.strip()))
    values = usable(target.ask(inputs), target.system)
    return np.stack([1 - values, values], axis=1)
