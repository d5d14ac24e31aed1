"""What the owner of a project looks at: its items with how far they are, one item's history, versions, what is new."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, exists, func, select

from nliprobe.base.errors import NotFoundError
from nliprobe.people.records import Content, Item, Json, Judgement, JudgementState
from nliprobe.people.store.database import Database
from nliprobe.people.store.projects import OWNER
from nliprobe.people.store.rows import (
    item_of,
    items_query,
    judgement_of,
    judgements_query,
    loads,
    note,
    require_project,
)
from nliprobe.people.store.schema import contents, instructions, items, judgements, log, work
from nliprobe.people.store.states import WorkState


class Which(StrEnum):
    """Which items are listed."""

    ALL = "all"
    OPEN = "open"  # more judgements are wanted
    FLAGGED = "flagged"  # a rater skipped or flagged it
    ATTENTION = "attention"


class ItemRow(NamedTuple):
    """An item in a list; ``wanted`` is None for an attention item, which every rater may get."""

    number: int
    name: str
    batch: int
    stratum: str
    wanted: int | None
    judged: int
    passed: int
    content: Content


class Version(NamedTuple):
    """One version of the instructions."""

    version: int
    text: str
    created: float


class Passed(NamedTuple):
    """What became of an item with one rater who has not judged it: had now, skipped, flagged, or given back."""

    rater: str
    state: str
    reason: str
    flagged: bool
    given: float


class Said(NamedTuple):
    """A judgement with the version of the instructions by which it was given."""

    judgement: Judgement
    instructions: int


class History(NamedTuple):
    """Everything that happened to one item."""

    said: tuple[Said, ...]
    passed: tuple[Passed, ...]


def read_pulse(database: Database, project: str) -> int:
    """Return a number that is another one after anything has happened in a project."""

    def read(connection: Connection) -> int:
        require_project(connection, project)
        return connection.scalar(select(func.max(log.c.number)).where(log.c.project == project)) or 0

    return database.read(read)


def record_action(database: Database, project: str, what: str, **about: Json) -> None:
    """Add to a project's log what its owner did that changes nothing in the store, such as an export."""

    def record(connection: Connection) -> None:
        require_project(connection, project, lock=True)
        note(connection, database.clock(), project, OWNER, what, **about)

    database.write_once(record)


def read_versions(database: Database, project: str) -> list[Version]:
    """Return all versions of the instructions, the newest first."""

    def read(connection: Connection) -> list[Version]:
        require_project(connection, project)
        own = select(instructions).where(instructions.c.project == project)
        rows = connection.execute(own.order_by(instructions.c.version.desc()))
        return [Version(row.version, row.text, row.created) for row in rows]

    return database.read(read)


def read_item_at(database: Database, project: str, number: int) -> Item:
    """Return an item by its number.

    Raises:
        NotFoundError: there is none with this number.
    """

    def read(connection: Connection) -> Item:
        require_project(connection, project)
        row = connection.execute(items_query(project).where(items.c.number == number)).one_or_none()
        if row is None:
            raise NotFoundError(f"The project '{project}' has no item with the number {number}.")
        return item_of(row)

    return database.read(read)


def read_item_numbers(database: Database, project: str) -> dict[str, int]:
    """Return the number of each item, by its name."""

    def read(connection: Connection) -> dict[str, int]:
        require_project(connection, project)
        rows = connection.execute(select(items.c.name, items.c.number).where(items.c.project == project))
        return {row.name: row.number for row in rows}

    return database.read(read)


def count_items(database: Database, project: str, which: Which) -> int:
    """Return how many items a list has."""

    def read(connection: Connection) -> int:
        require_project(connection, project)
        return connection.scalar(select(func.count()).select_from(items).where(_in_list(project, which))) or 0

    return database.read(read)


def list_items(database: Database, project: str, which: Which, *, first: int, most: int) -> list[ItemRow]:
    """Return a part of a list of items, in the order of their numbers.

    Args:
        database: the store.
        project: the project.
        which: the items that are listed.
        first: how many of them come before.
        most: how many are returned.
    """

    def read(connection: Connection) -> list[ItemRow]:
        require_project(connection, project)
        own = and_(judgements.c.project == items.c.project, judgements.c.item == items.c.name)
        counts = judgements.c.state == JudgementState.COUNTS.value
        judged = select(func.count()).select_from(judgements).where(own, counts).scalar_subquery()
        passed = select(func.count()).select_from(work).where(_passed()).scalar_subquery()
        rows = connection.execute(
            select(
                items.c.number,
                items.c.name,
                items.c.batch,
                items.c.stratum,
                items.c.wanted,
                judged,
                passed,
                contents.c.content,
            )
            .join_from(items, contents, and_(contents.c.project == items.c.project, contents.c.item == items.c.name))
            .where(_in_list(project, which))
            .order_by(items.c.number)
            .offset(first)
            .limit(most)
        )
        return [ItemRow(*row[:-1], loads(row[-1])) for row in rows]

    return database.read(read)


def read_history(database: Database, project: str, item: str) -> History:
    """Return everything that was said about an item, revised and void judgements included, the earliest first."""

    def read(connection: Connection) -> History:
        query = judgements_query(project).where(judgements.c.item == item)
        said = [
            Said(judgement_of(row), row.instructions)
            for row in connection.execute(query.add_columns(judgements.c.instructions))
        ]
        own = select(work).where(work.c.project == project, work.c.item == item, work.c.state != WorkState.DONE.value)
        rows = connection.execute(own.order_by(work.c.given, work.c.rater))
        passed = [Passed(row.rater, row.state, row.reason, bool(row.flagged), row.given) for row in rows]
        return History(tuple(said), tuple(passed))

    return database.read(read)


def read_remarks(database: Database, project: str, *, most: int) -> tuple[list[Judgement], int]:
    """Return the newest judgements with a remark that count, and how many there are in all."""

    def read(connection: Connection) -> tuple[list[Judgement], int]:
        require_project(connection, project)
        own = and_(
            judgements.c.project == project,
            judgements.c.remark != "",
            judgements.c.state == JudgementState.COUNTS.value,
        )
        newest = (
            judgements_query(project).where(own).order_by(None).order_by(judgements.c.given.desc(), judgements.c.item)
        )
        total = connection.scalar(select(func.count()).select_from(judgements).where(own)) or 0
        return [judgement_of(row) for row in connection.execute(newest.limit(most))], total

    return database.read(read)


def _in_list(project: str, which: Which) -> ColumnElement[bool]:
    own = items.c.project == project
    if which is Which.OPEN:
        done = (
            select(func.count())
            .select_from(judgements)
            .where(
                judgements.c.project == items.c.project,
                judgements.c.item == items.c.name,
                judgements.c.state == JudgementState.COUNTS.value,
            )
            .scalar_subquery()
        )
        return and_(own, items.c.wanted.is_not(None), done < items.c.wanted)
    if which is Which.FLAGGED:
        return and_(own, exists().where(_passed()))
    if which is Which.ATTENTION:
        return and_(own, items.c.wanted.is_(None))
    return own


def _passed() -> ColumnElement[bool]:
    return and_(work.c.project == items.c.project, work.c.item == items.c.name, work.c.state == WorkState.SKIPPED.value)
