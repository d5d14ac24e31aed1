"""The log of what is not about one project: who signed in, which system was tried, which run was explained."""

from __future__ import annotations

from sqlalchemy import Connection, insert, select

from nliprobe.people.records import Json
from nliprobe.people.store.database import Database
from nliprobe.people.store.progress import Entry
from nliprobe.people.store.rows import dumps, loads
from nliprobe.people.store.schema import events


def record_event(database: Database, who: str, what: str, **about: Json) -> None:
    """Add a line to the log; nothing in it is ever changed.

    Args:
        database: the store.
        who: a role or a pseudonym.
        what: what they did, in a few words.
        about: to what; never a secret, and never what a person wrote.
    """

    def record(connection: Connection) -> None:
        row = {"at": database.clock(), "who": who, "what": what, "about": dumps(about)}
        connection.execute(insert(events), [row])

    database.write_once(record)


def read_events(database: Database, *, most: int | None = None) -> list[Entry]:
    """Return who did what, the newest first; with ``most`` only so many lines."""

    def read(connection: Connection) -> list[Entry]:
        newest = select(events).order_by(events.c.number.desc())
        rows = connection.execute(newest if most is None else newest.limit(most))
        return [Entry(row.at, row.who, row.what, loads(row.about)) for row in rows]

    return database.read(read)
