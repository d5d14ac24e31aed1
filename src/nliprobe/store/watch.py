"""Look at a run that another process may be writing: how far each system is, from names and records on the disk alone.

No shard is opened: the record beside it says how many rows it has. What was read of a shard is not read again, so that
a look at a run of ten million cases costs a list of a few folders. A process leaves no trace by which another machine
could tell whether it is alive; what is known is when something was last written, and who is writing a file right now.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from nliprobe.base.errors import NotFoundError, StoreError
from nliprobe.base.files import partial_writer, stamp
from nliprobe.store.frames import row_count
from nliprobe.store.journal import FOLDER, Journal
from nliprobe.store.record import RunRecord, SystemRecord, SystemStatus
from nliprobe.store.run import MANIFEST, SHARD_NAME, SYSTEMS, RunFolder
from nliprobe.store.shards import read_record
from nliprobe.store.soundness import State

# The rate is that of the last shards: the first may have come from the cache, or before a break.
_RECENT = 9
# A file may be listed a moment before its record can be seen on a network disk; damage is still there later.
_AGAIN = 1.0


class Writer(NamedTuple):
    """A process that has begun a file; ``ended`` is none where it cannot be known, on another machine."""

    process: int
    here: bool
    ended: bool | None


@dataclass(frozen=True)
class SystemLook:
    """How far one system is.

    Attributes:
        name: the system.
        complete: whether its record says that it has answered everything.
        cases: the cases in its shards.
        pairs: the pairs that were written with these shards.
        shards: its shards.
        early: answers in the journal, which belong to shards that are not whole yet.
        failed: how many of its inputs failed, once it is complete.
        rate: cases per second, by the times at which its last shards were written; none before the third.
        pause: the seconds between two of them.
        written: when the last of its files was written, in seconds since 1970.
    """

    name: str
    complete: bool
    cases: int
    pairs: int
    shards: int
    early: int
    failed: int
    rate: float | None
    pause: float | None
    written: float | None


@dataclass(frozen=True)
class Look:
    """What a run is at one moment.

    Attributes:
        time: the moment, in seconds since 1970.
        state: complete, unfinished or damaged.
        record: the record of the run; none if it cannot be read.
        systems: how far each system is.
        cases: how many cases have been made.
        pairs: how many pairs they were made from.
        written: when something of the run was last written.
        writers: the processes that have begun a file.
        problems: what is wrong, as sentences.
    """

    time: float
    state: State
    record: RunRecord | None
    systems: tuple[SystemLook, ...] = ()
    cases: int = 0
    pairs: int = 0
    written: float | None = None
    writers: tuple[Writer, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def total(self) -> int | None:
        """How many cases there will be, once the last of them has been made."""
        return None if self.record is None or self.record.counts is None else self.record.counts.cases

    @property
    def expected_pairs(self) -> int | None:
        """How many pairs there will be, if every corpus says how many it should hold."""
        if self.record is None:
            return None
        if self.record.counts is not None:
            return self.record.counts.pairs
        sizes = [item.pairs for item in self.record.suite.corpora]
        return None if None in sizes else sum(size for size in sizes if size is not None)


class _Shard(NamedTuple):
    rows: int
    written: float


class RunWatch:
    """Looks at one run folder again and again.

    Args:
        path: the folder.
        clock: gives the time.
        sleep: waits before damage is looked at again.
    """

    def __init__(
        self, path: Path, *, clock: Callable[[], float] = time.time, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self.path = path
        self._clock, self._sleep = clock, sleep
        self._shards: dict[str, dict[str, _Shard]] = {}
        self._journals: dict[Path, tuple[tuple[int, ...] | None, int]] = {}
        self._opened: tuple[object, RunFolder] | None = None
        self._checked: object = None
        self._problems: tuple[str, ...] = ()

    def look(self) -> Look:
        """Return what the run is now; a folder without a run is a :class:`NotFoundError`."""
        try:
            run = self._open()
        except NotFoundError:
            raise
        except StoreError as error:
            return Look(self._clock(), State.DAMAGED, None, problems=(str(error),), written=self._written([self.path]))
        folders = ["cases", "pairs", *(item.predictions for item in run.systems)]
        found = {kind: self._look_at(run, kind) for kind in folders}
        systems = tuple(self._system(item, found) for item in run.systems)
        watched = [self.path / kind for kind in (*folders, SYSTEMS)]
        # An unfinished file may have been begun and not touched since.
        written = self._written([*watched, self.path / MANIFEST, *self._journal_files()])
        ended = bool(systems) and all(item.complete for item in systems)
        look = Look(
            self._clock(),
            State.COMPLETE if ended and run.record.counts is not None else State.UNFINISHED,
            run.record,
            systems,
            sum(item.rows for item in found["cases"].values()),
            sum(item.rows for item in found["pairs"].values()),
            written,
            tuple(dict.fromkeys(self._writers([self.path, *watched]))),
        )
        problems = self._damage(run, look)
        return replace(look, state=State.DAMAGED, problems=problems) if problems else look

    def _open(self) -> RunFolder:
        """Open the run, again only if a record has changed."""
        systems = self.path / SYSTEMS
        records = sorted(systems.glob("*.json")) if systems.is_dir() else []
        now = tuple(map(stamp, (self.path / MANIFEST, *records)))
        if self._opened is None or self._opened[0] != now:
            # To mend is the business of whoever writes the run: here nothing is refused that can be read.
            self._opened = now, RunFolder.open(self.path, partial=True)
        return self._opened[1]

    def _look_at(self, run: RunFolder, kind: str) -> dict[str, _Shard]:
        """Return the shards of a kind that are there, by name; only records of new ones are read."""
        known = self._shards.get(kind, {})
        found = {name: known.get(name) or self._shard(run, kind, name) for name in _names(self.path / kind)}
        self._shards[kind] = {name: shard for name, shard in found.items() if shard is not None}
        return self._shards[kind]

    def _shard(self, run: RunFolder, kind: str, name: str) -> _Shard | None:
        path = self.path / kind / name
        try:
            written = path.stat().st_mtime
            if not run.verifiable:  # runs of format 1 keep no records
                return _Shard(row_count(path) or 0, written)
        except OSError:  # set aside, or written again meanwhile
            return None
        # On a network disk a record may be seen later than its shard; the next look finds it.
        record = read_record(path)
        return None if record is None else _Shard(record.rows, written)

    def _system(self, record: SystemRecord, found: dict[str, dict[str, _Shard]]) -> SystemLook:
        own = found[record.predictions]
        recent = sorted(own.values(), key=lambda item: item.written)[-_RECENT:]
        pauses = [later.written - earlier.written for earlier, later in pairwise(recent)]
        pause = statistics.median(pauses) if len(pauses) > 1 else None
        rows = statistics.fmean(item.rows for item in recent[1:]) if pause else 0.0
        journal = self.path / FOLDER / record.folder
        times = [item.written for item in own.values()]
        return SystemLook(
            name=record.name,
            complete=record.status is SystemStatus.COMPLETE,
            cases=sum(item.rows for item in own.values()),
            pairs=sum(item.rows for name, item in found["pairs"].items() if name in own),
            shards=len(own),
            early=sum(self._early(path) for path in _files(journal, ".jsonl") if f"{path.stem}.parquet" not in own),
            failed=record.failed,
            rate=rows / pause if pause else None,
            pause=pause,
            written=max([*times, *self._times(_files(journal, ".jsonl"))], default=None),
        )

    def _early(self, path: Path) -> int:
        """Count the answers of a journal, again only if it has grown."""
        now = stamp(path)
        known = self._journals.get(path)
        if known is None or known[0] != now:
            try:
                known = now, len(Journal(path.parent).read(int(path.stem)))
            except (StoreError, ValueError):  # gone meanwhile, or not a journal
                known = now, 0
            self._journals[path] = known
        return known[1]

    def _journal_files(self) -> list[Path]:
        folder = self.path / FOLDER
        return [file for system in (folder.iterdir() if folder.is_dir() else ()) for file in _files(system, ".jsonl")]

    def _damage(self, run: RunFolder, look: Look) -> tuple[str, ...]:
        """Compare all files with their records, once for every time that something was written."""
        # A run that is being written is compared once at first and when it is complete; the writer checks what it adds.
        now = (look.state, tuple(item.complete for item in look.systems), self._opened and self._opened[0])
        if self._checked != now or self._problems:
            self._problems = tuple(item.problem for item in run.soundness().faults)
            if self._problems:
                self._sleep(_AGAIN)
                again = RunFolder.open(self.path, partial=True).soundness().faults
                later = {item.problem for item in again}
                self._problems = tuple(item for item in self._problems if item in later)
            self._checked = now
        return self._problems

    def _written(self, paths: Sequence[Path]) -> float | None:
        return max(self._times(paths), default=None)

    @staticmethod
    def _times(paths: Iterable[Path]) -> Iterator[float]:
        for path in paths:
            try:
                yield path.stat().st_mtime
            except OSError:
                continue

    @staticmethod
    def _writers(folders: Sequence[Path]) -> Iterator[Writer]:
        for folder in folders:
            for path in _files(folder, ".partial"):
                writer = partial_writer(path.name)
                if writer is not None:
                    yield Writer(*writer)


def _names(folder: Path) -> list[str]:
    return [path.name for path in _files(folder, ".parquet") if SHARD_NAME.fullmatch(path.stem)]


def _files(folder: Path, ending: str) -> list[Path]:
    """List the files of a folder with an ending, in order; a folder that is not there has none."""
    try:
        with os.scandir(folder) as entries:
            return sorted(folder / entry.name for entry in entries if entry.name.endswith(ending))
    except OSError:
        return []
