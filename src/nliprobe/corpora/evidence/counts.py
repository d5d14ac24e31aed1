"""Count how many rows or sentences hypotheses need, and how often knowledge from outside, by label (Figure 14)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from nliprobe.stats.agreement import Share
from nliprobe.stats.grouped import share_interval
from nliprobe.stats.intervals import Interval
from nliprobe.stats.matches import Measure
from nliprobe.task.evidence import Grade
from nliprobe.task.pair import Pair

ALL = "all"


@dataclass(frozen=True, slots=True)
class NeededUnits:
    """What the hypotheses of one label need, over pairs whose evidence is known.

    Attributes:
        pairs: the pairs.
        groups: the tables or passages that they are about.
        units: how many pairs need so many units.
        several: the share of pairs that need more than one unit.
        outside: the share of pairs that need knowledge from outside the premise; only gold evidence tells.
        none: the share of pairs that need no unit; only gold evidence tells.
    """

    pairs: int
    groups: int
    units: dict[int, int]
    several: Measure
    outside: Measure
    none: Measure

    @property
    def mean(self) -> float:
        """How many units a pair needs on average."""
        return sum(number * pairs for number, pairs in self.units.items()) / self.pairs


def needed_units(pairs: Iterable[Pair]) -> dict[str, NeededUnits]:
    """Count the units that hypotheses need by gold label, and for all together; pairs without evidence are left out.

    The first entry is ``all``, the others are labels in the order E, N, C; a label without pairs has none.
    """
    by_label: dict[str, list[Pair]] = {ALL: []}
    for pair in pairs:
        if pair.evidence is not None:
            by_label[ALL].append(pair)
            if pair.gold is not None:
                by_label.setdefault(str(pair.gold), []).append(pair)
    order = sorted(by_label, key=lambda label: (label != ALL, *("ENC".find(letter) for letter in label)))
    return {label: _needed(by_label[label]) for label in order if by_label[label]}


def _needed(pairs: list[Pair]) -> NeededUnits:
    sizes = [len(pair.evidence.units) for pair in pairs if pair.evidence is not None]
    groups = [pair.group or pair.id for pair in pairs]
    # Edits and programs only name units: they do not say that nothing, or something else, is needed.
    gold = all(pair.evidence is not None and pair.evidence.grade is Grade.GOLD for pair in pairs)
    unknown = Measure(None, None, 0)
    return NeededUnits(
        pairs=len(pairs),
        groups=len(set(groups)),
        units=dict(sorted(Counter(sizes).items())),
        several=share_of([size > 1 for size in sizes], groups),
        outside=share_of([pair.evidence is not None and pair.evidence.outside for pair in pairs], groups)
        if gold
        else unknown,
        none=share_of([size == 0 for size in sizes], groups) if gold else unknown,
    )


def share_of(marks: list[bool], groups: list[str]) -> Measure:
    """Return the share of marks that are set, with an interval that takes groups into account."""
    if not marks:
        return Measure(None, None, 0)
    places = {group: place for place, group in enumerate(dict.fromkeys(groups))}
    clusters = np.array([places[group] for group in groups])
    hits = np.bincount(clusters[np.array(marks)], minlength=len(places)).astype(np.int64)
    interval: Interval | None = share_interval(hits, np.bincount(clusters).astype(np.int64))
    return Measure(Share(int(hits.sum()), len(marks)).value, interval, len(marks))
