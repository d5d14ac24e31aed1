"""A connection to the store: opened by path or URL, with transactions that are whole or absent."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import sqlalchemy
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError

from nliprobe.base.errors import MissingExtraError, NotFoundError, StoreError, UsageError
from nliprobe.base.files import refusing
from nliprobe.base.limited import exists
from nliprobe.base.urls import redact
from nliprobe.people.store.migrate import migrate, no_store

T = TypeVar("T")
# So long a transaction waits for others of another process; all of them together take milliseconds.
_WAIT_SECONDS = 30
# A lost connection is tried again so often: a server that restarts is back within seconds.
_TRIES, _PAUSE_SECONDS = 5, 0.5
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
    _turn: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def read(self, work: Callable[[Connection], T]) -> T:
        """Return what a function reads; a lost connection is opened again."""
        return self._tried(lambda: self._in_transaction(work))

    def write(self, work: Callable[[Connection], T]) -> T:
        """Return what a function does in one transaction: all of it is kept before this returns, or none.

        A lost connection is opened again and the function repeated. It may have been done the first time, too, so it
        must be one whose repetition changes nothing.
        """
        return self._tried(lambda: self._alone(work))

    def write_once(self, work: Callable[[Connection], T]) -> T:
        """Do a function in one transaction, and never twice."""
        with self._explained():
            return self._alone(work)

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _alone(self, work: Callable[[Connection], T]) -> T:
        with self._turn:
            return self._in_transaction(work, "BEGIN IMMEDIATE")

    def _in_transaction(self, work: Callable[[Connection], T], begin: str = "BEGIN") -> T:
        with self.engine.connect() as connection:
            if self.engine.dialect.name == "sqlite":
                connection.exec_driver_sql(begin)
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
        except DBAPIError as error:
            if not lost and self._is_lost(error):
                raise
            cause = str(error.orig).strip().splitlines()[0] if str(error.orig).strip() else type(error.orig).__name__
            advice = (
                "What was acknowledged is kept: repeat the request when the database is there again."
                if self._is_lost(error) or isinstance(error, OperationalError)
                else "Nothing was changed."
            )
            raise StoreError(f"The database {self.place} refuses: {redact(cause)}. {advice}") from error

    def _is_lost(self, error: object) -> bool:
        if not isinstance(error, DBAPIError):
            return False
        # A server that is starting or stopping refuses connections, which is not called a lost one.
        return error.connection_invalidated or (
            isinstance(error, OperationalError) and self.engine.dialect.name != "sqlite"
        )


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
        import psycopg  # noqa: F401
    except ImportError as error:
        raise MissingExtraError("PostgreSQL needs psycopg, which is not installed", "people") from error
    url = sqlalchemy.make_url(text.replace("postgres:", "postgresql:", 1)).set(drivername="postgresql+psycopg")
    return sqlalchemy.create_engine(url, pool_pre_ping=True, pool_size=10, max_overflow=10)


def _sqlite(path: Path, *, make: bool) -> Engine:
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
