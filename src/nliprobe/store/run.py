"""The run folder: the cases of one suite and the answers of its systems, as JSON and Parquet files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.base.errors import NotFoundError, StoreError, command, did_you_mean, option
from nliprobe.base.fields import Fields
from nliprobe.base.files import (
    Written,
    check_seal,
    read_json,
    read_sealed,
    require_writable,
    sealed,
    set_aside,
    write_new,
    write_sealed,
)
from nliprobe.base.hashing import digest
from nliprobe.store import format1
from nliprobe.store.frames import read_frame, record_path, schema, write_shard
from nliprobe.store.record import CorpusRecord, Counts, RunRecord, ShardRecord, SkippedPairs, SystemRecord, SystemStatus
from nliprobe.store.shards import ShardFault, fault, looks_whole, read_record

if TYPE_CHECKING:
    import polars as pl

    from nliprobe.store.access import CaseAccess, CaseFilter, CasePage, StoredCase

FORMAT = 2
MANIFEST, SYSTEMS = "run.json", "systems"
KINDS = ("pairs", "facets", "cases")
# A run of one shard with at most this many cases has no index: the ids of its cases are read in milliseconds.
UNINDEXED_CASES = 32_768


class RunFolder:
    """Reads and writes one run; analysis, report, compare and studio only read.

    Several processes may add systems to one run at the same time. What they share (``run.json``, pairs, facets, cases)
    depends only on the suite, so that all of them write the same; each system has its own record file.
    """

    def __init__(self, path: Path, record: RunRecord, systems: Sequence[SystemRecord] = ()) -> None:
        self.path = path
        self.record = record
        self.systems = tuple(systems)
        self._written_systems: Written[SystemRecord] = Written()
        self._written_shards: Written[ShardRecord] = Written()

    @classmethod
    def open(cls, path: Path) -> RunFolder:
        """Open a folder that holds a run of a format this version knows."""
        manifest = path / MANIFEST
        if not manifest.is_file():
            raise NotFoundError(
                f"{path} is not a run: it has no {MANIFEST}. Make one with {command('run', 'out', str(path))}."
            )
        content = read_json(manifest)
        version = content.get("format")
        if not isinstance(version, int):
            raise StoreError(f"{manifest} does not say its format: it is not a run of nliprobe.")
        if version > FORMAT:
            raise StoreError(
                f"The run {path} has format {version}, newer than format {FORMAT} of this nliprobe "
                f"(it was written by nliprobe {content.get('nliprobe')}). Update nliprobe to read it."
            )
        if version == format1.FORMAT:
            return cls(path, *format1.read_run(Fields(str(manifest), content)))
        run = cls(path, RunRecord.read(check_seal(manifest, content)))
        run.refresh()
        return run

    @classmethod
    def create(cls, path: Path, record: RunRecord, systems: Sequence[SystemRecord] = ()) -> RunFolder:
        """Start a run in a new or empty folder; if another process has just done so, open its run."""
        cls.require_free(path)
        created = write_new(path / MANIFEST, sealed(record.to_json()))
        run = cls(path, record) if created else cls.open(path)
        for system in systems:
            run.add(system)
        return run

    @staticmethod
    def require_free(path: Path) -> None:
        """Raise an error unless a run can be started or continued in a folder; nothing is written there."""
        foreign = path.exists() and (not path.is_dir() or any(not _unfinished(item) for item in path.iterdir()))
        # The manifest is the first file of a run, so a folder with files and no manifest is something else.
        if foreign and not (path / MANIFEST).is_file():
            raise StoreError(f"{path} exists and is not a run. Choose another folder with {option('out')}.")
        require_writable(path)

    # The records --------------------------------------------------------------------------------------------

    @property
    def complete(self) -> bool:
        """Whether every case has been asked of every system."""
        return bool(self.systems) and all(item.status is SystemStatus.COMPLETE for item in self.systems)

    @property
    def status(self) -> SystemStatus:
        """Whether the run is complete; it is never stored, but follows from the systems."""
        return SystemStatus.COMPLETE if self.complete else SystemStatus.RUNNING

    @property
    def finished(self) -> str | None:
        """When the last of its systems was complete, if all are."""
        ends = [item.finished for item in self.systems if item.finished is not None]
        return max(ends) if ends and self.complete else None

    @property
    def notes(self) -> dict[str, list[str]]:
        """What there is to know about the run and, by their names, about its corpora and its systems."""
        of_run = {"run": [format1.NOTE]} if self.record.format == format1.FORMAT else {}
        of_run |= {item.name: list(item.notes) for item in self.corpora if item.notes}
        return of_run | {item.name: list(item.remarks) for item in self.systems if item.remarks}

    @property
    def corpora(self) -> tuple[CorpusRecord, ...]:
        """The corpora of its suite."""
        return self.record.suite.corpora

    def system(self, name: str) -> SystemRecord:
        """Return the record of the system with the given name."""
        for item in self.systems:
            if item.name == name:
                return item
        names = [item.name for item in self.systems]
        raise NotFoundError(f"The run {self.path} has no system '{name}'. {did_you_mean(name, names)}")

    def refresh(self) -> None:
        """Read the records of the systems again, because another process may have added one."""
        if self.record.format == format1.FORMAT:
            return
        records = [
            self._written_systems.get(path) or SystemRecord.read(read_sealed(path))
            for path in sorted((self.path / SYSTEMS).glob("*.json"))
            if not path.name.startswith(".")
        ]
        self.systems = tuple(sorted(records, key=lambda item: (item.place, item.folder)))

    def require_current(self) -> None:
        """Raise an error that says what to do, if the run is of a format that is read but no longer written."""
        if self.record.format == format1.FORMAT:
            raise format1.refuse_writing(self.path)

    def add(self, system: SystemRecord) -> None:
        """Add the record of a system at the end; one that is there already stays as it is."""
        self.require_current()
        self.refresh()
        path = self._system_file(system)
        place = max((item.place + 1 for item in self.systems), default=0)
        placed = replace(system, place=place)
        created = write_new(path, sealed(placed.to_json()))
        if created:
            self._written_systems.note(path, placed)
        self.refresh()
        if any(item.name == system.name and item.folder != system.folder for item in self.systems):
            if created:
                path.unlink(missing_ok=True)
            self.refresh()
            raise StoreError(
                f"The run {self.path} has another system named '{system.name}'. "
                f"Choose another folder with {option('out')}, or another name with name=…"
            )

    def settle(self, counts: Counts, skipped: Sequence[SkippedPairs]) -> None:
        """Record the size of the suite when its last case is written, and index the cases.

        Every process that reaches the end of the suite records the same.
        """
        self.require_current()
        contents = {kind: self._content(self.files(kind)) for kind in KINDS}
        self.record = replace(
            self.record,
            counts=counts,
            skipped=tuple(skipped),
            content={kind: content for kind, content in contents.items() if content is not None},
        )
        if counts.shards > 1 or counts.cases > UNINDEXED_CASES:
            self._access.write_index()
        write_sealed(self.path / MANIFEST, self.record.to_json())

    def reopen(self, name: str) -> None:
        """Record that answers of a complete system are about to be asked again.

        Until it is finished again, its digest would be that of answers which are no longer all there.
        """
        self.require_current()
        system = replace(self.system(name), status=SystemStatus.RUNNING, finished=None, content=None)
        self._replace(system)

    def finish(self, system: SystemRecord, finished: str) -> None:
        """Record that a system has answered every case, if all its shards are there; call it after :meth:`settle`."""
        self.require_current()
        shards = self.files(system.predictions)
        content = self._content(shards)
        whole = self.record.counts is not None and len(shards) == self.record.counts.shards and content is not None
        done = replace(
            system,
            place=self.system(system.name).place,
            status=SystemStatus.COMPLETE if whole else SystemStatus.RUNNING,
            finished=finished if whole else None,
            content=content if whole else None,
        )
        self._replace(done)

    def _replace(self, system: SystemRecord) -> None:
        path = self._system_file(system)
        write_sealed(path, system.to_json())
        self._written_systems.note(path, system)
        self.refresh()

    # Shards -------------------------------------------------------------------------------------------------

    def shard(self, kind: str, number: int) -> Path:
        """Return the file of one shard of pairs, facets, cases or predictions/<folder>."""
        return self.path / kind / f"{number:05d}.parquet"

    def has(self, kind: str, number: int, rows: int | None = None) -> bool:
        """Tell whether a shard is there and complete; a damaged one is set aside so that it is made again.

        Its size and its rows are compared with its record. Only :meth:`faults` reads its bytes.
        """
        self.require_current()
        path = self.shard(kind, number)
        if not path.is_file():
            return False
        record = read_record(path)
        if record is None or (rows is not None and record.rows != rows) or not looks_whole(path, record):
            set_aside(path)
            return False
        return True

    def write(self, kind: str, number: int, frame: pl.DataFrame) -> None:
        """Write one shard and its record."""
        self.require_current()
        path = self.shard(kind, number)
        self._written_shards.note(record_path(path), write_shard(path, frame))

    def read(self, kind: str, columns: Sequence[str] | None = None) -> pl.DataFrame:
        """Return all shards of a kind together, in order."""
        import polars as pl

        frames = list(self.shards(kind, columns))
        if frames:
            return pl.concat(frames, rechunk=False)
        names = schema(kind.partition("/")[0])
        return pl.DataFrame(schema={name: names[name] for name in columns or names})

    def shards(self, kind: str, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
        """Yield the shards of a kind one by one, for work in bounded memory."""
        for path in self.files(kind):
            yield self.read_shard(kind, path, columns)

    def read_shard(self, kind: str, path: Path, columns: Sequence[str] | None = None) -> pl.DataFrame:
        """Return the rows of one shard, with the columns of today's format."""
        if self.record.format == format1.FORMAT:
            frame = format1.upgrade(kind.partition("/")[0], read_frame(path))
            return frame.select(columns) if columns else frame
        return read_frame(path, columns)

    def files(self, kind: str) -> list[Path]:
        """Return the shard files of a kind, in order."""
        return sorted((self.path / kind).glob("[0-9]*.parquet"))

    def predictions(self, name: str, columns: Sequence[str] | None = None) -> pl.DataFrame:
        """Return the answers of one system."""
        return self.read(self.system(name).predictions, columns)

    def faults(self) -> Iterator[ShardFault]:
        """Read every byte of the run, and yield the shards that are missing or have changed since they were written.

        A run of format 1 has nothing to compare with, so nothing is yielded.
        """
        if self.record.format == format1.FORMAT:
            return
        wanted = {kind: self.record.content.get(kind) for kind in KINDS}
        wanted |= {item.predictions: item.content for item in self.systems}
        count = 0 if self.record.counts is None else self.record.counts.shards
        for kind, content in wanted.items():
            paths = sorted({*self.files(kind), *(self.shard(kind, n) for n in range(count if content else 0))})
            problems = [problem for path in paths if (problem := fault(path)) is not None]
            yield from problems
            if content is not None and not problems and _combined(map(read_record, paths)) != content:
                folder = self.path / kind
                yield ShardFault(folder, f"The shards of {folder} are whole, but not those the run was completed with.")

    def _content(self, shards: Sequence[Path]) -> str | None:
        """Return one digest over some shards, without reading the records that this process wrote."""
        return _combined(self._written_shards.get(record_path(path)) or read_record(path) for path in shards)

    # Single cases -------------------------------------------------------------------------------------------

    def case(self, case_id: str) -> StoredCase:
        """Return one case with its pair, its facets and every system's answer, without reading the others."""
        return self._access.case(case_id)

    def page(self, wanted: CaseFilter | None = None, *, limit: int = 50, after: str | None = None) -> CasePage:
        """Return the next cases that match a filter, in the order of the run.

        Args:
            wanted: which cases; by default all.
            limit: how many at most.
            after: the id of the case after which the page begins, from the previous page; none for the first page.
        """
        from nliprobe.store.access import CaseFilter

        return self._access.page(wanted or CaseFilter(), limit, after)

    @cached_property
    def _access(self) -> CaseAccess:
        from nliprobe.store.access import CaseAccess

        return CaseAccess(self)

    def _system_file(self, system: SystemRecord) -> Path:
        return self.path / SYSTEMS / f"{system.folder}.json"


def _combined(records: Iterable[ShardRecord | None]) -> str | None:
    """Return one digest over the records of all shards of a kind, or none if a record is missing."""
    contents = [None if record is None else record.content for record in records]
    return None if None in contents else digest(*filter(None, contents))


def _unfinished(item: Path) -> bool:
    # A process killed at the very beginning leaves only a half-written manifest under a temporary name.
    return item.name.lstrip(".").startswith(f"{MANIFEST}.") and item.name.endswith(".partial")
