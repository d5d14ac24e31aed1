"""Hand out items: who gets which next.

Nobody gets an item twice, and no item goes to more raters than wanted. A rater gets items evenly over strata. Within a
stratum, the item with the fewest raters comes first; of these, the one that others can do least about, because those
who have work left have seen it. Without that last rule a few items stay unfinished where the capacity of the raters is
just enough (12 raters with 100 items each, 240 items, 5 raters per item: about three judgements, over 30 simulated
orders of requests). What is left is decided by a draw. So the order of requests and the seed alone say who gets what.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, case, exists, func, insert, not_, select, text, update

from nliprobe.base.errors import DataError
from nliprobe.base.seeds import draws
from nliprobe.people.records import Item, Project, RaterState
from nliprobe.people.store.database import Database
from nliprobe.people.store.raters import give_back_overdue
from nliprobe.people.store.rows import require_item, require_project, require_rater
from nliprobe.people.store.schema import items, work
from nliprobe.people.store.states import WorkState


class Offer(NamedTuple):
    """An item for a rater.

    Attributes:
        item: what to judge; a client gets only what its task shows.
        due: until when nobody else gets its place.
        again: whether the rater had it already and has come back to it.
    """

    item: Item
    due: float
    again: bool


def next_item(database: Database, project: str, rater: str) -> Offer | None:
    """Return what a rater judges next: what they have already, or a new item; None if there is nothing for them now.

    Raises:
        DataError: the rater was blocked or has withdrawn.
    """

    def give(connection: Connection) -> Offer | None:
        now = database.clock()
        rules = require_project(connection, project, lock=True)
        require_active(connection, project, rater)
        give_back_overdue(connection, project, now)
        due = now + rules.lease_seconds
        held = _held(connection, project, rater)
        name = held or choose_item(connection, rules, rater)
        if name is None:
            return None
        if held is None:
            lend_item(connection, project, name, rater, now, due)
        else:
            # Whoever asks is there: the time begins anew, but the clock of the judgement goes on.
            own = and_(work.c.project == project, work.c.item == name, work.c.rater == rater)
            connection.execute(update(work).where(own).values(due=due))
        return Offer(require_item(connection, project, name), due, held is not None)

    return database.write(give)


def require_active(connection: Connection, project: str, rater: str) -> None:
    """Raise a DataError unless a rater may work."""
    state = require_rater(connection, project, rater).state
    if state is RaterState.BLOCKED:
        raise DataError(f"The owner of '{project}' has ended the work of '{rater}'.")
    if state is RaterState.WITHDRAWN:
        raise DataError(f"'{rater}' has withdrawn from '{project}', and what they said was deleted.")


def take_place(connection: Connection, project: str, item: str) -> bool:
    """Take one of the places of an item; False if all are taken."""
    own = and_(items.c.project == project, items.c.name == item)
    free = items.c.wanted.is_(None) | (items.c.taken < items.c.wanted)
    # An attention item has a place for everybody, and so nothing is counted.
    count = case((items.c.wanted.is_(None), items.c.taken), else_=items.c.taken + 1)
    return connection.execute(update(items).where(own, free).values(taken=count)).rowcount == 1


def _held(connection: Connection, project: str, rater: str) -> str | None:
    """Return the item that a rater has now."""
    mine = (work.c.project == project) & (work.c.rater == rater) & (work.c.state == WorkState.LEASED.value)
    return connection.scalar(select(work.c.item).where(mine).order_by(work.c.given, work.c.item).limit(1))


def choose_item(connection: Connection, project: Project, rater: str) -> str | None:
    """Return the item that a rater gets next, or None; it is not lent yet."""
    given, attention = _counts(connection, project.name, rater)
    if _is_attention_due(project, rater, given + attention):
        name = _attention_item(connection, project, rater)
        if name is not None:
            return name
    if project.most_per_rater is not None and given >= project.most_per_rater:
        return None
    return _open_item(connection, project, rater)


def _counts(connection: Connection, project: str, rater: str) -> tuple[int, int]:
    """Count the items that a rater has judged or has: ordinary ones, and attention items."""
    counted = work.c.state.in_([WorkState.LEASED.value, WorkState.DONE.value])
    query = (
        select(items.c.wanted.is_(None), func.count())
        .join(work, and_(work.c.project == items.c.project, work.c.item == items.c.name))
        .where(work.c.project == project, work.c.rater == rater, counted)
        .group_by(items.c.wanted.is_(None))
    )
    found = {bool(attention): number for attention, number in connection.execute(query)}
    return found.get(False, 0), found.get(True, 0)


def _is_attention_due(project: Project, rater: str, place: int) -> bool:
    """Tell whether a rater's item at this place is an attention item: one in each block, where, is drawn."""
    if not project.attention_every:
        return False
    block, inside = divmod(place, project.attention_every)
    return inside == draws(project.seed, "attention", rater, str(block)).randrange(project.attention_every)


