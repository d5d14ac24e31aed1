"""Hand out many items at once, for a sheet, and take many judgements in, from filled sheets or another program."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from sqlalchemy import Connection, and_, bindparam, insert, select, update

from nliprobe.base.errors import DataError
from nliprobe.base.hashing import digest
from nliprobe.people.records import Item, Judgement, Rater, RaterState
from nliprobe.people.store.choosing import choose_item
from nliprobe.people.store.database import Database
from nliprobe.people.store.drafting import forget_draft
from nliprobe.people.store.handing_out import require_active
from nliprobe.people.store.judging import keep_judgement
from nliprobe.people.store.places import lend_item, take_place
from nliprobe.people.store.projects import OWNER, task_of
from nliprobe.people.store.raters import held_in_time, join
from nliprobe.people.store.rows import checked_name, dumps, item_of, items_query, note, require_item, require_project
from nliprobe.people.store.schema import judgements, raters, work
from nliprobe.people.store.states import WorkState
from nliprobe.people.store.tallies import count_anew

# Judgements that are kept in one transaction: raters wait for a part of a second, not for all.
_AT_ONCE = 250
_PROLONG = (
    update(work)
    .where(work.c.project == bindparam("of"), work.c.rater == bindparam("by"))
    .where(work.c.state == WorkState.LEASED.value, work.c.due < bindparam("until"))
    .values(due=bindparam("until"))
)
_RATERS = select(raters.c.name, raters.c.state).where(raters.c.project == bindparam("of"))


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
        seconds: how long the places are kept, also of those that the rater has already.

    Raises:
        DataError: there is nothing left for the rater; a new name has not joined then.
    """

    def lend(connection: Connection) -> list[Item]:
        now = database.clock()
        rules = require_project(connection, project, lock=True)
        require_active(project, join(connection, project, rater, "", now))
        names = held_in_time(connection, project, rater, now)
        connection.execute(_PROLONG, {"of": project, "by": rater, "until": now + seconds})
        while len(names) < count and (name := choose_item(connection, rules, rater)) is not None:
            lend_item(connection, project, name, rater, now, now + seconds)
            names.append(name)
        if not names:
            raise DataError(f"There is nothing left to judge for {rater} in '{project}'.")
        note(connection, now, project, OWNER, "sheet written", rater=rater, items=len(names))
        return [require_item(connection, project, name) for name in names]

    return database.write(lend)


def add_judgements(database: Database, project: str, given: Iterable[Judgement]) -> Taken:
    """Keep judgements that came in together; bringing the same in again changes nothing.

    All are looked at before the first is kept. Then they are kept in parts, so that people who are judging meanwhile
    need not wait for all of them. Whoever judged joins the project. A judgement about an item that was not given to its
    rater counts if the item has a place left.

    Raises:
        DataError: somebody says now something else than before, or what they say is no answer. Nothing is kept then,
            unless this became so after the first part.
    """
    every = database.read(lambda connection: _checked(connection, project, list(given)))
    taken = Taken(0, 0, 0)
    for start in range(0, len(every) or 1, _AT_ONCE):
        part = every[start : start + _AT_ONCE]
        more = database.write(partial(_add, database.clock, project, part))
        taken = Taken(*(before + new for before, new in zip(taken, more, strict=True)))
    return taken


def _checked(connection: Connection, project: str, every: Sequence[Judgement]) -> list[Judgement]:
    """Return judgements with their answers in one form, or say which of them cannot be kept."""
    task = task_of(require_project(connection, project))
    items = {row.name: item_of(row) for row in connection.execute(items_query(project))}
    before = _before(connection, project)
    known = {row.name: RaterState(row.state) for row in connection.execute(_RATERS, {"of": project})}
    for rater in dict.fromkeys(one.rater for one in every):
        require_active(project, Rater(checked_name(rater, "a rater"), known.get(rater, RaterState.ACTIVE), ""))
    checked = []
    for one in every:
        said = task.checked(items.get(one.item) or require_item(connection, project, one.item), one.answer)
        _require_same(one, before.setdefault((one.item, one.rater), dumps(said)), dumps(said))
        checked.append(replace(one, answer=said))
    return checked


def _add(clock: Callable[[], float], project: str, part: Sequence[Judgement], connection: Connection) -> Taken:
    """Keep some judgements that were looked at, in one transaction."""
    now, counts = clock(), [0, 0, 0]
    require_project(connection, project, lock=True)
    before = _before(connection, project, [one.item for one in part])
    for rater in dict.fromkeys(one.rater for one in part):
        require_active(project, join(connection, project, rater, "", now))
    for one in part:
        known, written = before.get((one.item, one.rater)), dumps(one.answer)
        if known is not None:
            _require_same(one, known, written)
            counts[1] += 1
        elif not _is_given(connection, project, one, now):
            counts[2] += 1
        else:
            keep_judgement(connection, project, one, f"sheet {digest(one.item, one.rater, written)}")
            forget_draft(connection, project, one.rater, one.item)
            before[one.item, one.rater] = written
            counts[0] += 1
    count_anew(connection, project)
    note(connection, now, project, OWNER, "judgements brought in", new=counts[0], not_needed=counts[2])
    return Taken(*counts)


def _require_same(one: Judgement, known: str, written: str) -> None:
    if known != written:
        raise DataError(f"'{one.rater:.80}' has judged '{one.item:.80}' before and said something else: keep one.")


def _before(connection: Connection, project: str, names: Sequence[str] | None = None) -> dict[tuple[str, str], str]:
    """Return what each rater said last about each item, or about the named ones, as it is written."""
    own = select(judgements.c.item, judgements.c.rater, judgements.c.answer).where(judgements.c.project == project)
    if names is not None:
        own = own.where(judgements.c.item.in_(sorted(set(names))))
    rows = connection.execute(own.order_by(judgements.c.given, judgements.c.revision))
    return {(row.item, row.rater): row.answer for row in rows}


def _is_given(connection: Connection, project: str, one: Judgement, now: float) -> bool:
    """Give an item to a rater who has judged it elsewhere, unless it has enough raters without them."""
    own = and_(work.c.project == project, work.c.item == one.item, work.c.rater == one.rater)
    state = connection.scalar(select(work.c.state).where(own))
    if state == WorkState.LEASED.value:
        return True
    # All of them are tallied at the end: PostgreSQL keeps each version of a row until the transaction ends.
    if not take_place(connection, project, one.item, one.rater, tally=False):
        return False
    if state is None:
        row = {"project": project, "item": one.item, "rater": one.rater, "reason": "", "flagged": 0}
        connection.execute(insert(work), [{**row, "state": WorkState.LEASED.value, "given": now, "due": now}])
    return True
