"""Items about which raters differ, and what the owner decides about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, func, insert, select

from nliprobe.base.errors import DataError
from nliprobe.people.counted import Counted, bits_of, counted
from nliprobe.people.records import Adjudication, Content, Item, Judgement, JudgementState
from nliprobe.people.store.database import Database
from nliprobe.people.store.projects import OWNER, task_of
from nliprobe.people.store.rows import (
    checked_text,
    dumps,
    item_of,
    items_query,
    judgement_of,
    judgements_query,
    loads,
    note,
    require_item,
    require_project,
)
from nliprobe.people.store.schema import adjudications, judgements
from nliprobe.people.tasks import Task
from nliprobe.people.tasks.evidence import Marking


class Disagreement(NamedTuple):
    """An item about which raters differ.

    Attributes:
        item: the item.
        judgements: what each rater said, the earliest first.
        split: how far they differ, from 0 to 1: the share of pairs of raters who differ; of marks, the mean over units.
        decided: what the owner has decided, or None.
    """

    item: Item
    judgements: tuple[Judgement, ...]
    split: float
    decided: Adjudication | None


def disagreements(database: Database, project: str) -> list[Disagreement]:
    """Return the items whose judgements differ, the most split first; attention items are not among them.

    Texts and tables that raters write differ always, and mean nothing by it: of their tasks, none is returned.
    """

    def read(connection: Connection) -> tuple[Task, list[Item], list[Judgement], dict[str, Adjudication]]:
        rules = require_project(connection, project)
        every = [item_of(row) for row in connection.execute(items_query(project))]
        counts = judgements_query(project).where(judgements.c.state == JudgementState.COUNTS.value)
        said = [judgement_of(row) for row in connection.execute(counts)]
        return task_of(rules), every, said, newest_adjudications(connection, project)

    task, every, said, decided = database.read(read)
    by_item: dict[str, list[Counted]] = {}
    for one in counted(every, said):
        by_item.setdefault(one.item.name, []).append(one)
    found = [
        Disagreement(of[0].item, tuple(one.judgement for one in of), split, decided.get(name))
        for name, of in by_item.items()
        if (split := split_of(task, of)) > 0
    ]
    # Equal ones stay in the order of the items.
    return sorted(found, key=lambda one: -one.split)


def adjudicate(
    database: Database, project: str, item: str, answer: Content, *, reason: str = "", who: str = OWNER
) -> Adjudication:
    """Decide about an item in place of its raters; what they said is kept, and so are earlier decisions.

    Raises:
        DataError: the answer is none of the task, or the item is an attention item.
    """
    words = checked_text(reason, "The reason")

    def decide(connection: Connection) -> Adjudication:
        now = database.clock()
        rules = require_project(connection, project, lock=True)
        asked = require_item(connection, project, item)
        if asked.expected is not None:
            raise DataError(f"'{item}' is an attention item, whose answer is known: there is nothing to decide.")
        decided = Adjudication(item, task_of(rules).checked(asked, answer), who, now, words)
        own = (adjudications.c.project == project, adjudications.c.item == item)
        before = newest_adjudications(connection, project).get(item)
        if before is not None and (before.answer, before.reason) == (decided.answer, words):
            return before
        number = connection.scalar(select(func.count()).where(*own)) or 0
        row = {"project": project, "number": number, **decided._asdict(), "answer": dumps(decided.answer)}
        connection.execute(insert(adjudications), [row])
        note(connection, now, project, who, "adjudicated", item=item)
        return decided

    return database.write(decide)


def read_adjudications(database: Database, project: str, *, history: bool = False) -> list[Adjudication]:
    """Return what the owner decided, one decision per item; with ``history`` also the earlier ones, oldest first."""

    def read(connection: Connection) -> list[Adjudication]:
        require_project(connection, project)
        return _all(connection, project) if history else list(newest_adjudications(connection, project).values())

    return database.read(read)


def newest_adjudications(connection: Connection, project: str) -> dict[str, Adjudication]:
    """Return the decisions that count, by item."""
    return {one.item: one for one in _all(connection, project)}


def _all(connection: Connection, project: str) -> list[Adjudication]:
    own = select(adjudications).where(adjudications.c.project == project)
    rows = connection.execute(own.order_by(adjudications.c.item, adjudications.c.number))
    return [Adjudication(row.item, loads(row.answer), row.who, row.at, row.reason) for row in rows]


def split_of(task: Task, found: Sequence[Counted]) -> float:
    """Return how far the raters of one item differ, from 0 to 1."""
    if isinstance(task, Marking):
        bits = [bits_of(one.item.content, one.judgement.answer) for one in found]
        return sum(_differing(column) for column in zip(*bits, strict=True)) / len(bits[0])
    return _differing([vote for one in found if (vote := task.vote(one.judgement.answer)) is not None])


def _differing(votes: Sequence[str]) -> float:
    """Return the share of pairs of votes that differ."""
    size = len(votes)
    if size < 2:
        return 0.0
    same = sum(count * (count - 1) for count in Counter(votes).values())
    return 1 - same / (size * (size - 1))
