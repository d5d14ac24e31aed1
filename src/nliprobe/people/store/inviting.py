"""Invite raters to a project by links that can be limited, counted and revoked."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, and_, func, insert, select, update

from nliprobe.base.errors import DataError, NotFoundError, UsageError
from nliprobe.people.records import Rater, RaterState
from nliprobe.people.store.database import Database
from nliprobe.people.store.links import next_rater_link, require_nothing_said
from nliprobe.people.store.numbers import require_storable
from nliprobe.people.store.projects import OWNER
from nliprobe.people.store.raters import join
from nliprobe.people.store.rows import checked_text, note, require_project
from nliprobe.people.store.schema import invitations, raters


class Invitation(NamedTuple):
    """A link that lets raters in.

    Attributes:
        project: what it invites to.
        number: by which its link names it, from 1.
        made: when it was made, in seconds since 1970.
        expires: from when on nobody new comes in; None for never.
        note: what the owner wrote about it, for example whom it was sent to.
        most_uses: how many raters may come in by it; None for any number.
        uses: how many have come in.
        revoked: when the owner took it back, or None.
    """

    project: str
    number: int
    made: float
    expires: float | None
    note: str
    most_uses: int | None
    uses: int
    revoked: float | None

    def refusal(self, now: float) -> str:
        """Say why nobody new may come in, or nothing."""
        if self.revoked is not None:
            return "This invitation was taken back."
        if self.expires is not None and now >= self.expires:
            return "This invitation has expired."
        if self.most_uses is not None and self.uses >= self.most_uses:
            return "This invitation was used as often as it may be."
        return ""


def invite(
    database: Database, project: str, *, seconds: float | None = None, about: str = "", most_uses: int | None = None
) -> Invitation:
    """Make an invitation to a project.

    Args:
        database: the store.
        project: what to work on.
        seconds: how long it lets raters in; None for always.
        about: a note for the owner.
        most_uses: how many raters may come in by it; None for any number.
    """
    if seconds is not None and not seconds > 0:
        raise UsageError(f"An invitation should hold for a while, not for {seconds:g} seconds.")
    if most_uses is not None and most_uses < 1:
        raise UsageError(f"An invitation should let in 1 rater or more, not {most_uses}.")
    require_storable("The number of raters who come by an invitation", most_uses)
    words = checked_text(about, "The note")

    def make(connection: Connection) -> Invitation:
        now = database.clock()
        require_project(connection, project, lock=True)
        last = connection.scalar(select(func.max(invitations.c.number)).where(invitations.c.project == project)) or 0
        expires = None if seconds is None else now + seconds
        made = Invitation(project, last + 1, now, expires, words, most_uses, 0, None)
        connection.execute(insert(invitations), [made._asdict()])
        note(connection, now, project, OWNER, "invitation made", number=made.number, most_uses=most_uses)
        return made

    return database.write_once(make)


def read_invitations(database: Database, project: str) -> list[Invitation]:
    """Return all invitations to a project, in the order in which they were made."""

    def read(connection: Connection) -> list[Invitation]:
        require_project(connection, project)
        own = select(invitations).where(invitations.c.project == project).order_by(invitations.c.number)
        return [_invitation(row) for row in connection.execute(own)]

    return database.read(read)


def read_invitation(database: Database, project: str, number: int) -> Invitation:
    """Return one invitation.

    Raises:
        NotFoundError: there is none with this number.
    """
    return database.read(lambda connection: _require(connection, project, number))


def revoke_invitation(database: Database, project: str, number: int) -> None:
    """Let nobody new in by an invitation; who came in by it goes on working."""

    def revoke(connection: Connection) -> None:
        now = database.clock()
        require_project(connection, project, lock=True)
        if _require(connection, project, number).revoked is not None:
            return
        connection.execute(update(invitations).where(_is(project, number)).values(revoked=now))
        note(connection, now, project, OWNER, "invitation revoked", number=number)

    database.write(revoke)


def use_invitation(
    database: Database, project: str, number: int, *, external: str = "", here: str = "", link: int = 1
) -> Rater:
    """Let somebody in by an invitation, under a new pseudonym.

    Whoever has an external id and was here before is the same rater again, even if the invitation lets nobody new in.
    External ids are no secrets: as soon as something was said under one, only the browser that said it comes in by it;
    before that, whoever comes in last, for nobody else may look on.

    Args:
        database: the store.
        project: what to work on.
        number: of the invitation.
        external: the id that a crowd platform has for them, if any.
        here: the rater as whom their browser has come in before, if any.
        link: the number of their first link, if they are new.

    Raises:
        DataError: the invitation was taken back, has expired, or was used as often as it may be; or the external id
            belongs to somebody who has begun in another browser.
        NotFoundError: there is no such invitation.
    """
    worker = checked_text(external.strip(), "The external id")

    def use(connection: Connection) -> Rater:
        now = database.clock()
        require_project(connection, project, lock=True)
        invitation = _require(connection, project, number)
        known = _known(connection, project, worker) if worker else None
        if known is not None:
            if known.name != here:
                require_nothing_said(connection, project, known.name)
                next_rater_link(connection, project, known.name)
                note(connection, now, project, known.name, "came in from another browser")
            return known
        if refusal := invitation.refusal(now):
            raise DataError(f"{refusal} Ask whoever sent it for another one.")
        connection.execute(update(invitations).where(_is(project, number)).values(uses=invitations.c.uses + 1))
        return join(connection, project, _pseudonym(connection, project), worker, now, link)

    return database.write_once(use)


def _known(connection: Connection, project: str, worker: str) -> Rater | None:
    own = select(raters).where(raters.c.project == project, raters.c.external == worker).order_by(raters.c.number)
    row = connection.execute(own.limit(1)).one_or_none()
    return None if row is None else Rater(row.name, RaterState(row.state), row.external)


def _pseudonym(connection: Connection, project: str) -> str:
    taken = set(connection.scalars(select(raters.c.name).where(raters.c.project == project)))
    number = len(taken) + 1
    while f"rater-{number}" in taken:
        number += 1
    return f"rater-{number}"


def _require(connection: Connection, project: str, number: int) -> Invitation:
    row = connection.execute(select(invitations).where(_is(project, number))).one_or_none()
    if row is None:
        raise NotFoundError(f"The project '{project}' has no invitation {number}.")
    return _invitation(row)


def _is(project: str, number: int) -> ColumnElement[bool]:
    return and_(invitations.c.project == project, invitations.c.number == number)


def _invitation(row: Row[tuple[object, ...]]) -> Invitation:
    return Invitation(**row._mapping)
