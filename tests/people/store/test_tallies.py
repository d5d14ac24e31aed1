"""How many items are alike, and how many a rater has, is known at any time, and a wrong number is found."""

from __future__ import annotations

import sqlite3
from collections import Counter
from pathlib import Path

import pytest
from sqlalchemy import Connection, text
from tests.people.store.conftest import Clock
from tests.people.store.labelled import attention, items, project

from nliprobe.base.errors import StoreError
from nliprobe.people.records import Judgement
from nliprobe.people.store import open_store
from nliprobe.people.store.database import Database
from nliprobe.people.store.handing_out import next_item
from nliprobe.people.store.judging import judge_item, skip_item
from nliprobe.people.store.own_work import read_sizes
from nliprobe.people.store.progress import miscounted
from nliprobe.people.store.projects import ProjectChanges, add_items, change_project, create_project, read_project
from nliprobe.people.store.raters import block_rater, join_project, leave_project, unblock_rater, withdraw_rater
from nliprobe.people.store.sheets import add_judgements, lend_items
from nliprobe.people.store.tallies import read_tallies


def levels(store: Database) -> dict[int, int]:
    """How many ordinary items have how many raters; what is kept must be what can be counted."""
    assert miscounted(store, "p") == []
    found = Counter[int]()
    for tally in store.read(lambda connection: read_tallies(connection, "p")):
        if tally.wanted is not None:
            found[tally.taken] += tally.size
    return dict(found)


def test_every_way_to_get_and_lose_an_item_is_counted(store: Database, clock: Clock) -> None:
    create_project(store, project(raters_per_item=2), [*items(4), *attention(2)])
    assert levels(store) == {0: 4}
    for rater in "abc":
        join_project(store, "p", rater)
    offer = next_item(store, "p", "a")
    assert offer is not None
    assert levels(store) == {0: 3, 1: 1}
    judge_item(store, "p", "a", offer.item.name, {"label": "E"}, request="1")
    assert levels(store) == {0: 3, 1: 1}
    second = next_item(store, "p", "a")
    assert second is not None
    skip_item(store, "p", "a", second.item.name, "too hard")
    assert levels(store) == {0: 3, 1: 1}
    # Whoever has passed an item on may judge it after all.
    judge_item(store, "p", "a", second.item.name, {"label": "C"}, request="2")
    assert levels(store) == {0: 2, 1: 2}
    next_item(store, "p", "b")
    leave_project(store, "p", "b")
    assert levels(store) == {0: 2, 1: 2}
    next_item(store, "p", "b")
    clock.now += 100_000
    next_item(store, "p", "c")  # what b had for too long is given back first
    assert sum(taken * size for taken, size in levels(store).items()) == 3
    block_rater(store, "p", "a", "guesses")
    assert sum(taken * size for taken, size in levels(store).items()) == 1
    unblock_rater(store, "p", "a")
    assert sum(taken * size for taken, size in levels(store).items()) == 3
    withdraw_rater(store, "p", "a")
    assert sum(taken * size for taken, size in levels(store).items()) == 1


def test_many_at_once_are_counted(store: Database) -> None:
    create_project(store, project(raters_per_item=2), items(6))
    lend_items(store, "p", "a", 4, 3600)
    assert levels(store) == {0: 2, 1: 4}
    names = [item.name for item in items(6)]
    add_judgements(store, "p", [Judgement(name, "b", {"label": "E"}, 1.0, None) for name in names])
    assert levels(store) == {1: 2, 2: 4}
    add_items(store, "p", attention(3))
    change_project(store, "p", ProjectChanges(raters_per_item=3))
    assert levels(store) == {1: 2, 2: 4}
    assert read_sizes(store, read_project(store, "p")) == (6, 3)


def test_a_wrong_number_is_found(store: Database) -> None:
    create_project(store, project(), items(3))

    join_project(store, "p", "a")

    def spoil(connection: Connection) -> None:
        connection.execute(text("UPDATE tallies SET size = 2"))
        connection.execute(text("UPDATE raters SET given = 1"))

    store.write_once(spoil)
    # The number that is kept, and the one that is right; and the rater.
    assert [line.split()[0] for line in miscounted(store, "p")] == ["tally", "tally", "rater"]


def test_an_sqlite_that_is_too_old_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 31, 1))
    with pytest.raises(StoreError, match=r"needs 3\.35 or newer"):
        open_store(tmp_path / "people.sqlite")
