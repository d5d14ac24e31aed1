"""The documents of the swap evaluation."""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict

from nliprobe.analysis.rates import Ends, Rate

# What a row shows; ``control`` for systems that cannot use the premise, of which nothing is concluded.
Verdict: TypeAlias = Literal["expected", "warning", "shortcuts", "no sign", "undecided", "control"]


class ControlSwap(TypedDict):
    """What the best premise-free control gets on the pairs of a row."""

    system: str
    original: float
    swapped: float
    drop: float


class SwapLabel(TypedDict):
    """The pairs of one gold label, as they are and swapped; an unanswered case counts as wrong.

    Attributes:
        label: the gold label of the pairs as they are.
        doubtful: whether doubtful neutrals are in the row; the row of N comes twice if there are some.
        n: the pairs.
        groups: the groups they come from.
        unanswered: the pairs of which one of both answers is missing.
        unreached: the pairs that the system reads alike both ways.
        original: the accuracy on the pairs as they are.
        original_ci95: its interval, with groups as the units of the sample.
        swapped: how often the swapped pair gets the label; for E this is no accuracy, because the label may change.
        swapped_ci95: its interval.
        drop: original minus swapped, over the same pairs.
        drop_ci95: its interval, from the differences pair by pair.
        lost: of the pairs that are right as they are and not when swapped, how many get each label instead.
        elsewhere: how often the pairs with other gold labels get this label as they are.
        constant: what the best constant answer gets in both columns; its drop is 0.
        chance: what guessing gets in both columns; its drop is 0.
        control: the best premise-free control of the run on the same pairs; None if there is none.
        verdict: what the drop shows.
        reading: the same in a sentence.
    """

    label: str
    doubtful: bool
    n: int
    groups: int
    unanswered: int
    unreached: int
    original: float
    original_ci95: Ends
    swapped: float
    swapped_ci95: Ends
    drop: float
    drop_ci95: Ends
    lost: dict[str, int]
    elsewhere: float | None
    constant: float
    chance: float
    control: ControlSwap | None
    verdict: Verdict
    reading: str


class ControlConsistency(TypedDict):
    """How consistent the best premise-free control is on the same pairs."""

    system: str
    same: float
    mean: float | None


class Consistency(TypedDict):
    """How much the answers to pairs that keep their label change when the pairs are swapped.

    The divergence of a pair is the mean of both Kullback-Leibler divergences of its probabilities, in bits, with
    probabilities below 1e-6 raised to it. A constant answer has 0.

    Attributes:
        label: the gold label of the pairs.
        n: the pairs.
        groups: the groups they come from.
        same: how often both answers are the same label; a missing answer is not the same as another.
        scored: the pairs with probabilities on both sides, over which the rest is computed.
        mean: the mean of the divergences.
        mean_ci95: its interval, with groups as the units of the sample.
        median: their median.
        threshold: from which divergence on a pair counts as far apart.
        above: how many pairs are.
        missing: why there is no divergence, if there is none.
        control: the best premise-free control of the run; None if there is none.
    """

    label: str
    n: int
    groups: int
    same: Rate
    scored: int
    mean: float | None
    mean_ci95: Ends
    median: float | None
    threshold: float
    above: Rate
    missing: str | None
    control: ControlConsistency | None


class SwapEntry(TypedDict):
    """What swapping does to the answers of one system on one corpus.

    Attributes:
        system: the system.
        corpus: the corpus.
        probe: the spec of the probe.
        partition: the labels that both tell apart.
        n: the pairs that were compared.
        unlabelled: swapped pairs without a gold label, or with several; they are left out.
        constant: the best constant answer to the pairs as they are.
        labels: a row per gold label.
        consistency: a row per gold label that a swap keeps.
    """

    system: str
    corpus: str
    probe: str
    partition: str
    n: int
    unlabelled: int
    constant: str | None
    labels: list[SwapLabel]
    consistency: list[Consistency]


class DoubtfulNeutral(TypedDict):
    """A neutral pair whose hypothesis says what the premise says, and more, with the answers to it.

    ``answers`` has per system the labels before and after; None for no answer.
    """

    pair_id: str
    premise: str
    hypothesis: str
    answers: dict[str, list[str | None]]


class SwapCorpus(TypedDict):
    """What swapping finds in a corpus, whatever the systems answer.

    Attributes:
        corpus: the corpus.
        pairs: its pairs.
        swapped: those that were swapped.
        tables: those with a table as premise, for which swapping has no meaning.
        left_out: the other reasons why pairs were not swapped, with their numbers.
        neutral: the swapped pairs with the gold label N.
        doubtful: how many of them are doubtful.
        doubtful_pairs: the first ones of these, in the order of the run.
    """

    corpus: str
    pairs: int
    swapped: int
    tables: int
    left_out: dict[str, int]
    neutral: int
    doubtful: int
    doubtful_pairs: list[DoubtfulNeutral]


class Swap(TypedDict):
    """The swap evaluation of a run."""

    entries: list[SwapEntry]
    corpora: list[SwapCorpus]
