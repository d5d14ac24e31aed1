"""Measures: the single numbers that a contract may put a limit on, each with its interval at any confidence level."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from nliprobe.analysis.cases import DEFAULT_CERTAINTY, RunData, Slice, SystemAnswers
from nliprobe.analysis.constant import best_constant
from nliprobe.analysis.controls import controls, is_control
from nliprobe.analysis.documents import Ends
from nliprobe.analysis.judged import Judged, judge_broken, judge_changed, judge_right, judge_silent
from nliprobe.analysis.scores import (
    against_control,
    balanced_accuracy,
    ends,
    interval_of,
    macro_f1_interval,
    macro_f1_value,
)
from nliprobe.analysis.slices import AskedSlice, asked_slice
from nliprobe.task.case import IDENTITY, Certainty
from nliprobe.task.labels import Partition

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.stats.intervals import Interval

# Why a metric may be absent from a corpus and probe that the run has.
NEEDS = {
    "accuracy": "its cases have no gold label",
    "balanced": "its cases have no gold label",
    "macro_f1": "its cases have no gold label",
    "gain": "that needs gold labels, the probe gold and another system of the run with premise=none",
    "prohibited": "its cases do not expect moves between labels alone; if they expect anything, limit 'broken'",
    "changed": "its cases are not compared with those they are derived from",
    "broken": "its cases expect nothing of their answers",
    "unanswered": "the system was not asked",
}


@dataclass(frozen=True)
class Measure:
    """A number with its intervals.

    Attributes:
        value: the number; None if there was nothing to compute it from.
        n: the cases it rests on.
        sizes: the numbers of cases of the groups it rests on.
        interval: its interval at a confidence level, or None if there are too few groups.
        against: the rows of the cases that speak against the system, such as wrong answers.
        constant: what the best constant answer gets, where that says something.
    """

    value: float | None
    n: int
    sizes: NDArray[np.int64]
    interval: Callable[[float], Interval | None]
    against: NDArray[np.int64]
    constant: float | None = None

    @property
    def groups(self) -> int:
        """The number of groups it rests on."""
        return int((self.sizes > 0).sum())

    def ends(self, level: float = 0.95) -> Ends:
        """Return the ends of its interval, as documents hold them."""
        return None if self.value is None else ends(self.interval(level))


@dataclass(frozen=True)
class Labelled:
    """Labelled cases and the answers to them, column by column."""

    rows: NDArray[np.int64]
    gold: NDArray[np.uint8]
    answers: NDArray[np.uint8]
    right: NDArray[np.bool_]
    clusters: NDArray[np.int64]
    partition: Partition

    def measure(self, metric: str) -> Measure:
        """Compute accuracy, balanced accuracy, macro F1 or the share without an answer."""
        import numpy as np

        if metric == "unanswered":
            return share_measure(self.rows, self.answers == 0, self.clusters, self.answers == 0)
        if metric == "accuracy":
            constant = best_constant(self.gold, self.partition)
            measure = share_measure(self.rows, self.right, self.clusters, ~self.right)
            return replace(measure, constant=None if constant is None else constant["accuracy"])
        sizes = np.bincount(self.clusters) if len(self.rows) else np.zeros(0, dtype=np.int64)
        against = self.rows[~self.right]
        if metric == "macro_f1":
            value = macro_f1_value(self.gold, self.answers, self.partition)
            return Measure(value, len(self.rows), sizes, self._macro_f1_interval, against)
        value, _ = balanced_accuracy(self.gold, self.right, self.clusters, self.partition)
        return Measure(value, len(self.rows), sizes, self._balanced_interval, against)

    def _macro_f1_interval(self, level: float) -> Interval | None:
        return macro_f1_interval(self.gold, self.answers, self.clusters, self.partition, level)

    def _balanced_interval(self, level: float) -> Interval | None:
        return interval_of(balanced_accuracy(self.gold, self.right, self.clusters, self.partition, level)[1])


def share_measure(
    rows: NDArray[np.int64],
    happened: NDArray[np.bool_],
    clusters: NDArray[np.int64],
    against: NDArray[np.bool_],
    *,
    known: bool = True,
) -> Measure:
    """Measure how often something happened; ``against`` marks what speaks against the system."""
    from nliprobe.stats.grouped import group_sums, share_interval

    hits, sizes = group_sums(happened, clusters)
    value = int(happened.sum()) / len(rows) if len(rows) and known else None
    return Measure(value, len(rows), sizes, lambda level: share_interval(hits, sizes, level), rows[against])


def difference_measure(
    rows: NDArray[np.int64], differences: NDArray[np.int64], clusters: NDArray[np.int64], against: NDArray[np.bool_]
) -> Measure:
    """Measure the average of differences from -1 to 1, a difference per case."""
    from nliprobe.stats.grouped import group_sums, mean_difference_interval

    sums, sizes = group_sums(differences, clusters)
    value = int(differences.sum()) / len(rows) if len(rows) else None
    return Measure(value, len(rows), sizes, lambda level: mean_difference_interval(sums, sizes, level), rows[against])


@dataclass(frozen=True)
class Measures:
    """The measures of one system of a run, computed when they are asked for, with the numbers that ``show`` gives."""

    data: RunData
    name: str

    @cached_property
    def system(self) -> SystemAnswers:
        """The system with its answers."""
        [chosen] = [item for item in self.data.systems if item.name == self.name]
        return chosen

    @cached_property
    def parts(self) -> Mapping[tuple[str, str], Slice]:
        """The cases of each corpus and probe, in the order of the suite."""
        return {(part.corpus, part.probe): part for part in self.data.cases.slices()}

    @cached_property
    def wanted(self) -> NDArray[np.bool_]:
        """The cases that count: those whose expectation is certain."""
        return self.data.cases.wanted(DEFAULT_CERTAINTY)

    @cached_property
    def blind(self) -> tuple[SystemAnswers, ...]:
        """The other systems of the run that cannot use the premise; none if this one cannot either."""
        if is_control(self.data, self.system):
            return ()
        return tuple(item for item in controls(self.data) if item is not self.system)

    def measure(self, corpus: str, probe: str, metric: str, chosen: NDArray[np.bool_] | None = None) -> Measure | None:
        """Compute a metric of a corpus and probe; None if they have nothing of the kind (:data:`NEEDS`).

        Args:
            corpus: the corpus, which the run has.
            probe: the probe, which the run has on this corpus.
            metric: the name of the metric.
            chosen: a mark per case of the run, to look at some of them only.
        """
        part, cases = self.parts[corpus, probe], self.data.cases
        if metric in ("accuracy", "balanced", "macro_f1", "gain"):
            return self._of_gold(part.where(cases.gold[part.rows] != 0), metric, chosen)
        if metric == "unanswered":
            item = asked_slice(self.data, self.system, part)
            judged = judge_silent(self.data, item, cases.wanted(tuple(Certainty)))
            return self._share(judged, chosen) if item.asked.any() else None
        expecting = cases.related if metric == "prohibited" else cases.related | cases.expecting
        item = asked_slice(self.data, self.system, part.where(expecting[part.rows]), with_bases=True)
        if not item.asked.any():
            return None
        judge = judge_changed if metric == "changed" else judge_broken
        return self._share(judge(self.data, item, self.wanted), chosen)

    def _of_gold(self, part: Slice, metric: str, chosen: NDArray[np.bool_] | None) -> Measure | None:
        item = asked_slice(self.data, self.system, part)
        if not item.asked.any():
            return None
        if metric == "gain":
            return self._gain(item, chosen)
        judged = judge_right(self.data, item, self.wanted)
        judged = judged if chosen is None else judged.among(chosen)
        return Labelled(
            judged.rows,
            self.data.cases.gold[judged.rows],
            self.system.answers[judged.rows],
            judged.happened,
            judged.clusters,
            self.data.partitions[part.corpus].join(self.system.partition),
        ).measure(metric)

    def _gain(self, item: AskedSlice, chosen: NDArray[np.bool_] | None) -> Measure | None:
        """Compute the gain over the control that leaves the smallest one."""
        if item.part.probe != IDENTITY or not self.blind:
            return None
        counted = item.counted(self.wanted if chosen is None else self.wanted & chosen)
        if not len(counted.rows):
            return share_measure(counted.rows, counted.rows == 0, counted.clusters, counted.rows == 0)
        compared = [against_control(self.data, self.system, control, counted) for control in self.blind]
        known = [versus for versus in compared if versus is not None]
        if not known:
            return None
        least = min(known, key=lambda versus: versus.gain)
        return difference_measure(least.part.rows, least.mine - least.theirs, least.part.clusters, least.mine == 0)

    def _share(self, judged: Judged, chosen: NDArray[np.bool_] | None) -> Measure:
        judged = judged if chosen is None else judged.among(chosen)
        # If a relation allows everything from some answers, a rate of 0 would mean nothing.
        known = bool(judged.possible.any())
        return share_measure(judged.rows, judged.happened, judged.clusters, judged.happened, known=known)
