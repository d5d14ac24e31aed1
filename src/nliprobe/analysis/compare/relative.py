"""A run against its baseline, case by case, for the checks of a contract that compare the two."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.analysis.cases import DEFAULT_CERTAINTY, NONE, NOT_ASKED, Slice
from nliprobe.analysis.compare.pairing import Partners, Side
from nliprobe.analysis.measures import Measure, difference_measure
from nliprobe.analysis.outcomes import judge_expectations
from nliprobe.task.outcomes import BROKEN, HOLDS, gold_table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Difference(NamedTuple):
    """How much better a run is than its baseline on the cases of both.

    Attributes:
        measure: the average difference; a positive one is better, whatever the metric.
        sums: the sum of the differences of each group.
        flips: how many cases only one of the two is fine on.
        p: the sign-flip test over groups; None without cases.
        before: how often the baseline is fine.
        after: how often the run is fine.
        unmatched: the cases of this part that the baseline does not have alike, or that one side cannot be judged on.
        missing: the cases of the baseline that the run does not have.
    """

    measure: Measure
    sums: NDArray[np.int64]
    flips: int
    p: float | None
    before: float | None
    after: float | None
    unmatched: int
    missing: int

    def beyond(self, margin: float) -> Measure:
        """Return the difference with the lower bounds of a one-sided test against a margin.

        At a confidence level of 95 % the bound is that of a one-sided test with 5 %, as ``compare`` makes it.

        Args:
            margin: how much worse is accepted, as a fraction; negative or 0 if it must be better.
        """
        from nliprobe.stats.intervals import Interval
        from nliprobe.stats.noninferiority import noninferiority

        sizes = self.measure.sizes

        def lower(level: float) -> Interval | None:
            if margin == 0:
                low = self._better(1 - level)
                return None if low is None else Interval(low, 1.0)
            # To be better by something is, seen from the baseline, to be worse by more than that.
            sums = self.sums if margin > 0 else -self.sums
            test = noninferiority(sums, sizes, self.flips, abs(margin))
            if test is None:
                return None
            return Interval(test.bound(1 - level) if margin > 0 else -test.upper(1 - level), 1.0)

        return replace(self.measure, interval=lower)

    def _better(self, level: float) -> float | None:
        """Return the lower bound of the difference; below 0 unless the sign-flip test, too, shows it to be better."""
        from nliprobe.stats.grouped import mean_difference_interval

        both = mean_difference_interval(self.sums, self.measure.sizes, 1 - 2 * level)
        if both is None:
            return None
        value = self.measure.value or 0.0
        # Three cases of a thousand that are all better are 1.7 standard errors, and happen by chance one time in eight.
        shown = value > 0 and self.p is not None and self.p / 2 < level
        return both.low if shown else min(both.low, -1 / self.measure.n)


@dataclass(frozen=True)
class Against:
    """A run, its baseline, and their cases matched by id."""

    before: Side
    after: Side
    partners: Partners

    def difference(self, part: Slice, metric: str) -> Difference:
        """Compare both on the cases of a part of the run.

        Args:
            part: the cases, by their rows in the run.
            metric: accuracy, prohibited, broken or unanswered.
        """
        import numpy as np

        from nliprobe.stats.grouped import group_sums
        from nliprobe.stats.sign_flip import sign_flip_p

        chosen = part.where(self._counts(part.rows, metric))
        partner = self.partners.left[chosen.rows]
        common = (partner != NONE) & (self.after.answers[chosen.rows] != NOT_ASKED)
        common &= self.before.answers[partner] != NOT_ASKED
        paired, partner = chosen.where(common), partner[common]
        before, after, judged = self._judge(paired.rows, partner, metric)
        paired, before, after = paired.where(judged), before[judged], after[judged]
        differences = after.astype(np.int64) - before
        n, (sums, _) = len(paired.rows), group_sums(differences, paired.clusters)
        return Difference(
            difference_measure(paired.rows, differences, paired.clusters, before & ~after),
            sums,
            int(np.count_nonzero(differences)),
            sign_flip_p(sums) if n else None,
            int(before.sum()) / n if n else None,
            int(after.sum()) / n if n else None,
            len(chosen.rows) - n,
            self._missing(part, metric),
        )

    def _counts(self, rows: NDArray[np.int64], metric: str, *, of_baseline: bool = False) -> NDArray[np.bool_]:
        """Mark the cases that a metric is about."""
        import numpy as np

        cases = (self.before if of_baseline else self.after).cases
        kinds: dict[str, NDArray[np.bool_]] = {
            "accuracy": cases.gold != 0,
            "prohibited": cases.related,
            "broken": cases.expects != NONE,
            "unanswered": np.ones(len(cases.gold), dtype=bool),
        }
        sure = cases.wanted(DEFAULT_CERTAINTY) if metric != "unanswered" else kinds[metric]
        marks: NDArray[np.bool_] = (kinds[metric] & sure)[rows]
        return marks

    def _judge(
        self, mine: NDArray[np.int64], theirs: NDArray[np.int64], metric: str
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]]:
        """Tell where the baseline is fine, where the run is, and where both can be judged."""
        import numpy as np

        always = np.ones(len(mine), dtype=bool)
        sides = (self.before, theirs), (self.after, mine)
        if metric == "unanswered":
            before, after = (side.answers[rows] != 0 for side, rows in sides)
            return before, after, always
        joined = self.before.partition.join(self.after.partition)
        if metric == "accuracy":
            cases = self.after.cases
            known = [(self.before.partitions, name) for name in cases.corpora]
            partitions = [
                joined.join(self.after.partitions[name]).join(others.get(name, self.after.partitions[name]))
                for others, name in known
            ]
            right = np.stack([gold_table(partition) == HOLDS for partition in partitions])
            corpus, gold = cases.corpus[mine], cases.gold[mine]
            before, after = (right[corpus, gold, side.answers[rows]] for side, rows in sides)
            return before, after, always
        first, second = (
            judge_expectations(side.cases, rows, side.answers, side.unchanged, side.probabilities, joined)
            for side, rows in sides
        )
        decided = [(outcomes == HOLDS) | (outcomes == BROKEN) for outcomes in (first, second)]
        return first == HOLDS, second == HOLDS, decided[0] & decided[1]

    def _missing(self, part: Slice, metric: str) -> int:
        """Count the cases of the baseline's corpus and probe that the run does not have; parts of them are unknown."""
        import numpy as np

        if not part.probe:
            return 0
        cases = self.before.cases
        if part.corpus not in cases.corpora or part.probe not in cases.probes:
            return 0
        here = (cases.corpus == cases.corpora.index(part.corpus)) & (cases.probe == cases.probes.index(part.probe))
        rows = np.flatnonzero(here)
        counted = rows[self._counts(rows, metric, of_baseline=True)]
        return int((self.partners.right[counted] == NONE).sum())
