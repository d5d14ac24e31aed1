"""Score answers on a split of InfoTabS: accuracy, F1 of each label, right answers by kind of reasoning."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from statistics import fmean, stdev
from typing import NamedTuple

from nliprobe.api.sources import open_source
from nliprobe.base.errors import DataError
from nliprobe.corpora.base import data_roots
from nliprobe.papers.recipes import Value
from nliprobe.task.labels import LETTERS


class Gold(NamedTuple):
    """A split: its digest, the gold letter of each pair, and the kinds of reasoning that each pair needs."""

    digest: str
    letters: str
    reasoning: tuple[tuple[str, ...], ...]


def read_gold(split: str, root: Path | None) -> Gold:
    """Read the gold labels of a split such as ``infotabs/dev``, once per process."""
    return _read_gold(split, tuple(data_roots(root)), root)


@cache
def _read_gold(split: str, roots: tuple[Path, ...], root: Path | None) -> Gold:
    source = open_source(split, root)
    letters: list[str] = []
    kinds: list[tuple[str, ...]] = []
    for pair in source.pairs():
        if pair.gold is None or len(pair.gold) != 1:
            raise DataError(f"The pair {pair.id} should have one gold label, but has {pair.gold or 'none'}.")
        letters.append(str(pair.gold))
        kinds.append(tuple(facet.value for facet in pair.facets if facet.name == "reasoning"))
    return Gold(source.digest(), "".join(letters), tuple(kinds))


def accuracy(gold: str, answers: str) -> float:
    """Return the percentage of right answers."""
    return 100 * sum(a == b for a, b in zip(gold, answers, strict=True)) / len(gold)


def f1_scores(gold: str, answers: str) -> list[float]:
    """Return F1 of E, N and C in percent; 0 for a label that is neither in gold nor answered."""
    import numpy as np

    from nliprobe.stats.classification import class_scores, confusion_matrix

    rows = [np.array([LETTERS.index(letter) for letter in letters], dtype=np.int64) for letters in (gold, answers)]
    return [100 * (score.f1 or 0.0) for score in class_scores(confusion_matrix(rows[0], rows[1], len(LETTERS)))]


def right_by_kind(gold: Gold, answers: str) -> Counter[tuple[str, str]]:
    """Count the right answers for each kind of reasoning and gold label."""
    return Counter(
        (kind, right)
        for right, answer, kinds in zip(gold.letters, answers, gold.reasoning, strict=True)
        if right == answer
        for kind in kinds
    )


def over_seeds(scores: Sequence[float], by: str) -> Value:
    """Return the mean of the scores over seeds, with their standard deviation."""
    return Value(fmean(scores), by, stdev(scores) if len(scores) > 1 else None)
