"""One failing case as the page shows it: the table with the edit marked in place, texts cut where too long."""

from __future__ import annotations

import json
from typing import NotRequired, TypedDict

from nliprobe.analysis.failures import Failure
from nliprobe.task.edits import Edit, edits_from_json, row_from_text
from nliprobe.task.table import Table

# Longer texts are cut: a page is for reading, and one cell of a hostile corpus may hold a megabyte.
LONGEST = 1200


class ShownRow(TypedDict):
    """A row of the table, marked if the edit took it out."""

    key: str
    value: str
    removed: bool


class Shown(TypedDict):
    """What the page gets of a failing case."""

    system: str
    corpus: str
    probe: str
    pair: str
    hypothesis: str
    before: str | None
    answer: str
    allowed: str
    edit: str
    premise: NotRequired[str]
    title: NotRequired[str]
    rows: NotRequired[list[ShownRow]]


def shown_failure(item: Failure) -> Shown:
    """Prepare a failing case for the page."""
    edits = edits_from_json(item["edits"]) if item["edits"] else ()
    premise, hypothesis = item["premise"], item["hypothesis"]
    if any(edit.op == "swap" for edit in edits):
        premise, hypothesis = hypothesis, premise
    shown = Shown(
        system=item["system"],
        corpus=item["corpus"],
        probe=item["probe"],
        pair=item["pair_id"],
        hypothesis=_cut(hypothesis),
        before=item["before"],
        answer=item["answer"],
        allowed=item["allowed"],
        edit="; ".join(_described(edit) for edit in edits),
    )
    if item["kind"] != "table":
        shown["premise"] = _cut(premise)
        return shown
    table = Table.from_json(premise)
    shown["title"] = _cut(table.title)
    shown["rows"] = _rows(table, edits)
    return shown


def _rows(table: Table, edits: tuple[Edit, ...]) -> list[ShownRow]:
    removed = {edit.row for edit in edits if edit.op == "row.delete"}
    order = list(range(len(table.rows)))
    for edit in edits:
        if edit.op == "rows.permute":
            order = json.loads(edit.after)
    columns = table.columns
    return [
        ShownRow(
            key=_cut(table.rows[index].key or (columns[0] if columns else "")),
            value=_cut(", ".join(table.rows[index].values)),
            removed=index in removed,
        )
        for index in order
    ]


def _described(edit: Edit) -> str:
    if edit.op == "row.delete":
        return f"The row “{_cut(row_from_text(edit.before).key)}” is taken out."
    if edit.op == "rows.permute":
        return "The rows are in another order, shown here as it was asked."
    if edit.op == "swap":
        return "Premise and hypothesis are exchanged, shown here as they were asked."
    return f"{edit.op}: {_cut(edit.before)} → {_cut(edit.after)}"


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(text):,} characters)"
