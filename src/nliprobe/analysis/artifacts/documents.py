"""The documents about artifacts of a corpus; they are written as JSON unchanged.

Shares are fractions from 0 to 1, intervals are at the 95 % level with groups as the units of the sample, and null
means that there was nothing to compute from. The published form is docs/reference/schemas/data-artifacts.schema.json.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, TypedDict

from nliprobe.analysis.constant import ConstantAnswer
from nliprobe.analysis.rates import Ends

CORPUS_SCHEMA: Final = "nliprobe/data-artifacts/1"

# What is measured of every pair: words of the hypothesis, words of the premise, and the share of the distinct words of
# the hypothesis that the premise has.
Feature: TypeAlias = Literal["hypothesis_length", "premise_length", "overlap"]
FEATURES: Final[tuple[Feature, ...]] = ("hypothesis_length", "premise_length", "overlap")


class WordEntry(TypedDict):
    """A word that is more frequent in the hypotheses of one label than in all.

    Attributes:
        word: the word, in lower case.
        pmi: pointwise mutual information with the label in bits, smoothed.
        count: the pairs whose hypothesis has the word.
        with_label: those of them that have the label.
        share: the share of the label's pairs whose hypothesis has the word.
        probability: the share of the pairs with the word that have the label, not smoothed.
        ci95: its interval.
        points: whether the probability is above the label's share of all pairs even if all words and labels that were
            looked at are allowed for (Bonferroni); only such words are used to judge systems.
    """

    word: str
    pmi: float
    count: int
    with_label: int
    share: float
    probability: float
    ci95: Ends
    points: bool


class Quartiles(TypedDict):
    """The middle of a number over the pairs of one label: the median, and the quartiles around it."""

    n: int
    low: float
    median: float
    high: float


class FeatureBin(TypedDict):
    """The pairs in which a number lies from ``low`` to ``high``, both included, by gold label."""

    low: float
    high: float
    n: int
    labels: dict[str, int]


class BinnedPrediction(TypedDict):
    """How often the label is guessed right from one number alone.

    Each pair is answered with the label that is most frequent in its bin among the pairs of the other folds; pairs of
    one group are in one fold.

    Attributes:
        n: the pairs.
        groups: the groups they come from.
        folds: the number of folds.
        accuracy: how often the most frequent label of the bin is right.
        ci95: its interval.
        constant: how often the best constant answer to these pairs is right.
        gain: the difference.
        gain_ci95: its interval.
    """

    n: int
    groups: int
    folds: int
    accuracy: float
    ci95: Ends
    constant: float
    gain: float
    gain_ci95: Ends


class FeatureEntry(TypedDict):
    """One number per pair, by label and by bin, and how well it predicts the label; null with too few pairs."""

    labels: dict[str, Quartiles]
    bins: list[FeatureBin]
    prediction: BinnedPrediction | None


class CorpusArtifacts(TypedDict):
    """The artifacts of one corpus.

    Attributes:
        name: the corpus.
        partition: the labels that it tells apart.
        pairs: all its pairs.
        unlabelled: those without a gold label, which are left out.
        ambiguous: those whose gold may be several labels, which are left out.
        n: the pairs that are left.
        groups: the groups they come from.
        wordless: those of them whose hypothesis has no word.
        support: the pairs per label.
        constant: the best constant answer.
        chance: what a random answer gets.
        vocabulary: the distinct words of the hypotheses.
        candidates: those in at least ``min_count`` hypotheses, among which words are looked for.
        words: the words most associated with each label, the strongest first.
        features: lengths and overlap.
        notes: what cannot be said, and why.
    """

    name: str
    partition: str
    pairs: int
    unlabelled: int
    ambiguous: int
    n: int
    groups: int
    wordless: int
    support: dict[str, int]
    constant: ConstantAnswer | None
    chance: float | None
    vocabulary: int
    candidates: int
    words: dict[str, list[WordEntry]]
    features: dict[Feature, FeatureEntry]
    notes: list[str]


class CorpusArtifactsDocument(TypedDict):
    """What ``nliprobe data artifacts`` writes."""

    schema: Literal["nliprobe/data-artifacts/1"]
    top: int
    min_count: int
    smoothing: float
    corpora: list[CorpusArtifacts]
