"""Consistency: whether the answers to pairs that were made from other pairs fit together, right or wrong.

Paraphrase, negation, symmetry and transitivity are such relations (BECEL). A rule that is broken shows that at least
one of the answers is wrong, without a gold label. A constant answer breaks few of these rules or none, so the
accuracies on both sides stand beside the rate.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from nliprobe.analysis.cases import DEFAULT_CERTAINTY, NONE, RunData, Slice, SystemAnswers
from nliprobe.analysis.consistency_documents import ConsistencyEntry
from nliprobe.analysis.outcomes import answered_right, judge_expectations
from nliprobe.analysis.scores import rate_of
from nliprobe.analysis.slices import asked_slices
from nliprobe.task.case import IDENTITY, Certainty
from nliprobe.task.labels import Partition
from nliprobe.task.outcomes import BROKEN, HOLDS, NOT_APPLICABLE, UNANSWERED
from nliprobe.task.relations import Relation

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def consistency(data: RunData, *, certainty: Collection[Certainty] = DEFAULT_CERTAINTY) -> list[ConsistencyEntry]:
    """Count broken rules by system and corpus, for pairs that their corpus says were made from one or two others.

    Args:
        data: the run.
        certainty: which cases count.
    """
    import numpy as np

    cases = data.cases
    # The last mark is for cases without a rule, whose number is NONE.
    over_labels = np.array([*(isinstance(rule, Relation) for rule in cases.rules), False])
    made = over_labels[cases.expects] & ((cases.base != NONE) | (cases.second != NONE))
    wanted = cases.wanted(certainty)
    return [
        _entry(data, item.system, item.counted(wanted))
        for item in asked_slices(data, made, with_bases=True)
        if item.part.probe == IDENTITY
    ]


def _entry(data: RunData, system: SystemAnswers, part: Slice) -> ConsistencyEntry:
    import numpy as np

    cases = data.cases
    outcomes = _judged(data, system, part.rows, system.answers)
    decided = (outcomes == HOLDS) | (outcomes == BROKEN)
    counted, broken = part.where(decided), outcomes[decided] == BROKEN
    rows, groups = counted.rows, counted.clusters
    partition = data.partitions[part.corpus].join(system.partition)
    before, known_before = _all_right(data, system, rows, partition)
    after, known_after = answered_right(data, system, rows, partition), cases.gold[rows] != 0
    both = before & known_after
    return ConsistencyEntry(
        system=system.name,
        corpus=part.corpus,
        partition=str(system.partition),
        bases=2 if (cases.second[part.rows] != NONE).any() else 1,
        n=len(rows),
        unanswered=int((outcomes == UNANSWERED).sum()),
        not_applicable=int((outcomes == NOT_APPLICABLE).sum()),
        groups=len(np.unique(groups)),
        before=rate_of(before[known_before], groups[known_before]),
        after=rate_of(after[known_after], groups[known_after]),
        broken=rate_of(broken, groups),
        broken_of_right=rate_of(broken[before], groups[before]),
        wrong_of_right=rate_of(~after[both], groups[both]),
        constants=_constants(data, system, part.rows),
    )


def _judged(
    data: RunData, system: SystemAnswers, rows: NDArray[np.int64], answers: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    return judge_expectations(data.cases, rows, answers, system.unchanged, None, system.partition)


def _all_right(
    data: RunData, system: SystemAnswers, rows: NDArray[np.int64], partition: Partition
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Tell where all answers before are right, and where all of their gold labels are known."""
    import numpy as np

    right, known = np.ones(len(rows), dtype=bool), np.ones(len(rows), dtype=bool)
    for bases in (data.cases.base, data.cases.first, data.cases.second):
        base = bases[rows]
        known &= (base == NONE) | (data.cases.gold[base] != 0)
        right &= (base == NONE) | answered_right(data, system, base, partition)
    return right & known, known


def _constants(data: RunData, system: SystemAnswers, rows: NDArray[np.int64]) -> dict[str, float]:
    import numpy as np

    broken: dict[str, float] = {}
    for block in system.partition.blocks:
        outcomes = _judged(data, system, rows, np.full_like(system.answers, block.mask))
        decided = int(((outcomes == HOLDS) | (outcomes == BROKEN)).sum())
        if decided:
            broken[str(block)] = int((outcomes == BROKEN).sum()) / decided
    return broken
