"""Makes the index of a run, or brings it up to date: what is there already is not read again."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from nliprobe.analysis.browse.common import keep_common_words
from nliprobe.analysis.browse.judging import answered_content, judge, shard_content
from nliprobe.analysis.browse.kept import (
    DamagedIndexError,
    building_file,
    index_file,
    make_folder,
    reading,
    trim,
    writing,
)
from nliprobe.analysis.browse.shards import ShardWriter
from nliprobe.base.errors import NotFoundError
from nliprobe.base.files import refusing
from nliprobe.base.hashing import digest
from nliprobe.store.run import RunFolder
from nliprobe.store.soundness import KINDS


class Progress(NamedTuple):
    """How far an index is: shards that are in it, of how many, and what is being done."""

    done: int
    of: int
    stage: str = "reading"


Report = Callable[[Progress], None]


def contents(run: RunFolder) -> dict[int, str]:
    """Return the digest of each shard of a run: of its pairs, facets and cases together."""
    return {
        (number := int(path.stem)): digest(*(shard_content(run, kind, number) for kind in KINDS))
        for path in run.readable("cases")
    }


def state_of(run: RunFolder) -> str:
    """Return what changes when anything changes that an index is made from."""
    shards = contents(run)
    listed = [f"{number} {content}" for number, content in shards.items()]
    systems = [f"{item.name} {answered_content(run, item.name, list(shards.values()))}" for item in run.systems]
    return digest(*listed, "systems", *systems)


def build_index(path: Path, report: Report = lambda progress: None) -> Path:
    """Make the index of the run in a folder, or bring it up to date; return its file.

    An index that a killed process began is continued. A damaged one is made again.

    Args:
        path: the folder of the run.
        report: told how far it is.

    Raises:
        BusyIndexError: another process is making it.
    """
    try:
        return _built(path, report)
    except DamagedIndexError:
        return _built(path, report)


def is_current(path: Path, state: str) -> bool:
    """Tell whether the index of a run is there and made from just this state of the run."""
    try:
        with reading(index_file(path)) as connection:
            rows = connection.execute("SELECT value FROM about WHERE name = 'state'").fetchall()
    except (FileNotFoundError, DamagedIndexError):
        return False
    return rows == [(state,)]


def _built(path: Path, report: Report) -> Path:
    run = RunFolder.open(path)
    # Taken before anything is read: what is written meanwhile makes the next state.
    state, target, building = state_of(run), index_file(path), building_file(path)
    if is_current(path, state):
        return target
    _begin(target, building)
    with writing(building) as connection:
        _fill(connection, run, state, report)
        connection.execute("PRAGMA journal_mode=DELETE")
    with refusing(target):
        building.replace(target)
    trim(target)
    return target


def _begin(target: Path, building: Path) -> None:
    """Copy an index that is to be brought up to date, so that the old one can be read meanwhile."""
    make_folder(building)
    if building.exists() or not target.exists():
        return
    partial = building.with_suffix(".copy")
    with refusing(building):
        shutil.copyfile(target, partial)
        partial.replace(building)


def _fill(connection: sqlite3.Connection, run: RunFolder, state: str, report: Report) -> None:
    shards = contents(run)
    known = dict(connection.execute("SELECT number, content FROM shards").fetchall())
    writer = ShardWriter(connection, run)
    with _saving(connection):
        connection.execute("DELETE FROM about WHERE name = 'state'")
        for number in known:
            if known[number] != shards.get(number):
                writer.remove(number)
    done = sum(known.get(number) == content for number, content in shards.items())
    for number, content in shards.items():
        report(Progress(done, len(shards)))
        if known.get(number) != content:
            _require_there(run)
            with _saving(connection):
                writer.write(number)
                connection.execute("INSERT INTO shards VALUES ('cases', ?, ?)", (number, content))
            done += 1
    report(Progress(done, len(shards), "judging"))
    with _saving(connection):
        judge(connection, run, list(shards.values()))
    report(Progress(done, len(shards), "counting words"))
    with _saving(connection):
        keep_common_words(connection)
        about = (("run", str(run.path.resolve())), ("state", state))
        connection.executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", about)


def _require_there(run: RunFolder) -> None:
    if not run.path.is_dir():
        raise NotFoundError(f"The run {run.path} was deleted meanwhile.")


@contextmanager
def _saving(connection: sqlite3.Connection) -> Iterator[None]:
    """Write everything of a block or nothing of it."""
    connection.execute("BEGIN")
    try:
        yield
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
