"""Bring a store to the version that this nliprobe reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlalchemy import Connection, Table, insert, inspect, select, text, update
from sqlalchemy.schema import CreateColumn

from nliprobe.base.errors import NotFoundError, StoreError
from nliprobe.people.store.kept_logs import guard_logs
from nliprobe.people.store.places import count_all
from nliprobe.people.store.schema import (
    VERSION,
    adjudications,
    completions,
    drafts,
    events,
    invitations,
    items,
    meta,
    metadata,
    projects,
    raters,
    tallies,
)
from nliprobe.people.store.study_schema import participants, studies, study_answers, study_feedback


def _add_what_the_studio_keeps(connection: Connection) -> None:
    """Add the tables of version 2.

    Those of version 1 keep their rows, items get another index, and both they and
    the items of raters are counted.
    """
    connection.execute(text("DROP INDEX items_open"))
    for index in items.indexes:
        index.create(connection)
    added = (tallies, drafts, adjudications, invitations, completions, events)
    metadata.create_all(connection, [*added, studies, participants, study_answers, study_feedback], checkfirst=False)
    guard_logs(connection)
    _add_columns(connection, raters, "given")
    for project in connection.scalars(select(projects.c.name)).all():
        count_all(connection, project)


def _add_what_makes_links_new(connection: Connection) -> None:
    """Add the columns of version 3: all links of before are the first ones, which never expire."""
    _add_columns(connection, raters, "link")
    _add_columns(connection, participants, "link", "expires")


def _add_columns(connection: Connection, table: Table, *names: str) -> None:
    """Add columns as they are today; a table that an earlier step of the same migration made has them already."""
    present = {column["name"] for column in inspect(connection).get_columns(table.name)}
    for name in names:
        if name not in present:
            column = CreateColumn(table.c[name]).compile(dialect=connection.dialect)
            connection.execute(text(f"ALTER TABLE {table.name} ADD COLUMN {column}"))


# What turns a store of a version into one of the next; a store that is new gets the tables of today at once. A change
# of a table that a step makes needs a step of its own, and the earlier step its columns as they were.
STEPS: Mapping[int, Callable[[Connection], None]] = {
    1: _add_what_the_studio_keeps,
    2: _add_what_makes_links_new,
}
_NAME = "schema_version"


def migrate(connection: Connection, place: str, now: float, *, make: bool) -> None:
    """Make the tables of a new store, or bring those of an older one up to date, in the transaction of the connection.

    Raises:
        NotFoundError: there is no store, and none is to be made.
        StoreError: the store was written by a newer nliprobe, or it is somebody else's database.
    """
    if connection.dialect.name == "postgresql":
        # Two processes that start at once must not both make the tables.
        connection.execute(text("SELECT pg_advisory_xact_lock(5741398801)"))
    present = set(inspect(connection).get_table_names())
    if not present & set(metadata.tables):
        if not make:
            raise NotFoundError(no_store(place))
        metadata.create_all(connection)
        guard_logs(connection)
        connection.execute(insert(meta), [{"name": _NAME, "value": str(VERSION)}, {"name": "made", "value": str(now)}])
        return
    found = connection.scalar(select(meta.c.value).where(meta.c.name == _NAME)) if "meta" in present else None
    if found is None or not found.isdigit():
        raise StoreError(f"{place} holds other tables than those of people's work: name another database.")
    version = int(found)
    if version > VERSION:
        raise StoreError(
            f"{place} was written by a newer nliprobe: it has version {version}, and this one reads up to {VERSION}. "
            "Update nliprobe."
        )
    for number in range(version, VERSION):
        STEPS[number](connection)
        connection.execute(update(meta).where(meta.c.name == _NAME).values(value=str(number + 1)))


def no_store(place: str) -> str:
    """Return the sentence for a place without a store."""
    return f"There are no projects in {place} yet. Make one with: nliprobe annotate new PROJECT CORPUS --task TASK"
