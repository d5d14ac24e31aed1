"""Validating a corpus: finds what makes scores on it misleading."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from dataclasses import dataclass

from nliprobe.api._findings import Report
from nliprobe.corpora.census import Census, Content, ReadPremise
from nliprobe.corpora.notices import label_notices, no_label
from nliprobe.task.pair import Pair
from nliprobe.task.source import Source

# The largest label may have twice the pairs of the smallest: SNLI, MultiNLI and InfoTabS stay below 1.05.
BALANCE = 2.0
# Cohen's "medium" effect: half a standard deviation between the lengths of one label's hypotheses and the others'.
LENGTH_EFFECT = 0.5
# Hypotheses of one length each, as templates make them, have no scale; a tenth of a word keeps the effect finite.
SMALLEST_DEVIATION = 0.1
# Fewer pairs say nothing about lengths, fewer occurrences nothing about a word.
MIN_PAIRS, MIN_WORD = 20, 10
# Bits of pointwise mutual information: the label is 1.4 times as frequent with the word as without a choice of word.
PMI = 0.5
# Chance of naming any word of a corpus without leaks (Bonferroni over the words looked at).
FALSE_ALARM = 0.05
SHOWN_WORDS, SHOWN_IDS = 10, 3
_WORD = re.compile(r"\w+(?:['’]\w+)?")
# UTF-8 read as Latin-1 or Windows-1252 (Ã©, â€™), and what decoders put where they gave up.
_MOJIBAKE = re.compile("[ÃÂ][\u0080-\u00bf]|â€|\ufffd")


@dataclass
class _Lengths:
    n: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, value: float) -> None:
        self.n, self.total, self.squares = self.n + 1, self.total + value, self.squares + value * value

    def without(self, other: _Lengths) -> _Lengths:
        return _Lengths(self.n - other.n, self.total - other.total, self.squares - other.squares)

    @property
    def mean(self) -> float:
        return self.total / self.n

    @property
    def variance(self) -> float:
        return max(0.0, (self.squares - self.total**2 / self.n) / (self.n - 1))


class _Texts(Census):
    """Counts the texts of a source: which ones are wrong, and which words and lengths go with a label."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.words: dict[str, Counter[str]] = defaultdict(Counter)
        self.lengths: dict[str, _Lengths] = defaultdict(_Lengths)
        self.identical: list[str] = []
        self.empty: list[str] = []
        self.garbled: list[str] = []

    def count(self, pair: Pair, label: str, premise: ReadPremise) -> None:
        text = premise.text
        if not text.strip() or not pair.hypothesis.strip():
            self.empty.append(pair.id)
        if text.strip().casefold() == pair.hypothesis.strip().casefold():
            self.identical.append(pair.id)
        if _MOJIBAKE.search(text) or _MOJIBAKE.search(pair.hypothesis):
            self.garbled.append(pair.id)
        if label:
            words = _WORD.findall(pair.hypothesis.lower())
            self.lengths[label].add(len(words))
            for word in set(words):
                self.words[word][label] += 1

    def conflicting(self) -> list[Content]:
        """Return the contents that occur with different labels; a pair without a label contradicts none."""
        return [content for content in self.contents.values() if sum(gold is not None for gold in content.golds) > 1]


def validate_corpus(corpus: Source, report: Report) -> None:
    """Read a whole corpus, and report what is wrong with it or gives labels away."""
    tally = _Texts.of(corpus)
    if tally.error is not None:
        stopped = f" Reading stopped after {tally.pairs:,} pairs." if tally.pairs else ""
        report.error("unreadable", f"{tally.error}{stopped}")
    if not tally.pairs:
        if not report.findings:
            report.error("no-pairs", f"{corpus.name} has no pairs.")
        return
    labels = tally.labelled
    _texts(tally, report)
    _labels(corpus, labels, report)
    words = _leaking_words(tally, labels)
    effects = _length_effects(tally)
    _leaks(words, effects, report)
    report.facts = {
        "pairs": tally.pairs,
        "labels": dict(sorted(labels.items())),
        "unlabelled": tally.unlabelled,
        "duplicates": tally.duplicates,
        "conflicts": len(tally.conflicting()),
        "identical": len(tally.identical),
        "hypothesis_words": {label: round(lengths.mean, 2) for label, lengths in sorted(tally.lengths.items())},
        "length_effects": effects,
        "leaking_words": words,
    }


