"""The units that a system uses: without them its answer changes, or they alone give the same answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from nliprobe.analysis.cases import NONE, NOT_ASKED, SystemAnswers
from nliprobe.task.labels import LabelSet, N, Partition
from nliprobe.task.outcomes import coarse_masks

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.analysis.evidence.documents import Method
    from nliprobe.analysis.evidence.pairs import UnitPairs


class SystemUse(NamedTuple):
    """What the cases of one method say about a system, unit by unit and pair by pair.

    Attributes:
        used: for each unit, whether the system uses it; false where that is not known.
        asked: for each pair, whether the run has the cases of all its units.
        answered: for each pair, whether the system answered all of them, and the pair itself.
        unread: for each unit, whether the system reads the premise without it like the whole one, or, if units are
            kept, reads every single one of them like the whole premise.
        before: for each pair, the mask of its answer as it is; 0 for none.
        after_all: for each pair, the mask of its answer without any marked unit; 0 for none.
    """

    used: NDArray[np.bool_]
    asked: NDArray[np.bool_]
    answered: NDArray[np.bool_]
    unread: NDArray[np.bool_]
    before: NDArray[np.uint8]
    after_all: NDArray[np.uint8]


def system_use(pairs: UnitPairs, system: SystemAnswers, method: Method) -> SystemUse:
    """Tell which units a system uses.

    Answers are compared by what the system tells apart: for one that answers E or not, a change from C to N cannot be
    seen.

    Args:
        pairs: the pairs with the cases that edit their units.
        system: the system with its answers.
        method: ``delete``: a unit is used if the answer changes without it. ``keep``: a unit is used if it alone gives
            the answer E or C that the whole premise gives.
    """
    import numpy as np

    coarse = coarse_masks(system.partition)
    pair = np.repeat(np.arange(len(pairs.pairs)), pairs.sizes)
    rows = pairs.delete if method == "delete" else pairs.keep
    before, after = _answers(system, pairs.asked, coarse)[pair], _answers(system, rows, coarse)
    answered = (before != 0) & (after != 0)
    size = len(pairs.pairs)
    if method == "delete":
        used = answered & (before != after)
        unread = answered & system.unchanged[rows]
    else:
        decided = (before & N.mask) == 0
        # One sentence alone may be read like the whole passage because it is all that is chosen from it. If each of
        # them is, none is read.
        same = answered & system.unchanged[rows]
        unread = (np.bincount(pair[~same], minlength=size) == 0)[pair]
        used = answered & decided & (before == after) & ~unread
    return SystemUse(
        used,
        np.bincount(pair[rows == NONE], minlength=size) == 0,
        np.bincount(pair[~answered], minlength=size) == 0,
        unread,
        _answers(system, pairs.asked, coarse),
        _answers(system, pairs.delete_all, coarse),
    )


def tells_from_neutral(partition: Partition, label: LabelSet) -> bool:
    """Tell whether a system can show that a label has become N: it tells both apart."""
    return "N" in partition.labels and "N" not in partition.coarsen(label)


def _answers(system: SystemAnswers, rows: NDArray[np.int64], coarse: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the coarsened answers to some cases; 0 where there is no case, or no answer to it."""
    import numpy as np

    # The row NONE is the last one here; what it holds is not looked at.
    answers = system.answers[rows]
    known: NDArray[np.uint8] = np.where((rows == NONE) | (answers == NOT_ASKED), 0, answers).astype(np.uint8)
    return coarse[known]
