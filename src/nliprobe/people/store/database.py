"""A connection to the store: opened by path or URL, with transactions that are whole or absent."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar, cast

import sqlalchemy
from sqlalchemy import Connection, Engine
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError, DisconnectionError, IntegrityError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnectionError
from sqlalchemy.pool import ConnectionPoolEntry

from nliprobe.base.errors import MissingExtraError, NotFoundError, StoreError, UsageError
from nliprobe.base.files import refusing
from nliprobe.base.limited import exists
from nliprobe.base.urls import redact
from nliprobe.people.store.growth import LOOK_AT_WORK, Growth
from nliprobe.people.store.migrate import migrate, no_store
from nliprobe.people.store.turns import Turn, Turns

T = TypeVar("T")
# So long a transaction waits for others of another process; all of them together take milliseconds.
_WAIT_SECONDS = 30
# A lost connection is tried again so often: a server that restarts is back within seconds.
_TRIES, _PAUSE_SECONDS = 5, 0.5
# Statements return what they have changed, which SQLite does since March 2021.
_OLDEST_SQLITE = (3, 35)
# A connection that was used within so many seconds is still there, or says that it is not.
_FRESH_SECONDS = 1.0
# So many connections to a server at most. One at a time writes, and a Python process cannot keep more of them busy.
_CONNECTIONS = 8
# A statement is planned once per connection, from its second use on.
_PREPARED_AFTER = 1
_REPEAT = "What was acknowledged is kept: repeat the request when the database is there again."
_FORMS = "a file such as people.sqlite, or a URL such as postgresql://user@host/name"


@dataclass(frozen=True)
class Database:
    """An open store.

    Attributes:
        engine: SQLAlchemy's.
        place: the store as messages name it, without a password.
        clock: what time it is, in seconds since 1970.
    """

    engine: Engine
    place: str
    clock: Callable[[], float] = time.time
    # Threads of one process take turns here: who waited for the lock of a file or a row would hold a connection.
    _turns: Turns[Callable[[Connection], object]] = field(init=False, repr=False)

    # The same connections for what only reads.
    _reading: Engine = field(init=False, repr=False)
    _growth: Growth = field(init=False, repr=False, default_factory=Growth)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_turns", Turns(self._do))
        # PostgreSQL shows each statement what is there when it begins, in a transaction or not: to begin and end one
        # would be two questions more. SQLite shows a reader what was there at the beginning.
        options = {"isolation_level": "AUTOCOMMIT"} if self.engine.dialect.name == "postgresql" else {}
        object.__setattr__(self, "_reading", self.engine.execution_options(**options))

    def read(self, work: Callable[[Connection], T]) -> T:
        """Return what a function reads; a lost connection is opened again."""
        return self._tried(lambda: self._in_transaction(work, self._reading))

    def write(self, work: Callable[[Connection], T]) -> T:
        """Return what a function does in one transaction: all of it is kept before this returns, or none.

        A lost connection is opened again and the function repeated. It may have been done the first time, too, so it
        must be one whose repetition changes nothing. Functions of several threads may share a transaction; what one of
        them raises undoes what that one did, and nothing else.
        """
        return self._tried(lambda: cast("T", self._turns.take(work)))

    def write_once(self, work: Callable[[Connection], T]) -> T:
        """Do a function in one transaction, and never twice."""
        with self._explained():
            return cast("T", self._turns.take(work, alone=True))

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _do(self, turns: Sequence[Turn[Callable[[Connection], object]]]) -> None:
        """Do the work of some turns in one transaction."""
        if len(turns) == 1:
            turns[0].result = self._in_transaction(turns[0].work, self.engine)
        else:
            self._in_transaction(lambda connection: _each(connection, turns), self.engine)
        if self._growth.is_due(len(turns)) and self.engine.dialect.name == "postgresql":
            # What was written is kept, whatever becomes of this.
            with suppress(DBAPIError), self._reading.connect() as connection:
                connection.execute(LOOK_AT_WORK)

    def _in_transaction(self, work: Callable[[Connection], T], engine: Engine) -> T:
        with engine.connect() as connection:
            if engine.dialect.name == "sqlite":
                connection.exec_driver_sql("BEGIN IMMEDIATE" if engine is self.engine else "BEGIN")
            result = work(connection)
            connection.commit()
            return result

    def _tried(self, work: Callable[[], T]) -> T:
        for _ in range(_TRIES - 1):
            try:
                with self._explained(lost=False):
                    return work()
            except DBAPIError:
                time.sleep(_PAUSE_SECONDS)
        with self._explained():
            return work()

    @contextmanager
    def _explained(self, *, lost: bool = True) -> Iterator[None]:
        """Turn what goes wrong with a database into a sentence; a lost connection only if ``lost``."""
        try:
            yield
        except IntegrityError:
            raise
        except NoConnectionError as error:
            raise StoreError(f"The database {self.place} was busy for {_WAIT_SECONDS} s. {_REPEAT}") from error
        except DBAPIError as error:
            if not lost and self._is_lost(error):
                raise
            cause = str(error.orig).strip().splitlines()[0] if str(error.orig).strip() else type(error.orig).__name__
            advice = _REPEAT if self._is_lost(error) or isinstance(error, OperationalError) else "Nothing was changed."
            raise StoreError(f"The database {self.place} refuses: {redact(cause)}. {advice}") from error

    def _is_lost(self, error: object) -> bool:
        if not isinstance(error, DBAPIError):
            return False
        # A server that is starting or stopping refuses connections, which is not called a lost one.
        return error.connection_invalidated or (
            isinstance(error, OperationalError) and self.engine.dialect.name != "sqlite"
        )


def _each(connection: Connection, turns: Sequence[Turn[Callable[[Connection], object]]]) -> None:
    for turn in turns:
        point = connection.begin_nested()
        try:
            turn.result = turn.work(connection)
        except Exception as error:
            if isinstance(error, DBAPIError) and error.connection_invalidated:
                # Nothing of all this was done: everybody tries again.
                raise
            point.rollback()
            turn.error = error
        else:
            point.commit()


def open_database(place: str | Path, clock: Callable[[], float], *, make: bool) -> Database:
    """Open a store; :func:`nliprobe.people.store.open_store` says how."""
    text = str(place)
    if "://" not in text:
        engine = _sqlite(Path(text), make=make)
    elif text.startswith(("postgresql:", "postgres:", "postgresql+psycopg:")):
        engine = _postgresql(text)
    elif text.startswith("sqlite:") and (name := sqlalchemy.make_url(text).database):
        engine = _sqlite(Path(name), make=make)
    else:
        raise UsageError(f"'{redact(text)}' is no database that people's work is kept in: expected {_FORMS}.")
    database = Database(engine, redact(text), clock)
    try:
        database.write(lambda connection: migrate(connection, database.place, clock(), make=make))
    except BaseException:
        database.close()
        raise
    return database


def _postgresql(text: str) -> Engine:
    try:
        import psycopg
    except ImportError as error:
        raise MissingExtraError("PostgreSQL needs psycopg, which is not installed", "people") from error
    url = sqlalchemy.make_url(text.replace("postgres:", "postgresql:", 1)).set(drivername="postgresql+psycopg")
    engine = sqlalchemy.create_engine(
        url,
        # None beyond these: connections that come and go under load took most of the server's time. The one that was
        # used last is taken first, for it has met all statements already.
        pool_size=_CONNECTIONS,
        max_overflow=0,
        pool_use_lifo=True,
        pool_timeout=_WAIT_SECONDS,
        connect_args={"prepare_threshold": _PREPARED_AFTER},
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
    def wake(connection: DBAPIConnection, record: ConnectionPoolEntry, proxy: object) -> None:
        # To ask each time whether the server is there would be one question in five.
        if time.monotonic() - record.info.get("since", 0.0) > _FRESH_SECONDS:
            try:
                engine.dialect.do_ping(connection)
            except psycopg.Error as error:
                raise DisconnectionError from error

    return engine


def _sqlite(path: Path, *, make: bool) -> Engine:
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        raise StoreError(
            f"This Python comes with SQLite {sqlite3.sqlite_version}, and people's work needs 3.35 or newer: use a "
            "newer Python or a PostgreSQL database."
        )
    if not make and not exists(path):
        raise NotFoundError(no_store(str(path)))
    with refusing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    arguments = {"timeout": _WAIT_SECONDS, "check_same_thread": False}
    engine = sqlalchemy.create_engine(f"sqlite:///{path}", connect_args=arguments)

    @sqlalchemy.event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, record: object) -> None:
        # Transactions are begun by hand: the driver would begin them too late, after what was read to decide.
        connection.isolation_level = None
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    return engine
