"""A pair before and after a change, as raters see both: what only one of them has is marked there."""

from __future__ import annotations

from typing import Literal, NamedTuple

from nliprobe.report.text_diff import text_diff
from nliprobe.studio.work.told import Piece
from nliprobe.task.pair import Premise
from nliprobe.task.table import Row, Table
from nliprobe.task.table_diff import table_diff

Pieces = list[Piece]
# The share of the longer sentence that both have, from which on words are marked.
_STAYED = 1 / 3


class ShownRow(NamedTuple):
    """A row with what is marked in it; a row of columns has no key."""

    key: Pieces
    cells: list[Pieces]


class ShownTable(NamedTuple):
    """A table with what is marked in it."""

    title: Pieces
    columns: tuple[str, ...]
    rows: list[ShownRow]


class ShownPair(NamedTuple):
    """A pair with what is marked in it."""

    premise: Pieces | ShownTable
    hypothesis: Pieces


class Pair(NamedTuple):
    """A premise and a hypothesis."""

    premise: Premise
    hypothesis: str


def compare_pairs(before: Pair, after: Pair) -> tuple[ShownPair, ShownPair]:
    """Mark what only one of two pairs has; in sentences that changed places nothing, for they could not be read.

    >>> old, new = compare_pairs(Pair("It rains.", "It is wet."), Pair("It rains.", "It is dry."))
    >>> [[piece.text for piece in pair.hypothesis if piece.marked] for pair in (old, new)]
    [['wet'], ['dry']]
    """
    if (before.premise, before.hypothesis) == (after.hypothesis, after.premise):
        return _alone(before), _alone(after)
    hypotheses = _compare_sentences(before.hypothesis, after.hypothesis)
    premises = _compare(before.premise, after.premise)
    return ShownPair(premises[0], hypotheses[0]), ShownPair(premises[1], hypotheses[1])


def _compare(before: Premise, after: Premise) -> tuple[Pieces | ShownTable, Pieces | ShownTable]:
    if isinstance(before, Table) and isinstance(after, Table):
        return _compare_tables(before, after)
    if isinstance(before, str) and isinstance(after, str):
        return _compare_sentences(before, after)
    return _compare(before, before)[0], _compare(after, after)[0]


def _alone(pair: Pair) -> ShownPair:
    """Show a pair without a mark."""
    return ShownPair(_compare(pair.premise, pair.premise)[0], [Piece(pair.hypothesis, marked=False)])


def _compare_tables(before: Table, after: Table) -> tuple[ShownTable, ShownTable]:
    old: dict[int, ShownRow] = {}
    new: dict[int, ShownRow] = {}
    for row in table_diff(before, after).rows:
        first = None if row.before is None else before.rows[row.before]
        second = None if row.after is None else after.rows[row.after]
        if row.before is not None and first is not None:
            old[row.before] = _row(first, second, "removed", columns=bool(before.columns))
        if row.after is not None and second is not None:
            new[row.after] = _row(second, first, "added", columns=bool(after.columns))
    titles = _compare_texts(before.title, after.title)
    return (
        ShownTable(titles[0], before.columns, [old[place] for place in sorted(old)]),
        ShownTable(titles[1], after.columns, [new[place] for place in sorted(new)]),
    )


def _row(row: Row, other: Row | None, kind: Literal["removed", "added"], *, columns: bool) -> ShownRow:
    """Show a row, marked against the one it belongs to in the other version; without one, all of it is marked."""
    cells = _cells(row, columns=columns)
    if other is None:
        return ShownRow([Piece(row.key, marked=True)], [[Piece(text, marked=True)] for text in cells])

    def marked(text: str, against: str) -> Pieces:
        pair = (text, against) if kind == "removed" else (against, text)
        return _side(*pair, kind)

    others = _cells(other, columns=columns)
    return ShownRow(
        marked(row.key, other.key),
        [marked(text, others[place] if place < len(others) else "") for place, text in enumerate(cells)],
    )


def _cells(row: Row, *, columns: bool) -> tuple[str, ...]:
    """The cells of a row as they stand on a page: a key's values are in one."""
    return row.values if columns else (", ".join(row.values),)


def _compare_sentences(before: str, after: str) -> tuple[Pieces, Pieces]:
    """Mark words, unless hardly any stayed: a sentence that is struck through from end to end cannot be read."""
    marked = _compare_texts(before, after)
    stayed = sum(len(piece.text) for piece in marked[0] if not piece.marked)
    if stayed < _STAYED * max(len(before), len(after)):
        return [Piece(before, marked=False)], [Piece(after, marked=False)]
    return marked


def _compare_texts(before: str, after: str) -> tuple[Pieces, Pieces]:
    return _side(before, after, "removed"), _side(before, after, "added")


def _side(before: str, after: str, kind: Literal["removed", "added"]) -> Pieces:
    return [Piece(piece.text, piece.kind == kind) for piece in text_diff(before, after) if piece.kind in ("same", kind)]
