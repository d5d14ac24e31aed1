"""One failing case as the page shows it: the table with the edit marked in place, texts cut where too long."""

from __future__ import annotations

import json
from typing import NotRequired, TypedDict

from nliprobe.analysis.failures import Failure
from nliprobe.task.edits import Edit, apply_edits, edits_from_json
from nliprobe.task.labels import LETTERS
from nliprobe.task.table import Table
from nliprobe.task.units import row_from_text

# Longer texts are cut: a page is for reading, and one cell of a hostile corpus may hold a megabyte.
LONGEST = 1200

_SENTENCE_EDITS = {
    "sentence.delete": "The sentence “{}” is taken out.",
    "sentence.keep": "All sentences are taken out but “{}”.",
    "sentence.insert": "The sentence “{}” is put in.",
}


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
    expected: str
    moved: str
    edit: str
    premise: NotRequired[str]
    title: NotRequired[str]
    rows: NotRequired[list[ShownRow]]


def shown_failure(item: Failure) -> Shown:
    """Prepare a failing case for the page."""
    edits = edits_from_json(item["edits"]) if item["edits"] else ()
    premise, hypothesis = item["premise"], item["hypothesis"]
    hypothesis = apply_edits("", hypothesis, tuple(edit for edit in edits if edit.op == "hypothesis.replace"))[1]
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
        expected=item["expected"],
        moved=_moved(item["shares_before"], item["shares"]) if item["expected"] else "",
        edit="; ".join(_described(edit) for edit in edits),
    )
    if item["kind"] != "table":
        inside = tuple(edit for edit in edits if edit.op == "premise.replace" or edit.op.startswith("sentence"))
        shown["premise"] = _cut(str(apply_edits(premise, "", inside)[0]))
        return shown
    table = _as_asked(Table.from_json(premise), edits)
    shown["title"] = _cut(table.title)
    shown["rows"] = _rows(table, edits)
    return shown


def _as_asked(table: Table, edits: tuple[Edit, ...]) -> Table:
    """Return the table with replaced and added rows; rows taken out stay in place, to be marked."""
    inside = tuple(edit for edit in edits if edit.op in ("title.replace", "row.update", "row.insert"))
    edited, _ = apply_edits(table, "", inside)
    return edited if isinstance(edited, Table) else table


def _moved(before: list[float] | None, after: list[float] | None) -> str:
    if before is None or after is None:
        return ""
    moves = [f"{label} {old:.3f} → {new:.3f}" for label, old, new in zip(LETTERS, before, after, strict=True)]
    return f"Probabilities: {', '.join(moves)}."


def _rows(table: Table, edits: tuple[Edit, ...]) -> list[ShownRow]:
    removed = {edit.unit for edit in edits if edit.op == "row.delete"}
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
    if edit.op in ("rows.permute", "sentences.permute"):
        return f"The {edit.op.partition('.')[0]} are in another order, shown here as it was asked."
    if edit.op in _SENTENCE_EDITS:
        return _SENTENCE_EDITS[edit.op].format(_cut((edit.before or edit.after).strip()))
    if edit.op == "swap":
        return "Premise and hypothesis are exchanged, shown here as they were asked."
    if edit.op in ("premise.replace", "hypothesis.replace"):
        return _replaced(edit)
    if edit.op == "title.replace":
        return f"The title “{_cut(edit.before)}” becomes “{_cut(edit.after)}”."
    if edit.op in ("row.update", "row.insert"):
        row = row_from_text(edit.after)
        verb = "is now" if edit.op == "row.update" else "is added:"
        return f"The row “{_cut(row.key)}” {verb} “{_cut(', '.join(row.values))}”."
    return f"{edit.op}: {_cut(edit.before)} → {_cut(edit.after)}"


def _replaced(edit: Edit) -> str:
    where = edit.op.partition(".")[0]
    if not edit.before:
        return f"In the {where}, “{_cut(edit.after.strip())}” is added."
    if not edit.after:
        return f"In the {where}, “{_cut(edit.before)}” is taken out."
    return f"In the {where}, “{_cut(edit.before)}” becomes “{_cut(edit.after)}”."


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(text):,} characters)"
