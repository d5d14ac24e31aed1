"""Accuracy on some cases of a slice, beside the best constant answer and the best system without premise."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from nliprobe.analysis.artifacts.run_documents import ControlAccuracy, Part
from nliprobe.analysis.cases import RunData, Slice, SystemAnswers
from nliprobe.analysis.constant import best_constant
from nliprobe.analysis.controls import best_control
from nliprobe.analysis.scores import ends, share_interval
from nliprobe.task.labels import Partition
from nliprobe.task.outcomes import HOLDS, coarse_masks, gold_table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Answered:
    """The answers of one system to cases with a single gold label each.

    Attributes:
        data: the run.
        system: the system.
        part: the cases.
        partition: the labels that are told apart.
    """

    def __init__(self, data: RunData, system: SystemAnswers, part: Slice, partition: Partition) -> None:
        self.data = data
        self.system = system
        self.part = part
        self.partition = partition

    def where(self, chosen: NDArray[np.bool_]) -> Answered:
        """Return some of the cases only."""
        return Answered(self.data, self.system, self.part.where(chosen), self.partition)

    @cached_property
    def gold(self) -> NDArray[np.uint8]:
        """The gold label of each case, as the mask of a block."""
        return coarse_masks(self.partition)[self.data.cases.gold[self.part.rows]]

    @cached_property
    def answers(self) -> NDArray[np.uint8]:
        """The answer to each case, as the mask of a block; 0 for none, other masks for labels that no gold has."""
        return coarse_masks(self.partition)[self.system.answers[self.part.rows]]

    @cached_property
    def right(self) -> NDArray[np.bool_]:
        """Whether each answer is right."""
        right: NDArray[np.bool_] = self.rights(self.system)
        return right

    def rights(self, system: SystemAnswers) -> NDArray[np.bool_]:
        """Tell which answers of some system to these cases are right, in labels that it and this one tell apart."""
        corpus = self.data.partitions[self.part.corpus]
        table = gold_table(corpus.join(self.system.partition).join(system.partition)) == HOLDS
        right: NDArray[np.bool_] = table[self.data.cases.gold[self.part.rows], system.answers[self.part.rows]]
        return right


def part_numbers(answered: Answered) -> Part:
    """Compute the accuracy on cases, and what is to be had on them without reading."""
    import numpy as np

    n, right = len(answered.part.rows), answered.right
    clusters = answered.part.clusters
    best = best_rival(answered)
    return Part(
        n=n,
        groups=len(np.unique(clusters)),
        unanswered=int((answered.answers == 0).sum()),
        correct=int(right.sum()),
        accuracy=int(right.sum()) / n if n else None,
        ci95=ends(share_interval(right, clusters)) if n else None,
        constant=best_constant(answered.data.cases.gold[answered.part.rows], answered.partition),
        control=None
        if best is None
        else ControlAccuracy(system=best.name, accuracy=float(answered.rights(best).mean())),
    )


def best_rival(answered: Answered) -> SystemAnswers | None:
    """Return the control that is right most often on these cases, of those that were asked all of them."""
    rows = answered.part.rows

    def share(control: SystemAnswers) -> float | None:
        return float(answered.rights(control).mean()) if len(rows) and control.asked(rows).all() else None

    best = best_control(answered.data, answered.system, share)
    return None if best is None else best[0]
