"""Choose which item a rater gets next.

Nobody gets an item twice, and no item goes to more raters than wanted. A rater gets items evenly over strata. Within a
stratum, the item with the fewest raters comes first; of these, the one that others can do least about, because those
who have work left have seen it (of the 200 items behind and before a place of the rater's own, where there are more).
Without that last rule a few items stay unfinished where the capacity of the raters is just enough (12 raters with 100
items each, 240 items, 5 raters per item: about three judgements, over 30 simulated orders of requests). What is left is
decided by a draw. So the order of requests and the seed alone say who gets what.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from sqlalchemy import BindParameter, Connection, Row, bindparam, exists, not_, select, text

from nliprobe.base.seeds import draws
from nliprobe.people.records import Project
from nliprobe.people.store.schema import items, work
from nliprobe.people.store.states import WorkState
from nliprobe.people.store.tallies import Tally

# A Tally of items that a rater has had, with where their work on them stands.
_Kind: TypeAlias = Row[tuple[str, int, int, int | None, str, int]]
# Statements are made once: to build one takes longer than to run it.
# Says of an item that a rater has had it, and did not lose it by being away.
_HAD = exists().where(
    work.c.project == items.c.project,
    work.c.item == items.c.name,
    work.c.rater == bindparam("by"),
    work.c.state != WorkState.RETURNED.value,
)
_ATTENTION = (
    select(items.c.name)
    .where(items.c.project == bindparam("project"), items.c.wanted.is_(None), not_(_HAD))
    .order_by(items.c.place)
)


def choose_item(connection: Connection, project: Project, rater: str) -> str | None:
    """Return the item that a rater gets next, or None; it is not lent yet."""
    counted, had = _kinds(connection, project.name, rater)
    given, attention = _counts(had)
    ordinary = [kind for kind in had if kind.wanted is not None]
    # A check among no questions measures nobody: none is handed out in a pause, nor to whom nothing else can be asked.
    asks = project.batches_open > 0 and (given or _best_level(counted, ordinary, project.batches_open) is not None)
    if asks and is_attention_due(project, rater, given + attention):
        name = _attention_item(connection, project, rater)
        if name is not None:
            return name
    if project.most_per_rater is not None and given >= project.most_per_rater:
        return None
    return _open_item(connection, project, rater, counted, ordinary)


def _kinds(connection: Connection, project: str, rater: str) -> tuple[list[Tally], list[_Kind]]:
    """Count the items of a project that are alike, and those that a rater has had, in one question."""
    rows = connection.execute(_KINDS, {"project": project, "rater": rater}).all()
    counted = [Tally(row.stratum, row.batch, row.taken, row.wanted, row.size) for row in rows if row.state is None]
    return counted, [row for row in rows if row.state is not None]


def _counts(had: Sequence[_Kind]) -> tuple[int, int]:
    """Count the items that a rater has judged or has: ordinary ones, and attention items."""
    own = [kind for kind in had if kind.state in (WorkState.LEASED.value, WorkState.DONE.value)]
    ordinary = sum(kind.size for kind in own if kind.wanted is not None)
    return ordinary, sum(kind.size for kind in own) - ordinary


def is_attention_due(project: Project, rater: str, place: int) -> bool:
    """Tell whether a rater's item at this place is an attention item: one in each block, where, is drawn."""
    if not project.attention_every:
        return False
    block, inside = divmod(place, project.attention_every)
    return inside == draws(project.seed, "attention", rater, str(block)).randrange(project.attention_every)


def _attention_item(connection: Connection, project: Project, rater: str) -> str | None:
    """Return an attention item that the rater has not had, each rater in an order of their own."""
    names = connection.scalars(_ATTENTION, {"project": project.name, "by": rater}).all()
    return draws(project.seed, "attention item", rater, str(len(names))).choice(names) if names else None


class _Level(NamedTuple):
    """Items that are equal to a rater but for the draw: of one batch, in strata of one share, with as many raters."""

    batch: int
    taken: int
    strata: frozenset[str]
    is_all: bool  # whether these are all strata that have items of this batch with so many raters


