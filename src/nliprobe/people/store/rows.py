"""How records are written into rows and read back."""

from __future__ import annotations

import json
from typing import TypeAlias

from sqlalchemy import Connection, Row, Select, and_, bindparam, func, select, text

from nliprobe.base.errors import DataError, NotFoundError, did_you_mean
from nliprobe.base.halves import whole
from nliprobe.people.records import Content, Item, Json, Judgement, JudgementState, Project, Rater, RaterState
from nliprobe.people.store.schema import contents, instructions, items, judgements, projects, raters

JudgementColumns: TypeAlias = tuple[str, str, str, float, float | None, str, int, str]
ItemColumns: TypeAlias = tuple[str, str, str, str, int, str | None]
# What every judgement needs is made once: to build a statement takes longer than to run it.
_NEWEST = (
    select(instructions.c.version, instructions.c.text)
    .where(instructions.c.project == bindparam("project"))
    .order_by(instructions.c.version.desc())
    .limit(1)
)
NEWEST_VERSION = (
    select(func.max(instructions.c.version)).where(instructions.c.project == bindparam("project")).scalar_subquery()
)
_IN_FORCE = (
    select(instructions.c.text)
    .where(instructions.c.project == projects.c.name)
    .order_by(instructions.c.version.desc())
    .limit(1)
)
_PROJECT = select(projects, _IN_FORCE.scalar_subquery().label("instructions")).where(
    projects.c.name == bindparam("project")
)
_LOCKED_PROJECT = _PROJECT.with_for_update(of=projects)
# What every request of a rater needs comes in one answer of the database: to ask takes longer than to look it up.
PROJECT_AND_RATER = _PROJECT.add_columns(
    raters.c.name.label("rater"), raters.c.state.label("rater_state"), raters.c.external, raters.c.link
).outerjoin(raters, and_(raters.c.project == projects.c.name, raters.c.name == bindparam("by")))
_LOCKED_PROJECT_AND_RATER = PROJECT_AND_RATER.with_for_update(of=projects)
_RATER = select(raters).where(raters.c.project == bindparam("project"), raters.c.name == bindparam("rater"))
ITEMS: Select[ItemColumns] = (
    select(items.c.name, contents.c.content, contents.c.hidden, items.c.stratum, items.c.batch, contents.c.expected)
    .join(contents, and_(contents.c.project == items.c.project, contents.c.item == items.c.name))
    .where(items.c.project == bindparam("project"))
)
_ITEM = ITEMS.where(items.c.name == bindparam("item"))
# Adds a line to the log, with the next number of the project.
NOTE = """
INSERT INTO log (project, number, at, who, what, about)
SELECT CAST(:of AS TEXT), COALESCE(MAX(number), 0) + 1, :now, :by, :did, :details FROM log WHERE project = :of
"""
_NOTE = text(NOTE)
JUDGEMENT_COLUMNS = (
    judgements.c.item,
    judgements.c.rater,
    judgements.c.answer,
    judgements.c.given,
    judgements.c.seconds,
    judgements.c.remark,
    judgements.c.revision,
    judgements.c.state,
)
JUDGEMENTS: Select[JudgementColumns] = (
    select(*JUDGEMENT_COLUMNS)
    .where(judgements.c.project == bindparam("project"))
    .order_by(judgements.c.given, judgements.c.item, judgements.c.rater, judgements.c.revision)
)
# Names are parts of keys, of addresses and of file names.
_LONGEST_NAME = 200
LONGEST_TEXT = 100_000


def dumps(content: Content) -> str:
    """Write content as JSON in one form, in ASCII: PostgreSQL refuses some characters, which JSON escapes."""
    return json.dumps(content, ensure_ascii=True, sort_keys=True, separators=(",", ":"), allow_nan=False)


def loads(text: str) -> dict[str, Json]:
    """Read what :func:`dumps` wrote."""
    content: dict[str, Json] = json.loads(text)
    return content


def checked_name(name: str, what: str) -> str:
    """Return a name that can be a key, or raise a DataError that says why it cannot."""
    if not name.strip() or name != name.strip() or len(name) > _LONGEST_NAME or not name.isprintable():
        raise DataError(
            f"{name[:60]!r} cannot be the name of {what}: expected 1 to {_LONGEST_NAME} printable characters, without "
            "spaces around them."
        )
    return name


def checked_text(text: str, what: str) -> str:
    """Return a text without what a database cannot hold, or raise a DataError if it is too long."""
    if len(text) > LONGEST_TEXT:
        raise DataError(f"{what} has {len(text):,} characters: expected at most {LONGEST_TEXT:,}.")
    return whole(text).replace("\0", "\N{REPLACEMENT CHARACTER}")


