"""Hand out items, one after the other; who gets which is chosen in choosing.py."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, and_, bindparam, update

from nliprobe.base.errors import DataError
from nliprobe.people.records import Item, Json, Project, Rater, RaterState
from nliprobe.people.store.choosing import choose_item
from nliprobe.people.store.database import Database
from nliprobe.people.store.own_items import require_own_item
from nliprobe.people.store.places import lend_item
from nliprobe.people.store.raters import held_in_time
from nliprobe.people.store.rows import require_project_and_rater
from nliprobe.people.store.schema import work

# All statements are made once: to build one takes longer than to run it.
_OWN_WORK = and_(work.c.project == bindparam("of"), work.c.item == bindparam("which"), work.c.rater == bindparam("by"))
_PROLONG = update(work).where(_OWN_WORK).values(due=bindparam("until"))


class Offer(NamedTuple):
    """An item for a rater.

    Attributes:
        item: what to judge; a client gets only what its task shows.
        due: until when nobody else gets its place.
        again: whether the rater had it already and has come back to it.
        draft: what they have entered about it and not sent, or None; an item that was given back may come again.
    """

    item: Item
    due: float
    again: bool
    draft: dict[str, Json] | None = None


def next_item(database: Database, project: str, rater: str) -> Offer | None:
    """Return what a rater judges next: what they have already, or a new item; None if there is nothing for them now.

    Raises:
        DataError: the rater was blocked or has withdrawn.
    """

    def give(connection: Connection) -> Offer | None:
        now = database.clock()
        rules = require_worker(connection, project, rater)
        due = now + rules.lease_seconds
        held = next(iter(held_in_time(connection, project, rater, now)), None)
        name = held or choose_item(connection, rules, rater)
        if name is None:
            return None
        if held is None:
            lend_item(connection, project, name, rater, now, due)
        else:
            # Whoever asks is there: the time begins anew, but the clock of the judgement goes on.
            connection.execute(_PROLONG, {"of": project, "which": name, "by": rater, "until": due})
        own = require_own_item(connection, project, rater, name)
        return Offer(own.item, due, held is not None, own.draft)

    return database.write(give)


def require_worker(connection: Connection, project: str, rater: str) -> Project:
    """Return a project in which a rater works; nobody else hands out or judges its items meanwhile.

    Raises:
        DataError: the rater was blocked or has withdrawn.
    """
    rules, who = require_project_and_rater(connection, project, rater)
    require_active(project, who)
    return rules


def require_active(project: str, rater: Rater) -> None:
    """Raise a DataError unless a rater may work."""
    if rater.state is RaterState.BLOCKED:
        raise DataError(f"The owner of '{project}' has ended the work of '{rater.name}'.")
    if rater.state is RaterState.WITHDRAWN:
        raise DataError(f"'{rater.name}' has withdrawn from '{project}', and what they said was deleted.")