# How many items of each kind there are, without a state; and how many of them a rater has had, and did not lose by
# being away. SQLite takes a cross join in the order in which it is written: it would go through all items otherwise.
_KINDS = text(
    """
SELECT stratum, batch, taken, NULLIF(wanted, 0) AS wanted, NULL AS state, size
FROM tallies WHERE project = :project AND size > 0
UNION ALL
SELECT items.stratum AS stratum, items.batch AS batch, items.taken AS taken, items.wanted AS wanted,
    work.state AS state, COUNT(*) AS size
FROM work CROSS JOIN items
WHERE items.project = work.project AND items.name = work.item
AND work.project = :project AND work.rater = :rater AND work.state <> 'returned'
GROUP BY items.stratum, items.batch, items.taken, items.wanted, work.state
"""
)
_OF_LEVEL = """
FROM items
WHERE items.project = :project AND items.batch = :batch AND items.taken = :taken AND items.wanted > items.taken
AND NOT EXISTS (
    SELECT 1 FROM work
    WHERE work.project = items.project AND work.item = items.name AND work.rater = :rater AND work.state <> 'returned'
)
"""
_OF_STRATA = "AND items.stratum IN :strata\n"
# The first item from the rater's place on; then the same from the first place on.
_FIRST = "AND items.place >= :start ORDER BY items.place LIMIT 1"
# With a limit per rater, what those who have seen an item could still do elsewhere; see the top of this file. So many
# items are compared on each side of the rater's place: where there are more, nothing is scarce yet.
_COMPARED = 200
_SIDE = "SELECT * FROM (SELECT items.name AS name, items.place AS place {level}AND items.place {side} :start "
_SIDE += "ORDER BY items.place LIMIT :compared) AS {name}"
_SCARCE = """
SELECT candidates.name,
    COALESCE(SUM(CASE WHEN raters.given < :most THEN :most - raters.given ELSE 0 END), 0) AS elsewhere
FROM candidates
LEFT JOIN work ON work.project = :project AND work.item = candidates.name AND work.state <> 'returned'
LEFT JOIN raters ON raters.project = :project AND raters.name = work.rater AND raters.state = 'active'
    AND raters.given > 0
GROUP BY candidates.name, candidates.place
ORDER BY elsewhere DESC, (candidates.place + :turn) % :size LIMIT 1
"""


def _scarce(level: str) -> str:
    behind, before = (_SIDE.format(level=level, side=side, name=name) for side, name in ((">=", "a"), ("<", "b")))
    return f"WITH candidates AS ({behind} UNION ALL {before}){_SCARCE}"


_IN_STRATA: BindParameter[str] = bindparam("strata", expanding=True)
_FIRST_OF_ALL = text("SELECT items.name " + _OF_LEVEL + _FIRST)
_FIRST_OF_STRATA = text("SELECT items.name " + _OF_LEVEL + _OF_STRATA + _FIRST).bindparams(_IN_STRATA)
_SCARCE_OF_ALL = text(_scarce(_OF_LEVEL))
_SCARCE_OF_STRATA = text(_scarce(_OF_LEVEL + _OF_STRATA)).bindparams(_IN_STRATA)


def _open_item(
    connection: Connection, project: Project, rater: str, counted: Sequence[Tally], had: Sequence[_Kind]
) -> str | None:
    known = {"project": project.name, "rater": rater}
    size = sum(tally.size for tally in counted)
    level = _best_level(counted, had, project.batches_open)
    if level is None:
        return None
    # Places turn around: a rater begins somewhere among them.
    turn = draws(project.seed, "turn", rater).randrange(size)
    start = (size - turn) % size
    asked = {**known, "batch": level.batch, "taken": level.taken, "start": start}
    if not level.is_all:
        asked["strata"] = sorted(level.strata)
    if project.most_per_rater is not None:
        scarce = _SCARCE_OF_ALL if level.is_all else _SCARCE_OF_STRATA
        rule = {"turn": turn, "size": size, "most": project.most_per_rater, "compared": _COMPARED}
        return str(connection.execute(scarce, {**asked, **rule}).one().name)
    first = _FIRST_OF_ALL if level.is_all else _FIRST_OF_STRATA
    name = connection.scalar(first, asked)
    return str(name if name is not None else connection.execute(first, {**asked, "start": 0}).scalar_one())


def _best_level(counted: Sequence[Tally], mine: Sequence[_Kind], batches_open: int) -> _Level | None:
    """Return the items of the first batch, then of the strata of which a rater has had the least, then the rarest."""
    sizes, had = Counter[str](), Counter[str]()
    left = Counter[tuple[int, str, int]]()
    for row in counted:
        if row.wanted is not None:
            sizes[row.stratum] += row.size
            if row.taken < row.wanted and row.batch < batches_open:
                left[row.batch, row.stratum, row.taken] += row.size
    for kind in mine:
        had[kind.stratum] += kind.size
        if kind.wanted is not None and kind.taken < kind.wanted:
            left[kind.batch, kind.stratum, kind.taken] -= kind.size
    found = {
        (batch, had[stratum] / sizes[stratum], taken, stratum)
        for (batch, stratum, taken), number in left.items()
        if number > 0
    }
    if not found:
        return None
    best = min(found)[:3]
    batch, _, taken = best
    strata = frozenset(one[3] for one in found if one[:3] == best)
    others = {one[3] for one in found if (one[0], one[2]) == (batch, taken)}
    return _Level(batch, taken, strata, is_all=len(strata) == len(others))
