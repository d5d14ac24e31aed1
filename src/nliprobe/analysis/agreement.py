"""How far people agree with one another, with their majority and with gold, in one set of ratings."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple, TypedDict

import numpy as np

from nliprobe.base.errors import DataError, UsageError
from nliprobe.base.seeds import draws
from nliprobe.stats import agreement as stats
from nliprobe.task.ratings import Ratings


class RateDocument(TypedDict):
    """A rate: ``right`` of ``n``; value and interval are none if ``n`` is 0."""

    right: int
    n: int
    value: float | None
    ci95: list[float] | None


class PooledDocument(TypedDict):
    """A rate over ratings that share items; it has no interval, because the ratings are not independent."""

    right: int
    n: int
    value: float | None


class ExactDocument(TypedDict):
    """The items on which the majority has exactly ``votes`` raters."""

    votes: int
    items: int
    with_gold: int
    right: int


class RaterDocument(TypedDict):
    """One rater's agreement with the majority and with gold."""

    rater: str
    ratings: int
    majority: RateDocument
    gold: RateDocument


class AgreementDocument(TypedDict):
    """The agreement in one file; ``docs/reference/schemas/agreement.schema.json`` explains every field."""

    name: str
    partition: str
    first: int | None
    majority_votes: int | None
    items: int
    ratings: int
    raters: int | None
    ratings_per_item: dict[str, int]
    left_out: dict[str, int]
    short: dict[str, int]
    ties: dict[str, int]
    majority: RateDocument
    accuracy: RateDocument
    cohen_kappa: float | None
    fleiss_kappa: float | None
    krippendorff_alpha: float | None
    exact: list[ExactDocument]
    no_majority: int
    individual: dict[str, PooledDocument]
    by_rater: list[RaterDocument]
    notes: list[str]


class _Arrays(NamedTuple):
    """The ratings that count, as numbers."""

    items: stats.Codes
    raters: stats.Codes
    labels: stats.Codes
    gold: stats.Codes
    names: list[str]
    beyond: int


def measure(
    ratings: Ratings, *, first: int | None = None, at_least: int | None = None, seed: int = 0
) -> AgreementDocument:
    """Measure the agreement in one file of ratings; the arguments are those of :func:`agreement`."""
    if (first is not None and first < 1) or (at_least is not None and at_least < 1):
        raise UsageError("The numbers of raters and of votes should be 1 or more.")
    first = first if first is not None else ratings.first
    if first is not None and at_least is not None and at_least > first:
        raise UsageError(f"No majority can have {at_least} votes where only {first} ratings of an item count.")
    if not ratings.ratings:
        raise DataError(f"{ratings.name} holds no answer: every label in it is empty.")
    arrays = _arrays(ratings, first)
    size, classes = len(ratings.items), len(ratings.partition.blocks)
    counts = stats.count_labels(arrays.items, arrays.labels, size, classes)
    leaders = (counts == counts.max(axis=1, keepdims=True)).sum(axis=1)
    tied = (leaders > 1) & (counts.sum(axis=1) > 0)
    # The draw depends on the item's name only, so that neither the order of the file nor other items matter.
    drawn = np.array(
        [draws(seed, "majority", item).random() if tie else 0.0 for item, tie in zip(ratings.items, tied, strict=True)]
    )
    majority = stats.majority(counts, at_least, ties=stats.Ties.DRAW, draws=drawn)
    has = majority.labels >= 0
    with_majority, with_gold = (
        stats.rater_agreement(arrays.items, arrays.raters, arrays.labels, reference, len(arrays.names))
        for reference in (majority.labels, arrays.gold)
    )
    sizes = Counter(int(number) for number in counts.sum(axis=1))
    expected = first if first is not None else max(sizes)
    document: AgreementDocument = {
        "name": ratings.name,
        "partition": str(ratings.partition),
        "first": first,
        "majority_votes": at_least,
        "items": size,
        "ratings": len(arrays.items),
        "raters": len(arrays.names) if ratings.named else None,
        "ratings_per_item": {str(number): sizes[number] for number in sorted(sizes)},
        "left_out": {
            "repeated": ratings.repeated,
            "unanswered": ratings.unanswered,
            "beyond_first": arrays.beyond,
        },
        "short": {
            "expected": expected,
            "items": sum(items for number, items in sizes.items() if number < expected),
        },
        "ties": {"items": int(tied.sum()), "drawn": int(majority.decided.sum())},
        "majority": rate(stats.Share(int(has.sum()), size)),
        "accuracy": rate(stats.human_accuracy(majority, arrays.gold)),
        "cohen_kappa": stats.cohen_kappa(majority.labels, arrays.gold),
        "fleiss_kappa": stats.fleiss_kappa(counts),
        "krippendorff_alpha": stats.krippendorff_alpha(counts),
        "exact": [
            {"votes": row.votes, "items": row.items, "with_gold": row.with_gold, "right": row.right}
            for row in stats.exact_agreement(majority, arrays.gold)
        ],
        "no_majority": int((~has).sum()),
        "individual": {
            "majority": _pooled(stats.pooled(with_majority)),
            "gold": _pooled(stats.pooled(with_gold)),
        },
        "by_rater": [
            {"rater": name, "ratings": int(n), "majority": rate(one), "gold": rate(other)}
            for name, n, one, other in zip(
                arrays.names, np.bincount(arrays.raters), with_majority, with_gold, strict=True
            )
            if ratings.named
        ],
        "notes": [],
    }
    document["notes"] = [*ratings.notes, *_notes(document, seed)]
    return document


def _arrays(ratings: Ratings, first: int | None) -> _Arrays:
    """Number items, raters and labels, and keep the first ratings of each item."""
    numbers = {item: number for number, item in enumerate(ratings.items)}
    blocks = {block: number for number, block in enumerate(ratings.partition.blocks)}
    taken: Counter[str] = Counter()
    raters: dict[str, int] = {}
    rows: list[tuple[int, int, int]] = []
    beyond = 0
    for rating in ratings.ratings:
        taken[rating.item] += 1
        if first is not None and taken[rating.item] > first:
            beyond += 1
            continue
        rater = raters.setdefault(rating.rater, len(raters))
        rows.append((numbers[rating.item], rater, blocks[rating.label]))
    table = np.array(rows, dtype=np.int64)
    gold = [stats.NO_LABEL if label is None else blocks[label] for label in ratings.items.values()]
    return _Arrays(table[:, 0], table[:, 1], table[:, 2], np.array(gold, dtype=np.int64), list(raters), beyond)


def rate(share: stats.Share) -> RateDocument:
    """Return a share as a document."""
    interval = share.ci95
    return {
        "right": share.right,
        "n": share.n,
        "value": share.value,
        "ci95": None if interval is None else [interval.low, interval.high],
    }


def _pooled(share: stats.Share) -> PooledDocument:
    return {"right": share.right, "n": share.n, "value": share.value}


def _notes(document: AgreementDocument, seed: int) -> list[str]:
    out, short, ties = document["left_out"], document["short"], document["ties"]
    sentences = [
        (short["items"], "item", f"with fewer than {short['expected']} ratings"),
        (out["beyond_first"], "rating", f"beyond the first {document['first']} of their item left out"),
        (out["repeated"], "rating", "left out because the same rater had rated the item before"),
        (out["unanswered"], "rating", "without a label left out"),
        (ties["drawn"], "tie", f"between leading labels decided by seed {seed}"),
        (document["items"] - document["accuracy"]["n"], "item", "without a gold label"),
    ]
    return [f"{number:,} {noun}{'' if number == 1 else 's'} {what}." for number, noun, what in sentences if number]
