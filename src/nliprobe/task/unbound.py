"""Where a rule binds nobody: after some answers it allows every answer that a system can give.

To keep such a rule is no merit. An added row can turn a neutral pair into anything; and after an entailment, a system
that cannot tell neutral from contradiction keeps the rule of deleted rows whatever it says.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from nliprobe.task.case import Prediction
from nliprobe.task.labels import SETS, Partition
from nliprobe.task.outcomes import HOLDS, label_outcomes, pair_outcomes
from nliprobe.task.rules import Rule, needs_probabilities

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@lru_cache(maxsize=4096)
def unbound(rule: Rule, partition: Partition) -> NDArray[np.bool_]:
    """Mark where every answer keeps a rule: by whether there is a base, and the mask of the answer to it.

    A rule that looks at probabilities always asks for something. The table is shared, and cannot be written to.
    """
    import numpy as np

    every = _every_answer_holds(label_outcomes(rule, partition), partition)
    table = np.zeros_like(every) if needs_probabilities(rule) else every
    table.flags.writeable = False
    return table


@lru_cache(maxsize=4096)
def unbound_by_two(rule: Rule, partition: Partition) -> NDArray[np.bool_]:
    """Mark where every answer keeps a rule over two bases: by the masks of the answers to both."""
    table = _every_answer_holds(pair_outcomes(rule, partition), partition)
    table.flags.writeable = False
    return table


def is_unbound(rule: Rule, bases: Sequence[Prediction], partition: Partition) -> bool:
    """Tell whether every answer keeps a rule, given the answers to the cases that a case was derived from.

    >>> from nliprobe.task.labels import THREE_WAY, LabelSet
    >>> from nliprobe.task.relations import DELETE
    >>> [is_unbound(DELETE.relation, [Prediction(LabelSet.of("E"))], Partition.parse(way)) for way in ("E|N|C", "E|NC")]
    [False, True]
    """
    masks = [0 if item.label is None else item.label.mask for item in bases]
    if len(masks) == 2:
        one, two = masks
        return bool(unbound_by_two(rule, partition)[one, two])
    based = len(masks) == 1
    return bool(unbound(rule, partition)[int(based), masks[0] if based else 0])


def _every_answer_holds(outcomes: NDArray[np.uint8], partition: Partition) -> NDArray[np.bool_]:
    """Fold the last axis of a table, which has a place for every mask: only what the system can say counts."""
    can_say = [labels.mask for labels in SETS[1:] if labels & partition.labels == labels]
    table: NDArray[np.bool_] = (outcomes[..., can_say] == HOLDS).all(axis=-1)
    return table
