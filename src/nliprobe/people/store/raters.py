"""Raters of a project: they join, leave, are blocked, are let in again, or withdraw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, bindparam, delete, exists, func, insert, select, union, update

from nliprobe.base.errors import DataError
from nliprobe.people.records import JudgementState, Rater, RaterState
from nliprobe.people.store.database import Database
from nliprobe.people.store.places import free_place
from nliprobe.people.store.projects import OWNER
from nliprobe.people.store.rows import checked_name, checked_text, note, require_project, require_rater
from nliprobe.people.store.schema import completions, drafts, items, judgements, raters, work
from nliprobe.people.store.states import WorkState
from nliprobe.people.store.tallies import count_anew


class Reopened(NamedTuple):
    """What became of a rater's work: judgements that no longer count, or count again, and items on loan given back."""

    judgements: int
    leases: int


_LEASED = and_(work.c.project == bindparam("project"), work.c.state == WorkState.LEASED.value)
_HELD = select(work.c.item).where(_LEASED, work.c.rater == bindparam("by")).order_by(work.c.given, work.c.item)
_LATE = work.c.due < bindparam("now")
_OVERDUE = select(work.c.item, work.c.rater).where(_LEASED, _LATE)
# Two questions in one, each with an index of its own: with "or", PostgreSQL goes through all work of the project.
_LOANS = select(work.c.item, work.c.rater, work.c.due, work.c.given).where(_LEASED)
_HELD_OR_OVERDUE = union(_LOANS.where(work.c.rater == bindparam("by")), _LOANS.where(_LATE)).order_by("given", "item")
_RETURN = (
    update(work)
    .where(work.c.project == bindparam("of"), work.c.item == bindparam("which"), work.c.rater == bindparam("by"))
    .values(state=WorkState.RETURNED.value)
)


def join_project(database: Database, project: str, name: str, external: str = "") -> Rater:
    """Let somebody in, or return the rater of this name.

    Args:
        database: the store.
        project: what to work on.
        name: a pseudonym.
        external: the id that a crowd platform has for them.

    Raises:
        DataError: the name cannot be one, or another external id has it.
    """

    def joined(connection: Connection) -> Rater:
        require_project(connection, project, lock=True)
        return join(connection, project, name, external, database.clock())

    return database.write(joined)


def join(connection: Connection, project: str, name: str, external: str, now: float, link: int = 1) -> Rater:
    """Let somebody in, or return the rater of this name; the transaction holds the lock of the project."""
    checked_name(name, "a rater")
    own = raters.c.project == project
    known = connection.execute(select(raters).where(own, raters.c.name == name)).one_or_none()
    if known is not None:
        if external and known.external != external:
            raise DataError(f"'{name}' is somebody else in '{project}': choose another name.")
        return Rater(known.name, RaterState(known.state), known.external)
    number = connection.scalar(select(func.count()).where(own)) or 0
    row = {
        "project": project,
        "name": name,
        "state": RaterState.ACTIVE.value,
        "external": checked_text(external, "The external id"),
        "number": number,
        "joined": now,
        "given": 0,
        "link": link,
    }
    connection.execute(insert(raters), [row])
    note(connection, now, project, name, "joined")
    return Rater(name, RaterState.ACTIVE, external)


def read_raters(database: Database, project: str) -> list[Rater]:
    """Return the raters of a project, in the order in which they came."""

    def read(connection: Connection) -> list[Rater]:
        require_project(connection, project)
        rows = connection.execute(select(raters).where(raters.c.project == project).order_by(raters.c.number))
        return [Rater(row.name, RaterState(row.state), row.external) for row in rows]

    return database.read(read)


def leave_project(database: Database, project: str, rater: str) -> int:
    """Give back the item that a rater has and has not judged, so that others get it; return how many there were."""

    def leave(connection: Connection) -> int:
        require_project(connection, project, lock=True)
        require_rater(connection, project, rater)
        return give_back(connection, project, rater)

    return database.write(leave)


def block_rater(database: Database, project: str, rater: str, reason: str, *, who: str = OWNER) -> Reopened:
    """Let nothing of a rater count: their items are open again for others."""

    def block(connection: Connection) -> Reopened:
        now = database.clock()
        require_project(connection, project, lock=True)
        state = require_rater(connection, project, rater).state
        if state is not RaterState.ACTIVE:
            return Reopened(0, 0)
        leases = give_back(connection, project, rater)
        _set_taken(connection, project, rater, JudgementState.COUNTS, -1)
        voided = connection.execute(
            update(judgements)
            .where(*_of(project, rater), judgements.c.state == JudgementState.COUNTS.value)
            .values(state=JudgementState.VOID.value)
        ).rowcount
        _set_state(connection, project, rater, RaterState.BLOCKED)
        note(connection, now, project, who, "rater blocked", rater=rater, reason=reason, judgements=voided)
        return Reopened(voided, leases)

    return database.write(block)


