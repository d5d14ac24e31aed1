"""Precision, recall and F1 of chosen things against those that should be chosen, and their intervals over groups."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from nliprobe.stats.grouped import bounded_interval, share_interval
from nliprobe.stats.intervals import Interval


class Matches(NamedTuple):
    """How many chosen things should be chosen, how many should not, and how many are missed."""

    hits: int = 0
    extra: int = 0
    missed: int = 0

    @classmethod
    def of(cls, chosen: Collection[Hashable], wanted: Collection[Hashable]) -> Matches:
        """Compare what was chosen with what should be.

        >>> Matches.of({1, 2}, {2, 3, 4})
        Matches(hits=1, extra=1, missed=2)
        """
        hits = len(set(chosen) & set(wanted))
        return cls(hits, len(chosen) - hits, len(wanted) - hits)

    def plus(self, other: Matches) -> Matches:
        """Return the sum of both."""
        return Matches(self.hits + other.hits, self.extra + other.extra, self.missed + other.missed)

    @property
    def chosen(self) -> int:
        """How many were chosen."""
        return self.hits + self.extra

    @property
    def wanted(self) -> int:
        """How many should be chosen."""
        return self.hits + self.missed

    @property
    def precision(self) -> float | None:
        """The share of what was chosen that should be; None if nothing was."""
        return self.hits / self.chosen if self.chosen else None

    @property
    def recall(self) -> float | None:
        """The share of what should be chosen that was; None if nothing should be."""
        return self.hits / self.wanted if self.wanted else None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall; None if nothing was chosen and nothing should be."""
        total = self.chosen + self.wanted
        return 2 * self.hits / total if total else None


class Measure(NamedTuple):
    """A measure with its interval and the number of things it rests on; both are None where it is not defined."""

    value: float | None
    ci95: Interval | None
    n: int


class PooledMatches(NamedTuple):
    """Precision, recall and F1 over all things together, with intervals that take groups into account."""

    precision: Measure
    recall: Measure
    f1: Measure


def total(matches: Iterable[Matches]) -> Matches:
    """Add all up."""
    result = Matches()
    for item in matches:
        result = result.plus(item)
    return result


def pooled_matches(matches: Sequence[Matches], groups: Sequence[Hashable]) -> PooledMatches:
    """Return precision, recall and F1 over all things together.

    Args:
        matches: one per case.
        groups: what cases share that makes them depend on one another, one per case.
    """
    by_group: dict[Hashable, Matches] = {}
    for item, group in zip(matches, groups, strict=True):
        by_group[group] = by_group.get(group, Matches()).plus(item)
    sums, whole = list(by_group.values()), total(matches)
    hits = np.array([item.hits for item in sums], dtype=np.int64)
    chosen = np.array([item.chosen for item in sums], dtype=np.int64)
    wanted = np.array([item.wanted for item in sums], dtype=np.int64)
    return PooledMatches(
        Measure(whole.precision, share_interval(hits, chosen) if whole.chosen else None, whole.chosen),
        Measure(whole.recall, share_interval(hits, wanted) if whole.wanted else None, whole.wanted),
        # F1 is the share 2 hits / (chosen + wanted), so its interval is that of a share.
        Measure(whole.f1, share_interval(2 * hits, chosen + wanted) if whole.f1 is not None else None, len(matches)),
    )


def mean_of(values: Sequence[float | None], groups: Sequence[Hashable]) -> Measure:
    """Return the average of values between 0 and 1 that are defined, with an interval that takes groups into account.

    Args:
        values: one per case; None where it is not defined.
        groups: what cases share that makes them depend on one another, one per case.
    """
    by_group: dict[Hashable, list[float]] = {}
    for value, group in zip(values, groups, strict=True):
        if value is not None:
            by_group.setdefault(group, []).append(value)
    known = [value for members in by_group.values() for value in members]
    if not known:
        return Measure(None, None, 0)
    mean = sum(known) / len(known)
    parts = np.array([sum(members) - mean * len(members) for members in by_group.values()]) / len(known)
    sizes = np.array([len(members) for members in by_group.values()], dtype=np.float64)
    return Measure(mean, bounded_interval(mean, parts, sizes), len(known))
