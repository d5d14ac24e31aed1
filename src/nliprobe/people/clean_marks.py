"""Clean raters' marks: leave out the raters who agree too little, and list the pairs that need new marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from nliprobe.people.marks import RaterQuality, marks_agreement
from nliprobe.task.evidence import Evidence, Grade
from nliprobe.task.marks import MarkedPair, majority_of


class Against(StrEnum):
    """Which majority a rater is compared with."""

    ALL = "all"  # of all raters, the rater among them, as the paper does
    OTHERS = "others"  # of the other raters


class Measured(StrEnum):
    """Which measure decides about a rater."""

    F1 = "f1"
    PRECISION = "precision"
    RECALL = "recall"


@dataclass(frozen=True, slots=True)
class CleaningRule:
    """Who is left out, and which pairs need new marks.

    Attributes:
        below: raters whose measure is less than this are left out; None leaves nobody out.
        measure: what is compared with ``below``.
        against: the majority that raters are compared with.
        least: pairs with fewer raters than this need new marks.
        outside: whether the mark for outside knowledge counts.
    """

    below: float | None = None
    measure: Measured = Measured.F1
    against: Against = Against.ALL
    least: int = 3
    outside: bool = True


class Flagged(NamedTuple):
    """A rater who is left out, with the value of the measure; None if the rater marked nothing."""

    rater: str
    value: float | None
    quality: RaterQuality


class Wanting(NamedTuple):
    """A pair that needs new marks, and why; ``ratings`` are those that are left."""

    pair: MarkedPair
    ratings: int
    reason: str


class Settled(NamedTuple):
    """A pair whose raters decide about every row."""

    pair: MarkedPair
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class CleanedMarks:
    """Marks after cleaning.

    Attributes:
        pairs: the pairs that still have a mark, with the marks that are left.
        flagged: the raters who were left out.
        marks_left_out: how many of their marks went with them.
        wanting: the pairs that need new marks.
        settled: the evidence of the others.
        silent: raters who never marked anything, whether or not they were left out.
    """

    pairs: tuple[MarkedPair, ...]
    flagged: tuple[Flagged, ...]
    marks_left_out: int
    wanting: tuple[Wanting, ...]
    settled: tuple[Settled, ...]
    silent: tuple[str, ...]


def clean_marks(pairs: Sequence[MarkedPair], rule: CleaningRule | None = None) -> CleanedMarks:
    """Leave out raters who agree too little, once, and settle the evidence of each pair by the raters that are left.

    A rater who marked nothing has no precision and is below every threshold. A pair needs new marks if fewer than
    ``least`` raters are left, or if they are tied on a row.
    """
    rule = rule or CleaningRule()
    quality = marks_agreement(pairs, outside=rule.outside).raters
    flagged = tuple(
        Flagged(item.rater, value, item)
        for item in quality
        for value in [_value(item, rule)]
        if rule.below is not None and (value is None or value < rule.below)
    )
    gone = {item.rater for item in flagged}
    kept: list[MarkedPair] = []
    wanting: list[Wanting] = []
    settled: list[Settled] = []
    for pair in pairs:
        marks = tuple(mark for mark in pair.marks if mark.rater not in gone)
        if marks:
            kept.append(replace(pair, marks=marks))
        tied = majority_of(marks).tied if marks else ()
        if len(marks) < rule.least:
            wanting.append(Wanting(pair, len(marks), f"fewer than {rule.least} raters"))
        elif tied:
            names = ", ".join(pair.bit_name(place) for place in tied)
            wanting.append(Wanting(pair, len(marks), f"the raters are tied on {names}"))
        else:
            most = majority_of(marks)
            settled.append(Settled(kept[-1], Evidence(most.units, Grade.GOLD, outside=most.outside)))
    return CleanedMarks(
        pairs=tuple(kept),
        flagged=flagged,
        marks_left_out=sum(item.quality.pairs for item in flagged),
        wanting=tuple(wanting),
        settled=tuple(settled),
        silent=tuple(item.rater for item in quality if item.nothing == item.pairs),
    )


def _value(quality: RaterQuality, rule: CleaningRule) -> float | None:
    matches = quality.all if rule.against is Against.ALL else quality.others
    values = {Measured.F1: matches.f1, Measured.PRECISION: matches.precision, Measured.RECALL: matches.recall}
    return values[rule.measure]
