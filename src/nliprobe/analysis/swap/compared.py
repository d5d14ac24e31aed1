"""The pairs of a run that were asked both ways, and which answers to them are right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nliprobe.analysis.cases import NONE, RunData, SystemAnswers, gold_labels, is_swap
from nliprobe.analysis.controls import best_control
from nliprobe.analysis.slices import asked_slices
from nliprobe.task.labels import LabelSet, Partition
from nliprobe.task.outcomes import HOLDS, coarse_masks, gold_table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Compared:
    """Labelled pairs that one system was asked as they are and swapped, a place per pair.

    Attributes:
        system: the system.
        corpus: the corpus.
        probe: the spec of the probe.
        partition: the labels that both tell apart.
        chance: how often guessing among the labels that gold may be is right.
        gold: masks of the gold labels of the pairs as they are, coarsened to the partition.
        base: the rows of the pairs as they are.
        rows: the rows of the swapped pairs.
        clusters: the number of each pair's group.
        unlabelled: how many more pairs were swapped that have no gold label, or several.
    """

    system: SystemAnswers
    corpus: str
    probe: str
    partition: Partition
    chance: float
    gold: NDArray[np.uint8]
    base: NDArray[np.int64]
    rows: NDArray[np.int64]
    clusters: NDArray[np.int64]
    unlabelled: int

    def where(self, chosen: NDArray[np.bool_]) -> Compared:
        """Return some of the pairs, given a mark per pair."""
        return replace(
            self,
            gold=self.gold[chosen],
            base=self.base[chosen],
            rows=self.rows[chosen],
            clusters=self.clusters[chosen],
        )

    def of(self, label: LabelSet) -> Compared:
        """Return the pairs of one gold label."""
        return self.where(self.gold == label.mask)

    def asked_of(self, other: SystemAnswers) -> Compared:
        """Return the pairs that another system was asked, too, with its answers."""
        return replace(self.where(other.asked(self.rows) & other.asked(self.base)), system=other)

    def answers(self) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """Return the answers before and after, coarsened to the partition; 0 for none."""

        coarse = coarse_masks(self.partition)
        return coarse[self.system.answers[self.base]], coarse[self.system.answers[self.rows]]

    def right(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Tell which answers are the gold label of the pair as it is, before and after."""
        table = gold_table(self.partition) == HOLDS
        before, after = self.answers()
        return table[self.gold, before], table[self.gold, after]


def compared(data: RunData) -> Iterator[Compared]:
    """Yield the pairs that each system was asked both ways, corpus by corpus, whatever their certainty."""
    import numpy as np

    cases = data.cases
    for item in asked_slices(data, cases.base != NONE, with_bases=True):
        if not is_swap(item.part.probe):
            continue
        partition = data.partitions[item.part.corpus].join(item.system.partition)
        coarse = coarse_masks(partition)
        part = item.part.where(item.asked)
        base = cases.base[part.rows]
        gold = coarse[cases.gold[base]]
        single = np.isin(gold, [block.mask for block in partition.blocks])
        yield Compared(
            item.system,
            part.corpus,
            part.probe,
            partition,
            1 / len(gold_labels(data.partitions[part.corpus], item.system.partition).blocks),
            gold[single],
            base[single],
            part.rows[single],
            part.clusters[single],
            int((~single).sum()),
        )


def best_rival(data: RunData, pairs: Compared) -> SystemAnswers | None:
    """Return the control that is right most often on the pairs as they are, if it tells their labels apart."""

    def share(control: SystemAnswers) -> float | None:
        before, _ = pairs.asked_of(control).right()
        comparable = len(before) and pairs.partition.join(control.partition) == pairs.partition
        return float(before.mean()) if comparable else None

    best = best_control(data, pairs.system, share)
    return None if best is None else best[0]
