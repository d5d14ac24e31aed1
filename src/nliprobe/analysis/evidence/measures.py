"""Measures of evidence over arrays: marked units, used units, right and wrong answers (evidence-probes §6).

Nothing here knows about runs, so that any source of marks and uses can be measured in the same way.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.analysis.evidence.documents import Kinds, Mean, PositionUse, UseMeasures
from nliprobe.analysis.rates import Rate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.stats.intervals import Interval

# What a pair shows: all marked units used (others may be, too), some of them, only others, none at all.
ALL, PARTIAL, IRRELEVANT_ONLY, NOTHING = range(4)
# Places from the start of a premise that are shown one by one.
MOST_PLACES = 20


class UnitUse(NamedTuple):
    """Pairs with their units one after the other.

    Attributes:
        pair: the number of each unit's pair, from 0, in order.
        marked: whether people marked the unit.
        used: whether the system uses it.
        right: for each pair, whether the answer is right.
        clusters: for each pair, the number of its group, from 0.
    """

    pair: NDArray[np.int64]
    marked: NDArray[np.bool_]
    used: NDArray[np.bool_]
    right: NDArray[np.bool_]
    clusters: NDArray[np.int64]

    def where(self, chosen: NDArray[np.bool_]) -> UnitUse:
        """Return some pairs with their units, given a mark per pair."""
        import numpy as np

        inside = chosen[self.pair]
        numbers = np.cumsum(chosen) - 1
        return UnitUse(
            numbers[self.pair[inside]],
            self.marked[inside],
            self.used[inside],
            self.right[chosen],
            self.clusters[chosen],
        )


class PairCounts(NamedTuple):
    """How many units each pair has, how many are marked, used, and both."""

    units: NDArray[np.int64]
    marked: NDArray[np.int64]
    used: NDArray[np.int64]
    both: NDArray[np.int64]


def unit_use(
    sizes: Sequence[int],
    marked: Sequence[Collection[int]],
    used: Sequence[Collection[int]],
    right: Sequence[bool],
    groups: Sequence[str],
) -> UnitUse:
    """Make arrays of pairs given one by one: their numbers of units, and the places of marked and used units.

    >>> use = unit_use([3], [{0, 1}], [{1, 2}], [True], ["table"])
    >>> float(precisions(pair_counts(use))[0]), float(recalls(pair_counts(use))[0])
    (0.5, 0.5)
    """
    import numpy as np

    numbers: dict[str, int] = {}
    first = np.concatenate([[0], np.cumsum(np.array(sizes, dtype=np.int64))])
    flags = []
    for places in (marked, used):
        flag = np.zeros(int(first[-1]), dtype=bool)
        for number, (size, chosen) in enumerate(zip(sizes, places, strict=True)):
            if any(not 0 <= place < size for place in chosen):
                raise ValueError(f"{sorted(chosen)} are not places of {size} units")
            flag[[first[number] + place for place in chosen]] = True
        flags.append(flag)
    return UnitUse(
        np.repeat(np.arange(len(sizes)), np.array(sizes, dtype=np.int64)),
        flags[0],
        flags[1],
        np.array(right, dtype=bool),
        np.array([numbers.setdefault(group, len(numbers)) for group in groups], dtype=np.int64),
    )


def pair_counts(use: UnitUse) -> PairCounts:
    """Count the units of each pair."""
    import numpy as np

    size = len(use.right)
    counts = [
        np.bincount(use.pair[chosen], minlength=size).astype(np.int64)
        for chosen in (slice(None), use.marked, use.used, use.marked & use.used)
    ]
    return PairCounts(*counts)


def precisions(counts: PairCounts) -> NDArray[np.float64]:
    """Return the share of each pair's used units that are marked; 0 where none is used."""
    import numpy as np

    shares: NDArray[np.float64] = counts.both / np.maximum(counts.used, 1)
    return shares


def recalls(counts: PairCounts) -> NDArray[np.float64]:
    """Return the share of each pair's marked units that are used; 0 where none is marked."""
    import numpy as np

    shares: NDArray[np.float64] = counts.both / np.maximum(counts.marked, 1)
    return shares


def pair_kinds(counts: PairCounts) -> NDArray[np.int64]:
    """Tell for each pair which of ``ALL``, ``PARTIAL``, ``IRRELEVANT_ONLY`` and ``NOTHING`` it is."""
    import numpy as np

    kinds: NDArray[np.int64] = np.select(
        [counts.used == 0, counts.both == 0, counts.both < counts.marked], [NOTHING, IRRELEVANT_ONLY, PARTIAL], ALL
    )
    return kinds


