"""Scoring responses: how well people foresee a model, and how far they agree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from nliprobe.people.study.responses import Answer, Bid

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Codes = NDArray[np.int64]
    Numbers = NDArray[np.float64]

T = TypeVar("T", Bid, Answer)


class AnswerArrays(NamedTuple):
    """Answers of participants (rows) to items (columns) as class numbers, and what is right about each item."""

    participants: list[str]
    items: list[str]
    answers: Codes
    truth: Codes


class BidArrays(NamedTuple):
    """Points of participants (rows) on the bins of items (columns), and the right bin of each item."""

    participants: list[str]
    items: list[str]
    points: Numbers
    truth: Codes


class Together(NamedTuple):
    """Two participants on the templates that both bid on.

    Attributes:
        pearson: the correlation of their bids on the right bin; None if one of them always bids the same there.
        consensus: the share of templates with the highest bid on the same bin, right or not.
    """

    pearson: float | None
    consensus: float


def answer_arrays(answers: Iterable[Answer]) -> AnswerArrays:
    """Arrange answers by participant and item; an item without an answer was not reached, an empty one skipped."""
    import numpy as np

    from nliprobe.stats.panel import NOT_REACHED, SKIPPED

    listed = list(answers)
    people, items = _names(listed)
    labels = sorted({label for one in listed for label in (one.answer, one.truth) if label})
    codes = {"": SKIPPED, **{label: code for code, label in enumerate(labels)}}
    given = np.full((len(people), len(items)), NOT_REACHED, dtype=np.int64)
    truth = np.zeros(len(items), dtype=np.int64)
    rows, columns = _places(people), _places(items)
    for one in listed:
        given[rows[one.participant], columns[one.item]] = codes[one.answer]
        truth[columns[one.item]] = codes[one.truth]
    return AnswerArrays(people, items, given, truth)


def bid_arrays(bids: Iterable[Bid]) -> BidArrays:
    """Arrange bids by participant and item."""
    import numpy as np

    listed = list(bids)
    people, items = _names(listed)
    bins = max((len(one.points) for one in listed), default=0)
    points = np.full((len(people), len(items), bins), np.nan)
    truth = np.zeros(len(items), dtype=np.int64)
    rows, columns = _places(people), _places(items)
    for one in listed:
        points[rows[one.participant], columns[one.item]] = one.points
        truth[columns[one.item]] = one.true_bin
    return BidArrays(people, items, points, truth)


def foreseen(answers: Iterable[Answer], out_of: int) -> list[float]:
    """Return how many questions each participant predicts right, scaled to ``out_of`` questions."""
    from nliprobe.stats.panel import right_answers, row_means

    found = answer_arrays(answers)
    return [out_of * share for share in row_means(right_answers(found.answers, found.truth)).tolist()]


def mutual(answers: Iterable[Answer], out_of: int) -> float | None:
    """Return on how many questions two participants answer the same, scaled to ``out_of``, the mean over pairs."""
    from nliprobe.stats.panel import mean_agreement

    share = mean_agreement(answer_arrays(answers).answers)
    return None if share is None else out_of * share


def together(bids: BidArrays, first: int, second: int) -> Together | None:
    """Compare two participants by their rows; return None if they have no template in common."""
    import math

    from nliprobe.stats.panel import bids_on_truth, highest_bins, pair_agreements, pair_pearsons

    rows = [first, second]
    consensus = float(pair_agreements(highest_bins(bids.points[rows]))[0, 1])
    if math.isnan(consensus):
        return None
    found = float(pair_pearsons(bids_on_truth(bids.points[rows], bids.truth))[0, 1])
    return Together(None if math.isnan(found) else found, consensus)


def _names(responses: Sequence[Bid] | Sequence[Answer]) -> tuple[list[str], list[str]]:
    return sorted({one.participant for one in responses}), sorted({one.item for one in responses})


def _places(names: Sequence[str]) -> dict[str, int]:
    return {name: place for place, name in enumerate(names)}
