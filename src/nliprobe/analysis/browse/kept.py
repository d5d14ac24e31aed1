"""Where indexes of runs are kept, and how their files are opened."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from nliprobe.base.errors import StoreError
from nliprobe.base.files import cache_folder, set_aside
from nliprobe.base.hashing import digest

FOLDER: Final = "browse"
# To be raised when the tables, or what they hold for the same run, change: indexes of other formats are never read.
FORMAT: Final = 2
# About ten million cases; the index that is in use is kept, however large it is.
MOST_BYTES: Final = 4 << 30
_INDEX, _BUILDING = ".sqlite", ".building"
# The header of a SQLite file: its first bytes, and where it says the size of a page and their number (sqlite.org).
_MAGIC, _PAGE_SIZE, _PAGES = b"SQLite format 3\x00", slice(16, 18), slice(28, 32)
_SCHEMA = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE shards (kind TEXT, number INTEGER, content TEXT NOT NULL, PRIMARY KEY (kind, number)) WITHOUT ROWID;
CREATE TABLE columns (
    kind TEXT, number INTEGER, name TEXT, type TEXT NOT NULL, digest TEXT NOT NULL, content BLOB NOT NULL,
    PRIMARY KEY (kind, number, name)
);
CREATE TABLE names (kind TEXT, number INTEGER, name TEXT NOT NULL, PRIMARY KEY (kind, number)) WITHOUT ROWID;
CREATE TABLE texts (number INTEGER PRIMARY KEY, key INTEGER NOT NULL, shown TEXT NOT NULL);
CREATE TABLE facets (number INTEGER PRIMARY KEY, key INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL);
CREATE INDEX facets_by_value ON facets (name, value);
CREATE TABLE common (word TEXT PRIMARY KEY, texts INTEGER NOT NULL, digest TEXT NOT NULL, content BLOB NOT NULL);
CREATE TABLE judged (system TEXT PRIMARY KEY, content TEXT NOT NULL, digest TEXT NOT NULL, answers BLOB NOT NULL);
CREATE VIRTUAL TABLE words USING fts5(text, content='', columnsize=0, tokenize='ascii');
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, row);
"""


class DamagedIndexError(StoreError):
    """An index of a run cannot be read; it has been set aside, and is made again when it is asked for."""


class BusyIndexError(StoreError):
    """Another process is making the index."""


def index_file(run: Path) -> Path:
    """Return the file of the index of the run in a folder, which need not be there."""
    return cache_folder() / FOLDER / f"{digest(str(FORMAT), str(run.resolve()))}{_INDEX}"


def building_file(run: Path) -> Path:
    """Return the file in which the index of a run is made, before it gets its name."""
    return index_file(run).with_suffix(_BUILDING)


def make_folder(path: Path) -> None:
    """Make the folder in which an index is to be."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        # A service often runs as a user without a home.
        raise StoreError(
            f"The index by which cases are searched cannot be made in {path.parent}: {error.strerror}. Name another "
            "folder in NLIPROBE_CACHE."
        ) from error


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Open an index to be read; one that is not there is a :class:`FileNotFoundError`.

    A damaged one is set aside, whatever of it is found out first.
    """
    try:
        _require_whole(path)
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
            yield connection
    except sqlite3.DatabaseError as error:
        if "no such module" in str(error):
            raise refused(path, error) from error
        raise damaged(path, str(error)) from error


@contextmanager
def writing(path: Path) -> Iterator[sqlite3.Connection]:
    """Open or begin an index that is being made; nobody else can open it meanwhile."""
    make_folder(path)
    try:
        with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as connection:
            # A killed process loses nothing that it has committed. After a loss of power the file may be damaged, which
            # costs the time to make it again, and not to wait for the disk halves the time to make it.
            for line in ("locking_mode=EXCLUSIVE", "synchronous=OFF", "cache_size=-64000", "temp_store=MEMORY"):
                connection.execute(f"PRAGMA {line}")
            connection.execute("BEGIN EXCLUSIVE")
            if not connection.execute("SELECT name FROM sqlite_master WHERE name = 'about'").fetchall():
                for statement in filter(str.strip, _SCHEMA.split(";")):
                    connection.execute(statement)
            connection.execute("COMMIT")
            yield connection
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise BusyIndexError(f"Another process is making the index {path}.") from error
        raise refused(path, error) from error
    except sqlite3.DatabaseError as error:
        raise damaged(path, str(error)) from error


def refused(path: Path, error: sqlite3.DatabaseError) -> StoreError:
    """Return the error for an index that cannot be written; if the disk is full, what was begun is deleted."""
    words = str(error)
    if "full" in words or "disk I/O" in words:
        delete(path)
        return StoreError(
            f"No space left to make the index {path}, by which cases are searched. Free some space and open the run "
            "again: it is then made."
        )
    if "no such module" in words:
        return StoreError(
            f"Cases cannot be searched: the SQLite {sqlite3.sqlite_version} of this Python has no full-text search "
            "(FTS5). Use a Python whose SQLite was built with it, such as those of python.org or Debian."
        )
    return StoreError(f"Cannot write the index {path}: {words}.")


def damaged(path: Path, reason: str) -> DamagedIndexError:
    """Set a damaged index aside, and return the error that says so."""
    with suppress(StoreError):
        set_aside(path)
    return DamagedIndexError(f"The index {path} is damaged ({reason}). It was set aside, and is made again.")


def delete(path: Path) -> None:
    """Delete an index and the journal beside it."""
    for name in (path.name, f"{path.name}-journal"):
        with suppress(OSError):
            path.with_name(name).unlink(missing_ok=True)


def trim(using: Path, most: int = MOST_BYTES) -> None:
    """Delete the indexes of runs that are gone, then those used the longest ago, until the rest is small enough.

    Args:
        using: the index in use, which stays.
        most: how many bytes may be kept.
    """
    files: list[tuple[float, int, Path]] = []
    for path in using.parent.glob(f"[!.]*{_INDEX}"):
        try:
            if path != using and not indexed_run(path).is_dir():
                delete(path)
                continue
            state = path.stat()
        except (OSError, KeyError):  # deleted by another process, or set aside just now
            continue
        files.append((state.st_mtime, state.st_size, path))
    for path in using.parent.glob("*.damaged"):
        delete(path)
    left = most
    for _, size, path in sorted(files, key=lambda item: (item[2] == using, item[0]), reverse=True):
        left -= size
        if left < 0 and path != using:
            delete(path)


def indexed_run(path: Path) -> Path:
    """Return the folder of the run that an index belongs to."""
    with reading(path) as connection:
        return Path(dict(connection.execute("SELECT name, value FROM about"))["run"])


def use(path: Path) -> None:
    """Note that an index has been used now, so that others are deleted first."""
    with suppress(OSError):  # a disk that cannot be written
        os.utime(path)


def _require_whole(path: Path) -> None:
    """Compare the size of a file with what it says itself: a file that was cut would be read up to the cut."""
    try:
        with path.open("rb") as stream:
            head = stream.read(100)
            size = os.fstat(stream.fileno()).st_size
    except (NotADirectoryError, PermissionError) as error:
        # Why there can be none is said where one is made.
        raise FileNotFoundError(str(error)) from error
    # A page of 65,536 bytes is written as 1.
    page = int.from_bytes(head[_PAGE_SIZE], "big")
    page = 65_536 if page == 1 else page
    if not head.startswith(_MAGIC) or size != page * int.from_bytes(head[_PAGES], "big"):
        raise damaged(path, "it was cut or altered")
