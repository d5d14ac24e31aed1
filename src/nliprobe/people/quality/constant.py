"""What a rater would get who always says the same: the answer that every number about raters is compared with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from nliprobe.people.counted import Counted
from nliprobe.people.quality.votes import Votes
from nliprobe.people.tasks import Task
from nliprobe.people.tasks.evidence import Marking
from nliprobe.stats.agreement import Codes, Share, majority
from nliprobe.stats.dawid_skene import DawidSkene


class Constant(NamedTuple):
    """An answer, and how often it is right."""

    answer: str
    rate: Share


class Constants(NamedTuple):
    """The best constant answer against each measure of a rater; they need not be the same answer.

    Attributes:
        majority: against the majority of all raters, which is also that of the others: who always says the same is
            none of them.
        gold: against what the project knows; None where it knows nothing.
        attention: on attention items; None where there are none, or where an answer is more than a vote.
        accuracy: the answer that is right most often, and how often, as Dawid and Skene estimate it.
    """

    majority: Constant
    gold: Constant | None
    attention: Constant | None
    accuracy: tuple[str, float]


def constants_of(task: Task, votes: Votes, checks: Sequence[Counted], estimate: DawidSkene) -> Constants:
    """Return what always saying the same would get, at best, on the items and attention items that were judged."""
    knows_gold = bool((votes.gold >= 0).any())
    return Constants(
        majority=_commonest(votes, majority(votes.counts).labels),
        gold=_commonest(votes, votes.gold) if knows_gold else None,
        attention=None if isinstance(task, Marking) else _on_checks(task, checks),
        accuracy=_estimated(task, votes, estimate),
    )


def _commonest(votes: Votes, labels: Codes) -> Constant:
    counts = np.bincount(labels[labels >= 0], minlength=len(votes.names))
    return Constant(votes.names[int(counts.argmax())], Share(int(counts.max()), int(counts.sum())))


def _on_checks(task: Task, checks: Sequence[Counted]) -> Constant | None:
    expected = {one.item.name: task.vote(one.item.expected or {}) for one in checks}
    said = [vote for vote in expected.values() if vote is not None]
    if not said or len(said) < len(expected):
        return None
    # The order of names decides between equals, so that a page does not change by itself.
    answer = max(sorted(set(said)), key=said.count)
    return Constant(answer, Share(said.count(answer), len(said)))


def _estimated(task: Task, votes: Votes, estimate: DawidSkene) -> tuple[str, float]:
    shares = estimate.labels.mean(axis=0)
    best = int(shares.argmax())
    # For marks the accuracy weighs relevant units and others alike, and each constant is right about one kind.
    return votes.names[best], 0.5 if isinstance(task, Marking) else float(shares[best])
