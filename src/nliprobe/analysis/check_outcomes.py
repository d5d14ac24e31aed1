"""The outcomes of checks, many cases at a time: what :func:`nliprobe.task.checks.outcome` says of one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nliprobe.analysis.cases import NONE, NOT_ASKED, Cases
from nliprobe.analysis.outcome_codes import BROKEN, HOLDS, NOT_APPLICABLE, UNANSWERED
from nliprobe.task.checks import (
    BASE,
    NOISE,
    And,
    BaseIn,
    Close,
    If,
    LabelIn,
    Monotone,
    Not,
    Or,
    Rule,
    SameLabel,
    needs_base,
)
from nliprobe.task.labels import LETTERS, SETS
from nliprobe.task.partitions import Partition

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Found = NDArray[np.int8]
    Shares = NDArray[np.float32]

# What a rule says of one reading of an answer.
_NO, _YES, _NOTHING = 0, 1, -1


def checked_rows(
    cases: Cases,
    rows: NDArray[np.int64],
    answers: NDArray[np.uint8],
    probabilities: NDArray[np.float32] | None,
    partition: Partition,
) -> NDArray[np.uint8]:
    """Give the outcomes of the checks of some rows, all of which have one, as positions in ``OUTCOMES``."""
    import numpy as np

    has_base = cases.base[rows] != NONE
    before = np.where(has_base, cases.base[rows], 0)
    shares = np.full((len(answers), 3), np.nan, dtype=np.float32) if probabilities is None else probabilities
    known = np.where(answers == NOT_ASKED, 0, answers).astype(np.uint8)
    return check_outcomes(
        cases.rules,
        cases.check[rows],
        known[before],
        known[rows],
        shares[before],
        shares[rows],
        partition,
        has_base=has_base,
    )


def check_outcomes(
    rules: Sequence[Rule],
    rule: NDArray[np.int32],
    before: NDArray[np.uint8],
    after: NDArray[np.uint8],
    shares_before: Shares,
    shares: Shares,
    partition: Partition,
    *,
    has_base: NDArray[np.bool_],
) -> NDArray[np.uint8]:
    """Judge answers by their rules.

    Args:
        rules: the rules.
        rule: the number of each case's rule.
        before: masks of the answers to the bases, 0 for unanswered.
        after: masks of the answers.
        shares_before: probabilities of the bases, three a row, NaN where there are none.
        shares: probabilities of the cases.
        partition: what the system tells apart.
        has_base: whether the case has exactly one base.

    Returns:
        Positions in ``OUTCOMES``.
    """
    import numpy as np

    coarse = np.array([partition.coarsen(labels).mask for labels in SETS], dtype=np.uint8)
    found = np.full(len(rule), NOT_APPLICABLE, dtype=np.uint8)
    order = np.argsort(rule, kind="stable")
    for at in np.split(order, np.flatnonzero(np.diff(rule[order])) + 1):
        if not len(at):
            continue
        number = int(rule[at[0]])
        based = has_base[at] & needs_base(rules[number])
        old, new = coarse[before[at]], coarse[after[at]]
        moves = np.where(based[:, None], shares[at].astype(np.float64) - shares_before[at], np.nan)
        moves[np.isnan(moves).any(axis=1)] = np.nan
        verdict = _over_readings(rules[number], np.where(based, old, 0), new, moves, based)
        silent = (new == 0) | (based & (old == 0))
        found[at] = np.where(silent, UNANSWERED, verdict)
    return found


def _over_readings(
    rule: Rule, old: NDArray[np.uint8], new: NDArray[np.uint8], moves: NDArray[np.float64], based: NDArray[np.bool_]
) -> NDArray[np.uint8]:
    """Holds where some reading does, else not applicable where some reading is, else broken."""
    import numpy as np

    holds, nothing = np.zeros(len(new), dtype=bool), np.zeros(len(new), dtype=bool)
    for before in (None, *LETTERS):
        possible_before = ~based if before is None else (old >> LETTERS.index(before) & 1).astype(bool)
        for place, after in enumerate(LETTERS):
            rows = np.flatnonzero(possible_before & (new >> place & 1).astype(bool))
            if len(rows):
                said = _said(rule, before, after, moves[rows])
                holds[rows] |= said == _YES
                nothing[rows] |= said == _NOTHING
    return np.where(holds, HOLDS, np.where(nothing, NOT_APPLICABLE, BROKEN)).astype(np.uint8)


def _said(rule: Rule, before: str | None, after: str, moves: NDArray[np.float64]) -> Found:
    """What a rule says where the labels are these and the probabilities moved so."""
    import numpy as np

    match rule:
        case SameLabel():
            return _everywhere(_NOTHING if before is None else int(before == after), len(moves))
        case LabelIn(labels):
            return _everywhere(int(after in labels), len(moves))
        case BaseIn(labels):
            return _everywhere(_NOTHING if before is None else int(before in labels), len(moves))
        case Close(tolerance):
            return _known(np.abs(moves).max(axis=1) <= tolerance + NOISE, ~np.isnan(moves[:, 0]))
        case Monotone(label, direction, tolerance):
            letter = before if label == BASE else label
            if letter is None:
                return _everywhere(_NOTHING, len(moves))
            move = moves[:, LETTERS.index(letter)]
            moved = (move if direction.endswith("up") else -move) > tolerance + NOISE
            return _known(~moved if direction.startswith("not_") else moved, ~np.isnan(move))
        case And(checks) | Or(checks):
            parts = np.stack([_said(check, before, after, moves) for check in checks])
            decisive = _NO if isinstance(rule, And) else _YES
            settled, applies = (parts == decisive).any(axis=0), (parts != _NOTHING).any(axis=0)
            return _known(settled if decisive == _YES else ~settled, applies)
        case Not(check):
            said = _said(check, before, after, moves)
            return np.where(said == _NOTHING, _NOTHING, 1 - said).astype(np.int8)
        case If(when, then):
            met = _said(when, before, after, moves) == _YES
            return np.where(met, _said(then, before, after, moves), _NOTHING).astype(np.int8)


def _everywhere(said: int, size: int) -> Found:
    import numpy as np

    return np.full(size, said, dtype=np.int8)


def _known(values: NDArray[np.bool_], known: NDArray[np.bool_]) -> Found:
    import numpy as np

    return np.where(known, values, _NOTHING).astype(np.int8)
