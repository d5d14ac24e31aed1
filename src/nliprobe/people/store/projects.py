"""Make projects, add items to them, and change the rules by which items are handed out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection, func, insert, select, update

from nliprobe.base.errors import DataError, StoreError, UsageError
from nliprobe.base.seeds import draws
from nliprobe.people.records import Item, Project
from nliprobe.people.store.database import Database
from nliprobe.people.store.growth import LOOK_AT_ITEMS
from nliprobe.people.store.numbers import require_storable
from nliprobe.people.store.rows import (
    checked_name,
    checked_text,
    dumps,
    item_of,
    items_query,
    newest_instructions,
    note,
    require_project,
)
from nliprobe.people.store.schema import contents, instructions, items, projects
from nliprobe.people.store.tallies import count_anew
from nliprobe.people.tasks import TASKS, Task

# Whoever runs the program, in the log.
OWNER = "owner"


def task_of(project: Project) -> Task:
    """Return the task of a project, which knows the project's options."""
    return TASKS.get(project.task)(project.options)


def create_project(database: Database, project: Project, things: Iterable[Item] = ()) -> Project:
    """Keep a new project with its items.

    Raises:
        DataError: an item is not what the task shows, or two have one name.
        StoreError: there is a project of this name already.
        UsageError: a rule of the project cannot be.
    """
    check_project(project)
    added = _checked_items(project, things)

    def create(connection: Connection) -> None:
        now = database.clock()
        if connection.scalar(select(func.count()).where(projects.c.name == project.name)):
            raise StoreError(f"There is a project '{project.name}' in {database.place} already: choose another name.")
        row = {
            "name": project.name,
            "task": project.task,
            "title": checked_text(project.title, "The title"),
            "options": dumps(project.options),
            "created": now,
            **_rules(project),
        }
        connection.execute(insert(projects), [row])
        _instruct(connection, project.name, 1, project.instructions, now)
        note(connection, now, project.name, OWNER, "project made", task=project.task)
        _add(connection, project, added, now)

    database.write_once(create)
    return project


def add_items(database: Database, name: str, things: Iterable[Item]) -> int:
    """Add items to a project and return how many; those that it has already, by name and content, are left as they are.

    Raises:
        DataError: an item is not what the task shows, or another item has its name.
    """

    def add(connection: Connection) -> int:
        project = require_project(connection, name, lock=True)
        known = {row.name: item_of(row) for row in connection.execute(items_query(name))}
        new = []
        for item in _checked_items(project, given):
            if item.name not in known:
                new.append(item)
            elif dumps(known[item.name].content) != dumps(item.content):
                raise DataError(f"The project '{name}' has another item with the name '{item.name}' already.")
        _add(connection, project, new, database.clock())
        return len(new)

    given = list(things)
    return database.write(add)


@dataclass(frozen=True, slots=True)
class ProjectChanges:
    """What may change while raters work; None leaves it as it is, and 0 items per rater take the limit away."""

    title: str | None = None
    instructions: str | None = None
    raters_per_item: int | None = None
    most_per_rater: int | None = None
    attention_every: int | None = None
    batches_open: int | None = None
    lease_seconds: int | None = None


def change_project(database: Database, name: str, changes: ProjectChanges) -> Project:
    """Change a project; new instructions are a new version, and what was judged keeps the one it was judged by.

    Raises:
        UsageError: a rule cannot be, or items have more judgements than would be wanted.
    """

    def change(connection: Connection) -> Project:
        now = database.clock()
        before = require_project(connection, name, lock=True)
        given = {key: value for key in changes.__slots__ if (value := getattr(changes, key)) is not None}
        after = replace(before, **given)
        if changes.most_per_rater == 0:
            after = replace(after, most_per_rater=None)
        check_project(after)
        connection.execute(
            update(projects)
            .where(projects.c.name == name)
            .values(title=checked_text(after.title, "The title"), **_rules(after))
        )
        if after.raters_per_item != before.raters_per_item:
            _want(connection, after)
        if after.instructions != before.instructions:
            version, _ = newest_instructions(connection, name)
            _instruct(connection, name, version + 1, after.instructions, now)
        told = {key: value for key, value in given.items() if key != "instructions"}
        note(connection, now, name, OWNER, "project changed", **told)
        return after

    return database.write(change)


