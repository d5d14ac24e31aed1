"""Connections to PostgreSQL: a few that stay, and a server that knows how many items there are."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, event, text
from tests.people.store.postgres import Postgres
from tests.people.store.test_turns import in_threads

from nliprobe.base.errors import StoreError
from nliprobe.people.records import Item, Project
from nliprobe.people.store import database, engines, open_store
from nliprobe.people.store.database import Database
from nliprobe.people.store.growth import Growth
from nliprobe.people.store.handing_out import next_item
from nliprobe.people.store.judging import judge_item
from nliprobe.people.store.places import miscounted_raters
from nliprobe.people.store.projects import add_items, create_project
from nliprobe.people.store.raters import join_project
from nliprobe.people.store.tallies import mistallied

pytestmark = pytest.mark.studio


@pytest.fixture
def place(postgres: Postgres) -> Iterator[str]:
    url = postgres.new_store()
    yield url
    postgres.drop_store(url)


def backend(connection: Connection) -> int:
    """Return the number of the server's process, after a moment in which others want one, too."""
    return int(connection.execute(text("SELECT pg_backend_pid() FROM pg_sleep(0.02)")).scalar_one())


def test_many_threads_share_connections_that_stay(place: str) -> None:
    with open_store(place) as store:
        rounds = [in_threads([lambda: store.read(backend)] * 40) for _ in range(3)]
    first, *others = [set(one) for one in rounds]
    assert all(isinstance(one, int) for one in first), first
    assert 1 < len(first) <= engines._READERS
    assert all(one <= first for one in others), "a connection was opened anew"


def test_a_statement_is_planned_once_for_all_values(place: str) -> None:
    with open_store(place) as store:
        mode = store.read(lambda connection: connection.execute(text("SHOW plan_cache_mode")).scalar_one())
    assert mode == "force_generic_plan"


def test_a_busy_database_is_a_sentence(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "_READERS", 1)
    for module in (engines, database):
        monkeypatch.setattr(module, "WAIT_SECONDS", 0.3)
    held, done = threading.Event(), threading.Event()

    def hold(connection: Connection) -> None:
        held.set()
        assert done.wait(60)

    with open_store(place) as store:
        other = threading.Thread(target=store.read, args=(hold,))
        other.start()
        assert held.wait(60)
        try:
            with pytest.raises(StoreError, match=r"was busy for 0\.3 s\. What was acknowledged is kept: repeat"):
                store.read(backend)
        finally:
            done.set()
            other.join(60)
        assert store.read(backend) > 0


def rows_that_the_server_expects(store: Database, table: str) -> int:
    known = text("SELECT reltuples FROM pg_class WHERE relname = :name")
    return int(store.read(lambda connection: connection.execute(known, {"name": table}).scalar_one()))


def test_the_server_knows_how_many_items_there_are(place: str) -> None:
    """Without, it plans for a few rows until it looks by itself, minutes later."""
    things = [Item(f"q{number}", {"premise": "A.", "hypothesis": "B."}, {"gold": "E"}) for number in range(300)]
    with open_store(place) as store:
        create_project(store, Project("p", "verify", raters_per_item=1), things[:200])
        assert rows_that_the_server_expects(store, "items") == 200
        add_items(store, "p", things)
        assert rows_that_the_server_expects(store, "items") == 300


def test_the_server_looks_again_when_much_was_written(place: str) -> None:
    """Otherwise it searches the work of everybody for that of one, and every judgement takes longer than the last."""
    things = [Item(f"q{number}", {"premise": "A.", "hypothesis": "B."}, {"gold": "E"}) for number in range(60)]
    with open_store(place) as store:
        create_project(store, Project("p", "verify", raters_per_item=1), things)
        join_project(store, "p", "a")
        assert rows_that_the_server_expects(store, "work") <= 0
        for number in range(60):
            offer = next_item(store, "p", "a")
            assert offer is not None
            judge_item(store, "p", "a", offer.item.name, {"label": "E"}, request=str(number))
        assert rows_that_the_server_expects(store, "work") > 40
        assert rows_that_the_server_expects(store, "judgements") > 40


def test_growth_is_told_ever_more_rarely() -> None:
    growth = Growth()
    told = [number for number in range(1, 30_001) if growth.is_due(1)]
    assert told == [100, 400, 1_600, 6_400, 25_600]


def test_a_server_is_asked_ten_times_for_an_item_and_its_judgement(place: str) -> None:
    """To ask and to wait takes longer than what is asked for: it was twice as often once."""
    things = [Item(f"q{number}", {"premise": "A.", "hypothesis": "B."}, {"gold": "E"}) for number in range(3)]
    asked: list[str] = []
    with open_store(place) as store:
        create_project(store, Project("p", "verify", raters_per_item=2), things)
        join_project(store, "p", "a")
        event.listen(store.engine, "before_cursor_execute", lambda *given: asked.append(given[2]))
        offer = next_item(store, "p", "a")
        assert offer is not None
        judge_item(store, "p", "a", offer.item.name, {"label": "E"}, request="1")
        counts = store.read(lambda connection: [*mistallied(connection, "p"), *miscounted_raters(connection, "p")])
    assert len(asked) == 10, asked
    assert counts == []
