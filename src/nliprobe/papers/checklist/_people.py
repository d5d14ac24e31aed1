"""Measure how well people predict a model, and how far they agree (tables 7 and 8, figure 4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from statistics import fmean
from typing import NamedTuple, TypeVar

from nliprobe.papers.checklist._responses import Answer, Bid

T = TypeVar("T", Bid, Answer)


class Together(NamedTuple):
    """Two participants on the templates that both bid on.

    Attributes:
        pearson: the correlation of their bids on the right bin; None if one of them always bids the same there.
        consensus: the share of templates with the highest bid on the same bin, right or not.
    """

    pearson: float | None
    consensus: float


def by_participant(responses: Iterable[T]) -> dict[str, dict[str, T]]:
    """Group responses by participant and item, participants in the order of their names."""
    grouped: dict[str, dict[str, T]] = {}
    for response in responses:
        grouped.setdefault(response.participant, {})[response.item] = response
    return dict(sorted(grouped.items()))


def together(first: dict[str, Bid], second: dict[str, Bid]) -> Together | None:
    """Compare two participants; return None if they have no template in common."""
    common = sorted(first.keys() & second.keys())
    if not common:
        return None
    same = fmean(first[item].highest == second[item].highest for item in common)
    return Together(pearson([first[item].score for item in common], [second[item].score for item in common]), same)


def pearson(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return the correlation of two lists, or None if one is constant.

    >>> pearson([1, 2, 3], [2, 4, 6])
    1.0
    """
    from statistics import correlation

    if len(first) < 2 or len(set(first)) == 1 or len(set(second)) == 1:
        return None
    return correlation(first, second)


def foreseen(answers: Iterable[Answer], out_of: int) -> list[float]:
    """Return how many questions each participant predicts right, scaled to ``out_of`` questions."""
    return [out_of * fmean(answer.right for answer in items.values()) for items in by_participant(answers).values()]


def mutual(answers: Iterable[Answer], out_of: int) -> float | None:
    """Return on how many questions two participants answer the same, scaled to ``out_of``, the mean over pairs."""
    shares: list[float] = []
    for first, second in combinations(by_participant(answers).values(), 2):
        if common := first.keys() & second.keys():
            same = [first[item].answer == second[item].answer != "" for item in common]
            shares.append(out_of * fmean(same))
    return fmean(shares) if shares else None
