"""How records are written into rows and read back."""

from __future__ import annotations

import json
from typing import TypeAlias

from sqlalchemy import Connection, Row, Select, and_, func, insert, select

from nliprobe.base.errors import DataError, NotFoundError, did_you_mean
from nliprobe.base.halves import whole
from nliprobe.people.records import Content, Item, Json, Judgement, JudgementState, Project, Rater, RaterState
from nliprobe.people.store.schema import contents, instructions, items, judgements, log, projects, raters

JudgementColumns: TypeAlias = tuple[str, str, str, float, float | None, str, int, str]
ItemColumns: TypeAlias = tuple[str, str, str, str, int, str | None]
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
    query = select(projects).where(projects.c.name == name)
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    if row is None:
        names = connection.scalars(select(projects.c.name)).all()
        raise NotFoundError(f"There is no project '{name}'. {did_you_mean(name, names)}")
    return Project(
        name=row.name,
        task=row.task,
        title=row.title,
        instructions=newest_instructions(connection, name)[1],
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
    newest = (
        select(instructions.c.version, instructions.c.text)
        .where(instructions.c.project == project)
        .order_by(instructions.c.version.desc())
        .limit(1)
    )
    row = connection.execute(newest).one()
    return row.version, row.text


def require_rater(connection: Connection, project: str, name: str) -> Rater:
    """Return a rater of a project."""
    query = select(raters).where(raters.c.project == project, raters.c.name == name)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFoundError(f"The project '{project}' has no rater '{name}'.")
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
    row = connection.execute(items_query(project).where(items.c.name == name)).one_or_none()
    if row is None:
        raise NotFoundError(f"The project '{project}' has no item '{name}'.")
    return item_of(row)


def items_query(project: str) -> Select[ItemColumns]:
    """Select the items of a project with their contents, in the order in which they were added."""
    return (
        select(items.c.name, contents.c.content, contents.c.hidden, items.c.stratum, items.c.batch, contents.c.expected)
        .join(contents, and_(contents.c.project == items.c.project, contents.c.item == items.c.name))
        .where(items.c.project == project)
        .order_by(items.c.number)
    )


def judgements_query(project: str) -> Select[JudgementColumns]:
    """Select the judgements of a project, in the order in which they were given."""
    own = judgements.c
    return (
        select(own.item, own.rater, own.answer, own.given, own.seconds, own.remark, own.revision, own.state)
        .where(own.project == project)
        .order_by(own.given, own.item, own.rater, own.revision)
    )


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
    last = connection.scalar(select(func.max(log.c.number)).where(log.c.project == project)) or 0
    row = {"project": project, "number": last + 1, "at": now, "who": who, "what": what, "about": dumps(about)}
    connection.execute(insert(log), [row])
