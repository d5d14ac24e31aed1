"""How a store is connected to: an SQLite file, or a PostgreSQL server."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import sqlalchemy
from sqlalchemy import URL, Engine
from sqlalchemy.exc import ArgumentError, DisconnectionError
from sqlalchemy.pool import ConnectionPoolEntry

from nliprobe.base.errors import MissingExtraError, NotFoundError, StoreError, UsageError
from nliprobe.base.files import refusing
from nliprobe.base.limited import exists
from nliprobe.base.urls import redact
from nliprobe.people.store.migrate import no_store

if TYPE_CHECKING:
    import psycopg

# So long a transaction waits for others of another process; all of them together take milliseconds.
WAIT_SECONDS = 30
# To begin a file takes milliseconds.
_LOCKED_SECONDS = 0.01
# Statements return what they have changed, which SQLite does since March 2021.
_OLDEST_SQLITE = (3, 35)
# A connection that was used within so many seconds is still there, or says that it is not.
_FRESH_SECONDS = 1.0
# So many connections to a server at most. One thread at a time writes, and a Python process cannot keep more readers
# busy.
_READERS = 7
# In seconds, the last one in milliseconds. A server that says nothing when it is called, or no longer, is given up
# then: otherwise everybody who writes would wait for the system to do it, a quarter of an hour or for ever.
_PATIENCE = {
    "connect_timeout": "5",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "30000",
}
# A statement is planned once per connection, from its second use on.
_PREPARED_AFTER = 1
_FORMS = "a file such as people.sqlite, or a URL such as postgresql://user@host/name"


class Engines(NamedTuple):
    """The connections of a store.

    Attributes:
        writing: those with transactions that are whole or absent.
        reading: those for what only reads.
    """

    writing: Engine
    reading: Engine


def connect(place: str | Path, *, make: bool) -> Engines:
    """Return the connections of a store; none is opened yet.

    Args:
        place: a file, or the URL of a database.
        make: whether the file may be a new one.
    """
    text = str(place)
    if "://" not in text:
        return _sqlite(Path(text), make=make)
    if text.startswith(("postgresql:", "postgres:", "postgresql+psycopg:")):
        return _postgresql(_url(text))
    if text.startswith("sqlite:") and (name := _url(text).database):
        return _sqlite(Path(name), make=make)
    raise UsageError(f"'{redact(text)}' is no database that people's work is kept in: expected {_FORMS}.")


def _url(text: str) -> URL:
    try:
        return sqlalchemy.make_url(text)
    except (ArgumentError, ValueError):
        # What is wrong there may be a password, so it is not told.
        raise UsageError(f"'{redact(text)}' cannot be read as a URL: expected {_FORMS}.") from None


def _postgresql(url: URL) -> Engines:
    try:
        import psycopg
    except ImportError as error:
        raise MissingExtraError("PostgreSQL needs psycopg, which is not installed", "people") from error
    patience = {name: value for name, value in _PATIENCE.items() if name not in url.query}
    url = url.set(drivername="postgresql+psycopg").update_query_dict(patience)
    # A server shows each statement what is there when it begins, in a transaction or not: to begin and end one would be
    # two questions more.
    return Engines(_server(url, 1, psycopg.Error), _server(url, _READERS, psycopg.Error, isolation_level="AUTOCOMMIT"))


def _server(url: URL, size: int, failure: type[Exception], **options: Any) -> Engine:
    """Return an engine with so many connections, which stay."""
    engine = sqlalchemy.create_engine(
        url,
        # None beyond these: connections that come and go under load took most of the server's time. The one that was
        # used last is taken first, for it has met all statements already.
        pool_size=size,
        max_overflow=0,
        pool_use_lifo=True,
        pool_timeout=WAIT_SECONDS,
        connect_args={"prepare_threshold": _PREPARED_AFTER},
        hide_parameters=True,
        **options,
    )

    @sqlalchemy.event.listens_for(engine, "connect")
    def prepare(connection: psycopg.Connection[object], record: object) -> None:
        # All statements look things up by keys, whatever these are. To plan them anew took longer than to run them.
        with connection.cursor() as cursor:
            cursor.execute("SET plan_cache_mode = force_generic_plan")
        connection.commit()

    @sqlalchemy.event.listens_for(engine, "checkin")
    def rest(connection: object, record: ConnectionPoolEntry) -> None:
        record.info["since"] = time.monotonic()

    @sqlalchemy.event.listens_for(engine, "checkout")
    def wake(connection: psycopg.Connection[object], record: ConnectionPoolEntry, proxy: object) -> None:
        # To ask each time whether the server is there would be one question in five.
        if time.monotonic() - record.info.get("since", 0.0) > _FRESH_SECONDS:
            try:
                with connection.cursor() as cursor:
                    cursor.execute("SELECT 1")
                    cursor.fetchone()
                connection.rollback()
            except failure as error:
                raise DisconnectionError from error

    return engine


def _sqlite(path: Path, *, make: bool) -> Engines:
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        raise StoreError(
            f"This Python comes with SQLite {sqlite3.sqlite_version}, and people's work needs 3.35 or newer: use a "
            "newer Python or a PostgreSQL database."
        )
    if not make and not exists(path):
        raise NotFoundError(no_store(str(path)))
    with refusing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    if make:
        _make_private(path)
    arguments = {"timeout": WAIT_SECONDS, "check_same_thread": False}
    # Not written as a text: in one, a question mark in the path would end it.
    url = URL.create("sqlite", database=str(path))
    # Errors would show what people wrote, and whoever logs them would keep it.
    engine = sqlalchemy.create_engine(url, connect_args=arguments, hide_parameters=True)

    @sqlalchemy.event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, record: object) -> None:
        # Transactions are begun by hand: the driver would begin them too late, after what was read to decide.
        connection.isolation_level = None
        _keep_a_journal(connection)
        for pragma in ("synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    # The same connections; a reader sees what was there at the beginning.
    return Engines(engine, engine.execution_options())


def _keep_a_journal(connection: sqlite3.Connection) -> None:
    """Let readers go on while somebody writes.

    This is the one statement for which SQLite does not wait: of several connections that begin a new file at once, all
    but one are told that it is locked.
    """
    end = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            # The lower byte of what SQLite says is the kind, the rest are details.
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(_LOCKED_SECONDS)
        else:
            return


def _make_private(path: Path) -> None:
    """Make an empty file that nobody else can read, where there is none.

    It will hold what people said, their ids and the secret that signs links. SQLite gives the files beside it the same
    mode, and says what is wrong where there can be none.
    """
    with suppress(OSError):
        os.close(os.open(path, os.O_CREAT | os.O_RDONLY, 0o600))
