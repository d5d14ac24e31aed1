"""Corpora with two labels: balanced accuracy, the area under the ROC curve, and the threshold that was used."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.analysis.cases import DEFAULT_CERTAINTY, RunData, Slice, SystemAnswers, gold_labels
from nliprobe.analysis.controls import best_control
from nliprobe.analysis.scores import balanced_accuracy, ends
from nliprobe.analysis.slices import asked_slices
from nliprobe.analysis.two_way_documents import AtThreshold, ControlValue, Origin, TwoWay, TwoWayEntry
from nliprobe.base.errors import UsageError, did_you_mean, option
from nliprobe.task.case import IDENTITY, Certainty
from nliprobe.task.labels import LETTERS, LabelSet, Partition
from nliprobe.task.outcomes import HOLDS, coarse_masks, gold_table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

HALF = 0.5
NO_SCORES = "the system gives no probabilities"
ONE_LABEL = "all pairs have the same gold label"
SAME_PAIRS = "the threshold was chosen on these pairs"


class Threshold(NamedTuple):
    """The threshold that a user asks for: a number, or the best one on a corpus of the run; by default 0.5."""

    value: float | None = None
    corpus: str = ""


class Scored(NamedTuple):
    """Cases of two labels as one system answered them.

    Attributes:
        gold: masks of label sets, none of them empty.
        answers: masks of label sets, 0 for unanswered.
        clusters: the number of each case's group, from 0.
        probabilities: of E, N and C, NaN for none; None if the system has none at all.
    """

    gold: NDArray[np.uint8]
    answers: NDArray[np.uint8]
    clusters: NDArray[np.int64]
    probabilities: NDArray[np.float32] | None


def is_two_way(partition: Partition) -> bool:
    """Tell whether two labels are told apart."""
    return len(partition.blocks) == 2


def parse_threshold(text: str, partitions: Mapping[str, Partition]) -> Threshold:
    """Read what a user writes: a number from 0 to 1, or the name of a corpus of the run."""
    if not text:
        return Threshold()
    if text in partitions:
        return Threshold(corpus=text)
    try:
        value = float(text)
    except ValueError:
        what = f"{option('threshold', text)} is neither a number nor a corpus of the run."
        raise UsageError(f"{what} {did_you_mean(text, partitions)}") from None
    if not 0 <= value <= 1:
        raise UsageError(f"{option('threshold', text)} should be a probability, from 0 to 1.")
    return Threshold(value)


def two_way(
    data: RunData, threshold: Threshold | None = None, *, certainty: Collection[Certainty] = DEFAULT_CERTAINTY
) -> list[TwoWayEntry]:
    """Score every system on every corpus of which it tells two labels apart, on the pairs as they are.

    Args:
        data: the run.
        threshold: which scores count as the first label.
        certainty: which cases count.
    """
    wanted = data.cases.wanted(certainty) & (data.cases.gold != 0)
    asked = threshold or Threshold()
    entries: list[TwoWayEntry] = []
    for item in asked_slices(data):
        system, part = item.system, item.counted(wanted)
        partition = gold_labels(data.partitions[part.corpus], system.partition)
        if item.part.probe != IDENTITY or not is_two_way(partition) or not len(part.rows):
            continue
        chosen = _chosen(data, system, part, asked, wanted)
        numbers = two_way_numbers(_scored(data, system, part), partition, system.partition, chosen)
        entries.append(
            TwoWayEntry(
                system=system.name,
                corpus=part.corpus,
                **numbers,
                control_balanced=_best(data, part, system, "balanced"),
                control_auc=_best(data, part, system, "auc"),
            )
        )
    return entries


def two_way_numbers(
    scored: Scored, partition: Partition, answers: Partition, threshold: AtThreshold | None = None
) -> TwoWay:
    """Compute what is known about cases of two labels.

    Args:
        scored: the cases and the answers to them.
        partition: the two labels.
        answers: the labels that the system tells apart.
        threshold: which scores count as the first label, without its numbers; 0.5 by default.
    """
    import numpy as np

    from nliprobe.stats.ranking import roc_auc, roc_auc_interval

    first = partition.blocks[0]
    gold, clusters = scored.gold, scored.clusters
    right = gold_table(partition)[gold, scored.answers] == HOLDS
    balanced, balanced_ends = balanced_accuracy(gold, right, clusters, partition)
    scores = block_scores(scored.probabilities, first, len(gold))
    positive, negative = (_is_block(gold, block, partition) for block in partition.blocks)
    known = ~np.isnan(scores)
    ranked = known & (positive | negative)
    area = roc_auc(positive[ranked], scores[ranked])
    missing = None if area is not None else NO_SCORES if not known.any() else ONE_LABEL
    bounds = None if area is None else roc_auc_interval(positive[ranked], scores[ranked], clusters[ranked])
    return TwoWay(
        partition=str(partition),
        answers=str(answers),
        score=f"P({first})",
        n=len(gold),
        groups=len(np.unique(clusters)),
        support={str(block): int(has.sum()) for block, has in zip(partition.blocks, (positive, negative), strict=True)},
        balanced=balanced,
        balanced_ci95=balanced_ends,
        auc=area,
        auc_ci95=ends(bounds),
        scored=int(ranked.sum()),
        auc_missing=missing,
        threshold=_at_threshold(gold, scores, clusters, partition, threshold or _unfilled(HALF, "default")),
    )


def block_scores(probabilities: NDArray[np.float32] | None, block: LabelSet, n: int) -> NDArray[np.float64]:
    """Return the probability of a block of labels, NaN where the system gave none.

    A system that does not tell the labels of the block apart has the probability of the other labels only.
    """
    import numpy as np

    if probabilities is None:
        return np.full(n, np.nan)
    inside = [LETTERS.index(letter) for letter in block]
    outside = [place for place in range(len(LETTERS)) if place not in inside]
    # A sum with NaN in it is NaN.
    own, rest = (probabilities[:, columns].astype(np.float64).sum(axis=1) for columns in (inside, outside))
    scores: NDArray[np.float64] = np.where(np.isnan(own), 1 - rest, own)
    return scores


def _at_threshold(
    gold: NDArray[np.uint8],
    scores: NDArray[np.float64],
    clusters: NDArray[np.int64],
    partition: Partition,
    threshold: AtThreshold,
) -> AtThreshold:
    """Fill in the balanced accuracy of the answers that follow from a threshold."""
    import numpy as np

    known = ~np.isnan(scores)
    value = threshold["value"]
    if not known.any():
        threshold["missing"] = NO_SCORES
    if threshold["missing"] is not None or value is None:
        return threshold
    first, second = (block.mask for block in partition.blocks)
    answers = np.where(known, np.where(scores >= value, first, second), 0).astype(np.uint8)
    right = gold_table(partition)[gold, answers] == HOLDS
    threshold["balanced"], threshold["balanced_ci95"] = balanced_accuracy(gold, right, clusters, partition)
    return threshold


def _chosen(
    data: RunData, system: SystemAnswers, part: Slice, asked: Threshold, wanted: NDArray[np.bool_]
) -> AtThreshold:
    """Choose the threshold of one system and corpus; one that was tuned is never used on the pairs it was tuned on."""
    import numpy as np

    from nliprobe.stats.ranking import best_threshold

    if not asked.corpus:
        return _unfilled(HALF, "default") if asked.value is None else _unfilled(asked.value, "given")
    chosen = _unfilled(None, "tuned")
    chosen["tuned_on"] = asked.corpus
    partition = gold_labels(data.partitions[asked.corpus], system.partition)
    here = gold_labels(data.partitions[part.corpus], system.partition)
    if partition != here:
        chosen["missing"] = f"{asked.corpus} tells {partition} apart, not {here}"
        return chosen
    tuning = next(
        item.counted(wanted)
        for item in asked_slices(RunData(data.cases, (system,), data.partitions))
        if (item.part.corpus, item.part.probe) == (asked.corpus, IDENTITY)
    )
    first = partition.blocks[0]
    scores = block_scores(_rows_of(system.probabilities, tuning.rows), first, len(tuning.rows))
    known = ~np.isnan(scores)
    positive = _is_block(data.cases.gold[tuning.rows], first, partition)
    chosen["value"] = best_threshold(positive[known], scores[known]) if known.any() else None
    chosen["shared_groups"] = len(np.intersect1d(data.cases.group[tuning.rows], data.cases.group[part.rows]))
    if asked.corpus == part.corpus:
        chosen["missing"] = SAME_PAIRS
    elif chosen["value"] is None:
        chosen["missing"] = f"{asked.corpus} gives no threshold: {NO_SCORES}, or {ONE_LABEL}"
    return chosen


def _unfilled(value: float | None, origin: Origin) -> AtThreshold:
    return AtThreshold(
        value=value,
        origin=origin,
        tuned_on=None,
        shared_groups=0,
        balanced=None,
        balanced_ci95=None,
        missing=None,
    )


def _best(data: RunData, part: Slice, system: SystemAnswers, what: str) -> ControlValue | None:
    """Return what the best control gets on the cases of a slice, in labels that it and the system tell apart."""

    def value(control: SystemAnswers) -> float | None:
        partition = gold_labels(data.partitions[part.corpus], system.partition.join(control.partition))
        same = part.where(control.asked(part.rows))
        if not is_two_way(partition) or not len(same.rows):
            return None
        numbers = two_way_numbers(_scored(data, control, same), partition, control.partition)
        return numbers["balanced"] if what == "balanced" else numbers["auc"]

    best = best_control(data, system, value)
    return None if best is None else ControlValue(system=best[0].name, value=best[1])


def _scored(data: RunData, system: SystemAnswers, part: Slice) -> Scored:
    rows = part.rows
    return Scored(data.cases.gold[rows], system.answers[rows], part.clusters, _rows_of(system.probabilities, rows))


def _rows_of(probabilities: NDArray[np.float32] | None, rows: NDArray[np.int64]) -> NDArray[np.float32] | None:
    return None if probabilities is None else probabilities[rows]


def _is_block(gold: NDArray[np.uint8], block: LabelSet, partition: Partition) -> NDArray[np.bool_]:
    belongs: NDArray[np.bool_] = coarse_masks(partition)[gold] == block.mask
    return belongs
