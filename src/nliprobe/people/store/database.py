"""A connection to the store: opened by path or URL, with transactions that are whole or absent."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar, cast

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnectionError

from nliprobe.base.errors import StoreError
from nliprobe.base.urls import redact
from nliprobe.people.store.engines import WAIT_SECONDS, connect
from nliprobe.people.store.growth import LOOK_AT_WORK, Growth
from nliprobe.people.store.migrate import migrate
from nliprobe.people.store.turns import Turn, Turns

T = TypeVar("T")
# A lost connection is tried again so often: a server that restarts is back within seconds.
_TRIES, _PAUSE_SECONDS = 5, 0.5
_REPEAT = "What was acknowledged is kept: repeat the request when the database is there again."


@dataclass(frozen=True)
class Database:
    """An open store.

    Attributes:
        engine: the connections that write.
        reading: the connections for what only reads.
        place: the store as messages name it, without a password.
        clock: what time it is, in seconds since 1970.
    """

    engine: Engine
    reading: Engine
    place: str
    clock: Callable[[], float] = time.time
    # Threads of one process take turns here: who waited for the lock of a file or a row would hold a connection.
    _turns: Turns[Callable[[Connection], object]] = field(init=False, repr=False)
    _growth: Growth = field(init=False, repr=False, default_factory=Growth)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_turns", Turns(self._do))

    def read(self, work: Callable[[Connection], T]) -> T:
        """Return what a function reads; a lost connection is opened again."""
        return self._tried(lambda: self._in_transaction(work, self.reading))

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
        self.reading.dispose()

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _do(self, turns: Sequence[Turn[Callable[[Connection], object]]]) -> None:
        """Do the work of some turns in one transaction."""
        try:
            results = self._in_transaction(lambda connection: [turn.work(connection) for turn in turns], self.engine)
        except Exception as error:
            if len(turns) == 1 or (isinstance(error, DBAPIError) and error.connection_invalidated):
                # Where nothing of all this was done, everybody tries again.
                raise
            # Somebody's work failed, which is rare: to be able to undo each alone takes two statements more.
            self._in_transaction(lambda connection: _each(connection, turns), self.engine)
        else:
            for turn, result in zip(turns, results, strict=True):
                turn.result = result
        if self._growth.is_due(len(turns)) and self.engine.dialect.name == "postgresql":
            # What was written is kept, whatever becomes of this.
            with suppress(DBAPIError), self.reading.connect() as connection:
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
            raise StoreError(f"The database {self.place} was busy for {WAIT_SECONDS} s. {_REPEAT}") from error
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
    engines = connect(place, make=make)
    database = Database(engines.writing, engines.reading, redact(str(place)), clock)
    try:
        database.write(lambda connection: migrate(connection, database.place, clock(), make=make))
    except BaseException:
        database.close()
        raise
    return database
