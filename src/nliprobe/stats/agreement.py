"""Measure how far people agree: with one another (kappa, alpha), with their majority, and with the gold label.

Labels are class numbers from 0, and -1 means "no label". Raters who judge the same items are one table of counts, with
a row per item and a column per class: everything here works on such counts, never on pairs of ratings.
A statistic that is not defined is None; each function says when that is.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nliprobe.stats.intervals import Interval, wilson

Codes = NDArray[np.int64]
Counts = NDArray[np.int64]
NO_LABEL = -1


class Share(NamedTuple):
    """A rate with the counts it was computed from: how many are right, and how many there are."""

    right: int
    n: int

    @property
    def value(self) -> float | None:
        """The rate, or None if there are no items."""
        return self.right / self.n if self.n else None

    @property
    def ci95(self) -> Interval | None:
        """Wilson's interval of the rate, or None if there are no items."""
        return wilson(self.right, self.n)


class Ties(StrEnum):
    """The policy for items on which several labels have the most votes, and enough of them."""

    NONE = "none"  # there is no majority
    LOWEST = "lowest"  # the label with the lowest number
    DRAW = "draw"  # one of them, drawn


class Majority(NamedTuple):
    """The majority of each item.

    Attributes:
        labels: the label that most raters gave; -1 if it has too few votes, or if a tie is not decided.
        votes: how many raters gave the most frequent label, whether or not they are a majority.
        decided: where a tie was decided by the tie policy.
    """

    labels: Codes
    votes: Codes
    decided: NDArray[np.bool_]


class ExactAgreement(NamedTuple):
    """The items on which the majority has exactly so many votes.

    Attributes:
        votes: how many raters agree.
        items: how many items that is.
        with_gold: how many of the items have a gold label.
        right: for how many of those the majority is the gold label.
    """

    votes: int
    items: int
    with_gold: int
    right: int


def count_labels(items: Codes, labels: Codes, size: int, classes: int) -> Counts:
    """Count the labels of each item.

    Args:
        items: the item of each rating, from 0 to ``size`` - 1.
        labels: the label of each rating, from 0 to ``classes`` - 1.
        size: how many items there are; one without ratings has a row of zeros.
        classes: how many labels there are.
    """
    for codes, end, what in ((items, size, "items"), (labels, classes, "labels")):
        if len(codes) and not (codes.min() >= 0 and codes.max() < end):
            raise ValueError(f"{what} are numbers from 0 to {end - 1}")
    return np.bincount(items * classes + labels, minlength=size * classes).reshape(size, classes).astype(np.int64)


def cohen_kappa(first: Codes, second: Codes) -> float | None:
    """Return Cohen's kappa (1960): how far two raters agree beyond chance.

    Args:
        first: the labels of one rater, -1 for no label.
        second: the labels of the other for the same items.

    Returns:
        1 for perfect agreement, 0 for what chance gives, below 0 for less. None when no item has both labels, or when
        both raters always gave the same single label: chance alone then agrees perfectly.

    >>> cohen_kappa(np.array([0, 0, 1, 1]), np.array([0, 0, 1, 0]))
    0.5
    """
    if len(first) != len(second):
        raise ValueError(f"two raters judge the same items, not {len(first)} and {len(second)}")
    both = (first >= 0) & (second >= 0)
    if not both.any():
        return None
    one, other = first[both], second[both]
    classes, n = int(max(one.max(), other.max())) + 1, len(one)
    # Whole numbers up to the last division, so that perfect agreement is exactly 1.
    agreed = int((one == other).sum())
    chance = int(np.bincount(one, minlength=classes) @ np.bincount(other, minlength=classes))
    return _beyond_chance(agreed * n, chance, n * n)


def fleiss_kappa(counts: Counts) -> float | None:
    """Return Fleiss' kappa (1971): how far many raters agree beyond chance.

    Items need not have equally many ratings. Each item then counts once, however many raters it had: agreement is
    averaged over the items with two ratings or more, and the frequencies of the labels over all items with a rating
    (Gwet, Handbook of Inter-Rater Reliability, 4th edition, 2014). With equally many ratings per item this is Fleiss'
    own formula.

    Args:
        counts: how many raters gave each label (columns) to each item (rows).

    Returns:
        None when no item has two ratings, or when only one label was ever given.
    """
    _check(counts)
    n = counts.sum(axis=1)
    rated, compared = n > 0, n > 1
    if not compared.any() or (counts.sum(axis=0) > 0).sum() < 2:
        return None
    squares = (counts[compared] ** 2).sum(axis=1)
    agreed = float(((squares - n[compared]) / (n[compared] * (n[compared] - 1))).mean())
    chance = float(((counts[rated] / n[rated, None]).mean(axis=0) ** 2).sum())
    return (agreed - chance) / (1 - chance)


