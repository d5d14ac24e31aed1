"""Insert a row, or change the one that has its key, in one statement."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import ColumnCollection, Insert, Table
from sqlalchemy.dialects import postgresql, sqlite


def upserts(table: Table, change: Callable[[ColumnCollection[str, Any]], Mapping[str, object]]) -> dict[str, Insert]:
    """Make the statement for each kind of database, by its name: the standard has none.

    Args:
        table: where the row goes; its primary key decides whether it is there already.
        change: what a row that is there gets, from the row that would have been inserted.
    """
    made: dict[str, Insert] = {}
    for name, kind in (("sqlite", sqlite), ("postgresql", postgresql)):
        insert = kind.insert(table)
        made[name] = insert.on_conflict_do_update(index_elements=[*table.primary_key], set_=change(insert.excluded))
    return made
