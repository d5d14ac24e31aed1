"""How far a project is, what its owner should look at, and who did what."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, and_, func, select

from nliprobe.people.records import Json, JudgementState
from nliprobe.people.store.database import Database
from nliprobe.people.store.places import miscounted_raters
from nliprobe.people.store.raters import give_back_overdue
from nliprobe.people.store.rows import loads, require_project
from nliprobe.people.store.schema import items, judgements, log, work
from nliprobe.people.store.states import WorkState
from nliprobe.people.store.tallies import mistallied


class Batch(NamedTuple):
    """How far a batch is: its items, how many of them have all judgements, and the judgements wanted and there."""

    batch: int
    items: int
    complete: int
    wanted: int
    judged: int
    is_open: bool


class Flag(NamedTuple):
    """What a rater would not judge, and why; ``flagged`` means that the owner should look at it."""

    item: str
    rater: str
    reason: str
    flagged: bool


class Progress(NamedTuple):
    """How far a project is.

    Attributes:
        batches: one entry per batch; attention items are not among their items.
        attention: how many attention items there are.
        leased: how many items raters have now.
        flags: what raters skipped or flagged.
    """

    batches: tuple[Batch, ...]
    attention: int
    leased: int
    flags: tuple[Flag, ...]

    @property
    def is_complete(self) -> bool:
        """Whether every item has all its judgements, those of batches that are not open included."""
        return all(batch.items == batch.complete for batch in self.batches)


class Entry(NamedTuple):
    """One line of the log."""

    at: float
    who: str
    what: str
    about: dict[str, Json]


def read_progress(database: Database, project: str) -> Progress:
    """Return how far a project is; items of raters who have left are open again first."""

    def read(connection: Connection) -> Progress:
        rules = require_project(connection, project, lock=True)
        give_back_overdue(connection, project, database.clock())
        own = items.c.project == project
        counted = (
            select(judgements.c.item.label("item"), func.count().label("judged"))
            .where(judgements.c.project == project, judgements.c.state == JudgementState.COUNTS.value)
            .group_by(judgements.c.item)
            .subquery()
        )
        per_item = (
            select(items.c.batch, items.c.wanted, func.coalesce(counted.c.judged, 0))
            .outerjoin(counted, counted.c.item == items.c.name)
            .where(own, items.c.wanted.is_not(None))
        )
        batches: dict[int, list[tuple[int, int]]] = {}
        for batch, wanted, judged in connection.execute(per_item):
            batches.setdefault(batch, []).append((wanted or 0, judged))
        here = work.c.project == project
        passed = select(work.c.item, work.c.rater, work.c.reason, work.c.flagged).where(
            here, work.c.state == WorkState.SKIPPED.value
        )
        return Progress(
            batches=tuple(
                Batch(
                    number,
                    len(rows),
                    sum(judged >= wanted for wanted, judged in rows),
                    sum(wanted for wanted, _ in rows),
                    sum(judged for _, judged in rows),
                    number < rules.batches_open,
                )
                for number, rows in sorted(batches.items())
            ),
            attention=connection.scalar(select(func.count()).where(own, items.c.wanted.is_(None))) or 0,
            leased=connection.scalar(select(func.count()).where(here, work.c.state == WorkState.LEASED.value)) or 0,
            flags=tuple(
                Flag(row.item, row.rater, row.reason, bool(row.flagged))
                for row in connection.execute(passed.order_by(work.c.given, work.c.item, work.c.rater))
            ),
        )

    return database.write(read)


def read_log(database: Database, project: str) -> list[Entry]:
    """Return who did what, in order."""

    def read(connection: Connection) -> list[Entry]:
        require_project(connection, project)
        rows = connection.execute(select(log).where(log.c.project == project).order_by(log.c.number))
        return [Entry(row.at, row.who, row.what, loads(row.about)) for row in rows]

    return database.read(read)


def miscounted(database: Database, project: str) -> list[str]:
    """Return the items whose number of raters is not that of their judgements and loans, and other wrong counts.

    There should be none.
    """

    def read(connection: Connection) -> list[str]:
        held = (
            select(judgements.c.item.label("item"))
            .where(judgements.c.project == project, judgements.c.state == JudgementState.COUNTS.value)
            .union_all(select(work.c.item).where(work.c.project == project, work.c.state == WorkState.LEASED.value))
            .subquery()
        )
        counted = select(held.c.item, func.count().label("held")).group_by(held.c.item).subquery()
        wrong = (
            select(items.c.name)
            .outerjoin(counted, counted.c.item == items.c.name)
            .where(
                and_(items.c.project == project, items.c.wanted.is_not(None)),
                items.c.taken != func.coalesce(counted.c.held, 0),
            )
        )
        others = [*mistallied(connection, project), *miscounted_raters(connection, project)]
        return [*connection.scalars(wrong.order_by(items.c.number)), *others]

    return database.read(read)
