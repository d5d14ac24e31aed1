"""Projects and their items; stores of other versions."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Connection, text
from tests.people.store.labelled import attention, content, items, project

from nliprobe.base.errors import DataError, NotFoundError, StoreError, UsageError
from nliprobe.people.records import Item, Project
from nliprobe.people.store import migrate as migrating
from nliprobe.people.store import open_store, schema
from nliprobe.people.store.database import Database
from nliprobe.people.store.handing_out import next_item
from nliprobe.people.store.judging import judge_item
from nliprobe.people.store.projects import (
    ProjectChanges,
    add_items,
    change_project,
    create_project,
    read_items,
    read_project,
    read_projects,
)
from nliprobe.people.store.raters import join_project


def test_a_project_comes_back_as_it_was_given(opened: Callable[[], Database]) -> None:
    given = Project("p", "verify", "Title ✓", "# Read\n\x01", {"partition": "E|N|C"}, 3, 7, 4, 2, 60, -5)
    things = [Item("q", content("x \x01 é"), {"gold": "E", "more": "\0\ud800"}, "s", 1), *attention(1)]
    create_project(opened(), given, things)
    assert read_projects(opened()) == [given]
    assert read_items(opened(), "p") == things


def test_what_cannot_be_a_project_is_refused(store: Database) -> None:
    create_project(store, project(), items(2))
    with pytest.raises(StoreError, match=r"There is a project 'p' in .* already"):
        create_project(store, project())
    for rules, sentence in (
        ({"raters_per_item": 0}, "raters per item should be 1 or more, not 0"),
        ({"most_per_rater": 0}, "items per rater should be 1 or more"),
        ({"attention_every": 1}, "nothing else would be judged"),
        ({"lease_seconds": 0}, "seconds of a lease should be 1 or more"),
        ({"batches_open": 2**31}, "open batches should be at most 2,147,483,647"),
        ({"seed": -(2**63)}, "seed should be at most"),
    ):
        with pytest.raises(UsageError, match=sentence):
            create_project(store, project(**rules))
    with pytest.raises(NotFoundError, match="no task named 'verfy'"):
        create_project(store, Project("q", "verfy"))
    with pytest.raises(DataError, match="cannot be the name of a project"):
        create_project(store, Project("a\nb", "verify"))
    assert [item.name for item in read_projects(store)] == ["p"]


def test_what_cannot_be_an_item_is_refused_and_nothing_is_kept(store: Database) -> None:
    with pytest.raises(DataError, match="premise"):
        create_project(store, project(), [*items(1), Item("x", {})])
    with pytest.raises(DataError, match="Two items have the name 'q0000'"):
        create_project(store, project(), [*items(1), *items(1)])
    with pytest.raises(UsageError, match="batch of an item should be at most"):
        create_project(store, project(), items(1, batch=2**31))
    assert read_projects(store) == []


def test_items_can_be_added_and_those_that_are_there_stay(store: Database) -> None:
    create_project(store, project(), items(2))
    assert add_items(store, "p", items(4)) == 2
    assert add_items(store, "p", items(4)) == 0
    assert [item.name for item in read_items(store, "p")] == ["q0000", "q0001", "q0002", "q0003"]
    with pytest.raises(DataError, match="another item with the name 'q0000'"):
        add_items(store, "p", [Item("q0000", content("other"))])


def test_more_raters_may_be_wanted_but_not_fewer_than_there_are(store: Database) -> None:
    create_project(store, project(raters_per_item=2), items(1))
    for rater in ("a", "b"):
        join_project(store, "p", rater)
        next_item(store, "p", rater)
        judge_item(store, "p", rater, "q0000", {"label": "E"}, request="1")
    with pytest.raises(UsageError, match="have 2 raters already, so 1 per item is too few"):
        change_project(store, "p", ProjectChanges(raters_per_item=1))
    change_project(store, "p", ProjectChanges(raters_per_item=3, title="More"))
    join_project(store, "p", "c")
    assert next_item(store, "p", "c") is not None
    assert (read_project(store, "p").raters_per_item, read_project(store, "p").title) == (3, "More")


def test_the_database_itself_guards_the_rules(store: Database) -> None:
    from sqlalchemy.exc import IntegrityError

    create_project(store, project(raters_per_item=1), items(1))
    join_project(store, "p", "a")
    next_item(store, "p", "a")
    for statement in (
        "UPDATE items SET taken = 2",
        "UPDATE items SET taken = -1",
        "INSERT INTO work SELECT * FROM work",
        "INSERT INTO raters SELECT 'nowhere', name, state, external, number, joined, given, link FROM raters",
    ):
        with pytest.raises(IntegrityError):
            store.write_once(lambda connection, said=statement: connection.execute(text(said)))  # type: ignore[misc]


def test_a_store_of_a_newer_version_is_refused(opened: Callable[[], Database]) -> None:
    opened().write(
        lambda connection: connection.execute(text("UPDATE meta SET value = '99' WHERE name = 'schema_version'"))
    )
    with pytest.raises(StoreError, match="written by a newer nliprobe: it has version 99"):
        opened()


def test_a_store_of_an_older_version_is_brought_up_to_date(
    opened: Callable[[], Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    create_project(opened(), project(), items(1))

    def step(connection: Connection) -> None:
        connection.execute(text("ALTER TABLE raters ADD COLUMN mood TEXT NOT NULL DEFAULT 'good'"))

    monkeypatch.setattr(migrating, "VERSION", schema.VERSION + 1)
    monkeypatch.setattr(migrating, "STEPS", {**migrating.STEPS, schema.VERSION: step})
    store = opened()
    join_project(store, "p", "a")
    assert store.read(lambda connection: connection.scalar(text("SELECT mood FROM raters"))) == "good"
    assert [item.name for item in read_projects(opened())] == ["p"]
    monkeypatch.undo()
    with pytest.raises(StoreError, match="written by a newer nliprobe"):
        opened()


def test_a_step_that_fails_leaves_the_store_as_it_was(
    opened: Callable[[], Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    create_project(opened(), project(), items(1))

    def step(connection: Connection) -> None:
        connection.execute(text("ALTER TABLE raters ADD COLUMN mood TEXT NOT NULL DEFAULT 'good'"))
        raise RuntimeError("half-way")

    with monkeypatch.context() as patch:
        patch.setattr(migrating, "VERSION", schema.VERSION + 1)
        patch.setattr(migrating, "STEPS", {schema.VERSION: step})
        with pytest.raises(RuntimeError, match="half-way"):
            opened()
    assert [item.name for item in read_projects(opened())] == ["p"]


def test_other_files_are_not_taken_for_stores(tmp_path: Path) -> None:
    (tmp_path / "text.sqlite").write_text("This is no database, but a text that is long enough to look like one. " * 20)
    with pytest.raises(StoreError, match="file is not a database"):
        open_store(tmp_path / "text.sqlite")
    other = sqlite3.connect(tmp_path / "other.sqlite")
    other.execute("CREATE TABLE raters (x)")
    other.commit()
    other.close()
    with pytest.raises(StoreError, match="holds other tables"):
        open_store(tmp_path / "other.sqlite")
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="Cannot write"):
        open_store(tmp_path / "file" / "people.sqlite")


@pytest.mark.parametrize("place", ["mysql://u:secret@host/x", "sqlite://", "http://x"])
def test_other_databases_are_named(place: str) -> None:
    with pytest.raises(UsageError, match="expected a file such as") as caught:
        open_store(place)
    assert "secret" not in str(caught.value)


def test_a_database_that_cannot_be_reached_is_a_sentence_without_the_password(monkeypatch: pytest.MonkeyPatch) -> None:
    from nliprobe.people.store import database

    monkeypatch.setattr(database, "_PAUSE_SECONDS", 0.0)
    with pytest.raises(StoreError, match="refuses") as caught:
        open_store("postgresql://me:secret@127.0.0.1:9/none")
    assert "secret" not in str(caught.value)
