"""Keep how many items are alike: of one stratum and batch, with as many raters.

Every request for an item needs these numbers, and to count the items themselves took two thirds of the time of a
database server at 4,000 items. So they are kept beside the items, changed in the same transaction and under the same
lock of the project.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, Row, bindparam, delete, func, insert, select

from nliprobe.people.store.schema import items, tallies

# What must be known of an item whose number of raters has changed.
MOVED = (items.c.project, items.c.stratum, items.c.batch, items.c.taken, items.c.wanted)
# An attention item is wanted by nobody in particular. A key cannot hold nothing, so it is 0 here.
_WANTED = func.coalesce(items.c.wanted, 0)
_KEY = (tallies.c.project, tallies.c.stratum, tallies.c.batch, tallies.c.taken, tallies.c.wanted)
_ALIKE = (items.c.project, items.c.stratum, items.c.batch, items.c.taken, _WANTED)
_COUNTED = select(*_ALIKE, func.count().label("size")).where(items.c.project == bindparam("of")).group_by(*_ALIKE)
_FORGET = delete(tallies).where(tallies.c.project == bindparam("of"))
_COUNT = insert(tallies).from_select([*(column.name for column in _KEY), "size"], _COUNTED)
_READ = select(tallies).where(tallies.c.project == bindparam("of"), tallies.c.size > 0)
# What no item is like any more stays, with no items: it takes one statement less, and most come back.
FEWER = """
UPDATE tallies SET size = size - 1
WHERE project = :of AND stratum = :stratum AND batch = :batch AND taken = :had AND wanted = :wanted
"""
MORE = """
INSERT INTO tallies (project, stratum, batch, taken, wanted, size)
VALUES (:of, :stratum, :batch, :has, :wanted, 1)
ON CONFLICT (project, stratum, batch, taken, wanted) DO UPDATE SET size = tallies.size + 1
"""


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


def moved(item: Row[tuple[str, str, int, int, int | None]], by: int) -> dict[str, object]:
    """Return the values of ``FEWER`` and ``MORE``, by which an item counts among those with as many raters as it has.

    Args:
        item: its columns of ``MOVED``, with the raters that it has now; not an attention item.
        by: how many raters came.
    """
    return {
        "of": item.project,
        "stratum": item.stratum,
        "batch": item.batch,
        "had": item.taken - by,
        "has": item.taken,
        "wanted": item.wanted,
    }


def mistallied(connection: Connection, project: str) -> list[str]:
    """Say which numbers are not those of the items; there should be none."""
    counted = {tuple(row) for row in connection.execute(_COUNTED, {"of": project})}
    kept = {tuple(row) for row in connection.execute(_READ, {"of": project})}
    return sorted(f"tally {row}" for row in counted ^ kept)
