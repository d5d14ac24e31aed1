"""Take places of items and free them: one per rater who judges an item or has it now.

Three numbers change together, under the lock of the project: the raters of the item, how many items are alike, and how
many items the rater has. Attention items have a place for everybody, and nothing of them is counted.
"""

from __future__ import annotations

from sqlalchemy import Connection, and_, bindparam, case, func, select, update

from nliprobe.people.store.schema import items, raters, work
from nliprobe.people.store.states import WorkState
from nliprobe.people.store.tallies import FEWER, MORE, MOVED, count_anew, moved
from nliprobe.people.store.together import Together

_ITEM = and_(items.c.project == bindparam("of"), items.c.name == bindparam("which"))
_TAKE = (
    update(items)
    .where(_ITEM, items.c.wanted.is_(None) | (items.c.taken < items.c.wanted))
    .values(taken=case((items.c.wanted.is_(None), items.c.taken), else_=items.c.taken + 1))
    .returning(*MOVED)
)
_FREE = update(items).where(_ITEM, items.c.wanted.is_not(None)).values(taken=items.c.taken - 1).returning(*MOVED)
_GIVE = "UPDATE raters SET given = given + :more WHERE project = :of AND name = :by"
# A rater who gave an item back may get it again: their row is there.
_LEND = """
INSERT INTO work (project, item, rater, state, given, due, reason, flagged)
VALUES (:of, :which, :by, 'leased', :now, :due, '', 0)
ON CONFLICT (project, item, rater) DO UPDATE SET state = excluded.state, given = excluded.given, due = excluded.due
"""
_MOVE, _MOVE_AND_LEND = Together(FEWER, MORE, _GIVE), Together(FEWER, MORE, _GIVE, _LEND)
_ONLY_MOVE, _ONLY_GIVE, _ONLY_LEND = Together(FEWER, MORE), Together(_GIVE), Together(_LEND)
_HELD = (
    select(func.count())
    .select_from(work)
    .join(items, and_(items.c.project == work.c.project, items.c.name == work.c.item))
    .where(
        work.c.project == raters.c.project,
        work.c.rater == raters.c.name,
        work.c.state.in_([WorkState.LEASED.value, WorkState.DONE.value]),
        items.c.wanted.is_not(None),
    )
    .correlate(raters)
    .scalar_subquery()
)
_COUNT_RATERS = update(raters).where(raters.c.project == bindparam("of")).values(given=_HELD)
_WRONG_RATERS = select(raters.c.name).where(raters.c.project == bindparam("of"), raters.c.given != _HELD)


def take_place(connection: Connection, project: str, item: str, rater: str, *, tally: bool = True) -> bool:
    """Take one of the places of an item; False if all are taken.

    Args:
        connection: holds the lock of the project.
        project: the project.
        item: the item.
        rater: who takes it.
        tally: whether the item is counted among others now; if not, ``count_anew`` must follow.
    """
    row = connection.execute(_TAKE, {"of": project, "which": item}).one_or_none()
    if row is not None and row.wanted is not None:
        (_MOVE if tally else _ONLY_GIVE).do(connection, {**moved(row, +1), "by": rater, "more": +1})
    return row is not None


def retake_place(connection: Connection, project: str, item: str) -> bool:
    """Take a place of an item for a rater who has judged it, but whose answer no longer counts; False if all are taken.

    The item is counted among those of the rater already.
    """
    row = connection.execute(_TAKE, {"of": project, "which": item}).one_or_none()
    if row is not None and row.wanted is not None:
        _ONLY_MOVE.do(connection, moved(row, +1))
    return row is not None


def lend_item(connection: Connection, project: str, item: str, rater: str, now: float, due: float) -> None:
    """Give an item that has a place left to a rater, until it is due."""
    row = connection.execute(_TAKE, {"of": project, "which": item}).one()
    lent = {"of": project, "which": item, "by": rater, "now": now, "due": due}
    if row.wanted is None:
        _ONLY_LEND.do(connection, lent)
    else:
        _MOVE_AND_LEND.do(connection, {**moved(row, +1), "more": +1, **lent})


def free_place(connection: Connection, project: str, item: str, rater: str) -> None:
    """Give the place that a rater has of an item free."""
    row = connection.execute(_FREE, {"of": project, "which": item}).one_or_none()
    if row is not None:
        _MOVE.do(connection, {**moved(row, -1), "by": rater, "more": -1})


def count_all(connection: Connection, project: str) -> None:
    """Count everything of a project from its items and its work."""
    count_anew(connection, project)
    connection.execute(_COUNT_RATERS, {"of": project})


def miscounted_raters(connection: Connection, project: str) -> list[str]:
    """Return the raters who do not have as many items as is kept; there should be none."""
    return [f"rater {name}" for name in connection.scalars(_WRONG_RATERS, {"of": project})]
