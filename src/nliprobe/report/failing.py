"""One failing case as the page shows it: the table with the edit marked in place, texts cut where too long."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NotRequired, TypedDict

from nliprobe.analysis.failures import Failure
from nliprobe.report.diff import ShownDiff, shown_diff
from nliprobe.report.drawn import UnitMarks, places_to_show
from nliprobe.report.words import cut
from nliprobe.task.case import Certainty
from nliprobe.task.edits import Edit, apply_edits, edits_from_json
from nliprobe.task.labels import LETTERS
from nliprobe.task.table import Row, Table
from nliprobe.task.units import row_from_text

# Edits after which both versions of the table are shown side by side; for others, the rows taken out are marked.
REWRITES = ("table.replace", "title.replace", "row.update", "row.insert")
DOUBT = "What is expected here is likely, not certain."
# Edits of a passage after which its sentences can still be shown as they were.
ON_SENTENCES = ("sentence.delete", "sentence.keep")


class ShownRow(TypedDict):
    """A row of the table, marked if the edit took it out; ``mark`` says who needs or uses it, if that is known."""

    key: str
    value: str
    removed: bool
    mark: str


class ShownSentence(TypedDict):
    """A sentence of a passage with its place, from 1, marked in the same way."""

    number: int
    text: str
    removed: bool
    mark: str


class Shown(TypedDict):
    """What the page gets of a failing case."""

    system: str
    corpus: str
    probe: str
    case: str
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
    sentences: NotRequired[list[ShownSentence]]
    diff: NotRequired[ShownDiff]
    original: NotRequired[str]
    marked: bool


def shown_failure(item: Failure, marks: UnitMarks | None = None) -> Shown:
    """Prepare a failing case for the page.

    Args:
        item: the case.
        marks: the units that people need and the system uses, if they are known.
    """
    edits = edits_from_json(item["edits"]) if item["edits"] else ()
    premise, hypothesis = item["premise"], item["hypothesis"]
    hypothesis = apply_edits("", hypothesis, tuple(edit for edit in edits if edit.op == "hypothesis.replace"))[1]
    if any(edit.op == "swap" for edit in edits):
        premise, hypothesis = hypothesis, premise
    shown = Shown(
        system=item["system"],
        corpus=item["corpus"],
        probe=item["probe"],
        case=item["case_id"],
        pair=item["pair_id"],
        hypothesis=cut(hypothesis),
        before=item["before"],
        answer=item["answer"],
        allowed=item["allowed"],
        expected=item["expected"],
        moved=_moved(item["shares_before"], item["shares"]) if item["expected"] else "",
        edit=" ".join([*map(described, edits), *([DOUBT] if item["certainty"] != Certainty.CERTAIN else [])]),
        marked=False,
    )
    # Where units were added, the places of the marks are not those of the premise as it was asked.
    moved = any(edit.op.endswith(".insert") or edit.op == "table.replace" for edit in edits)
    known = marks if marks is not None and not moved else None
    shown["marked"] = known is not None
    if item["kind"] != "table":
        if known is not None and all(edit.op in ON_SENTENCES for edit in edits):
            shown["sentences"] = _sentences(known, edits)
            return shown
        shown["marked"] = False
        inside = tuple(edit for edit in edits if edit.op.startswith(("premise.", "sentence")))
        shown["premise"] = cut(str(apply_edits(premise, "", inside)[0]))
        return shown
    table = _as_asked(Table.from_json(premise), edits)
    shown["title"] = cut(table.title)
    shown["rows"] = _rows(table, edits, known)
    if any(edit.op in REWRITES for edit in edits):
        asked, said = apply_edits(Table.from_json(premise), item["hypothesis"], edits)
        assert isinstance(asked, Table)
        shown["diff"] = shown_diff(Table.from_json(premise), asked, (item["hypothesis"], said))
    elif (made_from := item["original"]) is not None and not edits:
        original = Table.from_json(made_from["premise"])
        shown["diff"] = shown_diff(original, table, (made_from["hypothesis"], item["hypothesis"]))
        shown["original"] = f"Made from {made_from['pair_id']}, which was answered {made_from['answer'] or 'nothing'}."
    return shown


def _as_asked(table: Table, edits: tuple[Edit, ...]) -> Table:
    """Return the table with replaced and added rows; rows taken out stay in place, to be marked."""
    inside = tuple(edit for edit in edits if edit.op in REWRITES)
    edited, _ = apply_edits(table, "", inside)
    return edited if isinstance(edited, Table) else table


def _moved(before: list[float] | None, after: list[float] | None) -> str:
    if before is None or after is None:
        return ""
    moves = [f"{label} {old:.3f} → {new:.3f}" for label, old, new in zip(LETTERS, before, after, strict=True)]
    return f"Probabilities: {', '.join(moves)}."


def _sentences(marks: UnitMarks, edits: tuple[Edit, ...]) -> list[ShownSentence]:
    """Return the sentences of a passage; of a long one the first, the marked and the edited ones."""
    size = len(marks.texts)
    removed = removed_units(edits, size)
    edited = {edit.unit for edit in edits if edit.unit is not None}
    places = places_to_show(size, {*edited, *(place for place in range(size) if marks.mark(place))})
    return [
        ShownSentence(number=place + 1, text=cut(marks.texts[place]), removed=place in removed, mark=marks.mark(place))
        for place in places
    ]


def removed_units(edits: tuple[Edit, ...], size: int) -> set[int | None]:
    """Return the places of the units that edits take out."""
    removed = {edit.unit for edit in edits if edit.op.endswith(".delete")}
    for edit in edits:
        if edit.op.endswith(".keep"):
            removed |= set(range(size)) - {edit.unit}
    return removed


def _rows(table: Table, edits: tuple[Edit, ...], marks: UnitMarks | None) -> list[ShownRow]:
    removed = removed_units(edits, len(table.rows))
    order = list(range(len(table.rows)))
    for edit in edits:
        if edit.op == "rows.permute":
            order = json.loads(edit.after)
    cells = shown_cells(table)
    return [
        ShownRow(
            key=cells[index][0],
            value=cells[index][1],
            removed=index in removed,
            mark="" if marks is None else marks.mark(index),
        )
        for index in order
    ]


def shown_cells(table: Table) -> list[tuple[str, str]]:
    """Return the key and the values of each row as they are shown; rows without keys have their column's name."""
    first = table.columns[0] if table.columns else ""
    return [(cut(row.key or first), cut(", ".join(row.values))) for row in table.rows]