def krippendorff_alpha(counts: Counts) -> float | None:
    """Return Krippendorff's alpha for nominal data: how far raters agree beyond chance.

    Items may have any number of ratings; those with fewer than two say nothing about agreement and are left out.
    The coincidences come from the counts of each item, so that the work grows with the items and not with the pairs.

    Args:
        counts: how many raters gave each label (columns) to each item (rows).

    Returns:
        None when no item has two ratings, or when only one label was given to those that have.
    """
    _check(counts)
    compared = counts[counts.sum(axis=1) > 1]
    n, totals = compared.sum(axis=1), compared.sum(axis=0)
    total = int(totals.sum())
    if (totals > 0).sum() < 2:
        return None
    observed = float(((n**2 - (compared**2).sum(axis=1)) / (n - 1)).sum())
    expected = (total**2 - int((totals**2).sum())) / (total - 1)
    return 1 - observed / expected


def majority(
    counts: Counts,
    at_least: int | None = None,
    *,
    ties: Ties = Ties.NONE,
    draws: NDArray[np.float64] | None = None,
) -> Majority:
    """Find the label that most raters gave to each item.

    Args:
        counts: how many raters gave each label (columns) to each item (rows).
        at_least: the votes that make a majority; without it, more than half of the item's ratings. More than half can
            never be tied.
        ties: what to do if several labels have the most votes, and enough.
        draws: with ``Ties.DRAW``, one number per item, from 0 up to but not including 1, which decides its tie.
    """
    _check(counts)
    if at_least is not None and at_least < 1:
        raise ValueError(f"a majority needs one vote or more, not {at_least}")
    if ties is Ties.DRAW and (draws is None or draws.shape != counts.shape[:1]):
        raise ValueError("ties are drawn with one number for each item")
    votes = counts.max(axis=1)
    enough = 2 * votes > counts.sum(axis=1) if at_least is None else votes >= at_least
    most = counts == votes[:, None]
    leaders = most.sum(axis=1)
    # The label drawn is the k-th of the leading ones; without a draw it is the first.
    place = np.zeros(len(counts), dtype=np.int64)
    if ties is Ties.DRAW and draws is not None:
        place = np.minimum((draws * leaders).astype(np.int64), leaders - 1)
    labels = np.argmax(most.cumsum(axis=1) > place[:, None], axis=1).astype(np.int64)
    tied = enough & (leaders > 1)
    decided = tied & (ties is not Ties.NONE)
    return Majority(np.where(enough & (decided | ~tied), labels, NO_LABEL), votes, decided)


def exact_agreement(majorities: Majority, gold: Codes) -> list[ExactAgreement]:
    """Count the items whose majority has exactly 1, 2, 3 … votes, and how often it matches gold.

    Items without a majority are not counted.
    """
    has, with_gold, right = majorities.labels >= 0, gold >= 0, majorities.labels == gold
    return [
        ExactAgreement(
            votes=votes,
            items=int(exactly.sum()),
            with_gold=int((exactly & with_gold).sum()),
            right=int((exactly & with_gold & right).sum()),
        )
        for votes in sorted({int(number) for number in majorities.votes[has]})
        for exactly in [has & (majorities.votes == votes)]
    ]


def human_accuracy(majorities: Majority, gold: Codes) -> Share:
    """Return how often the majority is the gold label, over the items with gold; no majority counts as wrong."""
    known = gold >= 0
    return Share(int((majorities.labels[known] == gold[known]).sum()), int(known.sum()))


def rater_agreement(items: Codes, raters: Codes, labels: Codes, reference: Codes, size: int) -> list[Share]:
    """Return how often each rater gave the label of a reference, such as the majority or gold.

    A rater is part of the majority, so agreement with it flatters everyone a little.

    Args:
        items: the item of each rating.
        raters: the rater of each rating, from 0 to ``size`` - 1.
        labels: the label of each rating.
        reference: the label of each item, -1 for no label; ratings of such items are left out.
        size: how many raters there are.
    """
    wanted = reference[items]
    known = wanted >= 0
    n = np.bincount(raters[known], minlength=size)
    right = np.bincount(raters[known & (labels == wanted)], minlength=size)
    return [Share(int(hits), int(total)) for hits, total in zip(right, n, strict=True)]


def pooled(shares: list[Share]) -> Share:
    """Pool the agreement of all raters, counting every rating once."""
    return Share(sum(share.right for share in shares), sum(share.n for share in shares))


def _beyond_chance(agreed: int, chance: int, total: int) -> float | None:
    return (agreed - chance) / (total - chance) if chance != total else None


def _check(counts: Counts) -> None:
    if counts.ndim != 2 or counts.shape[1] < 1 or (counts.size and counts.min() < 0):
        raise ValueError("counts have a row for each item and a column for each label, and none is negative")
