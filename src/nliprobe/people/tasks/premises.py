"""Premises inside items and answers: a text, or a table as the object that ``Table.to_json`` writes."""

from __future__ import annotations

import json

from nliprobe.base.fields import Fields
from nliprobe.people.records import Json
from nliprobe.people.tasks._declared import Field, fields_of
from nliprobe.people.texts import LONGEST_PREMISE, require_json, text_under
from nliprobe.task.pair import Premise
from nliprobe.task.table import Row, Table

TABLE_KEYS = ("title", "category", "columns", "rows")


def premise_value(premise: Premise) -> Json:
    """Return a premise as contents hold it."""
    if isinstance(premise, str):
        return premise
    value: Json = json.loads(premise.to_json())
    return value


def premise_of(value: object) -> Premise:
    """Return the premise in the content of a checked item."""
    return table_of(Fields("The item", {"premise": value}), "premise") if isinstance(value, dict) else str(value)


def require_premise(fields: Fields, key: str) -> None:
    """Raise an error unless a value is a text or a table."""
    if isinstance(fields.values.get(key), dict):
        require_table(fields, key)
    else:
        text_under(fields, key, longest=LONGEST_PREMISE)


def require_table(fields: Fields, key: str) -> None:
    """Raise an error unless a value is a table with a row or more."""
    require_json(fields, key, longest=LONGEST_PREMISE)
    if not table_of(fields, key).rows:
        fields.refuse(key, "a table with a row or more")


def table_of(fields: Fields, key: str) -> Table:
    """Return the table in a value; its rows are lists of a key and a list of values."""
    inner = fields.inner(key)
    table = fields_of(inner.values, f"{fields.place}, under '{key}',", TABLE_KEYS)
    rows = table.values.get("rows")
    if not isinstance(rows, list) or not all(map(_is_row, rows)):
        table.refuse("rows", "a list of rows, each of them a key and a list of values")
    columns = table.texts("columns") if "columns" in table.values else ()
    if columns and any(len(row[1]) != len(columns) for row in rows):
        table.refuse("rows", f"{len(columns)} values in each row, one per column")
    made = tuple(Row(row[0], tuple(row[1])) for row in rows)
    return Table(table.text("title"), made, table.text_or_none("category") or "", columns)


def _is_row(row: object) -> bool:
    if not isinstance(row, list) or len(row) != 2 or not isinstance(row[0], str):
        return False
    return isinstance(row[1], list) and all(isinstance(value, str) for value in row[1])


PREMISE = Field("premise", require_premise)
TABLE = Field("premise", require_table)
HYPOTHESIS = Field("hypothesis", lambda fields, key: text_under(fields, key, longest=LONGEST_PREMISE))
