"""The store of people's work: SQLite in a file by default, PostgreSQL by URL; needs the extra ``people``."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from nliprobe.base.errors import MissingExtraError

try:
    from nliprobe.people.store.database import Database, open_database
except ImportError as error:
    if error.name is None or not error.name.startswith("sqlalchemy"):
        raise
    raise MissingExtraError("A store of people's work needs SQLAlchemy, which is not installed", "people") from error

__all__ = ["Database", "open_store"]


def open_store(place: str | Path, *, make: bool = True, clock: Callable[[], float] = time.time) -> Database:
    """Open a store; one of an older version is brought up to this one.

    Args:
        place: the path of an SQLite file, or a URL such as ``postgresql://user@host/name``.
        make: whether a store is made where there is none.
        clock: tells the time in seconds since 1970; another one is for tests.

    Raises:
        MissingExtraError: the driver of the database is not installed.
        NotFoundError: there is no store, and none is to be made.
        StoreError: the database cannot be reached, is somebody else's, or its version is newer.
        UsageError: this is neither a path nor a URL of a known kind.
    """
    return open_database(place, clock, make=make)