def use_measures(use: UnitUse) -> UseMeasures:
    """Compute every measure; all pairs must have at least one marked unit.

    Raises:
        ValueError: a pair has no marked unit, so that there is nothing to agree with.
    """
    import numpy as np

    counts = pair_counts(use)
    if (counts.marked == 0).any():
        raise ValueError(f"{int((counts.marked == 0).sum())} pairs have no marked unit")
    kinds, clusters = pair_kinds(counts), use.clusters
    wrong = (kinds == IRRELEVANT_ONLY) | (kinds == NOTHING)
    some = counts.used > 0
    return UseMeasures(
        n=len(kinds),
        groups=len(np.unique(clusters)),
        precision=mean(precisions(counts), clusters),
        precision_where_some=mean(precisions(counts)[some], clusters[some]),
        recall=mean(recalls(counts), clusters),
        exact=rate((counts.both == counts.marked) & (counts.used == counts.marked), clusters),
        wrong=rate(wrong, clusters),
        nothing_of_wrong=rate(kinds == NOTHING, clusters, wrong),
        kinds=_by_kind(kinds, np.ones(len(kinds), dtype=bool), clusters),
        accuracy=rate(use.right, clusters),
        right=_by_kind(kinds, use.right, clusters),
        accuracy_by=_accuracies(kinds, use.right, clusters),
        marked_per_pair=mean_count(counts.marked, counts.units, clusters),
        used_per_pair=mean_count(counts.used, counts.units, clusters),
        marked_counts=_distribution(counts.marked),
        used_counts=_distribution(counts.used),
    )


def rate(happened: NDArray[np.bool_], clusters: NDArray[np.int64], among: NDArray[np.bool_] | None = None) -> Rate:
    """Return how often something happened among some cases, with its interval over groups.

    Args:
        happened: whether it happened, a mark per case.
        clusters: the number of each case's group, from 0.
        among: the cases in which it could have happened; by default all.
    """
    from nliprobe.stats.grouped import group_sums, share_interval

    if among is not None:
        happened, clusters = happened[among], clusters[among]
    n, count = len(happened), int(happened.sum())
    interval = share_interval(*group_sums(happened, clusters)) if n else None
    return Rate(n=n, count=count, rate=count / n if n else None, ci95=_ends(interval))


def mean(values: NDArray[np.float64], clusters: NDArray[np.int64]) -> Mean:
    """Return the average of values between 0 and 1, with its interval over groups."""
    import numpy as np

    from nliprobe.stats.grouped import bounded_interval

    if not len(values):
        return Mean(n=0, mean=None, ci95=None)
    _, numbers = np.unique(clusters, return_inverse=True)
    sums, sizes = np.bincount(numbers, weights=values), np.bincount(numbers).astype(np.float64)
    average = float(values.mean())
    interval = bounded_interval(average, (sums - average * sizes) / len(values), sizes)
    return Mean(n=len(values), mean=average, ci95=_ends(interval))


def mean_count(counts: NDArray[np.int64], units: NDArray[np.int64], clusters: NDArray[np.int64]) -> Mean:
    """Return the average of counts with its interval over groups; no count is above that of the units."""
    if not len(counts):
        return Mean(n=0, mean=None, ci95=None)
    most = max(int(units.max()), 1)
    share = mean(counts / most, clusters)
    scaled = None if share["ci95"] is None else [most * end for end in share["ci95"]]
    return Mean(n=len(counts), mean=float(counts.mean()), ci95=scaled)


def position_use(use: UnitUse) -> list[PositionUse]:
    """Tell how often the first, the last and all other units are marked and used."""
    place, last = _places(use)
    names = {"first": place == 0, "middle": (place > 0) & (place < last), "last": (place == last) & (last > 0)}
    return [_position(use, name, at) for name, at in names.items() if at.any()]


def place_use(use: UnitUse) -> list[PositionUse]:
    """Tell the same place by place, counted from 0, as far as :data:`MOST_PLACES`."""
    place, _ = _places(use)
    highest = int(place.max()) + 1 if len(place) else 0
    return [_position(use, str(number), place == number) for number in range(min(highest, MOST_PLACES))]


def _places(use: UnitUse) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the place of each unit in its pair, and that of the last unit of the same pair."""
    import numpy as np

    sizes = np.bincount(use.pair, minlength=len(use.right))
    starts = np.concatenate([[0], np.cumsum(sizes)])
    return np.arange(len(use.pair)) - starts[use.pair], sizes[use.pair] - 1


def _position(use: UnitUse, name: str, at: NDArray[np.bool_]) -> PositionUse:
    clusters = use.clusters[use.pair]
    return PositionUse(
        position=name,
        marked=rate(use.marked, clusters, at),
        used=rate(use.used, clusters, at),
        used_of_marked=rate(use.used, clusters, at & use.marked),
    )


def _by_kind(kinds: NDArray[np.int64], chosen: NDArray[np.bool_], clusters: NDArray[np.int64]) -> Kinds:
    return Kinds(
        all=rate((kinds == ALL) & chosen, clusters),
        partial=rate((kinds == PARTIAL) & chosen, clusters),
        irrelevant_only=rate((kinds == IRRELEVANT_ONLY) & chosen, clusters),
        nothing=rate((kinds == NOTHING) & chosen, clusters),
    )


def _accuracies(kinds: NDArray[np.int64], right: NDArray[np.bool_], clusters: NDArray[np.int64]) -> Kinds:
    return Kinds(
        all=rate(right, clusters, kinds == ALL),
        partial=rate(right, clusters, kinds == PARTIAL),
        irrelevant_only=rate(right, clusters, kinds == IRRELEVANT_ONLY),
        nothing=rate(right, clusters, kinds == NOTHING),
    )


def _distribution(counts: NDArray[np.int64]) -> dict[str, int]:
    import numpy as np

    values, times = np.unique(counts, return_counts=True)
    return {str(value): time for value, time in zip(values.tolist(), times.tolist(), strict=True)}


def _ends(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [interval.low, interval.high]
