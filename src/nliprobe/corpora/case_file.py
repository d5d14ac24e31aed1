"""Write pairs and what they were made from as a file that ``file:`` reads back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from nliprobe.base.cells import csv_text, guarded_lines
from nliprobe.base.errors import DataError
from nliprobe.corpora._cells import may_be_table, table_in_cell
from nliprobe.task.labels import NAMES, LabelSet
from nliprobe.task.pair import Premise
from nliprobe.task.rule_forms import rule_text
from nliprobe.task.rules import Rule
from nliprobe.task.table import Table

# How ``file:`` is told what the columns mean.
PARAMETERS: Final = "id=id&premise=premise&hypothesis=hypothesis&label=label&base=base&expects=expects&facets=edit"
_COLUMNS = ("id", "premise", "hypothesis", "label", "base", "expects", "edit")


@dataclass(frozen=True, slots=True)
class WrittenPair:
    """One line of the file.

    Attributes:
        id: unlike that of every other line.
        premise: a text or a table.
        hypothesis: what is judged.
        gold: the label that is right, if somebody said so.
        base: the id of an earlier line that this pair was made from, if the answers to both are compared.
        expects: the rule that the answers obey.
        edit: how it was made, in words.
    """

    id: str
    premise: Premise
    hypothesis: str
    gold: LabelSet | None = None
    base: str = ""
    expects: Rule | None = None
    edit: str = ""


def is_read_as_table(text: str) -> bool:
    """Tell whether ``file:`` would take a text for a table, or refuse it as a table that is broken."""
    if not may_be_table(text):
        return False
    try:
        return table_in_cell(text, None, "", "premise") is not None
    except DataError:
        return True


def pairs_as_jsonl(pairs: Sequence[WrittenPair]) -> str:
    """Write one JSON object per line; tables are objects."""
    lines = []
    for pair in pairs:
        premise = json.loads(pair.premise.to_json()) if isinstance(pair.premise, Table) else pair.premise
        record = {**_record(pair), "premise": premise}
        lines.append(json.dumps({name: record[name] for name in _COLUMNS}, ensure_ascii=False) + "\n")
    return "".join(lines)


def pairs_as_csv(pairs: Sequence[WrittenPair]) -> str:
    """Write CSV; a table is its JSON in a cell, and cells that a spreadsheet would run are guarded."""
    rows = [{name: "" if value is None else value for name, value in _record(pair).items()} for pair in pairs]
    return csv_text(guarded_lines(_COLUMNS, rows))


def _record(pair: WrittenPair) -> dict[str, object]:
    gold = None if pair.gold is None else str(pair.gold)
    return {
        "id": pair.id,
        "premise": pair.premise.to_json() if isinstance(pair.premise, Table) else pair.premise,
        "hypothesis": pair.hypothesis,
        "label": None if gold is None else NAMES.get(gold, gold),
        "base": pair.base or None,
        "expects": None if pair.expects is None else rule_text(pair.expects),
        "edit": pair.edit or None,
    }