def _texts(tally: _Texts, report: Report) -> None:
    if tally.empty:
        report.error("empty", f"{len(tally.empty):,} pairs have an empty text: {_first_few(tally.empty)}.")
    if tally.garbled:
        ids = _first_few(tally.garbled)
        report.warn("encoding", f"{len(tally.garbled):,} pairs look read in the wrong encoding (é as Ã©): {ids}.")
    if conflicts := tally.conflicting():
        ids = _first_few([f"{content.first} and {content.second}" for content in conflicts])
        report.warn("conflict", f"{len(conflicts):,} contents occur with different labels: {ids}.")
    doubles = [content for content in tally.contents.values() if content.n > 1]
    if doubles:
        ids = _first_few([f"{content.first} and {content.second}" for content in doubles])
        report.warn("duplicate", f"{len(doubles):,} contents occur more than once: {ids}.")
    if tally.identical:
        ids = _first_few(tally.identical)
        report.warn("identical", f"In {len(tally.identical):,} pairs premise and hypothesis are the same text: {ids}.")


def _labels(corpus: Source, labels: Counter[str], report: Report) -> None:
    if not labels:
        for notice in no_label(corpus):
            report.warn("unlabelled", notice)
        return
    for notice in label_notices(labels, corpus.partition):
        report.warn("absent", notice)
    most, least = max(labels, key=labels.__getitem__), min(labels, key=labels.__getitem__)
    if labels[most] > BALANCE * labels[least]:
        share = labels[most] / labels.total()
        report.warn(
            "balance",
            f"The label {most} has {labels[most]:,} pairs and {least} has {labels[least]:,}: "
            f"always answering {most} would be right in {share:.0%}.",
        )


def _length_effects(tally: _Texts) -> dict[str, float]:
    """Compute Cohen's d between the lengths (in words) of each label's hypotheses and those of all others."""
    total = _Lengths()
    for lengths in tally.lengths.values():
        total = _Lengths(total.n + lengths.n, total.total + lengths.total, total.squares + lengths.squares)
    effects: dict[str, float] = {}
    for label, lengths in sorted(tally.lengths.items()):
        rest = total.without(lengths)
        if min(lengths.n, rest.n) >= MIN_PAIRS:
            pooled = ((lengths.n - 1) * lengths.variance + (rest.n - 1) * rest.variance) / (total.n - 2)
            effects[label] = round((lengths.mean - rest.mean) / max(math.sqrt(pooled), SMALLEST_DEVIATION), 3)
    return effects


def _leaking_words(tally: _Texts, labels: Counter[str]) -> list[dict[str, object]]:
    """Find words of the hypothesis that go with one label more than chance explains, the strongest first."""
    from scipy.stats import binom

    total = labels.total()
    often = {word: counts for word, counts in tally.words.items() if counts.total() >= MIN_WORD}
    tests = max(1, len(often) * len(labels))
    leaks: list[tuple[float, int, str, str]] = []
    for word, counts in often.items():
        n = counts.total()
        for label, together in counts.items():
            base = labels[label] / total
            pmi = math.log2(together / n / base)
            if pmi >= PMI and binom.sf(together - 1, n, base) * tests < FALSE_ALARM:
                leaks.append((pmi, n, word, label))
    leaks.sort(key=lambda item: (-item[0], -item[1], item[2]))
    return [
        {"word": word, "label": label, "n": n, "share": round(often[word][label] / n, 4), "pmi": round(pmi, 3)}
        for pmi, n, word, label in leaks[:SHOWN_WORDS]
    ]


def _leaks(words: list[dict[str, object]], effects: dict[str, float], report: Report) -> None:
    # With two labels, the effect of one says it all.
    for label, effect in list(effects.items())[: 1 if len(effects) == 2 else None]:
        if abs(effect) >= LENGTH_EFFECT:
            longer = "longer" if effect > 0 else "shorter"
            report.warn(
                "length", f"Hypotheses labelled {label} are {longer} than the others (Cohen's d {effect:+.2f})."
            )
    if words:
        named = ", ".join(f"'{item['word']}' → {item['label']} ({item['share']:.0%} of {item['n']})" for item in words)
        report.warn("words", f"Words of the hypothesis give the label away: {named}.")


def _first_few(items: list[str]) -> str:
    return ", ".join(items[:SHOWN_IDS]) + (" …" if len(items) > SHOWN_IDS else "")
