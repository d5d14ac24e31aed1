"""The links by which raters come back: a newer one ends all earlier ones, and what was opened by them."""

from __future__ import annotations

import secrets

from sqlalchemy import ColumnElement, Connection, and_, exists, select, update

from nliprobe.base.errors import DataError
from nliprobe.people.store.database import Database
from nliprobe.people.store.numbers import LARGEST_NUMBER
from nliprobe.people.store.projects import OWNER
from nliprobe.people.store.rows import note, require_project, require_rater
from nliprobe.people.store.schema import drafts, judgements, raters

# Half of the numbers that a store can hold are left for links that are made in the place of earlier ones.
_MOST_FIRST = LARGEST_NUMBER // 2
# An id of a crowd platform is no secret, so it opens nothing that somebody has said.
BEGUN_ELSEWHERE = (
    "Somebody with this id has begun in another browser. Go on there, or open here the link for other devices that it "
    "shows. If you cannot, ask whoever invited you for a link of your own."
)


def first_link() -> int:
    """Draw the number of somebody's first link.

    Names and numbers are given anew after a database was put back to an earlier state. A link, or the cookie of a
    browser, of somebody who came after that state must not open the work of whoever has their name now.
    """
    return 1 + secrets.randbelow(_MOST_FIRST)


def read_rater_link(database: Database, project: str, rater: str) -> int:
    """Return the number of the link that lets a rater in.

    Raises:
        NotFoundError: there is no such project, or it has no such rater.
    """

    def read(connection: Connection) -> int:
        require_project(connection, project)
        require_rater(connection, project, rater)
        return _number(connection, project, rater)

    return database.read(read)


def renew_rater_link(database: Database, project: str, rater: str) -> int:
    """Make another link for a rater, and return its number; earlier ones let nobody in any longer."""

    def renew(connection: Connection) -> int:
        now = database.clock()
        require_project(connection, project, lock=True)
        require_rater(connection, project, rater)
        next_rater_link(connection, project, rater)
        note(connection, now, project, OWNER, "link renewed", rater=rater)
        return _number(connection, project, rater)

    return database.write_once(renew)


def next_rater_link(connection: Connection, project: str, rater: str) -> None:
    """End all links of a rater and the sessions that they opened; the transaction holds the lock of the project."""
    connection.execute(update(raters).where(_is(project, rater)).values(link=raters.c.link + 1))


def require_nothing_said(connection: Connection, project: str, rater: str) -> None:
    """Raise a DataError if a rater has judged something, or begun to: it must not be shown to anybody else."""
    said = [
        exists().where(table.c.project == project, table.c.rater == rater).select() for table in (judgements, drafts)
    ]
    if any(connection.scalar(query) for query in said):
        raise DataError(BEGUN_ELSEWHERE)


def _number(connection: Connection, project: str, rater: str) -> int:
    return int(connection.execute(select(raters.c.link).where(_is(project, rater))).scalar_one())


def _is(project: str, rater: str) -> ColumnElement[bool]:
    return and_(raters.c.project == project, raters.c.name == rater)