def read_projects(database: Database) -> list[Project]:
    """Return all projects, in the order in which they were made."""

    def read(connection: Connection) -> list[Project]:
        names = connection.scalars(select(projects.c.name).order_by(projects.c.created, projects.c.name)).all()
        return [require_project(connection, name) for name in names]

    return database.read(read)


def read_project(database: Database, name: str) -> Project:
    """Return one project."""
    return database.read(lambda connection: require_project(connection, name))


def read_items(database: Database, name: str) -> list[Item]:
    """Return the items of a project, in the order in which they were added."""

    def read(connection: Connection) -> list[Item]:
        require_project(connection, name)
        return [item_of(row) for row in connection.execute(items_query(name))]

    return database.read(read)


def check_project(project: Project) -> None:
    """Raise an error if a project cannot be made: its name, its task or one of its rules."""
    checked_name(project.name, "a project")
    task_of(project)
    for what, value, least in (
        ("raters per item", project.raters_per_item, 1),
        ("items per rater", 1 if project.most_per_rater is None else project.most_per_rater, 1),
        ("items from one attention item to the next", project.attention_every, 0),
        ("open batches", project.batches_open, 0),
        ("seconds of a lease", project.lease_seconds, 1),
    ):
        if value < least:
            raise UsageError(f"The number of {what} should be {least} or more, not {value}.")
        require_storable(f"The number of {what}", value)
    require_storable("The seed", project.seed)
    if project.attention_every == 1:
        raise UsageError("If every item were an attention item, nothing else would be judged: expected 2 or more.")


def _checked_items(project: Project, things: Iterable[Item]) -> list[Item]:
    task, seen, checked = task_of(project), set[str](), list[Item]()
    for item in things:
        checked_name(item.name, "an item")
        if item.name in seen:
            raise DataError(f"Two items have the name '{item.name}'.")
        if item.batch < 0:
            raise DataError(f"The item '{item.name}' has the batch {item.batch}: expected 0 or more.")
        require_storable("The batch of an item", item.batch)
        task.check_item(item)
        seen.add(item.name)
        checked.append(item)
    return checked


def _rules(project: Project) -> dict[str, int | None]:
    return {
        "raters_per_item": project.raters_per_item,
        "most_per_rater": project.most_per_rater,
        "attention_every": project.attention_every,
        "batches_open": project.batches_open,
        "lease_seconds": project.lease_seconds,
        "seed": project.seed,
    }


def _instruct(connection: Connection, project: str, version: int, text: str, now: float) -> None:
    row = {"project": project, "version": version, "text": checked_text(text, "The instructions"), "created": now}
    connection.execute(insert(instructions), [row])


def _add(connection: Connection, project: Project, added: Sequence[Item], now: float) -> None:
    if not added:
        return
    first = connection.scalar(select(func.count()).where(items.c.project == project.name)) or 0
    # A draw per addition: the places of items that raters have seen never change.
    order = list(range(first, first + len(added)))
    draws(project.seed, "places", project.name, str(first)).shuffle(order)
    rows, texts = [], []
    for number, (item, place) in enumerate(zip(added, order, strict=True), first):
        attention = item.expected is not None
        rows.append(
            {
                "project": project.name,
                "name": item.name,
                "number": number,
                "stratum": checked_text(item.stratum, "A stratum"),
                "batch": item.batch,
                "place": place,
                "wanted": None if attention else project.raters_per_item,
                "taken": 0,
            }
        )
        texts.append(
            {
                "project": project.name,
                "item": item.name,
                "content": dumps(item.content),
                "hidden": dumps(item.hidden),
                "expected": None if item.expected is None else dumps(item.expected),
            }
        )
    connection.execute(insert(items), rows)
    connection.execute(insert(contents), texts)
    count_anew(connection, project.name)
    note(connection, now, project.name, OWNER, "items added", items=len(added))
    if connection.dialect.name == "postgresql":
        connection.execute(LOOK_AT_ITEMS)


def _want(connection: Connection, project: Project) -> None:
    own = (items.c.project == project.name) & items.c.wanted.is_not(None)
    most = connection.scalar(select(func.max(items.c.taken)).where(own)) or 0
    if most > project.raters_per_item:
        raise UsageError(
            f"Some items of '{project.name}' have {most} raters already, so {project.raters_per_item} per item is too "
            "few: their work would not count."
        )
    connection.execute(update(items).where(own).values(wanted=project.raters_per_item))
    count_anew(connection, project.name)
