"""Expressions such as ``insert+delete``: which edits of rows are made together."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from nliprobe.base.errors import UsageError, did_you_mean
from nliprobe.probes._units import Which
from nliprobe.task.relations import DELETE, INSERT, PERMUTE, UPDATE, UnitEdit


class Op(StrEnum):
    """One edit in an expression, in canonical order."""

    INSERT = "insert"
    UPDATE = "update"
    DELETE = "delete"
    DELETE_RELEVANT = "delete-relevant"
    DELETE_IRRELEVANT = "delete-irrelevant"
    PERMUTE = "permute"


# Rows are chosen first for the deletions that suit few of them.
_DELETIONS = {
    Op.DELETE_RELEVANT: Which.RELEVANT,
    Op.DELETE_IRRELEVANT: Which.IRRELEVANT,
    Op.DELETE: Which.EACH,
}
_BLIND = {Op.INSERT: INSERT, Op.UPDATE: UPDATE, Op.PERMUTE: PERMUTE} | dict.fromkeys(_DELETIONS, DELETE)


class Expression(NamedTuple):
    """What an expression asks for.

    Attributes:
        text: the expression with its edits in canonical order, by which a set of edits has one name.
        inserts: how many rows are inserted.
        updates: how many rows are updated.
        marked: the deletions that the evidence must name, in the order of choosing rows.
        deletes: how many other rows are deleted.
        permutes: whether the rows are brought into another order.
        kinds: what the edits are where the evidence is unknown.
    """

    text: str
    inserts: int
    updates: int
    marked: tuple[Which, ...]
    deletes: int
    permutes: bool
    kinds: tuple[UnitEdit, ...]

    @property
    def deletions(self) -> int:
        """How many rows are deleted in all."""
        return len(self.marked) + self.deletes


def parse_expression(text: str) -> Expression:
    """Read edits joined by ``+``, in any order; the errors say what an expression looks like."""
    place = f"'rows.compose?ops={text}'"
    known = [item.value for item in Op]
    names = [name.strip() for name in text.split("+")]
    for name in names:
        if name not in known:
            what = f"'{name}' is no edit of rows" if name else "an edit is missing"
            raise UsageError(f"{place}: {what}. {did_you_mean(name, known)} Join edits by +, as in insert+delete.")
    if len(names) < 2:
        raise UsageError(
            f"{place} is a single edit: use 'rows.{names[0].partition('-')[0]}' for it, "
            "or join two edits by +, as in insert+delete."
        )
    if names.count(Op.PERMUTE) > 1:
        raise UsageError(f"{place} permutes the rows twice, which is one other order: write permute once.")
    ops = sorted((Op(name) for name in names), key=known.index)
    return Expression(
        "+".join(ops),
        ops.count(Op.INSERT),
        ops.count(Op.UPDATE),
        tuple(_DELETIONS[op] for op in ops if op in (Op.DELETE_RELEVANT, Op.DELETE_IRRELEVANT)),
        ops.count(Op.DELETE),
        Op.PERMUTE in ops,
        tuple(dict.fromkeys(_BLIND[op] for op in ops)),
    )
