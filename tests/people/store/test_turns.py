"""Work of many threads in one transaction: in order, each whole or absent, and nobody waits for ever."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

import pytest
from sqlalchemy import Connection, text
from tests.people.store.postgres import Postgres

from nliprobe.base.errors import DataError, StoreError
from nliprobe.people.store import open_store
from nliprobe.people.store.database import Database
from nliprobe.people.store.turns import Turn, Turns


def in_threads(work: Sequence[Callable[[], object]]) -> list[object]:
    """Do everything at once; return what came of each, errors as such."""
    results: list[object] = [None] * len(work)

    def do(place: int) -> None:
        try:
            results[place] = work[place]()
        except Exception as error:
            results[place] = error

    threads = [threading.Thread(target=do, args=(place,)) for place in range(len(work))]
    for thread in threads:
        thread.start()
    for thread in threads:
        # PostgreSQL on a busy machine may take a minute to start again.
        thread.join(timeout=300)
        assert not thread.is_alive()
    return results


class Doing:
    """Does what is waiting, and remembers what went together."""

    def __init__(self) -> None:
        self.groups: list[list[int]] = []
        self.busy = False

    def __call__(self, turns: Sequence[Turn[int]]) -> None:
        assert not self.busy, "two have the turn"
        self.busy = True
        time.sleep(0.01)
        self.groups.append([turn.work for turn in turns])
        self.busy = False
        if any(turn.work < 0 for turn in turns):
            raise OSError("all of it is lost")
        for turn in turns:
            turn.result = 2 * turn.work


def test_what_waits_is_done_together_and_everybody_gets_their_own() -> None:
    doing = Doing()
    turns: Turns[int] = Turns(doing)
    assert in_threads([lambda number=number: turns.take(number) for number in range(100)]) == [  # type: ignore[misc]
        2 * number for number in range(100)
    ]
    assert sorted(number for group in doing.groups for number in group) == list(range(100))
    assert len(doing.groups) < 100
    assert max(map(len, doing.groups)) <= 20


def test_what_must_be_alone_is_alone() -> None:
    doing = Doing()
    turns: Turns[int] = Turns(doing)
    in_threads([lambda number=number: turns.take(number, alone=number % 5 == 0) for number in range(60)])  # type: ignore[misc]
    assert all(len(group) == 1 for group in doing.groups if any(number % 5 == 0 for number in group))


def test_a_failure_of_all_is_told_to_all_and_the_next_go_on() -> None:
    doing = Doing()
    turns: Turns[int] = Turns(doing)
    results = in_threads([lambda number=number: turns.take(number) for number in (*range(1, 30), -1)])  # type: ignore[misc]
    lost = next(group for group in doing.groups if -1 in group)
    assert sum(isinstance(result, OSError) for result in results) == len(lost)
    assert turns.take(7) == 14


def counting(store: Database) -> None:
    def make(connection: Connection) -> None:
        connection.execute(text("CREATE TABLE counted (number INTEGER PRIMARY KEY)"))

    store.write_once(make)


def adding(store: Database, number: int) -> Callable[[], object]:
    """Add a number; every third one is added and then refused, every seventh one breaks a rule of the database."""

    def add(connection: Connection) -> int:
        time.sleep(0.001)
        connection.execute(text("INSERT INTO counted VALUES (:number)"), {"number": 0 if number % 7 == 0 else number})
        if number % 3 == 0:
            raise DataError("this is refused")
        return number

    return lambda: store.write(add)


def test_what_one_raises_undoes_that_one_only(store: Database) -> None:
    counting(store)
    store.write_once(lambda connection: connection.execute(text("INSERT INTO counted VALUES (0)")) and None)
    numbers = range(1, 120)
    results = in_threads([adding(store, number) for number in numbers])
    fine = [number for number in numbers if number % 3 and number % 7]
    assert [result for result in results if isinstance(result, int)] == fine
    kept = store.read(lambda connection: connection.execute(text("SELECT number FROM counted ORDER BY number")).all())
    assert [row[0] for row in kept] == [0, *fine]


@pytest.mark.studio
def test_a_connection_that_is_lost_in_the_middle_loses_nothing(postgres: Postgres) -> None:
    with open_store(postgres.new_database("turns")) as store:
        counting(store)

        def add(number: int) -> Callable[[], object]:
            def work(connection: Connection) -> int:
                time.sleep(0.005)
                insert = "INSERT INTO counted VALUES (:number) ON CONFLICT DO NOTHING"
                connection.execute(text(insert), {"number": number})
                return number

            return lambda: store.write(work)

        def restart() -> None:
            time.sleep(0.1)
            postgres.stop("immediate")
            postgres.start()

        restarted, *results = in_threads([restart, *(add(number) for number in range(100))])
        assert restarted is None, restarted
        query = text("SELECT number FROM counted")
        kept = set(store.read(lambda connection: connection.scalars(query).all()))
        for number, result in enumerate(results):
            # A server that takes long to start again is given up, which says that nothing was acknowledged.
            assert result == number or isinstance(result, StoreError), result
            assert result != number or number in kept
        assert in_threads([add(number) for number in range(100)]) == list(range(100))
        assert set(store.read(lambda connection: connection.scalars(query).all())) == set(range(100))
