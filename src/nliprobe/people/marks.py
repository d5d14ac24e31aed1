"""The quality of raters' marks: how far each rater and all of them agree on the units that matter (T5).

The paper (evidence-probes §5) compares each rater with a majority in which the rater has a vote. That flatters
everyone, so each rater is also compared with the majority of the others. There, a unit on which the others are tied is
left out, which are the hardest ones: the truth lies between both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from nliprobe.stats.agreement import fleiss_kappa
from nliprobe.stats.matches import Matches, Measure, PooledMatches, mean_of, pooled_matches, total
from nliprobe.task.marks import Mark, MarkedPair

# The buckets of Table 6 (Landis and Koch 1977), by their upper ends.
BUCKETS = (("poor", 0.0), ("slight", 0.2), ("fair", 0.4), ("moderate", 0.6), ("substantial", 0.8), ("perfect", 1.0))
# The widths of the bars of Figure 9.
BINS = 10


class RaterQuality(NamedTuple):
    """One rater's agreement with the majority, over all pairs that the rater marked.

    Attributes:
        rater: who marked.
        pairs: how many pairs.
        nothing: pairs on which the rater marked neither a unit nor outside knowledge.
        all: agreement with the majority of all raters, which the rater is part of (the paper's).
        others: agreement with the majority of the other raters.
        undecided: marks that could not be compared with the others, because they were tied or there were none.
        all_pooled: ``all`` with intervals over tables.
        others_pooled: ``others`` with intervals over tables.
    """

    rater: str
    pairs: int
    nothing: int
    all: Matches
    others: Matches
    undecided: int
    all_pooled: PooledMatches
    others_pooled: PooledMatches


class PairQuality(NamedTuple):
    """The agreement of the raters of one pair.

    Attributes:
        pair: the pair with its marks.
        matches: all its raters' marks against the majority.
        kappa: Fleiss' kappa over the bits; None if all raters gave every bit the same value.
        identical: the largest number of raters with exactly the same marks.
        tied: the places of bits that exactly half of the raters marked.
    """

    pair: MarkedPair
    matches: Matches
    kappa: float | None
    identical: int
    tied: tuple[int, ...]


class Averages(NamedTuple):
    """Precision, recall and F1, averaged or pooled."""

    precision: Measure
    recall: Measure
    f1: Measure


@dataclass(frozen=True, slots=True)
class MarksAgreement:
    """The agreement of raters on a set of pairs.

    Attributes:
        raters: one per rater, in the order in which they come.
        pairs: one per pair.
        by_rater: the averages over raters, each counting once (Table 7).
        by_rater_others: the same against the majority of the others.
        by_pair: the averages over pairs, each counting once (macro, Table 16).
        micro: all marks pooled (micro, Table 16).
        outside: whether the mark for outside knowledge counts.
    """

    raters: tuple[RaterQuality, ...]
    pairs: tuple[PairQuality, ...]
    by_rater: Averages
    by_rater_others: Averages
    by_pair: Averages
    micro: PooledMatches
    outside: bool = True

    @property
    def ratings(self) -> int:
        """How often a rater marked a pair."""
        return sum(len(item.pair.marks) for item in self.pairs)

    @property
    def kappa(self) -> Measure:
        """The average of the pairs' kappas."""
        known = [item for item in self.pairs if item.kappa is not None]
        # A kappa lies between -1 and 1; intervals here are those of values between 0 and 1.
        scaled = mean_of([((item.kappa or 0.0) + 1) / 2 for item in known], [item.pair.group for item in known])
        if scaled.value is None:
            return scaled
        ends = scaled.ci95
        return Measure(2 * scaled.value - 1, ends and type(ends)(2 * ends.low - 1, 2 * ends.high - 1), scaled.n)

    @property
    def kappa_spread(self) -> float | None:
        """The standard deviation of the pairs' kappas."""
        known = [item.kappa for item in self.pairs if item.kappa is not None]
        return float(np.std(known, ddof=1)) if len(known) > 1 else None

    @property
    def everything(self) -> Matches:
        """What a rater gets who marks every unit of every pair: the constant answer to compare raters with."""
        votes = ((count_votes(item.pair.marks, outside=self.outside), len(item.pair.marks)) for item in self.pairs)
        return total(compared("1" * len(counts), counts, raters)[0] for counts, raters in votes)

    def kappa_buckets(self) -> dict[str, int]:
        """Count the pairs in each bucket of Table 6; ``undefined`` are those whose raters gave one value only."""
        counts: Counter[str] = Counter(_bucket(item.kappa) for item in self.pairs)
        return {name: counts[name] for name in (*(name for name, _ in BUCKETS), "undefined")}

    def ratings_per_pair(self) -> dict[int, int]:
        """Count the pairs by their number of raters (Figure 8)."""
        return dict(sorted(Counter(len(item.pair.marks) for item in self.pairs).items()))

    def identical_marks(self) -> dict[int, int]:
        """Count the pairs by the largest number of raters with exactly the same marks (Figure 10)."""
        return dict(sorted(Counter(item.identical for item in self.pairs).items()))

    def distribution(self) -> dict[str, dict[str, int]]:
        """Count the pairs by their precision and recall, in steps of a tenth; 1 stands alone (Figure 9)."""
        return {
            "precision": _histogram([item.matches.precision for item in self.pairs]),
            "recall": _histogram([item.matches.recall for item in self.pairs]),
        }


def marks_agreement(pairs: Sequence[MarkedPair], *, outside: bool = True) -> MarksAgreement:
    """Measure the agreement of raters.

    Args:
        pairs: the pairs with their marks.
        outside: whether the mark for outside knowledge counts like that of a row, as the raters saw it.
    """
    per_pair = tuple(_pair_quality(pair, outside=outside) for pair in pairs)
    raters = _raters(pairs, outside=outside)
    names = [item.rater for item in raters]
    return MarksAgreement(
        raters=raters,
        pairs=per_pair,
        by_rater=_averages([item.all for item in raters], names),
        by_rater_others=_averages([item.others for item in raters], names),
        by_pair=_averages([item.matches for item in per_pair], [pair.group for pair in pairs]),
        micro=pooled_matches([item.matches for item in per_pair], [pair.group for pair in pairs]),
        outside=outside,
    )


def compared(bits: str, votes: Sequence[int], raters: int) -> tuple[Matches, int]:
    """Compare one rater's marks with the majority of some raters; return what matches, and how many bits are tied.

    A bit that exactly half of them marked has no majority and is left out; with no rater, all bits are.

    Args:
        bits: what the rater marked; bits beyond those with votes are left out.
        votes: how many of the raters marked each bit.
        raters: how many they are.
    """
    hits = extra = missed = tied = 0
    for bit, number in zip(bits, votes, strict=False):
        if 2 * number == raters:
            tied += 1
        elif 2 * number > raters:
            hits += bit == "1"
            missed += bit == "0"
        else:
            extra += bit == "1"
    return Matches(hits, extra, missed), tied


def count_votes(marks: Sequence[Mark], *, outside: bool = True) -> list[int]:
    """Count how many raters marked each bit; without ``outside``, the last bit is left out."""
    size = len(marks[0].bits) - (not outside)
    return [sum(mark.bits[place] == "1" for mark in marks) for place in range(size)]


class _Compared(NamedTuple):
    """One rater's marks on one pair, against the majority of all raters and of the others."""

    group: str
    all: Matches
    others: Matches
    undecided: int
    nothing: bool


def _raters(pairs: Sequence[MarkedPair], *, outside: bool) -> tuple[RaterQuality, ...]:
    marked: dict[str, list[_Compared]] = {}
    for pair in pairs:
        votes, number = count_votes(pair.marks, outside=outside), len(pair.marks)
        for mark in pair.marks:
            rest = [vote - (bit == "1") for vote, bit in zip(votes, mark.bits, strict=False)]
            others, undecided = compared(mark.bits, rest, number - 1)
            with_all = compared(mark.bits, votes, number)[0]
            marked.setdefault(mark.rater, []).append(
                _Compared(pair.group, with_all, others, undecided, "1" not in mark.bits)
            )
    return tuple(_rater(rater, own) for rater, own in marked.items())


def _rater(rater: str, own: Sequence[_Compared]) -> RaterQuality:
    groups = [item.group for item in own]
    return RaterQuality(
        rater,
        len(own),
        sum(item.nothing for item in own),
        total(item.all for item in own),
        total(item.others for item in own),
        sum(item.undecided for item in own),
        pooled_matches([item.all for item in own], groups),
        pooled_matches([item.others for item in own], groups),
    )


def _pair_quality(pair: MarkedPair, *, outside: bool) -> PairQuality:
    votes, number = count_votes(pair.marks, outside=outside), len(pair.marks)
    matches = total(compared(mark.bits, votes, number)[0] for mark in pair.marks)
    counts = np.array([[number - vote, vote] for vote in votes])
    same = Counter(mark.bits[: len(votes)] for mark in pair.marks)
    tied = tuple(place for place, vote in enumerate(votes) if 2 * vote == number)
    return PairQuality(pair, matches, fleiss_kappa(counts), max(same.values()), tied)


def _averages(matches: Sequence[Matches], groups: Sequence[str]) -> Averages:
    return Averages(
        mean_of([item.precision for item in matches], groups),
        mean_of([item.recall for item in matches], groups),
        mean_of([item.f1 for item in matches], groups),
    )


def _bucket(kappa: float | None) -> str:
    if kappa is None:
        return "undefined"
    # Zero is slight, not poor: the buckets begin above their lower end, and "poor" is below 0.
    return "poor" if kappa < 0 else next(name for name, upper in BUCKETS[1:] if kappa <= upper + 1e-9)


def _histogram(values: Sequence[float | None]) -> dict[str, int]:
    names = [f"{place / BINS:.1f} to {(place + 1) / BINS:.1f}" for place in range(BINS)]
    counts: Counter[str] = Counter()
    for value in values:
        if value is None:
            counts["undefined"] += 1
        else:
            # A value that is 0.7 up to rounding belongs to the step that begins there.
            counts["1" if value == 1 else names[min(BINS - 1, int(value * BINS + 1e-9))]] += 1
    return {name: counts[name] for name in (*names, "1", "undefined")}