def told(edits: Iterable[Edit]) -> str:
    """Say what edits do, where what was asked is not shown as it was asked."""
    words = " ".join(map(described, edits))
    return words.replace(", shown here as it was asked", "").replace(", shown here as they were asked", "")


def described(edit: Edit) -> str:
    """Say in a sentence what an edit does."""
    if edit.op == "row.delete":
        return f"The row “{_row_name(row_from_text(edit.before))}” is taken out."
    if edit.op == "sentence.delete":
        return f"The sentence “{cut(edit.before)}” is taken out."
    if edit.op == "sentence.insert":
        return f"The sentence “{cut(edit.after.strip())}” is added."
    if edit.op == "sentences.permute":
        return "The sentences are in another order, shown here as it was asked."
    if edit.op in ("sentence.keep", "row.keep"):
        return f"Nothing is left but “{cut(edit.before)}”."
    if edit.op == "rows.permute":
        return "The rows are in another order, shown here as it was asked."
    if edit.op == "swap":
        return "Premise and hypothesis are exchanged, shown here as they were asked."
    if edit.op in ("premise.replace", "hypothesis.replace"):
        return _replaced(edit)
    if edit.op == "table.replace":
        return f"The table is now that of “{cut(Table.from_json(edit.after).title)}”."
    if edit.op == "title.replace":
        return f"The title “{cut(edit.before)}” becomes “{cut(edit.after)}”."
    if edit.op in ("row.update", "row.insert"):
        return _rewritten(edit)
    return f"{edit.op}: {cut(edit.before)} → {cut(edit.after)}."


def _rewritten(edit: Edit) -> str:
    row = row_from_text(edit.after)
    if row.key:
        verb = "is now" if edit.op == "row.update" else "is added:"
        return f"The row “{cut(row.key)}” {verb} “{cut(', '.join(row.values))}”."
    if edit.op == "row.insert":
        return f"The row “{_row_name(row)}” is added."
    before = _row_name(row_from_text(edit.before)) if edit.before else f"number {(edit.unit or 0) + 1}"
    return f"The row “{before}” is now “{_row_name(row)}”."


def _row_name(row: Row) -> str:
    """Return what a row is known by: its key, or in a table with many columns its cells."""
    return cut(row.key or " | ".join(row.values))


def _replaced(edit: Edit) -> str:
    where = edit.op.partition(".")[0]
    if not edit.before:
        return f"In the {where}, “{cut(edit.after.strip())}” is added."
    if not edit.after:
        return f"In the {where}, “{cut(edit.before)}” is taken out."
    return f"In the {where}, “{cut(edit.before)}” becomes “{cut(edit.after)}”."
