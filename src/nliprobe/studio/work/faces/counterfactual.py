"""Edit a table: a field per key and cell, and what has changed beside the original."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from nliprobe.base.errors import DataError
from nliprobe.people.records import Content, Item, Json
from nliprobe.people.tasks.counterfactual import MORE_VALUES, Edits
from nliprobe.people.tasks.premises import premise_of, premise_value
from nliprobe.people.texts import LONGEST_CELL
from nliprobe.report.diff import ShownDiff, shown_diff
from nliprobe.studio.work.faces import FACES
from nliprobe.studio.work.faces._face import Face, Values, is_ticked, text_in, texts_in, ticked
from nliprobe.task.table import Row, Table
from nliprobe.task.table_diff import table_diff

# Rows of the original are named by their places, new ones by n and a number.
_NAME = re.compile(r"(n?)([0-9]{1,6})")
_WANTED = {"E": "must be true", "N": "may be true or false", "C": "must be false"}


class EditedRow(NamedTuple):
    """A row of the form: its name, its key, its cells as fields hold them, and whether it was taken out."""

    name: str
    key: str
    cells: list[str]
    gone: bool
    new: bool


@FACES.register("counterfactual")
class Editing(Face):
    """The table with other values.

    In an infobox a field holds all values of a row, one per line; in a table of columns there is a field per cell.
    """

    template = "counterfactual.html"
    script = "counterfactual.js"
    numbers = "go to the row with that number"

    def question(self, shown: Content) -> str:
        """Ask for the edit."""
        return f"Edit the table so that the hypothesis {_WANTED[str(shown['wanted'])]}"

    def view(self, item: Item, values: Values) -> dict[str, object]:
        """Return the rows to edit, and what differs from the original so far."""
        table, adds = _table(item), self.task.shown(item)["edits"] == Edits.ROWS.value
        rows = _rows(table, values)
        if adds:
            used = [int(row.name[1:]) for row in rows if row.new]
            rows.append(EditedRow(f"n{max(used, default=0) + 1}", "", [""] * max(1, len(table.columns)), False, True))
        return {"rows": rows, "adds": adds, "columns": table.columns, "wanted": item.content["wanted"], "table": table,
                "longest": _longest(table), "live": self.live(item, values) if values.get("row") else {}}  # fmt: skip

    def answer(self, item: Item, values: Values) -> dict[str, Json]:
        """Return the table of the form."""
        return {"table": premise_value(_edited(_table(item), values))}

    def values(self, item: Item, answer: Content) -> dict[str, Json]:
        """Return the fields of an edited table: rows that the original has, too, keep their names."""
        before, after = _table(item), premise_of(answer["table"])
        assert isinstance(after, Table)
        diff = table_diff(before, after)
        names: list[Json] = []
        fields: dict[str, Json] = {}
        for number, row in enumerate(diff.rows, 1):
            old = None if row.before is None else before.rows[row.before]
            new = None if row.after is None else after.rows[row.after]
            # A form cannot change a key: such a row was taken out, and another one put in.
            same = old is not None and new is not None and old.key == new.key
            if old is not None:
                names.append(str(row.before))
                fields[f"values-{row.before}"] = _cells(before, new if same and new is not None else old)
                fields[f"gone-{row.before}"] = ticked(on=not same)
            if new is not None and not same:
                names.append(f"n{number}")
                fields |= {f"key-n{number}": new.key, f"values-n{number}": _cells(before, new)}
        return {"row": names, **fields}

    def said(self, item: Item, answer: Content) -> str:
        """Return the rows that were changed."""
        before, after = _table(item), premise_of(answer["table"])
        assert isinstance(after, Table)
        lines = [line for line in _difference(before, after)["lines"] if line["change"] != "same"]
        return "; ".join(f"{line['name']} {line['change']}" for line in lines)

    def live(self, item: Item, values: Values) -> dict[str, object]:
        """Return the difference from the original, by the same rules as everywhere."""
        before = _table(item)
        diff = _difference(before, _edited(before, values))
        return {"lines": diff["lines"], "reordered": diff["reordered"]}


def _longest(table: Table) -> int:
    """Return how many characters the values of a row can have together: megabytes are cut off where they are pasted."""
    most = (max(len(row.values) for row in table.rows) + MORE_VALUES) * LONGEST_CELL
    return max(most, *(len("\n".join(row.values)) for row in table.rows))


def _difference(before: Table, after: Table) -> ShownDiff:
    """Return the rows of both tables side by side; neither the title nor the hypothesis can be edited.

    Rows of many columns have no key. Their number tells somebody who edits them where to look.
    """
    shown = shown_diff(before, after, ("", ""))
    lines = shown["lines"][2:]
    if before.columns:
        for line, row in zip(lines, table_diff(before, after).rows, strict=True):
            place = row.after if row.before is None else row.before
            line["name"] = f"row {(place or 0) + 1}"
    return ShownDiff(lines=lines, reordered=shown["reordered"])


def _table(item: Item) -> Table:
    table = premise_of(item.content["premise"])
    assert isinstance(table, Table)
    return table


def _cells(table: Table, row: Row) -> Json:
    """Return the fields of a row: its cells, or one text with a value per line."""
    if table.columns:
        return list(row.values)
    return "\n".join(" ".join(value.split()) for value in row.values)


def _rows(table: Table, values: Values) -> list[EditedRow]:
    """Return the rows of a form; those of the original where the form is empty."""
    names = texts_in(values, "row") or [str(place) for place in range(len(table.rows))]
    rows, seen = [], set[str]()
    for name in names:
        match = _NAME.fullmatch(name)
        if match is None or name in seen or (not match[1] and int(match[2]) >= len(table.rows)):
            raise DataError("The form has a row that the table does not have, or has one twice. Load the page again.")
        seen.add(name)
        new = bool(match[1])
        old = Row("", ()) if new else table.rows[int(name)]
        known = f"values-{name}" in values
        cells = texts_in(values, f"values-{name}") if known else _fields(table, old)
        key = text_in(values, f"key-{name}") if new else old.key
        rows.append(EditedRow(name, key, cells, is_ticked(values, f"gone-{name}"), new))
    return rows


def _fields(table: Table, row: Row) -> list[str]:
    cells = _cells(table, row)
    return [str(cell) for cell in cells] if isinstance(cells, list) else [str(cells)]


def _edited(table: Table, values: Values) -> Table:
    rows = [_row(table, row) for row in _rows(table, values) if not row.gone]
    return Table(table.title, tuple(row for row in rows if row is not None), table.category, table.columns)


def _row(table: Table, row: EditedRow) -> Row | None:
    """Return a row as it was entered; None for a new one that is still empty."""
    cells: Sequence[str] = row.cells if table.columns else [line for text in row.cells for line in text.splitlines()]
    plain = [" ".join(cell.split()) for cell in cells]
    if row.new and not row.key.strip() and not any(plain):
        return None
    if not row.new:
        old = table.rows[int(row.name)]
        if plain == [" ".join(value.split()) for value in old.values]:
            return old
    return Row(row.key, tuple(plain if table.columns else filter(None, plain)))
