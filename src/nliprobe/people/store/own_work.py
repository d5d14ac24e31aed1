"""What a rater may see of their own work: how far it is, what was given to them, and what they said."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from typing import NamedTuple

from sqlalchemy import Connection, and_, bindparam, exists, func, select, true

from nliprobe.people.records import Item, Judgement, JudgementState, Project, RaterState
from nliprobe.people.store.choosing import is_attention_due
from nliprobe.people.store.database import Database
from nliprobe.people.store.rows import (
    ITEMS,
    NEWEST_VERSION,
    PROJECT_AND_RATER,
    item_of,
    items_query,
    judgement_of,
    judgements_query,
    project_and_rater_of,
    require_item,
)
from nliprobe.people.store.schema import items, judgements, work
from nliprobe.people.store.states import WorkState
from nliprobe.people.store.tallies import read_tallies

# Asked with every item, so made once: to build a statement takes longer than to run it.
_MINE = (work.c.project == bindparam("project"), work.c.rater == bindparam("by"))
_GIVEN = select(work.c.item, work.c.state).where(*_MINE).order_by(work.c.given.desc(), work.c.item)
_DONE = select(func.count()).where(*_MINE, work.c.state == WorkState.DONE.value).scalar_subquery()
_LAST = (
    select(judgements.c.item, judgements.c.instructions)
    .where(judgements.c.project == bindparam("project"), judgements.c.rater == bindparam("by"))
    .order_by(judgements.c.given.desc(), judgements.c.revision.desc())
    .limit(1)
    .subquery()
)
_STANDING = PROJECT_AND_RATER.add_columns(
    NEWEST_VERSION.label("version"),
    _DONE.label("done"),
    _LAST.c.item.label("last"),
    _LAST.c.instructions.label("last_version"),
).outerjoin(_LAST, true())
# Whoever judges asks for the item that they got last; only who revises asks for an older one.
_NEWEST_GIVEN = _GIVEN.add_columns(work.c.project).limit(1).subquery()
_GIVEN_LAST = ITEMS.join(
    _NEWEST_GIVEN, and_(_NEWEST_GIVEN.c.project == items.c.project, _NEWEST_GIVEN.c.item == items.c.name)
).add_columns(_NEWEST_GIVEN.c.state)
_GIVEN_BEFORE = _GIVEN.offset(1)
# The pace of a project is that of its newest judgements; fewer than some say nothing.
_NEWEST, _FEWEST = 500, 10


class Standing(NamedTuple):
    """Where a rater stands in a project.

    Attributes:
        project: the project, with the instructions in force.
        version: of these instructions.
        state: whether the rater may work.
        done: how many items they have judged; hidden attention items count like all others.
        last: the item that they judged or revised last, or None.
        last_version: the version of the instructions that was in force then; 0 if nothing was judged.
        link: the number of the link that lets them in; who came by an earlier one is out.
    """

    project: Project
    version: int
    state: RaterState
    done: int
    last: str | None
    last_version: int
    link: int


class Sizes(NamedTuple):
    """How many items a project can hand out now: ordinary ones, and attention items."""

    ordinary: int
    attention: int


class OwnAnswer(NamedTuple):
    """An item that a rater has judged, and what they said."""

    item: Item
    judgement: Judgement


def read_standing(database: Database, project: str, rater: str) -> Standing:
    """Return where a rater stands.

    Raises:
        NotFoundError: there is no such project, or it has no such rater.
    """

    def read(connection: Connection) -> Standing:
        row = connection.execute(_STANDING, {"project": project, "by": rater}).one_or_none()
        rules, who = project_and_rater_of(connection, project, rater, row)
        assert row is not None
        return Standing(rules, row.version, who.state, row.done, row.last, row.last_version or 0, row.link)

    return database.read(read)


def read_sizes(database: Database, project: Project) -> Sizes:
    """Count the items of the open batches."""

    def read(connection: Connection) -> Sizes:
        alike = read_tallies(connection, project.name)
        ordinary = sum(one.size for one in alike if one.wanted is not None and one.batch < project.batches_open)
        return Sizes(ordinary, sum(one.size for one in alike if one.wanted is None))

    return database.read(read)


def planned_items(project: Project, rater: str, sizes: Sizes) -> int:
    """Return how many items a rater gets in all if nobody else takes them: the same number from first to last.

    Attention items are counted in, so that a count of what is done and what is left does not tell them from others.
    """
    own = sizes.ordinary if project.most_per_rater is None else min(project.most_per_rater, sizes.ordinary)
    if not project.attention_every or not own:
        return own
    blocks, rest = divmod(own, project.attention_every - 1)
    if blocks >= sizes.attention:
        return own + sizes.attention
    # One attention item per whole block; in the last one it comes if its place is not behind what is left.
    places = range(blocks * project.attention_every, blocks * project.attention_every + rest + 1)
    return own + blocks + any(is_attention_due(project, rater, place) for place in places)


def find_given(
    database: Database, project: str, rater: str, is_it: Callable[[str], bool]
) -> tuple[Item, WorkState] | None:
    """Return the item that was given to a rater and is the one asked for, and where their work on it stands.

    Args:
        database: the store.
        project: the project.
        rater: whose item it is.
        is_it: tells the name of the item; those given last are asked first.
    """

    def read(connection: Connection) -> tuple[Item, WorkState] | None:
        mine = {"project": project, "by": rater}
        last = connection.execute(_GIVEN_LAST, mine).one_or_none()
        if last is not None and is_it(last.name):
            return item_of(last), WorkState(last.state)
        for row in connection.execute(_GIVEN_BEFORE, mine):
            if is_it(row.item):
                return require_item(connection, project, row.item), WorkState(row.state)
        return None

    return database.read(read)


def own_answers(database: Database, project: str, rater: str, *, most: int, skip: int = 0) -> list[OwnAnswer]:
    """Return what a rater has said and what counts of it, the newest first; so many after so many."""

    def read(connection: Connection) -> list[OwnAnswer]:
        mine = judgements_query(project).where(
            judgements.c.rater == rater, judgements.c.state == JudgementState.COUNTS.value
        )
        newest = mine.order_by(None).order_by(judgements.c.given.desc(), judgements.c.item).limit(most).offset(skip)
        said = [judgement_of(row) for row in connection.execute(newest)]
        named = items_query(project).where(items.c.name.in_([one.item for one in said]))
        known = {row.name: item_of(row) for row in connection.execute(named)}
        return [OwnAnswer(known[one.item], one) for one in said]

    return database.read(read)


def own_history(database: Database, project: str, rater: str, item: str) -> list[Judgement]:
    """Return everything that a rater has said about an item, the first answer first."""

    def read(connection: Connection) -> list[Judgement]:
        mine = judgements_query(project).where(judgements.c.rater == rater, judgements.c.item == item)
        return [judgement_of(row) for row in connection.execute(mine)]

    return database.read(read)


def has_passed_on(database: Database, project: str, rater: str) -> bool:
    """Tell whether a rater has skipped or flagged any item."""
    passed = select(exists().where(*_MINE, work.c.state == WorkState.SKIPPED.value))
    mine = {"project": project, "by": rater}
    return bool(database.read(lambda connection: connection.scalar(passed, mine)))


def usual_seconds(database: Database, project: str) -> float | None:
    """Return the median time that raters of a project needed for an item, or None if too few were judged."""

    def read(connection: Connection) -> list[float]:
        newest = (
            select(judgements.c.seconds)
            .where(judgements.c.project == project, judgements.c.seconds.is_not(None))
            .where(judgements.c.revision == 0)
            .order_by(judgements.c.given.desc())
            .limit(_NEWEST)
        )
        return [seconds for seconds in connection.scalars(newest) if seconds is not None]

    times = database.read(read)
    return median(times) if len(times) >= _FEWEST else None
