"""Keep unfinished answers, so that a rater can go on on another device."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, and_, bindparam, delete, insert, select

from nliprobe.base.errors import DataError
from nliprobe.people.records import Content, Json
from nliprobe.people.store.database import Database
from nliprobe.people.store.handing_out import require_worker
from nliprobe.people.store.rows import dumps, loads
from nliprobe.people.store.schema import drafts, work

# Characters of JSON: five edited tables of the largest kind in InfoTabS have a tenth of it.
LONGEST_DRAFT = 500_000


_OWN = and_(drafts.c.project == bindparam("of"), drafts.c.item == bindparam("which"), drafts.c.rater == bindparam("by"))
_READ = select(drafts.c.content).where(_OWN)
_FORGET = delete(drafts).where(_OWN)


def keep_draft(
    database: Database,
    project: str,
    rater: str,
    item: str,
    content: Content,
    *,
    replaces: Callable[[Content], bool] = lambda kept: True,
) -> bool:
    """Keep what a rater has entered about an item and not sent yet; it takes the place of what was kept before.

    Args:
        database: the store.
        project: the project.
        rater: whose it is.
        item: an item that was given to them.
        content: anything that the client wants back.
        replaces: whether it may take the place of a draft; by default of any.

    Returns:
        Whether it is kept.

    Raises:
        DataError: the item was not given to this rater, or the draft is too long.
    """
    text = dumps(content)
    if len(text) > LONGEST_DRAFT:
        raise DataError(f"The draft has {len(text):,} characters: expected at most {LONGEST_DRAFT:,}.")

    def keep(connection: Connection) -> bool:
        require_worker(connection, project, rater)
        own = and_(work.c.project == project, work.c.item == item, work.c.rater == rater)
        if connection.scalar(select(work.c.state).where(own)) is None:
            raise DataError(f"The item '{item}' of '{project}' was not given to '{rater}'.")
        kept = connection.scalar(_READ, {"of": project, "which": item, "by": rater})
        if kept is not None and not replaces(loads(kept)):
            return False
        forget_draft(connection, project, rater, item)
        row = {"project": project, "item": item, "rater": rater, "content": text, "at": database.clock()}
        connection.execute(insert(drafts), [row])
        return True

    return database.write(keep)


def read_draft(database: Database, project: str, rater: str, item: str) -> dict[str, Json] | None:
    """Return what a rater has entered about an item and not sent yet, or None."""

    def read(connection: Connection) -> dict[str, Json] | None:
        text = connection.scalar(_READ, {"of": project, "which": item, "by": rater})
        return None if text is None else loads(text)

    return database.read(read)


def forget_draft(connection: Connection, project: str, rater: str, item: str) -> None:
    """Delete a draft, if there is one: its item was judged."""
    connection.execute(_FORGET, {"of": project, "which": item, "by": rater})
