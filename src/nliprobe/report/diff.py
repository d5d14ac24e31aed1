"""Two versions of a table side by side, cell by cell: what a case asks about, and what it was made from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, TypeAlias, TypedDict

from nliprobe.report.words import cut
from nliprobe.task.table import Row, Table
from nliprobe.task.table_diff import RowDiff, TableDiff, table_diff

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

Change: TypeAlias = Literal["same", "changed", "added", "removed"]
_SIDES: tuple[Literal["before"], Literal["after"]] = ("before", "after")
# What stands before a line of a diff on the console, where colours may be missing.
SIGNS: dict[Change, str] = {"same": " ", "changed": "~", "added": "+", "removed": "-"}


class ShownPiece(TypedDict):
    """One value of a cell; ``changed`` if the other version does not have it."""

    text: str
    changed: bool


class DiffLine(TypedDict):
    """One line of a diff: a row of the table, its title, or the hypothesis."""

    name: str
    change: Change
    before: list[ShownPiece]
    after: list[ShownPiece]


class ShownDiff(TypedDict):
    """Both versions, line by line; ``reordered`` if rows that both have are in another order."""

    lines: list[DiffLine]
    reordered: bool


def shown_diff(before: Table, after: Table, hypotheses: tuple[str, str]) -> ShownDiff:
    """Put two versions of a table, with their hypotheses, side by side.

    Args:
        before: the table of the original.
        after: the table that was asked.
        hypotheses: what is said about the one and about the other.
    """
    diff = table_diff(before, after)
    texts = (("title", before.title, after.title), ("hypothesis", *hypotheses))
    lines = [_text_line(name, old, new) for name, old, new in texts]
    return ShownDiff(lines=[*lines, *(_row_line(diff, row) for row in diff.rows)], reordered=diff.reordered)


def packed_diff(before: Table, after: Table, hypotheses: tuple[str, str]) -> dict[str, object]:
    """Write the same for a page that has the original: a row that is the same in both is its place there.

    Other lines are lists: the name, the change, and the pieces of both sides, in which what changed is in a list.
    Without ``title`` or ``hypothesis`` these are the same in both.
    """
    diff = table_diff(before, after)
    lines = [
        row.before if row.before is not None and not row.changed else _packed_line(_row_line(diff, row))
        for row in diff.rows
    ]
    packed: dict[str, object] = {"lines": lines}
    for name, old, new in (("title", before.title, after.title), ("hypothesis", *hypotheses)):
        if old != new:
            packed[name] = [cut(old), cut(new)]
    if diff.reordered:
        packed["reordered"] = 1
    return packed


def _packed_line(line: DiffLine) -> list[object]:
    sides = ([[item["text"]] if item["changed"] else item["text"] for item in line[side]] for side in _SIDES)
    return [line["name"], line["change"], *sides]


def render_diff(diff: ShownDiff) -> RenderableType:
    """Turn a diff into two columns that Rich can print: what is gone on the left, what is new on the right."""
    from rich.table import Table as Grid
    from rich.text import Text

    grid = Grid.grid(padding=(0, 2))
    for _ in range(3):
        grid.add_column(overflow="fold")
    grid.add_row("", Text("original", style="dim"), Text("as asked", style="dim"))
    for line in diff["lines"]:
        name = Text(f"{SIGNS[line['change']]} ").append(line["name"], style="" if line["change"] == "same" else "bold")
        after = Text("same", style="dim") if line["change"] == "same" else _pieces(line["after"], "green")
        grid.add_row(name, _pieces(line["before"], "red"), after)
    return grid


def _pieces(pieces: Iterable[ShownPiece], style: str) -> Text:
    from rich.text import Text

    marked = [Text(piece["text"], style=f"bold {style}" if piece["changed"] else "") for piece in pieces]
    return Text(", ").join(marked)


def _text_line(name: str, before: str, after: str) -> DiffLine:
    changed = before != after
    pieces = [[ShownPiece(text=cut(text), changed=changed)] for text in (before, after)]
    return DiffLine(name=name, change="changed" if changed else "same", before=pieces[0], after=pieces[1])


def _row_line(diff: TableDiff, row: RowDiff) -> DiffLine:
    old = None if row.before is None else diff.before.rows[row.before]
    new = None if row.after is None else diff.after.rows[row.after]
    change: Change = "added" if old is None else "removed" if new is None else "changed" if row.changed else "same"
    values = diff.values(row)
    before = [ShownPiece(text=cut(item.before), changed=item.changed) for item in values if item.before is not None]
    after = [ShownPiece(text=cut(item.after), changed=item.changed) for item in values if item.after is not None]
    return DiffLine(name=cut(_name(diff, old, new)), change=change, before=before, after=after)


def _name(diff: TableDiff, old: Row | None, new: Row | None) -> str:
    """Return the key of a row, and both if it was changed; rows of many columns are named by their first column."""
    keys = dict.fromkeys(row.key for row in (old, new) if row is not None)
    columns = diff.after.columns or diff.before.columns
    return " → ".join(keys) or (columns[0] if columns else "")
