"""Hand out many items at once, for a sheet, and take many judgements in, from filled sheets or another program."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from sqlalchemy import Connection, and_, insert, select

from nliprobe.base.errors import DataError
from nliprobe.base.hashing import digest
from nliprobe.people.records import Item, Judgement
from nliprobe.people.store.database import Database
from nliprobe.people.store.handing_out import choose_item, lend_item, require_active, take_place
from nliprobe.people.store.judging import keep_judgement
from nliprobe.people.store.projects import OWNER, task_of
from nliprobe.people.store.raters import give_back_overdue, join
from nliprobe.people.store.rows import dumps, judgement_of, judgements_query, note, require_item, require_project
from nliprobe.people.store.schema import judgements, work
from nliprobe.people.store.states import WorkState


class Taken(NamedTuple):
    """What became of judgements that were brought in.

    Attributes:
        new: judgements that are kept now.
        known: those that were there already.
        not_needed: those about items that have as many raters as wanted; they are not kept.
    """

    new: int
    known: int
    not_needed: int


def lend_items(database: Database, project: str, rater: str, count: int, seconds: float) -> list[Item]:
    """Give a rater so many items at once, by the same rules as one after the other; fewer if there are no more.

    Args:
        database: the store.
        project: the project.
        rater: who gets them; a new name joins the project.
        count: how many, those that the rater has already included.
        seconds: how long the places are kept.
    """

    def lend(connection: Connection) -> list[Item]:
        now = database.clock()
        rules = require_project(connection, project, lock=True)
        join(connection, project, rater, "", now)
        require_active(connection, project, rater)
        give_back_overdue(connection, project, now)
        mine = and_(work.c.project == project, work.c.rater == rater, work.c.state == WorkState.LEASED.value)
        names = list(connection.scalars(select(work.c.item).where(mine).order_by(work.c.given, work.c.item)))
        while len(names) < count and (name := choose_item(connection, rules, rater)) is not None:
            lend_item(connection, project, name, rater, now, now + seconds)
            names.append(name)
        note(connection, now, project, OWNER, "sheet written", rater=rater, items=len(names))
        return [require_item(connection, project, name) for name in names]

    return database.write(lend)


def add_judgements(database: Database, project: str, given: Iterable[Judgement]) -> Taken:
    """Keep judgements that came in together, all or none; bringing the same in again changes nothing.

    Whoever judged joins the project. A judgement about an item that was not given to its rater counts if the item has
    a place left.

    Raises:
        DataError: somebody says now something else than before, or what they say is no answer.
    """
    every: Sequence[Judgement] = list(given)

    def add(connection: Connection) -> Taken:
        now = database.clock()
        rules = require_project(connection, project, lock=True)
        task, counts = task_of(rules), [0, 0, 0]
        for one in every:
            join(connection, project, one.rater, "", now)
            require_active(connection, project, one.rater)
            said = task.checked(require_item(connection, project, one.item), one.answer)
            own = (judgements.c.item == one.item, judgements.c.rater == one.rater)
            before = [judgement_of(row) for row in connection.execute(judgements_query(project).where(*own))]
            if before:
                if dumps(before[-1].answer) != dumps(said):
                    raise DataError(
                        f"'{one.rater:.80}' has judged '{one.item:.80}' before and said something else: keep one."
                    )
                counts[1] += 1
            elif not _is_given(connection, project, one, now):
                counts[2] += 1
            else:
                key = f"sheet {digest(one.item, one.rater, dumps(said))}"
                keep_judgement(connection, project, replace(one, answer=said), key)
                counts[0] += 1
        note(connection, now, project, OWNER, "judgements brought in", new=counts[0], not_needed=counts[2])
        return Taken(*counts)

    return database.write(add)


def _is_given(connection: Connection, project: str, one: Judgement, now: float) -> bool:
    """Give an item to a rater who has judged it elsewhere, unless it has enough raters without them."""
    own = and_(work.c.project == project, work.c.item == one.item, work.c.rater == one.rater)
    state = connection.scalar(select(work.c.state).where(own))
    if state == WorkState.LEASED.value:
        return True
    if not take_place(connection, project, one.item):
        return False
    if state is None:
        row = {"project": project, "item": one.item, "rater": one.rater, "reason": "", "flagged": 0}
        connection.execute(insert(work), [{**row, "state": WorkState.LEASED.value, "given": now, "due": now}])
    return True
