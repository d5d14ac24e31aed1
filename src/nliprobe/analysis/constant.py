"""What a constant answer gets: the accuracy of the label that is right most often, beside every other accuracy."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from nliprobe.task.outcomes import HOLDS, gold_table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.task.labels import Partition


class ConstantAnswer(TypedDict):
    """The label that a system would do best to answer always, and the accuracy it would have."""

    label: str
    accuracy: float


def best_constant(gold: NDArray[np.uint8], partition: Partition) -> ConstantAnswer | None:
    """Return the best constant answer to labelled cases, or None if there are none; of equals, the first label.

    Args:
        gold: masks of label sets, none of them empty.
        partition: the labels that can be answered.
    """
    constants = constant_answers(gold, partition)
    if not constants:
        return None
    label = max(constants, key=lambda name: constants[name])
    return ConstantAnswer(label=label, accuracy=constants[label])


def constant_answers(gold: NDArray[np.uint8], partition: Partition) -> dict[str, float]:
    """Return the accuracy of every constant answer to labelled cases, by label; nothing if there are no cases."""
    import numpy as np

    if not len(gold):
        return {}
    counts = np.bincount(gold, minlength=8)
    right = gold_table(partition) == HOLDS
    return {str(block): int(counts[right[:, block.mask]].sum()) / len(gold) for block in partition.blocks}
