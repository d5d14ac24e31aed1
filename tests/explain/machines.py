"""Linear SVMs to explain: what each word is worth to them can be computed exactly."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from nliprobe.api.sources import open_source
from nliprobe.explain.features import WordFeatures
from nliprobe.models.svm import Svm, SvmParams
from nliprobe.models.system import System, SystemSpec
from nliprobe.task.pair import Pair
from nliprobe.training.fit import read_examples


def pairs_of(source: str, most: int | None = None) -> list[Pair]:
    return list(islice(open_source(source).pairs(), most))


def trained_machine(source: str, params: SvmParams | None = None) -> System:
    """Train an SVM on a corpus, as a system that can be explained."""
    opened = open_source(source)
    system = System.build(SystemSpec.parse("svm"), model=Svm(params), train={opened.name: opened.digest()})
    assert isinstance(system.model, Svm)
    system.model.fit(read_examples(system.learning_reader, [opened]))
    return system


def worth(system: System, pair: Pair) -> NDArray[np.float64]:
    """By how much the margin of the answer falls without each word, one at a time."""
    asked = system.reader.read_pair(pair)
    features = WordFeatures.of(asked)
    without_one = ~np.eye(len(features.listed), dtype=np.bool_)
    margins = np.array(system.model.margins([asked, *features.inputs(without_one)]))
    place = margins[0].argmax()
    falls: NDArray[np.float64] = margins[0, place] - margins[1:, place]
    return falls


def agreement(weights: Sequence[float], exact: NDArray[np.float64], count: int = 3) -> float:
    """The share of the words with the highest weights that are among the most worth; equally worth ones all are."""
    named = np.argsort(-np.abs(np.array(weights)), kind="stable")[:count]
    least = np.sort(np.abs(exact))[::-1][: len(named)][-1]
    return float((np.abs(exact)[named] >= least - 1e-9).mean())
