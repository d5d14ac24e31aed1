"""Scores: how often systems are right, label by label, and how much better they are than systems without premise."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from nliprobe.analysis.cases import DEFAULT_CERTAINTY, RunData, Slice, SystemAnswers
from nliprobe.analysis.documents import UNANSWERED, Ends, Gain, LabelScore, Matrix, Numbers, ScoreEntry
from nliprobe.analysis.slices import asked_slices
from nliprobe.task.case import IDENTITY, Certainty
from nliprobe.task.labels import SETS, LabelSet, Partition
from nliprobe.task.outcomes import HOLDS, gold_table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.stats.intervals import Interval

FULL_PREMISE = "full"


def scores(data: RunData, *, certainty: Collection[Certainty] = DEFAULT_CERTAINTY, seed: int = 0) -> list[ScoreEntry]:
    """Score every system on every corpus as it is and as each probe that knows gold labels changed it.

    Args:
        data: the run.
        certainty: which cases count; the rest are counted as uncertain.
        seed: of the resampling behind the intervals.
    """
    from nliprobe.stats.bootstrap import generator

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
            generator(seed, "scores", system.name, corpus, probe),
            unlabelled=int((item.asked & ~labelled).sum()),
        )
        uncertain = item.where(labelled).uncertain(wanted)
        entries.append(ScoreEntry(system=system.name, corpus=corpus, probe=probe, uncertain=uncertain, **numbers))
    return entries


def score_numbers(
    gold: NDArray[np.uint8],
    answers: NDArray[np.uint8],
    clusters: NDArray[np.int64],
    partition: Partition,
    random: np.random.Generator,
    *,
    unlabelled: int = 0,
) -> Numbers:
    """Compute every score of answers to labelled cases.

    Args:
        gold: masks of label sets, none of them empty.
        answers: masks of label sets, 0 for unanswered.
        clusters: the number of each case's group, from 0.
        partition: the labels that both corpus and system tell apart.
        random: the generator of the resampling.
        unlabelled: how many more cases have no gold label.
    """
    import numpy as np

    from nliprobe.stats.intervals import wilson

    counts = _coarse_counts(gold, answers, partition)
    right = gold_table(partition)[gold, answers] == HOLDS
    n, correct = len(gold), int(right.sum())
    answered = int((answers != 0).sum())
    groups = int((np.bincount(clusters) > 0).sum()) if n else 0
    macro, macro_ends, labels = _label_scores(counts, partition, random)
    return Numbers(
        n=n,
        answered=answered,
        unanswered=n - answered,
        correct=correct,
        accuracy=correct / n if n else None,
        ci95=ends(wilson(correct, n)),
        # With one case in each group there is nothing to cluster, and Wilson's interval is the better one.
        ci95_clustered=ends(share_interval(right, clusters, random)) if groups < n else None,
        groups=groups,
        macro_f1=macro,
        macro_f1_ci95=macro_ends,
        labels=labels,
        ambiguous=int(sum(counts[mask].sum() for mask in range(1, 8) if SETS[mask] not in partition.blocks)),
        confusion=_confusion(counts, partition),
        partition=str(partition),
        unlabelled=unlabelled,
    )


def accuracy_gain(data: RunData, *, certainty: Collection[Certainty] = DEFAULT_CERTAINTY, seed: int = 0) -> list[Gain]:
    """Compute how much better each system that sees the premise is than the best one of the run that does not.

    Both are scored on the same cases and in labels that both can tell apart. The best control is the one that leaves
    the smallest gain. The interval comes from resampling groups, with the answers of both systems kept together.
    """
    controls = [system for system in data.systems if system.premise != FULL_PREMISE]
    wanted = data.cases.wanted(certainty) & (data.cases.gold != 0)
    gains: list[Gain] = []
    for item in asked_slices(data):
        if item.part.probe == IDENTITY and item.system.premise == FULL_PREMISE:
            candidates = list(_gains(data, item.system, controls, item.counted(wanted), seed))
            if candidates:
                gains.append(min(candidates, key=lambda gain: gain["gain"]))
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


def share_interval(
    happened: NDArray[np.bool_], clusters: NDArray[np.int64], random: np.random.Generator
) -> Interval | None:
    """Compute the interval of how often something happened, by resampling groups.

    Args:
        happened: whether it happened, a mark per case.
        clusters: the number of each case's group, from 0.
        random: the generator of the resampling.
    """
    import numpy as np

    from nliprobe.stats.bootstrap import ratio_intervals

    sizes = np.bincount(clusters)
    hits = np.bincount(clusters[happened], minlength=len(sizes))
    return ratio_intervals(hits[:, None], sizes[:, None], random)[0]


def blocks_and_others(partition: Partition, masks: Collection[int]) -> list[LabelSet]:
    """List the blocks of a partition, then every other label set that occurs."""
    others = [SETS[mask] for mask in sorted(masks) if mask and SETS[mask] not in partition.blocks]
    return [*partition.blocks, *others]


def _gains(
    data: RunData, system: SystemAnswers, controls: list[SystemAnswers], part: Slice, seed: int
) -> Iterator[Gain]:
    import numpy as np

    from nliprobe.stats.bootstrap import generator, ratio_intervals

    for control in controls:
        _, _, rows, clusters = part.where(control.asked(part.rows))
        if not len(rows):
            continue
        partition = data.partitions[part.corpus].join(system.partition).join(control.partition)
        right = gold_table(partition) == HOLDS
        mine = right[data.cases.gold[rows], system.answers[rows]].astype(np.int64)
        theirs = right[data.cases.gold[rows], control.answers[rows]].astype(np.int64)
        more = np.bincount(clusters[mine > theirs], minlength=int(clusters.max()) + 1)
        fewer = np.bincount(clusters[mine < theirs], minlength=len(more))
        sizes = np.bincount(clusters)
        random = generator(seed, "gain", system.name, control.name, part.corpus)
        (interval,) = ratio_intervals((more - fewer)[:, None], sizes[:, None], random, rates=False)
        yield Gain(
            system=system.name,
            corpus=part.corpus,
            control=control.name,
            n=len(rows),
            groups=int((sizes > 0).sum()),
            accuracy=int(mine.sum()) / len(rows),
            control_accuracy=int(theirs.sum()) / len(rows),
            gain=int(mine.sum() - theirs.sum()) / len(rows),
            ci95=ends(interval),
            partition=str(partition),
        )


def _coarse_counts(gold: NDArray[np.uint8], answers: NDArray[np.uint8], partition: Partition) -> NDArray[np.int64]:
    """Count how often each mask of gold (rows) got each mask of an answer, both coarsened to the partition."""
    import numpy as np

    coarse = np.array([partition.coarsen(labels).mask for labels in SETS])
    return np.bincount(coarse[gold] * 8 + coarse[answers], minlength=64).reshape(8, 8).astype(np.int64)


def _label_scores(
    counts: NDArray[np.int64], partition: Partition, random: np.random.Generator
) -> tuple[float | None, Ends, dict[str, LabelScore]]:
    """Return macro F1, its interval and the scores of each block; gold that allows several blocks belongs to none."""
    import numpy as np

    from nliprobe.stats.classification import class_scores, macro_f1, macro_f1_interval

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
    return macro_f1(confusion), ends(macro_f1_interval(confusion, random)), labels


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