def unblock_rater(database: Database, project: str, rater: str, *, who: str = OWNER) -> Reopened:
    """Let a blocked rater work again; their judgements count again where nobody else has taken their place."""

    def unblock(connection: Connection) -> Reopened:
        now = database.clock()
        require_project(connection, project, lock=True)
        if require_rater(connection, project, rater).state is not RaterState.BLOCKED:
            return Reopened(0, 0)
        free = exists().where(
            items.c.project == judgements.c.project,
            items.c.name == judgements.c.item,
            items.c.wanted.is_(None) | (items.c.taken < items.c.wanted),
        )
        again = connection.execute(
            update(judgements)
            .where(*_of(project, rater), judgements.c.state == JudgementState.VOID.value, free)
            .values(state=JudgementState.COUNTS.value)
        ).rowcount
        _set_taken(connection, project, rater, JudgementState.COUNTS, +1)
        _set_state(connection, project, rater, RaterState.ACTIVE)
        note(connection, now, project, who, "rater let in again", rater=rater, judgements=again)
        return Reopened(again, 0)

    return database.write(unblock)


def withdraw_rater(database: Database, project: str, rater: str, *, entered_by: str = "") -> Reopened:
    """Delete what a rater said, and their external id, as they may ask for; their items are open again for others.

    Args:
        database: the store.
        project: the project.
        rater: who withdraws.
        entered_by: who entered it for them, which the log tells; by default they did so themselves.
    """

    def withdraw(connection: Connection) -> Reopened:
        now = database.clock()
        require_project(connection, project, lock=True)
        require_rater(connection, project, rater)
        if entered_by:
            note(connection, now, project, entered_by, "withdrawal entered", rater=rater)
        leases = give_back(connection, project, rater)
        _set_taken(connection, project, rater, JudgementState.COUNTS, -1)
        deleted = connection.execute(delete(judgements).where(*_of(project, rater))).rowcount
        for table in (drafts, completions, work):
            connection.execute(delete(table).where(table.c.project == project, table.c.rater == rater))
        _set_state(connection, project, rater, RaterState.WITHDRAWN)
        own = and_(raters.c.project == project, raters.c.name == rater)
        connection.execute(update(raters).where(own).values(external="", given=0))
        note(connection, now, project, rater, "withdrew", judgements=deleted)
        return Reopened(deleted, leases)

    return database.write(withdraw)


def give_back(connection: Connection, project: str, rater: str) -> int:
    """Give back what a rater has on loan."""
    return _give_back(connection, project, [(item, rater) for item in held_items(connection, project, rater)])


def held_items(connection: Connection, project: str, rater: str) -> list[str]:
    """Return the items that a rater has now, the earliest first."""
    return list(connection.scalars(_HELD, {"project": project, "by": rater}))


def held_in_time(connection: Connection, project: str, rater: str, now: float) -> list[str]:
    """Return the items that a rater has now, the earliest first, after all that is overdue was given back."""
    loans = connection.execute(_HELD_OR_OVERDUE, {"project": project, "by": rater, "now": now}).all()
    _give_back(connection, project, [(loan.item, loan.rater) for loan in loans if loan.due < now])
    return [loan.item for loan in loans if loan.due >= now]


def give_back_overdue(connection: Connection, project: str, now: float) -> int:
    """Give back what raters have had for too long: they have left."""
    overdue = connection.execute(_OVERDUE, {"project": project, "now": now}).all()
    return _give_back(connection, project, [(row.item, row.rater) for row in overdue])


def _give_back(connection: Connection, project: str, loans: Sequence[tuple[str, str]]) -> int:
    for item, rater in loans:
        free_place(connection, project, item, rater)
        connection.execute(_RETURN, {"of": project, "which": item, "by": rater})
    return len(loans)


def _of(project: str, rater: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return judgements.c.project == project, judgements.c.rater == rater


def _set_taken(connection: Connection, project: str, rater: str, state: JudgementState, by: int) -> None:
    """Add to the number of raters of each item that a rater has judged; attention items are not counted."""
    judged = select(judgements.c.item).where(*_of(project, rater), judgements.c.state == state.value)
    connection.execute(
        update(items)
        .where(items.c.project == project, items.c.wanted.is_not(None), items.c.name.in_(judged))
        .values(taken=items.c.taken + by)
    )
    count_anew(connection, project)


def _set_state(connection: Connection, project: str, rater: str, state: RaterState) -> None:
    own = and_(raters.c.project == project, raters.c.name == rater)
    connection.execute(update(raters).where(own).values(state=state.value))
