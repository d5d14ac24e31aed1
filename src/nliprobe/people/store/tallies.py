"""Keep how many items are alike: of one stratum and batch, with as many raters.

Every request for an item needs these numbers, and to count the items themselves took two thirds of the time of a
database server at 4,000 items. So they are kept beside the items, changed in the same transaction and under the same
lock of the project.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, Row, bindparam, delete, func, insert, select, update

from nliprobe.people.store.schema import items, tallies
from nliprobe.people.store.upserts import upserts

# What must be known of an item whose number of raters has changed.
MOVED = (items.c.project, items.c.stratum, items.c.batch, items.c.taken, items.c.wanted)
# An attention item is wanted by nobody in particular. A key cannot hold nothing, so it is 0 here.
_WANTED = func.coalesce(items.c.wanted, 0)
_KEY = (tallies.c.project, tallies.c.stratum, tallies.c.batch, tallies.c.taken, tallies.c.wanted)
_ALIKE = (items.c.project, items.c.stratum, items.c.batch, items.c.taken, _WANTED)
_COUNTED = select(*_ALIKE, func.count().label("size")).where(items.c.project == bindparam("of")).group_by(*_ALIKE)
_FORGET = delete(tallies).where(tallies.c.project == bindparam("of"))
_COUNT = insert(tallies).from_select([*(column.name for column in _KEY), "size"], _COUNTED)
_READ = select(tallies).where(tallies.c.project == bindparam("of"))
_ONE = tuple(column == bindparam(f"the_{column.name}") for column in _KEY)
_FEWER = update(tallies).where(*_ONE).values(size=tallies.c.size - 1).returning(tallies.c.size)
_NONE = delete(tallies).where(*_ONE)
_MORE = upserts(tallies, lambda row: {"size": tallies.c.size + 1})


class Tally(NamedTuple):
    """A number of items that are alike.

    Attributes:
        stratum: of all of them.
        batch: of all of them.
        taken: how many raters each has.
        wanted: how many each should have; None for attention items.
        size: how many items there are.
    """

    stratum: str
    batch: int
    taken: int
    wanted: int | None
    size: int


def read_tallies(connection: Connection, project: str) -> list[Tally]:
    """Return how many items of a project are alike."""
    rows = connection.execute(_READ, {"of": project})
    return [Tally(row.stratum, row.batch, row.taken, row.wanted or None, row.size) for row in rows]


def count_anew(connection: Connection, project: str) -> None:
    """Count the items of a project, after many of them have changed at once."""
    connection.execute(_FORGET, {"of": project})
    connection.execute(_COUNT, {"of": project})


def move_item(connection: Connection, item: Row[tuple[str, str, int, int, int | None]], by: int) -> None:
    """Let an item no longer count among those with the raters it had, but among those with the raters it has.

    Args:
        connection: holds the lock of the project.
        item: its columns of ``MOVED``, with the raters that it has now; not an attention item.
        by: how many raters came.
    """
    before = {**{f"the_{name}": value for name, value in item._mapping.items()}, "the_taken": item.taken - by}
    if connection.scalar(_FEWER, before) == 0:
        connection.execute(_NONE, before)
    connection.execute(_MORE[connection.dialect.name], {**item._mapping, "size": 1})


def mistallied(connection: Connection, project: str) -> list[str]:
    """Say which numbers are not those of the items; there should be none."""
    counted = {tuple(row) for row in connection.execute(_COUNTED, {"of": project})}
    kept = {tuple(row) for row in connection.execute(_READ, {"of": project})}
    return sorted(f"tally {row}" for row in counted ^ kept)