def require_project(connection: Connection, name: str, *, lock: bool = False) -> Project:
    """Return a project; with ``lock`` nobody else hands out or judges its items until the transaction ends."""
    row = connection.execute(_LOCKED_PROJECT if lock else _PROJECT, {"project": name}).one_or_none()
    if row is None:
        raise _no_project(connection, name)
    return _project_of(row)


def require_project_and_rater(connection: Connection, name: str, rater: str) -> tuple[Project, Rater]:
    """Return a project and one of its raters; nobody else hands out or judges its items until the transaction ends."""
    row = connection.execute(_LOCKED_PROJECT_AND_RATER, {"project": name, "by": rater}).one_or_none()
    return project_and_rater_of(connection, name, rater, row)


def project_and_rater_of(
    connection: Connection, name: str, rater: str, row: Row[tuple[object, ...]] | None
) -> tuple[Project, Rater]:
    """Read a project and a rater from a row of ``PROJECT_AND_RATER``, or say which of them is not there."""
    if row is None:
        raise _no_project(connection, name)
    if row.rater is None:
        raise _no_rater(name, rater)
    return _project_of(row), Rater(row.rater, RaterState(row.rater_state), row.external)


def _no_project(connection: Connection, name: str) -> NotFoundError:
    names = connection.scalars(select(projects.c.name)).all()
    return NotFoundError(f"There is no project '{name}'. {did_you_mean(name, names)}")


def _no_rater(project: str, name: str) -> NotFoundError:
    return NotFoundError(f"The project '{project}' has no rater '{name}'.")


def _project_of(row: Row[tuple[object, ...]]) -> Project:
    return Project(
        name=row.name,
        task=row.task,
        title=row.title,
        instructions=row.instructions,
        options=loads(row.options),
        raters_per_item=row.raters_per_item,
        most_per_rater=row.most_per_rater,
        attention_every=row.attention_every,
        batches_open=row.batches_open,
        lease_seconds=row.lease_seconds,
        seed=row.seed,
    )


def newest_instructions(connection: Connection, project: str) -> tuple[int, str]:
    """Return the version of the instructions in force, and their text."""
    row = connection.execute(_NEWEST, {"project": project}).one()
    return row.version, row.text


def require_rater(connection: Connection, project: str, name: str) -> Rater:
    """Return a rater of a project."""
    row = connection.execute(_RATER, {"project": project, "rater": name}).one_or_none()
    if row is None:
        raise _no_rater(project, name)
    return Rater(row.name, RaterState(row.state), row.external)


def item_of(row: Row[ItemColumns]) -> Item:
    """Read an item from a row of ``items`` joined with ``contents``."""
    return Item(
        name=row.name,
        content=loads(row.content),
        hidden=loads(row.hidden),
        stratum=row.stratum,
        batch=row.batch,
        expected=None if row.expected is None else loads(row.expected),
    )


def require_item(connection: Connection, project: str, name: str) -> Item:
    """Return an item of a project."""
    row = connection.execute(_ITEM, {"project": project, "item": name}).one_or_none()
    if row is None:
        raise no_item(project, name)
    return item_of(row)


def no_item(project: str, name: str) -> NotFoundError:
    """Return the error about an item that is not there."""
    return NotFoundError(f"The project '{project}' has no item '{name}'.")


def items_query(project: str) -> Select[ItemColumns]:
    """Select the items of a project with their contents, in the order in which they were added."""
    return ITEMS.params(project=project).order_by(items.c.number)


def judgements_query(project: str) -> Select[JudgementColumns]:
    """Select the judgements of a project, in the order in which they were given."""
    return JUDGEMENTS.params(project=project)


def judgement_of(row: Row[JudgementColumns]) -> Judgement:
    """Read a judgement from its row."""
    return Judgement(
        item=row.item,
        rater=row.rater,
        answer=loads(row.answer),
        given=row.given,
        seconds=row.seconds,
        remark=row.remark,
        revision=row.revision,
        state=JudgementState(row.state),
    )


def note(connection: Connection, now: float, project: str, who: str, what: str, **about: Json) -> None:
    """Add to the log who did what; answers themselves are not in it. The transaction holds the lock of the project."""
    connection.execute(_NOTE, note_values(now, project, who, what, **about))


def note_values(now: float, project: str, who: str, what: str, **about: Json) -> dict[str, object]:
    """Return the values of ``NOTE``."""
    return {"of": project, "now": now, "by": who, "did": what, "details": dumps(about)}
