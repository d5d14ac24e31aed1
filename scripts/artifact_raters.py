"""Print what people lose where words point to a wrong label: the raters of InfoTabS, as in docs/guide/artifacts.md.

Raters answered each pair of the development split anew; its gold label is that of the author. Ratings name a table and
a hypothesis, so those of hypotheses that a table has twice are left out.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from nliprobe.analysis.artifacts.corpus import corpus_artifacts
from nliprobe.analysis.artifacts.differences import difference, stratified_difference
from nliprobe.analysis.artifacts.pointing import pointed_labels, words_of_corpora
from nliprobe.analysis.artifacts.texts import read_texts
from nliprobe.analysis.artifacts.words import WordChoice
from nliprobe.corpora.ratings import open_ratings
from nliprobe.task.labels import LETTERS, LabelSet
from nliprobe.task.sources import open_source

SPLIT, WORDS = "infotabs/dev", "infotabs/train"


def main() -> None:
    """Match ratings with pairs, and compare them by where the words of the hypothesis point."""
    words = words_of_corpora([corpus_artifacts(open_source(WORDS), WordChoice())])
    pairs = list(open_source(SPLIT).pairs())
    names = [f"{pair.group.rpartition('/')[2]}/{' '.join(pair.hypothesis.split())}" for pair in pairs]
    times = Counter(names)
    known = {name: pair for name, pair in zip(names, pairs, strict=True) if times[name] == 1}
    [ratings] = open_ratings(SPLIT)
    rated = [(known.get(" ".join(item.item.split())), item.label) for item in ratings.ratings]
    answered = [(pair, label) for pair, label in rated if pair is not None and pair.gold is not None]
    texts = read_texts((pair.premise, pair.hypothesis) for pair, _ in answered)
    pointed = pointed_labels(texts, words)
    gold = np.array([pair.gold.mask for pair, _ in answered if pair.gold is not None], dtype=np.uint8)
    happened = np.array([label == pair.gold for pair, label in answered])
    numbers: dict[str, int] = {}
    clusters = np.array([numbers.setdefault(pair.group, len(numbers)) for pair, _ in answered])
    right, wrong = pointed == gold, (pointed != 0) & ((pointed & gold) == 0)
    print(f"{len(answered):,} of {len(rated):,} ratings matched, of {len({pair.id for pair, _ in answered}):,} pairs")
    for name, marks in {"right": right, "wrong": wrong, "nowhere": pointed == 0}.items():
        shares = " ".join(f"{letter} {(gold[marks] == LabelSet.of(letter).mask).mean():.3f}" for letter in LETTERS)
        print(f"words point {name}: {happened[marks].mean():.3f} of {marks.sum():,} ratings; gold {shares}")
    for letter in LETTERS:
        print(f"gold {letter}: {happened[gold == LabelSet.of(letter).mask].mean():.3f}")
    print("lost:", difference(happened, right, wrong, clusters))
    print("lost, gold labels alike:", stratified_difference(happened, right, wrong, gold, clusters))


if __name__ == "__main__":
    main()
