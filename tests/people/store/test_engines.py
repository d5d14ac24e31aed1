"""Where a store is: paths and URLs are taken as they are written."""

from __future__ import annotations

import os
import socket
import sqlite3
import stat
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError

from nliprobe.base.errors import StoreError, UsageError
from nliprobe.people.store import database, engines, open_store
from nliprobe.people.store.engines import connect
from nliprobe.people.store.schema import meta
from nliprobe.people.store.secret import studio_secret


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+psycopg"])
def test_the_user_of_a_url_stays_who_it_is(scheme: str) -> None:
    """The usual one has the name by which some call the server."""
    pytest.importorskip("psycopg")
    url = connect(f"{scheme}://postgres:postgres:secret@host/people", make=True).writing.url
    assert (url.drivername, url.username, url.password) == ("postgresql+psycopg", "postgres", "postgres:secret")


@pytest.mark.parametrize("place", ["postgresql://me:secret@host:port/people", "sqlite://me:secret@host:port/people"])
def test_a_url_that_cannot_be_read_is_a_sentence_without_its_password(place: str) -> None:
    with pytest.raises(UsageError, match="cannot be read as a URL: expected a file such as") as caught:
        connect(place, make=True)
    assert "secret" not in str(caught.value)


def test_a_path_may_have_any_signs(tmp_path: Path) -> None:
    path = tmp_path / "who? 50%20 #1" / "people.sqlite"
    open_store(path).close()
    assert path.is_file()
    assert [one.name for one in tmp_path.iterdir()] == [path.parent.name]


@pytest.mark.skipif(os.name != "posix", reason="files have other modes there")
def test_nobody_else_can_read_a_new_file_and_an_older_one_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "people.sqlite"
    with open_store(path) as store:
        store.write(lambda connection: connection.execute(insert(meta), [{"name": "x", "value": "y"}]))
        modes = {one.name: stat.S_IMODE(one.stat().st_mode) for one in tmp_path.iterdir()}
    assert modes == dict.fromkeys(("people.sqlite", "people.sqlite-wal", "people.sqlite-shm"), 0o600)
    path.chmod(0o640)
    open_store(path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_an_error_of_a_statement_does_not_tell_its_values(place: str) -> None:
    """It may come into the log of a server; the secret of the studio is such a value."""
    row = {"name": "schema_version", "value": "the words of a rater"}
    with open_store(place) as store, pytest.raises(IntegrityError) as caught:
        store.write_once(lambda connection: connection.execute(insert(meta), [row]))
    assert "the words of a rater" not in str(caught.value)


@pytest.mark.studio
def test_a_server_that_says_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("psycopg")
    assert connect("postgresql://host/people", make=True).reading.url.query["connect_timeout"] == "5"
    monkeypatch.setattr(database, "_TRIES", 1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        place = f"postgresql://me@127.0.0.1:{silent.getsockname()[1]}/people?connect_timeout=2"
        with pytest.raises(StoreError, match="refuses: connection timeout expired"):
            open_store(place)


def test_a_new_file_is_begun_by_many_at_once(tmp_path: Path) -> None:
    """Before, one in some twenty such beginnings failed, because SQLite does not wait for a change of the journal."""
    failed: list[Exception] = []

    def begin(path: Path, together: threading.Barrier) -> None:
        together.wait()
        try:
            with open_store(path) as store:
                studio_secret(store)
        except Exception as error:
            failed.append(error)

    for number in range(40):
        together = threading.Barrier(6)
        path = tmp_path / f"{number}.sqlite"
        threads = [threading.Thread(target=begin, args=(path, together)) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert failed == []


def test_a_file_that_stays_locked_is_waited_for_and_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "people.sqlite"
    open_store(path).close()
    monkeypatch.setattr(engines, "WAIT_SECONDS", 0.2)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode=EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        began = time.monotonic()
        with pytest.raises(StoreError, match="database is locked"):
            open_store(path)
        assert time.monotonic() - began > 0.2
