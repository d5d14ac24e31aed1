"""Edits: what a probe did to a pair, as data that can be shown, hashed and applied again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from json.encoder import encode_basestring
from typing import NamedTuple

from nliprobe.task.pair import Premise, Span
from nliprobe.task.table import Table
from nliprobe.task.units import Rows, Sentences, Units, arranged


class Edit(NamedTuple):
    """One operation on a unit (by its place) or on a span of a text, with the text before and after."""

    op: str
    unit: int | None = None
    span: Span | None = None
    before: str = ""
    after: str = ""


Edits = tuple[Edit, ...]
_IN_HYPOTHESIS = "hypothesis.replace"


def delete_unit(units: Units, index: int) -> Edit:
    """Return the edit that takes one unit out."""
    span = units.deleted(index) if isinstance(units, Sentences) else None
    return Edit(f"{units.kind}.delete", index, span, before=units.text(index))


def keep_unit(units: Units, index: int) -> Edit:
    """Return the edit that takes all units out but one."""
    return Edit(f"{units.kind}.keep", index, _span(units, index), before=units.text(index))


def insert_unit(units: Units, index: int, text: str) -> Edit:
    """Return the edit that inserts a unit before a place."""
    if isinstance(units, Sentences):
        span, written = units.inserted(index, text)
        return Edit(f"{units.kind}.insert", index, span, after=written)
    return Edit(f"{units.kind}.insert", index, after=text)


def update_unit(units: Units, index: int, text: str) -> Edit:
    """Return the edit that replaces one unit."""
    return Edit(f"{units.kind}.update", index, _span(units, index), units.text(index), text)


def permute_units(units: Units, order: Sequence[int]) -> Edit:
    """Return the edit that brings units into another order: rows by their places, sentences by their spans."""
    if isinstance(units, Sentences):
        spans = ", ".join(f"[{start}, {stop}]" for start, stop in (units.spans[index] for index in order))
        return Edit(f"{units.kind}s.permute", after=f"[{spans}]")
    return Edit(f"{units.kind}s.permute", after=str(list(order)))


def _span(units: Units, index: int) -> Span | None:
    return units.spans[index] if isinstance(units, Sentences) else None


def swap_texts() -> Edit:
    """Return the edit that exchanges premise and hypothesis."""
    return Edit("swap")


def replace_in_premise(text: str, span: tuple[int, int], after: str) -> Edit:
    """Return the edit that replaces a span of a text premise."""
    return Edit("premise.replace", span=span, before=text[slice(*span)], after=after)


def replace_in_hypothesis(text: str, span: tuple[int, int], after: str) -> Edit:
    """Return the edit that replaces a span of the hypothesis."""
    return Edit(_IN_HYPOTHESIS, None, span, text[span[0] : span[1]], after)


def replace_title(table: Table, after: str) -> Edit:
    """Return the edit that gives a table another title."""
    return Edit("title.replace", before=table.title, after=after)


def replace_table(table: Table, after: Table) -> Edit:
    """Return the edit that puts another table in the place of a table; edits that follow are edits of the other."""
    return Edit("table.replace", before=table.to_json(), after=after.to_json())


def edits_to_json(edits: Edits) -> str:
    """Return the canonical text of edits, which is stored with the case and hashed into its id."""
    # Row edits recur for each hypothesis of a table. To keep those of hypotheses takes longer than to write them twice.
    return _written(edits) if edits and edits[0].op == _IN_HYPOTHESIS else _kept(edits)


def _written(edits: Edits) -> str:
    # Written by hand: the general encoder takes four times as long, and a run may write a million edits.
    items = []
    for op, unit, span, before, after in edits:
        item = '{"op":' + encode_basestring(op)
        if unit is not None:
            name = "row" if span is None else "unit"
            item += f',"{name}":{unit}'
        if span is not None:
            item += f',"span":[{span[0]},{span[1]}]'
        if before:
            item += ',"before":' + encode_basestring(before)
        if after:
            item += ',"after":' + encode_basestring(after)
        items.append(item + "}")
    return "[" + ",".join(items) + "]"


_kept = lru_cache(maxsize=65_536)(_written)


def edits_from_json(text: str) -> Edits:
    """Read edits from the text that :func:`edits_to_json` writes."""
    return tuple(
        Edit(
            item["op"],
            item.get("row", item.get("unit")),
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
        elif edit.op == _IN_HYPOTHESIS:
            start, stop = edit.span or (0, len(hypothesis))
            hypothesis = hypothesis[:start] + edit.after + hypothesis[stop:]
        elif edit.op == "premise.replace":
            if isinstance(premise, Table):
                raise ValueError("'premise.replace' needs a text")
            start, stop = edit.span or (0, len(premise))
            premise = premise[:start] + edit.after + premise[stop:]
        elif edit.op == "title.replace":
            premise = _table(premise, edit).retitle(edit.after)
        elif edit.op == "table.replace":
            _table(premise, edit)
            premise = Table.from_json(edit.after)
        else:
            premise = _apply_to_units(premise, edit)
    return premise, hypothesis


def _table(premise: Premise, edit: Edit) -> Table:
    if not isinstance(premise, Table):
        raise ValueError(f"'{edit.op}' needs a table")
    return premise


def _apply_to_units(premise: Premise, edit: Edit) -> Premise:
    kind, _, action = edit.op.partition(".")
    if kind.removesuffix("s") == Sentences.kind:
        return _apply_to_sentences(premise, edit, action)
    if kind.removesuffix("s") != Rows.kind:
        raise ValueError(f"unknown edit '{edit.op}'")
    table = _table(premise, edit)
    rows = Rows(table)
    if edit.op == "rows.permute":
        return rows.permute(json.loads(edit.after)).premise
    if kind != Rows.kind or action not in ("delete", "keep", "insert", "update"):
        raise ValueError(f"unknown edit '{edit.op}'")
    if edit.unit is None:
        raise ValueError(f"'{edit.op}' does not say which row")
    if action in ("delete", "keep"):
        return (rows.delete if action == "delete" else rows.keep)(edit.unit).premise
    return (rows.insert if action == "insert" else rows.update)(edit.unit, edit.after).premise


def _apply_to_sentences(premise: Premise, edit: Edit, action: str) -> str:
    """Carry out an edit of sentences by its spans alone: the text need not be cut into sentences again."""
    if isinstance(premise, Table):
        raise ValueError(f"'{edit.op}' needs a text")
    if edit.op == "sentences.permute":
        text, _ = arranged(premise, [(start, stop) for start, stop in json.loads(edit.after)])
        return text
    if edit.op.partition(".")[0] != Sentences.kind or action not in ("delete", "keep", "insert", "update"):
        raise ValueError(f"unknown edit '{edit.op}'")
    if edit.span is None:
        raise ValueError(f"'{edit.op}' does not say where the sentence is")
    start, stop = edit.span
    return premise[start:stop] if action == "keep" else premise[:start] + edit.after + premise[stop:]