def _attention_item(connection: Connection, project: Project, rater: str) -> str | None:
    """Return an attention item that the rater has not had, each rater in an order of their own."""
    query = (
        select(items.c.name)
        .where(items.c.project == project.name, items.c.wanted.is_(None), not_(_had(rater)))
        .order_by(items.c.place)
    )
    names = connection.scalars(query).all()
    return draws(project.seed, "attention item", rater, str(len(names))).choice(names) if names else None


def _had(rater: str) -> ColumnElement[bool]:
    """Say of an item that a rater has had it, and did not lose it by being away."""
    return exists().where(
        work.c.project == items.c.project,
        work.c.item == items.c.name,
        work.c.rater == rater,
        work.c.state != WorkState.RETURNED.value,
    )


_SHARES = """
WITH sizes AS (
    SELECT stratum, COUNT(*) AS size FROM items WHERE project = :project AND wanted IS NOT NULL GROUP BY stratum
), mine AS (
    SELECT items.stratum AS stratum, COUNT(*) AS judged
    FROM work JOIN items ON items.project = work.project AND items.name = work.item
    WHERE work.project = :project AND work.rater = :rater AND work.state <> 'returned' AND items.wanted IS NOT NULL
    GROUP BY items.stratum
), shares AS (
    SELECT sizes.stratum AS stratum, CAST(COALESCE(mine.judged, 0) AS DOUBLE PRECISION) / sizes.size AS share
    FROM sizes LEFT JOIN mine ON mine.stratum = sizes.stratum
), candidates AS (
    SELECT items.name AS name, items.batch AS batch, shares.share AS share, items.taken AS taken, items.place AS place
    FROM items JOIN shares ON shares.stratum = items.stratum
    WHERE items.project = :project AND items.wanted IS NOT NULL AND items.taken < items.wanted AND items.batch < :open
    AND NOT EXISTS (
        SELECT 1 FROM work
        WHERE work.project = items.project AND work.item = items.name AND work.rater = :rater
        AND work.state <> 'returned'
    )
)
"""
# The best batch, share and number of raters: all that follows compares items that are equal in these.
_BEST = text(_SHARES + "SELECT batch, share, taken FROM candidates ORDER BY batch, share, taken LIMIT 1")
_EQUAL = text(
    _SHARES
    + """
SELECT name FROM candidates
WHERE batch = :batch AND share = :share AND taken = :taken
ORDER BY (place + :turn) % :size LIMIT 1
"""
)
# With a limit per rater, what those who have seen an item could still do elsewhere; see the top of this file.
_SCARCE = text(
    _SHARES
    + """, busy AS (
    SELECT work.rater AS rater, CASE WHEN COUNT(*) < :most THEN :most - COUNT(*) ELSE 0 END AS remaining
    FROM work JOIN items ON items.project = work.project AND items.name = work.item
    JOIN raters ON raters.project = work.project AND raters.name = work.rater AND raters.state = 'active'
    WHERE work.project = :project AND work.state IN ('leased', 'done') AND items.wanted IS NOT NULL
    GROUP BY work.rater
)
SELECT candidates.name, COALESCE(SUM(busy.remaining), 0) AS elsewhere FROM candidates
LEFT JOIN work ON work.project = :project AND work.item = candidates.name AND work.state <> 'returned'
LEFT JOIN busy ON busy.rater = work.rater
WHERE candidates.batch = :batch AND candidates.share = :share AND candidates.taken = :taken
GROUP BY candidates.name, candidates.place
ORDER BY elsewhere DESC, (candidates.place + :turn) % :size LIMIT 1
"""
)


def _open_item(connection: Connection, project: Project, rater: str) -> str | None:
    known = {"project": project.name, "rater": rater, "open": project.batches_open}
    best = connection.execute(_BEST, known).one_or_none()
    if best is None:
        return None
    size = connection.scalar(select(func.count()).where(items.c.project == project.name)) or 1
    turn = draws(project.seed, "turn", rater).randrange(size)
    equal = {**known, **best._mapping, "turn": turn, "size": size}
    if project.most_per_rater is None:
        return str(connection.execute(_EQUAL, equal).scalar_one())
    row = connection.execute(_SCARCE, {**equal, "most": project.most_per_rater}).one()
    return str(row.name)


def lend_item(connection: Connection, project: str, item: str, rater: str, now: float, due: float) -> None:
    """Give an item that has a place left to a rater, until it is due."""
    if not take_place(connection, project, item):
        raise AssertionError(f"the item {item} was free in this transaction")
    lent = {"state": WorkState.LEASED.value, "given": now, "due": due}
    own = and_(work.c.project == project, work.c.item == item, work.c.rater == rater)
    if connection.execute(update(work).where(own).values(**lent)).rowcount == 0:
        row = {"project": project, "item": item, "rater": rater, **lent, "reason": "", "flagged": 0}
        connection.execute(insert(work), [row])
