"""Exceptions: moves that logic allows although the relation of an edit does not (tables.md, T4).

The relations are the seed's, and broken cases are counted by them alone. Where the label after an edit is computed, by
executing a hypothesis, it lies inside the relation or in one of these exceptions.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from nliprobe.task.relations import (
    DELETE,
    DELETE_RELEVANT,
    INSERT,
    UPDATE,
    Relation,
    UnitEdit,
    together,
)


class RelationException(NamedTuple):
    """A move that the relation of some edits prohibits and logic does not.

    Attributes:
        name: how reports and counts name it.
        why: what makes it possible, in one sentence.
        needs: the edits that must all be in a set for the exception to apply to the set; one of these will do.
        moves: what it allows; nothing after labels to which it does not apply.
    """

    name: str
    why: str
    needs: tuple[frozenset[UnitEdit], ...]
    moves: Relation


UPDATE_RESTORES = RelationException(
    "update restores",
    "a row is complete, so the new value can make true what it did not list before",
    (frozenset([UPDATE]),),
    Relation.of({"E": "", "N": "", "C": "E"}),
)
OPEN_PART = RelationException(
    "open part",
    "another part of the hypothesis is about a row that the table does not have, so the updated row no longer decides, "
    "or decides alone",
    (frozenset([UPDATE]),),
    Relation.of({"E": "N", "N": "E", "C": "N"}),
)
STILL_CONTRADICTED = RelationException(
    "still contradicted",
    "another row that is read contradicts, too: one false part is enough for a false conjunction",
    (frozenset([DELETE_RELEVANT]),),
    Relation.of({"E": "", "N": "", "C": "C"}),
)
STILL_SUPPORTED = RelationException(
    "still supported",
    "another row that is read supports, too: one true part is enough for a true disjunction",
    (frozenset([DELETE_RELEVANT]),),
    Relation.of({"E": "E", "N": "", "C": ""}),
)
INSERTED_DECIDES = RelationException(
    "inserted row decides",
    "without the deleted row the question is open, and the inserted row answers it alone",
    (frozenset([DELETE_RELEVANT, INSERT]), frozenset([DELETE, INSERT])),
    Relation.of({"E": "EC", "N": "", "C": "EC"}),
)
EXCEPTIONS = (UPDATE_RESTORES, OPEN_PART, STILL_CONTRADICTED, STILL_SUPPORTED, INSERTED_DECIDES)


class Verdict(StrEnum):
    """What the relation of some edits says about a move."""

    ALLOWED = "allowed"
    EXCEPTION = "exception"
    PROHIBITED = "prohibited"


class Judgement(NamedTuple):
    """A verdict on a move, with the exception that explains it if there is one."""

    verdict: Verdict
    exception: RelationException | None = None


def exceptions_of(edits: Iterable[UnitEdit]) -> tuple[RelationException, ...]:
    """Return the exceptions that can occur with a set of edits."""
    kinds = frozenset(edits)
    return tuple(item for item in EXCEPTIONS if any(needs <= kinds for needs in item.needs))


def judge_move(edits: Iterable[UnitEdit], before: str, after: str) -> Judgement:
    """Tell whether a move between two labels is allowed after a set of edits, or by which exception it is explained.

    >>> judge_move([UPDATE], "C", "E").exception.name
    'update restores'
    """
    kinds = frozenset(edits)
    if after in together(kinds)(before):
        return Judgement(Verdict.ALLOWED)
    explained = explanations(kinds, before, after)
    return Judgement(Verdict.EXCEPTION, explained[0]) if explained else Judgement(Verdict.PROHIBITED)


def explanations(edits: Iterable[UnitEdit], before: str, after: str) -> tuple[RelationException, ...]:
    """Return every exception that can explain a move between two labels after a set of edits.

    >>> [item.name for item in explanations([DELETE_RELEVANT, INSERT], "E", "E")]
    ['still supported', 'inserted row decides']
    """
    kinds = frozenset(edits)
    return tuple(
        item
        for item in exceptions_of(kinds)
        if any(after in _moves(item.moves, kinds - needs)(before) for needs in item.needs if needs <= kinds)
    )


def _moves(moves: Relation, others: Iterable[UnitEdit]) -> Relation:
    """Return where the moves of an exception lead in a set of edits: the other edits may move the label further."""
    for kind in sorted(others, key=lambda kind: kind.rank):
        moves = moves.then(kind.otherwise)
    return moves
