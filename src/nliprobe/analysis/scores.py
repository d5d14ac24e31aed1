"""Scores: how often systems are right, label by label, and how much better they are than systems without premise."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.analysis.cases import DEFAULT_CERTAINTY, LIKELY, RunData, Slice, SystemAnswers
from nliprobe.analysis.constant import best_constant
from nliprobe.analysis.controls import controls, is_control
from nliprobe.analysis.documents import UNANSWERED, Ends, Gain, LabelScore, LikelyScore, Matrix, Numbers, ScoreEntry
from nliprobe.analysis.rates import Rate
from nliprobe.analysis.slices import AskedSlice, asked_slices
from nliprobe.task.case import IDENTITY, Certainty
from nliprobe.task.labels import SETS, LabelSet, Partition
from nliprobe.task.outcomes import HOLDS, coarse_masks, gold_table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.stats.intervals import Interval


def scores(data: RunData, *, certainty: Collection[Certainty] = DEFAULT_CERTAINTY) -> list[ScoreEntry]:
    """Score every system on every corpus as it is and as each probe that knows gold labels changed it.

    Args:
        data: the run.
        certainty: which cases count; the rest are counted as uncertain.
    """
    cases = data.cases
    wanted = cases.wanted(certainty)
    entries: list[ScoreEntry] = []
    for item in asked_slices(data):
        system, corpus, probe = item.system, item.part.corpus, item.part.probe
        labelled = cases.gold[item.part.rows] != 0
        if not labelled.any():
            continue
        counted = item.where(labelled).counted(wanted)
        numbers = score_numbers(
            cases.gold[counted.rows],
            system.answers[counted.rows],
            counted.clusters,
            data.partitions[corpus].join(system.partition),
            unlabelled=int((item.asked & ~labelled).sum()),
        )
        entries.append(
            ScoreEntry(
                system=system.name,
                corpus=corpus,
                probe=probe,
                uncertain=item.where(labelled).uncertain(wanted),
                likely=_likely(data, item.where(labelled)),
                **numbers,
            )
        )
    return entries


def score_numbers(
    gold: NDArray[np.uint8],
    answers: NDArray[np.uint8],
    clusters: NDArray[np.int64],
    partition: Partition,
    *,
    unlabelled: int = 0,
) -> Numbers:
    """Compute every score of answers to labelled cases.

    Args:
        gold: masks of label sets, none of them empty.
        answers: masks of label sets, 0 for unanswered.
        clusters: the number of each case's group, from 0.
        partition: the labels that both corpus and system tell apart.
        unlabelled: how many more cases have no gold label.
    """
    import numpy as np

    counts = _coarse_counts(gold, answers, partition)
    right = gold_table(partition)[gold, answers] == HOLDS
    n, correct = len(gold), int(right.sum())
    answered = int((answers != 0).sum())
    groups = int((np.bincount(clusters) > 0).sum()) if n else 0
    accuracy_ends = ends(share_interval(right, clusters))
    macro, labels = _label_scores(counts, partition)
    balanced, balanced_ends = balanced_accuracy(gold, right, clusters, partition)
    return Numbers(
        n=n,
        answered=answered,
        unanswered=n - answered,
        correct=correct,
        accuracy=correct / n if n else None,
        ci95=accuracy_ends,
        ci95_clustered=accuracy_ends if groups < n else None,
        groups=groups,
        constant=best_constant(gold, partition),
        balanced=balanced,
        balanced_ci95=balanced_ends,
        macro_f1=macro,
        macro_f1_ci95=ends(macro_f1_interval(gold, answers, clusters, partition)),
        labels=labels,
        ambiguous=int(sum(counts[mask].sum() for mask in range(1, 8) if SETS[mask] not in partition.blocks)),
        confusion=_confusion(counts, partition),
        partition=str(partition),
        unlabelled=unlabelled,
    )


def accuracy_gain(data: RunData, *, certainty: Collection[Certainty] = DEFAULT_CERTAINTY) -> list[Gain]:
    """Compute how much better each system that can use the premise is than the best one of the run that cannot.

    Both are scored on the same cases and in labels that both can tell apart. The best control is the one that leaves
    the smallest gain; the p-value is the largest over all controls, since a gain is one over every control. Holm's
    correction is over all gains of the run.
    """
    from nliprobe.stats.paired import holm

    blind = controls(data)
    wanted = data.cases.wanted(certainty) & (data.cases.gold != 0)
    gains: list[Gain] = []
    for item in asked_slices(data):
        if item.part.probe == IDENTITY and not is_control(data, item.system):
            candidates = list(_gains(data, item.system, blind, item.counted(wanted)))
            if candidates:
                smallest = min(candidates, key=lambda gain: gain["gain"])
                smallest["p"] = max(gain["p"] for gain in candidates)
                gains.append(smallest)
    for gain, adjusted in zip(gains, holm([gain["p"] for gain in gains]), strict=True):
        gain["p_holm"] = adjusted
    return gains


def ends(interval: Interval | None) -> Ends:
    """Return an interval as documents hold it."""
    return None if interval is None else [interval.low, interval.high]


def interval_of(ends: Ends) -> Interval | None:
    """Return the interval that a document holds."""
    from nliprobe.stats.intervals import Interval

    return None if ends is None else Interval(*ends)


def right_answers(data: RunData, system: SystemAnswers, part: Slice) -> NDArray[np.bool_]:
    """Tell which answers of a system to labelled cases of a slice are right."""
    right: NDArray[np.bool_] = gold_table(data.partitions[part.corpus].join(system.partition)) == HOLDS
    return right[data.cases.gold[part.rows], system.answers[part.rows]]


def share_interval(happened: NDArray[np.bool_], clusters: NDArray[np.int64]) -> Interval | None:
    """Compute the interval of how often something happened, with groups as the units of the sample.

    Args:
        happened: whether it happened, a mark per case.
        clusters: the number of each case's group, from 0.
    """
    from nliprobe.stats import grouped

    return grouped.share_interval(*grouped.group_sums(happened, clusters))


def difference_ends(first: NDArray[np.bool_], second: NDArray[np.bool_], clusters: NDArray[np.int64]) -> Ends:
    """Return the interval of the difference between two shares over the same cases, from the differences per case."""
    import numpy as np

    from nliprobe.stats.grouped import group_sums, mean_difference_interval

    return ends(mean_difference_interval(*group_sums(first.astype(np.int64) - second.astype(np.int64), clusters)))


def rate_of(happened: NDArray[np.bool_], clusters: NDArray[np.int64]) -> Rate:
    """Return how often something happened, with its interval; nothing is a rate over no case."""
    n, count = len(happened), int(happened.sum())
    if not n:
        return Rate(n=0, count=0, rate=None, ci95=None)
    return Rate(n=n, count=count, rate=count / n, ci95=ends(share_interval(happened, clusters)))


def blocks_and_others(partition: Partition, masks: Collection[int]) -> list[LabelSet]:
    """List the blocks of a partition, then every other label set that occurs."""
    others = [SETS[mask] for mask in sorted(masks) if mask and SETS[mask] not in partition.blocks]
    return [*partition.blocks, *others]


def _likely(data: RunData, item: AskedSlice) -> LikelyScore:
    """Score the cases whose label is likely only."""
    import numpy as np

    system, part = item.system, item.counted(data.cases.wanted(LIKELY))
    right, n = right_answers(data, system, part), len(part.rows)
    return LikelyScore(
        n=n,
        unanswered=int((system.answers[part.rows] == 0).sum()),
        correct=int(right.sum()),
        accuracy=int(right.sum()) / n if n else None,
        ci95=ends(share_interval(right, part.clusters)) if n else None,
        groups=len(np.unique(part.clusters)),
        constant=best_constant(data.cases.gold[part.rows], data.partitions[part.corpus].join(system.partition)),
    )


class Versus(NamedTuple):
    """A system and a control on the same cases of a slice: who is right, and the labels that all tell apart."""

    part: Slice
    mine: NDArray[np.int64]
    theirs: NDArray[np.int64]
    partition: Partition

    @property
    def gain(self) -> float:
        """How much more often the system is right."""
        return int(self.mine.sum() - self.theirs.sum()) / len(self.mine)

    def group_sums(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the sum of differences and the number of cases per group."""
        from nliprobe.stats.grouped import group_sums

        return group_sums(self.mine - self.theirs, self.part.clusters)


