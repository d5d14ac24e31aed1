"""Votes as arrays: which rater said what about which item, and what the majority of all and of the others says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nliprobe.analysis.checklist.bins import BINS
from nliprobe.people.counted import Counted, bits_of, right_about
from nliprobe.people.records import Item
from nliprobe.people.review.records import Verdict
from nliprobe.people.tasks import Task
from nliprobe.people.tasks._bins import BinTask
from nliprobe.people.tasks.evidence import Marking
from nliprobe.people.tasks.labels import LabelTask
from nliprobe.people.tasks.settle import Settle
from nliprobe.stats.agreement import NO_LABEL, Codes, Share, count_labels, majority, rater_agreement
from nliprobe.task.labels import LETTERS

# The votes about one bit of the task *evidence*.
_BITS = ("0", "1")


class Votes(NamedTuple):
    """Votes by number.

    Attributes:
        items: the item of each vote; for marks, an item is one bit.
        raters: the rater of each vote.
        labels: what each vote says.
        gold: what is right about each item; -1 if nobody knows.
        people: the names of the raters.
        names: the names of what can be said.
    """

    items: Codes
    raters: Codes
    labels: Codes
    gold: Codes
    people: tuple[str, ...]
    names: tuple[str, ...]

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many raters said what about each item."""
        return count_labels(self.items, self.labels, len(self.gold), len(self.names))


def votes_of(task: Task, found: Sequence[Counted], people: Sequence[str]) -> Votes | None:
    """Return the votes in judgements; None if the answers of the task are no votes."""
    if isinstance(task, Marking):
        return _bits(found, people)
    votes = [(one, task.vote(one.judgement.answer)) for one in found]
    said = [(one, vote) for one, vote in votes if vote is not None]
    if not said:
        return None
    names = _names(task, said)
    return _votes(task, [(one.item, one.judgement.rater, vote) for one, vote in said], names, people)


def _names(task: Task, said: Iterable[tuple[Counted, str]]) -> tuple[str, ...]:
    """Return what can be said, in a fixed order, whether or not anybody said it."""
    if isinstance(task, LabelTask):
        return tuple(str(block) for block in task.partition.blocks)
    if isinstance(task, BinTask):
        return tuple(str(number) for number in range(1, len(BINS) + 1))
    if isinstance(task, Settle):
        return (*LETTERS, Verdict.REJECT.value)
    return tuple(sorted({vote for _, vote in said}))


def _votes(task: Task, said: Sequence[tuple[Item, str, str]], names: Sequence[str], people: Sequence[str]) -> Votes:
    items = {item.name: item for item, _, _ in said}
    places = {name: place for place, name in enumerate(items)}
    codes, raters = ({name: place for place, name in enumerate(every)} for every in (names, people))
    rows = [(places[item.name], raters[rater], codes[vote]) for item, rater, vote in said]
    table = np.array(rows, dtype=np.int64).reshape(-1, 3)
    gold = [codes.get(right_about(task, item), NO_LABEL) for item in items.values()]
    return _columns(table, np.array(gold, dtype=np.int64), people, names)


def _bits(found: Sequence[Counted], people: Sequence[str]) -> Votes | None:
    raters = {name: place for place, name in enumerate(people)}
    starts: dict[str, int] = {}
    size = 0
    rows: list[tuple[int, int, int]] = []
    for item, judgement in found:
        bits = bits_of(item.content, judgement.answer)
        if item.name not in starts:
            starts[item.name] = size
            size += len(bits)
        start = starts[item.name]
        rows += [(start + place, raters[judgement.rater], int(bit)) for place, bit in enumerate(bits)]
    if not rows:
        return None
    table = np.array(rows, dtype=np.int64)
    return _columns(table, np.full(size, NO_LABEL, dtype=np.int64), people, _BITS)


def _columns(table: Codes, gold: Codes, people: Sequence[str], names: Sequence[str]) -> Votes:
    return Votes(table[:, 0], table[:, 1], table[:, 2], gold, tuple(people), tuple(names))


def agreement_with_others(votes: Votes) -> list[Share]:
    """Return how often each rater says what more than half of the others say; elsewhere a vote is left out."""
    every = np.arange(len(votes.labels))
    rest = votes.counts[votes.items]
    rest[every, votes.labels] -= 1
    # Each vote has a majority of its own, and so counts as an item of its own.
    return rater_agreement(every, votes.raters, votes.labels, majority(rest).labels, len(votes.people))
