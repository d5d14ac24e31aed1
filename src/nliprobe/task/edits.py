"""Edits: what a probe did to a pair, as data that can be shown, hashed and applied again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from json.encoder import encode_basestring
from typing import NamedTuple

from nliprobe.task.pair import Premise
from nliprobe.task.table import Row, Table


class Edit(NamedTuple):
    """One operation on a row (by index) or on a span of a text, with what stood there before and after."""

    op: str
    row: int | None = None
    span: tuple[int, int] | None = None
    before: str = ""
    after: str = ""


Edits = tuple[Edit, ...]


def delete_row(table: Table, index: int) -> Edit:
    """Take one row out."""
    return Edit("row.delete", row=index, before=row_text(table.rows[index]))


def insert_row(index: int, row: Row) -> Edit:
    """Put a row in before position ``index``."""
    return Edit("row.insert", row=index, after=row_text(row))


def update_row(table: Table, index: int, row: Row) -> Edit:
    """Put a row in the place of another."""
    return Edit("row.update", row=index, before=row_text(table.rows[index]), after=row_text(row))


def permute_rows(order: Sequence[int]) -> Edit:
    """Bring the rows into another order."""
    return Edit("rows.permute", after=f"[{', '.join(map(str, order))}]")


def swap_texts() -> Edit:
    """Exchange premise and hypothesis."""
    return Edit("swap")


def replace_in_premise(text: str, span: tuple[int, int], after: str) -> Edit:
    """Put other words in the place of a span of a text premise."""
    return Edit("premise.replace", span=span, before=text[slice(*span)], after=after)


def replace_in_hypothesis(text: str, span: tuple[int, int], after: str) -> Edit:
    """Put other words in the place of a span of the hypothesis."""
    return Edit("hypothesis.replace", span=span, before=text[slice(*span)], after=after)


def replace_title(table: Table, after: str) -> Edit:
    """Give a table another title."""
    return Edit("title.replace", before=table.title, after=after)


def row_text(row: Row) -> str:
    """A row as one readable and reversible text."""
    return json.dumps([row.key, list(row.values)], ensure_ascii=False)


def row_from_text(text: str) -> Row:
    """The inverse of :func:`row_text`."""
    key, values = json.loads(text)
    return Row(key, tuple(values))


@lru_cache(maxsize=65_536)  # row edits recur for each hypothesis of a table
def edits_to_json(edits: Edits) -> str:
    """The canonical text of edits: it is stored with the case and hashed into its id."""
    # Put together by hand: the general encoder takes four times as long, and a million edits may be written.
    items = []
    for edit in edits:
        parts = [f'"op":{encode_basestring(edit.op)}']
        if edit.row is not None:
            parts.append(f'"row":{edit.row}')
        if edit.span is not None:
            parts.append(f'"span":[{edit.span[0]},{edit.span[1]}]')
        if edit.before:
            parts.append(f'"before":{encode_basestring(edit.before)}')
        if edit.after:
            parts.append(f'"after":{encode_basestring(edit.after)}')
        items.append("{" + ",".join(parts) + "}")
    return "[" + ",".join(items) + "]"


def edits_from_json(text: str) -> Edits:
    """The inverse of :func:`edits_to_json`."""
    return tuple(
        Edit(
            item["op"],
            item.get("row"),
            tuple(item["span"]) if "span" in item else None,
            item.get("before", ""),
            item.get("after", ""),
        )
        for item in json.loads(text)
    )


def apply_edits(premise: Premise, hypothesis: str, edits: Edits) -> tuple[Premise, str]:
    """Make the premise and hypothesis that a case asks about from those of its source pair."""
    for edit in edits:
        if edit.op == "swap":
            if isinstance(premise, Table):
                raise ValueError("a table cannot be swapped with a hypothesis")
            premise, hypothesis = hypothesis, premise
        elif edit.op == "hypothesis.replace":
            start, stop = edit.span or (0, len(hypothesis))
            hypothesis = hypothesis[:start] + edit.after + hypothesis[stop:]
        elif edit.op == "premise.replace":
            if isinstance(premise, Table):
                raise ValueError("'premise.replace' needs a text")
            start, stop = edit.span or (0, len(premise))
            premise = premise[:start] + edit.after + premise[stop:]
        else:
            if not isinstance(premise, Table):
                raise ValueError(f"'{edit.op}' needs a table")
            premise = _apply_to_table(premise, edit)
    return premise, hypothesis


def _apply_to_table(table: Table, edit: Edit) -> Table:
    if edit.op == "rows.permute":
        return table.permute(json.loads(edit.after))
    if edit.op == "title.replace":
        return table.retitle(edit.after)
    if edit.row is None:
        raise ValueError(f"'{edit.op}' does not say which row")
    if edit.op == "row.delete":
        return table.delete(edit.row)
    if edit.op == "row.insert":
        return table.insert(edit.row, row_from_text(edit.after))
    if edit.op == "row.update":
        return table.update(edit.row, row_from_text(edit.after))
    raise ValueError(f"unknown edit '{edit.op}'")