def against_control(data: RunData, system: SystemAnswers, control: SystemAnswers, part: Slice) -> Versus | None:
    """Judge a system and a control on the cases of a slice that the control was asked; None if there is none."""
    import numpy as np

    common = part.where(control.asked(part.rows))
    if not len(common.rows):
        return None
    partition = data.partitions[part.corpus].join(system.partition).join(control.partition)
    right = gold_table(partition) == HOLDS
    gold = data.cases.gold[common.rows]
    mine, theirs = (right[gold, item.answers[common.rows]].astype(np.int64) for item in (system, control))
    return Versus(common, mine, theirs, partition)


def _gains(data: RunData, system: SystemAnswers, blind: list[SystemAnswers], part: Slice) -> Iterator[Gain]:
    from nliprobe.stats.grouped import mean_difference_interval
    from nliprobe.stats.sign_flip import sign_flip_p

    for control in blind:
        versus = against_control(data, system, control, part)
        if versus is None:
            continue
        n, (sums, sizes) = len(versus.mine), versus.group_sums()
        yield Gain(
            system=system.name,
            corpus=part.corpus,
            control=control.name,
            n=n,
            groups=int((sizes > 0).sum()),
            accuracy=int(versus.mine.sum()) / n,
            control_accuracy=int(versus.theirs.sum()) / n,
            gain=versus.gain,
            ci95=ends(mean_difference_interval(sums, sizes)),
            p=sign_flip_p(sums),
            p_holm=1.0,
            partition=str(versus.partition),
        )


