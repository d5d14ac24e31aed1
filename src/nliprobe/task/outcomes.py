"""Outcomes: whether what was expected of an answer holds, for one answer or for millions.

Gold labels and expectations have the same four outcomes. Gold labels are compared by what both the corpus and the
system can tell apart. An expectation is judged by what the system can tell apart: the answer NC of a two-way system is
read as N and as C, and breaks a rule only if both readings break it. Where no answer that it can give is allowed, the
rule does not apply to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.task.case import Prediction
from nliprobe.task.labels import LETTERS, SETS, THREE_WAY, Partition
from nliprobe.task.relations import NOTHING_SAID, YES, Relation
from nliprobe.task.rules import Move, Rule, bases_needed, needs_probabilities

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Outcome(StrEnum):
    """What became of one expectation of a case."""

    HOLDS = "holds"
    BROKEN = "broken"
    NOT_APPLICABLE = "not applicable"
    UNANSWERED = "unanswered"


# In arrays an outcome is its place here.
OUTCOMES = tuple(Outcome)
HOLDS, BROKEN, NOT_APPLICABLE, UNANSWERED = range(4)
_MASKS = len(SETS)


class Answers(NamedTuple):
    """The answers to some cases together with those to their bases, a row per case.

    Attributes:
        before: masks of the answers to the bases; 0 for unanswered.
        after: masks of the answers to the cases; 0 for unanswered.
        changes: probabilities of E, N and C after minus before; NaN where one side gave none.
        based: whether the case has exactly one base.
    """

    before: NDArray[np.uint8]
    after: NDArray[np.uint8]
    changes: NDArray[np.float64]
    based: NDArray[np.bool_]

    def take(self, rows: NDArray[np.intp]) -> Answers:
        """Return the answers of some rows."""
        return Answers(self.before[rows], self.after[rows], self.changes[rows], self.based[rows])


@lru_cache(maxsize=4096)
def gold_table(partition: Partition) -> NDArray[np.uint8]:
    """Tabulate the outcome for every mask of gold (rows) and of an answer (columns).

    The table is shared, and cannot be written to.
    """
    import numpy as np

    table = np.full((_MASKS, _MASKS), NOT_APPLICABLE, dtype=np.uint8)
    for gold in SETS[1:]:
        table[gold.mask, 0] = UNANSWERED
        for answer in SETS[1:]:
            table[gold.mask, answer.mask] = HOLDS if partition.agrees(answer, gold) else BROKEN
    table.flags.writeable = False
    return table


def expected_outcomes(
    rules: Sequence[Rule], numbers: NDArray[np.int32], answers: Answers, partition: Partition = THREE_WAY
) -> NDArray[np.uint8]:
    """Judge answers by their rules.

    Args:
        rules: the rules.
        numbers: the place of each case's rule among them.
        answers: the answers.
        partition: what the system tells apart.

    Returns:
        Places in ``OUTCOMES``. A rule over several bases never applies to a case with one; see :func:`pair_outcomes`.
    """
    import numpy as np

    weighing = np.array([needs_probabilities(rule) for rule in rules], dtype=bool)
    tables = np.stack([label_outcomes(rule, partition) for rule in rules])
    outcomes: NDArray[np.uint8] = tables[numbers, answers.based.astype(np.intp), answers.before, answers.after]
    for number in np.unique(numbers[weighing[numbers]]).tolist():
        rows = np.flatnonzero(numbers == number)
        outcomes[rows] = _judged(rules[number], answers.take(rows), partition)
    return outcomes


def outcome(
    rule: Rule, bases: Sequence[Prediction], prediction: Prediction, partition: Partition = THREE_WAY
) -> Outcome:
    """Judge one answer by a rule, given the answers to the cases it was derived from.

    >>> from nliprobe.task.labels import LabelSet
    >>> from nliprobe.task.relations import SAME
    >>> outcome(SAME, [Prediction(LabelSet.of("E"))], Prediction(LabelSet.of("N"))).value
    'broken'
    """
    import numpy as np

    if isinstance(rule, Relation) and rule.arity == len(bases) == 2:
        one, two, last = (0 if item.label is None else item.label.mask for item in (*bases, prediction))
        return OUTCOMES[int(pair_outcomes(rule, partition)[one, two, last])]
    base = bases[0] if len(bases) == 1 else Prediction(None)
    masks = [0 if item.label is None else item.label.mask for item in (base, prediction)]
    nothing = (np.nan, np.nan, np.nan)
    before, after = (np.array(item.probabilities or nothing, dtype=np.float64) for item in (base, prediction))
    judged = Answers(
        np.array(masks[:1], dtype=np.uint8),
        np.array(masks[1:], dtype=np.uint8),
        (after - before)[None, :],
        np.array([len(bases) == 1]),
    )
    return OUTCOMES[int(_judged(rule, judged, partition)[0])]


@lru_cache(maxsize=4096)  # every slice of a run asks for the tables of the same few rules
def label_outcomes(rule: Rule, partition: Partition) -> NDArray[np.uint8]:
    """Judge every answer without probabilities: by whether there is a base, its mask, and the mask of the answer.

    The table is shared, and cannot be written to.
    """
    import numpy as np

    based, before, after = (column.ravel() for column in np.indices((2, _MASKS, _MASKS)))
    changes = np.full((len(after), len(LETTERS)), np.nan)
    combinations = Answers(before.astype(np.uint8), after.astype(np.uint8), changes, based.astype(bool))
    table = _judged(rule, combinations, partition).reshape(2, _MASKS, _MASKS)
    table.flags.writeable = False
    return table


@lru_cache(maxsize=4096)
def coarse_masks(partition: Partition) -> NDArray[np.uint8]:
    """Return, for the mask of every label set, the mask of the same set in the labels that are told apart.

    The table is shared, and cannot be written to.
    """
    import numpy as np

    table = np.array([partition.coarsen(labels).mask for labels in SETS], dtype=np.uint8)
    table.flags.writeable = False
    return table


@lru_cache(maxsize=4096)
def pair_outcomes(rule: Rule, partition: Partition) -> NDArray[np.uint8]:
    """Judge every answer to a case with two bases: by the masks of the answers to both, and the mask of the answer.

    Only a relation over two bases applies. The table is shared, and cannot be written to.
    """
    import numpy as np

    table = np.full((_MASKS,) * 3, NOT_APPLICABLE, dtype=np.uint8)
    if isinstance(rule, Relation) and rule.arity == 2:
        coarse = [partition.coarsen(labels) for labels in SETS]
        for one, two, last in np.ndindex(table.shape):
            if not (one and two and last):
                table[one, two, last] = UNANSWERED
                continue
            allowed = rule(coarse[one], coarse[two])
            # As with one base: some reading is enough, and nobody is expected to say what they cannot.
            if allowed & coarse[last]:
                table[one, two, last] = HOLDS
            elif not allowed or allowed & partition.labels:
                table[one, two, last] = BROKEN
    table.flags.writeable = False
    return table


def _judged(rule: Rule, answers: Answers, partition: Partition) -> NDArray[np.uint8]:
    """Judge by one rule: holds where some reading does, else not applicable where some reading is, else broken."""
    import numpy as np

    coarse = coarse_masks(partition)
    needed = bases_needed(rule)
    based = answers.based & (needed == 1)
    before, after = np.where(based, coarse[answers.before], 0), coarse[answers.after]
    # A change that is known for some labels only counts as unknown.
    known = based & ~np.isnan(answers.changes).any(axis=1)
    changes = np.where(known[:, None], answers.changes, np.nan)
    holds, silent = np.zeros(len(after), dtype=bool), np.zeros(len(after), dtype=bool)
    for old in (None, *LETTERS):
        possible = ~based if old is None else (before >> LETTERS.index(old) & 1).astype(bool)
        for place, new in enumerate(LETTERS):
            rows = np.flatnonzero(possible & (after >> place & 1).astype(bool))
            if len(rows):
                verdict = rule.judge(Move(old, new, changes[rows]))
                holds[rows] |= verdict == YES
                silent[rows] |= verdict == NOTHING_SAID
    if isinstance(rule, Relation) and needed == 1:
        # A system that never says N cannot be expected to: nothing that it can say is allowed.
        beyond = [bool(rule(labels)) and not rule(labels) & partition.labels for labels in SETS]
        silent |= np.array(beyond)[before]
    verdicts = np.where(holds, HOLDS, np.where(silent, NOT_APPLICABLE, BROKEN))
    unanswered = (after == 0) | (based & (before == 0))
    judged = np.where(unanswered, UNANSWERED, verdicts)
    return (judged if needed < 2 else np.full(len(after), NOT_APPLICABLE)).astype(np.uint8)
