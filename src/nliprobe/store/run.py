"""The run folder: the cases of one suite and the answers of its systems, as JSON and Parquet files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
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
    stamp,
    write_new,
    write_sealed,
)
from nliprobe.store import format1
from nliprobe.store.frames import parquet_bytes, read_frame, read_pairs, record_path, schema, write_shard
from nliprobe.store.record import (
    CorpusRecord,
    Counts,
    RunRecord,
    ShardRecord,
    SkippedPairs,
    SystemRecord,
    SystemStatus,
    combined,
)
from nliprobe.store.shards import ShardFault, looks_whole, read_record
from nliprobe.store.soundness import KINDS, Inspection, Soundness, State, damaged_run

if TYPE_CHECKING:
    import polars as pl

    from nliprobe.store.access import CaseAccess, CaseFilter, CasePage, StoredCase

FORMAT = 2
MANIFEST, SYSTEMS = "run.json", "systems"
# The accounts of models whose answers cost money; the first of them is written before the run is begun.
SPENT = "spent"
# A run of one shard with at most this many cases has no index: the ids of its cases are read in milliseconds.
UNINDEXED_CASES = 32_768
# The name of a shard: five digits, or as many as its number has.
SHARD_NAME = re.compile("[0-9]{5}|[1-9][0-9]{5,}")
_REMAKE = "Repeat the command that made the run: it makes the record again."


class DamagedRecordError(StoreError):
    """``run.json`` is damaged, without which nothing of a run can be read."""


class RunFolder:
    """Reads and writes one run; analysis, report, compare and studio only read.

    Several processes may add systems to one run at the same time. What they share (``run.json``, pairs, facets, cases)
    depends only on the suite, so that all of them write the same; each system has its own record file.
    """

    def __init__(
        self,
        path: Path,
        record: RunRecord,
        systems: Sequence[SystemRecord] = (),
        *,
        partial: bool = False,
        writing: bool = False,
    ) -> None:
        self.path = path
        self.record = record
        self.systems = tuple(systems)
        self.partial = partial
        # Whether this process fills the run, and so reads only what it has mended or written itself.
        self.writing = writing
        # What is wrong with the records of systems; without --partial, reading them is an error.
        self.record_faults: tuple[ShardFault, ...] = ()
        # The shards whose bytes this process has compared with their digests or has written, with their stamps then.
        self._verified: dict[Path, tuple[int, ...] | None] = {}
        self._written_systems: Written[SystemRecord] = Written()
        self._written_shards: Written[ShardRecord] = Written()

    @classmethod
    def open(cls, path: Path, *, partial: bool = False, writing: bool = False) -> RunFolder:
        """Open a folder that holds a run of a format this version knows.

        Args:
            path: the folder.
            partial: whether damaged files are left out when the run is read, instead of an error.
            writing: whether the run is opened to be filled or mended.
        """
        manifest = path / MANIFEST
        if not manifest.is_file():
            raise NotFoundError(
                f"{path} is not a run: it has no {MANIFEST}. Make one with {command('run', 'out', str(path))}."
            )
        try:
            content = read_json(manifest)
        except StoreError as error:
            raise DamagedRecordError(f"{error} {_REMAKE}") from error
        version = content.get("format")
        if version is None:
            raise StoreError(f"{manifest} does not say its format: it is not a run of nliprobe.")
        if type(version) is int and version > FORMAT:
            raise StoreError(
                f"The run {path} has format {version}, newer than format {FORMAT} of this nliprobe "
                f"(it was written by nliprobe {content.get('nliprobe')}). Update nliprobe to read it."
            )
        # Compared by type, too: in Python, true and 1.0 equal 1.
        if type(version) is not int or version not in (format1.FORMAT, FORMAT):
            shown = json.dumps(version, ensure_ascii=False)[:40]
            raise StoreError(
                f"{manifest} has {shown} under 'format': expected {format1.FORMAT} or {FORMAT}. It is not a run of "
                "nliprobe."
            )
        if version == format1.FORMAT:
            return cls(path, *format1.read_run(Fields(str(manifest), content)), partial=partial, writing=writing)
        try:
            record = RunRecord.read(check_seal(manifest, content))
        except StoreError as error:
            raise DamagedRecordError(f"{error} {_REMAKE}") from error
        run = cls(path, record, partial=partial, writing=writing)
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
        """Whether every case has been asked of every system, as the records say; :meth:`soundness` looks at files."""
        return bool(self.systems) and all(item.status is SystemStatus.COMPLETE for item in self.systems)

    @property
    def verifiable(self) -> bool:
        """Whether the run keeps digests."""
        return self.record.format != format1.FORMAT

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
        if not self.verifiable:
            return
        # Answers are listed before records, because another process writes them in the other order.
        answered = sorted(path for path in (self.path / "predictions").glob("*") if any(path.glob("[0-9]*.parquet")))
        records: list[SystemRecord] = []
        faults: list[ShardFault] = []
        for path in sorted((self.path / SYSTEMS).glob("*.json")):
            if path.name.startswith("."):
                continue
            try:
                records.append(self._written_systems.get(path) or _read_system(path))
            except StoreError as error:
                faults.append(ShardFault(path, str(error)))
        self.systems = tuple(sorted(records, key=lambda item: (item.place, item.folder)))
        known = {path.stem for path in (self.path / SYSTEMS).glob("*.json")}
        faults += [
            ShardFault(path, f"{path} holds answers of a system whose record is missing.")
            for path in answered
            if path.name not in known
        ]
        self.record_faults = tuple(faults)
        if faults and not (self.partial or self.writing):
            raise damaged_run(self, self.record_faults)

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
        before = self.record.content
        if any(before[kind] != contents.get(kind) for kind in before):
            raise StoreError(
                f"What was made again in {self.path} is not what the run was completed with, so that its answers may "
                f"belong to other cases: versions of nliprobe or Polars may differ. Make the run again in another "
                f"folder with {option('out')}; known answers come from the cache."
            )
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

    @cached_property
    def _inspection(self) -> Inspection:
        return Inspection(self, self._verified, partial=self.partial)

    def soundness(self, *, deep: bool = False) -> Soundness:
        """Compare the folder with its records; ``deep`` reads every byte, otherwise only names, sizes and records."""
        return self._inspection.soundness(deep=deep)

    @property
    def state(self) -> State:
        """Whether the run is complete, unfinished or damaged, without reading the bytes of its shards."""
        return self.soundness().state

    @property
    def left_out(self) -> tuple[ShardFault, ...]:
        """The files that are left out, and why; nothing unless the run is damaged and opened to be read in part."""
        return self._inspection.left_out

    def shard_record(self, path: Path) -> ShardRecord | None:
        """Return the record of a shard, or none if it is missing or was altered."""
        return self._written_shards.get(record_path(path)) or read_record(path)

    def write(self, kind: str, number: int, frame: pl.DataFrame) -> None:
        """Write one shard and its record."""
        self.write_bytes(kind, number, parquet_bytes(frame), frame.height)

    def write_bytes(self, kind: str, number: int, content: bytes, rows: int) -> None:
        """Write one shard that is Parquet already, and its record."""
        self.require_current()
        path = self.shard(kind, number)
        self._written_shards.note(record_path(path), write_shard(path, content, rows))
        self._verified[path] = stamp(path)

    def wrote(self, path: Path) -> bool:
        """Tell whether this process wrote a shard, and nobody has replaced it or its record since."""
        record = self._written_shards.get(record_path(path))
        return record is not None and path in self._verified and self._verified[path] == stamp(path)

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
        for path in self.readable(kind):
            yield self.read_shard(kind, path, columns)

    def readable(self, kind: str) -> tuple[Path, ...]:
        """Return the shards of a kind that may be read, in order; a damaged run is an error unless read in part."""
        # Whoever fills a run has mended what it asks itself; what other systems lost is not its concern.
        return tuple(self.files(kind)) if self.writing else self._inspection.readable(kind)

    def read_shard(self, kind: str, path: Path, columns: Sequence[str] | None = None) -> pl.DataFrame:
        """Return the rows of one shard, with the columns of today's format; its bytes are verified the first time."""
        self.verify(path)
        if self.record.format == format1.FORMAT:
            frame = format1.read_shard(kind.partition("/")[0], path)
            return frame.select(columns) if columns else frame
        return read_pairs(path, columns) if kind == "pairs" else read_frame(path, columns)

    def verify(self, path: Path) -> None:
        """Compare the bytes of a shard with its digest, unless this process has done so or has written it."""
        if path not in self._verified or self._verified[path] != stamp(path):
            self._inspection.verify(path)

    def files(self, kind: str) -> list[Path]:
        """Return the shard files of a kind that are there, in order; files of other names are not the run's."""
        return sorted(path for path in (self.path / kind).glob("[0-9]*.parquet") if SHARD_NAME.fullmatch(path.stem))

    def predictions(self, name: str, columns: Sequence[str] | None = None) -> pl.DataFrame:
        """Return the answers of one system."""
        return self.read(self.system(name).predictions, columns)

    def faults(self) -> Iterator[ShardFault]:
        """Read every byte of the run, and yield what is missing or has changed since it was written.

        A run of format 1 has no digests to compare with; only what is missing or cannot be read is yielded.
        """
        yield from self.soundness(deep=True).faults

    def _content(self, shards: Sequence[Path]) -> str | None:
        """Return one digest over some shards, without reading the records that this process wrote."""
        return combined(map(self.shard_record, shards))

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


def _read_system(path: Path) -> SystemRecord:
    record = SystemRecord.read(read_sealed(path))
    if record.folder != path.stem:
        raise StoreError(f"{path} is the record of another system: its folder is '{record.folder}'.")
    return record


def _unfinished(item: Path) -> bool:
    # A process killed at the very beginning leaves only a half-written manifest under a temporary name, and accounts.
    manifest = item.name.lstrip(".").startswith(f"{MANIFEST}.") and item.name.endswith(".partial")
    return manifest or (item.name == SPENT and item.is_dir())