def _coarse_counts(gold: NDArray[np.uint8], answers: NDArray[np.uint8], partition: Partition) -> NDArray[np.int64]:
    """Count how often each mask of gold (rows) got each mask of an answer, both coarsened to the partition."""
    import numpy as np

    coarse = coarse_masks(partition).astype(np.int64)
    return np.bincount(coarse[gold] * 8 + coarse[answers], minlength=64).reshape(8, 8).astype(np.int64)


def _label_scores(counts: NDArray[np.int64], partition: Partition) -> tuple[float | None, dict[str, LabelScore]]:
    """Return macro F1 and the scores of each block; gold that allows several blocks belongs to none."""
    import numpy as np

    from nliprobe.stats.classification import class_scores, macro_f1

    blocks = [block.mask for block in partition.blocks]
    square = counts[np.ix_(blocks, blocks)]
    rest = counts[blocks].sum(axis=1) - square.sum(axis=1)
    confusion = np.concatenate([square, rest[:, None]], axis=1)
    labels = {
        str(block): LabelScore(
            precision=score.precision,
            recall=score.recall,
            f1=score.f1,
            support=score.support,
            predicted=score.predicted,
        )
        for block, score in zip(partition.blocks, class_scores(confusion), strict=True)
    }
    return macro_f1(confusion), labels


def macro_f1_value(gold: NDArray[np.uint8], answers: NDArray[np.uint8], partition: Partition) -> float | None:
    """Return the macro F1 of answers to labelled cases, both as masks of label sets."""
    return _label_scores(_coarse_counts(gold, answers, partition), partition)[0]


def macro_f1_interval(
    gold: NDArray[np.uint8],
    answers: NDArray[np.uint8],
    clusters: NDArray[np.int64],
    partition: Partition,
    level: float = 0.95,
) -> Interval | None:
    """Return the interval of the macro F1; gold that allows several blocks belongs to none."""
    from nliprobe.stats import classification

    number = block_numbers(partition)
    classes, blocks = number[gold], len(partition.blocks)
    single = classes < blocks
    return classification.macro_f1_interval(classes[single], number[answers[single]], clusters[single], blocks, level)


def balanced_accuracy(
    gold: NDArray[np.uint8],
    right: NDArray[np.bool_],
    clusters: NDArray[np.int64],
    partition: Partition,
    level: float = 0.95,
) -> tuple[float | None, Ends]:
    """Return the accuracy with the labels that occur weighted alike, and its interval.

    Args:
        gold: masks of label sets; if one of them is no block, there is no such accuracy.
        right: whether each answer is right.
        clusters: the number of each case's group, from 0.
        partition: the labels that are told apart.
        level: the confidence level.
    """
    import numpy as np

    from nliprobe.stats.classification import balanced_accuracy_interval

    classes, blocks = block_numbers(partition)[gold], len(partition.blocks)
    if not len(gold) or (classes == blocks).any():
        return None, None
    key, size = clusters * blocks + classes, (int(clusters.max()) + 1) * blocks
    sizes = np.bincount(key, minlength=size).reshape(-1, blocks)
    hits = np.bincount(key[right], minlength=size).reshape(-1, blocks)
    occurring = sizes.sum(axis=0) > 0
    rates = hits.sum(axis=0)[occurring] / sizes.sum(axis=0)[occurring]
    return float(rates.mean()), ends(balanced_accuracy_interval(hits, sizes, level))


def block_numbers(partition: Partition) -> NDArray[np.int64]:
    """Return the number of each mask's block; a mask that is no block gets the number after the last."""
    import numpy as np

    blocks = [block.mask for block in partition.blocks]
    return np.array([blocks.index(mask) if mask in blocks else len(blocks) for mask in coarse_masks(partition)])


def _confusion(counts: NDArray[np.int64], partition: Partition) -> Matrix:
    rows = [mask for mask in range(8) if counts[mask].any()]
    columns = blocks_and_others(partition, [mask for mask in range(8) if counts[:, mask].any()])
    return {
        str(gold): {
            **{str(answer): int(counts[gold.mask, answer.mask]) for answer in columns},
            UNANSWERED: int(counts[gold.mask, 0]),
        }
        for gold in blocks_and_others(partition, rows)
        if counts[gold.mask].any()
    }
