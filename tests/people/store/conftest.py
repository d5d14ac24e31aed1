"""Stores to test: SQLite everywhere, PostgreSQL in ``make test-studio``."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.people.store.postgres import Postgres

from nliprobe.people.store import open_store
from nliprobe.people.store.database import Database

BOTH = ["sqlite", pytest.param("postgresql", marks=pytest.mark.studio)]


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        self.now += 0.001
        return self.now


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    if reason := Postgres.missing():
        pytest.skip(reason)
    server = Postgres()
    yield server
    server.remove()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=BOTH)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a new store may be."""
    if request.param == "sqlite":
        return str(tmp_path / "people.sqlite")
    server: Postgres = request.getfixturevalue("postgres")
    return server.new_database(f"t{uuid.uuid4().hex}")


@pytest.fixture
def opened(place: str, clock: Clock) -> Iterator[Callable[[], Database]]:
    """Opens the same store, as often as wanted."""
    stores: list[Database] = []

    def once_more() -> Database:
        stores.append(open_store(place, clock=clock))
        return stores[-1]

    yield once_more
    for store in stores:
        store.close()


@pytest.fixture
def store(opened: Callable[[], Database]) -> Database:
    return opened()
