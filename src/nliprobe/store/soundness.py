"""Decide whether a run is complete, unfinished or damaged: what its folder holds is compared with what its records say.

*Unfinished* is what was never written: a system that is still asked, or whose command was stopped. *Damaged* is what
was recorded and then went missing or was altered. Every reader asks here, so that none shows half a run as a whole one.

- Names, sizes and records of all shards are compared when the first of them is read. This takes milliseconds.
- The bytes of a shard are compared with their digest when the shard is first read, once per process.
- Whoever reads a damaged run in part has every byte compared first, so that the same shards are left out of everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.base.errors import StoreError, command, flag
from nliprobe.base.files import stamp
from nliprobe.store.record import ShardRecord, SystemStatus, combined
from nliprobe.store.shards import ShardFault, altered, misplaced, unreadable

if TYPE_CHECKING:
    from nliprobe.store.run import RunFolder

KINDS = ("pairs", "facets", "cases")
# Longer lists of files are cut in messages; ``nliprobe check`` names all.
_NAMED = 6
_MOST_MISSING = 10_000


class State(StrEnum):
    """What a run is, as far as its folder and its records say."""

    COMPLETE = "complete"
    UNFINISHED = "unfinished"
    DAMAGED = "damaged"


class DamagedRunError(StoreError):
    """A run holds less than its records say, or something else; ``faults`` says what is wrong."""

    def __init__(self, message: str, faults: tuple[ShardFault, ...]) -> None:
        super().__init__(message)
        self.faults = faults


@dataclass(frozen=True)
class Progress:
    """How far a system is that has not been asked everything: its shards of answers, and how many there will be."""

    system: str
    shards: int
    expected: int | None


@dataclass(frozen=True)
class Soundness:
    """What a comparison of a run with its records gave."""

    faults: tuple[ShardFault, ...]
    unfinished: tuple[Progress, ...]
    begun: bool = True

    @property
    def state(self) -> State:
        """Whether the run is complete, unfinished or damaged; damage counts first."""
        if self.faults:
            return State.DAMAGED
        return State.COMPLETE if self.begun and not self.unfinished else State.UNFINISHED


class Inspection:
    """Compares the shards of one open run with their records, and says which may be read.

    Args:
        run: the run folder.
        verified: the shards whose bytes this process has compared or written, with their stamps then.
        partial: whether damaged shards are left out, instead of an error.
    """

    def __init__(self, run: RunFolder, verified: dict[Path, tuple[int, ...] | None], *, partial: bool) -> None:
        self.run = run
        self.partial = partial
        self._verified = verified
        self._sound: dict[str, tuple[Path, ...]] = {}
        self._seen: object = None
        self._left_out: tuple[ShardFault, ...] = ()
        self._records: dict[Path, ShardRecord | None] = {}

    @property
    def left_out(self) -> tuple[ShardFault, ...]:
        """What is wrong with the files that are left out; nothing unless the run is damaged and read in part."""
        if self.partial:
            self._settle()
        return self._left_out

    def readable(self, kind: str) -> tuple[Path, ...]:
        """Return the shards of a kind that may be read, in order; a damaged run is an error unless read in part."""
        return self._settle().get(kind, ())

    def verify(self, path: Path) -> None:
        """Compare the bytes of a shard with its digest; raise an error if they differ."""
        if not self.run.verifiable:
            return
        # A shard that was written again meanwhile has another record.
        problem = altered(path, self._records.get(path)) and altered(path)
        if problem is not None:
            raise damaged_run(self.run, (problem,) if self.run.writing else self.faults(deep=True) or (problem,))
        self._verified[path] = stamp(path)

    def soundness(self, *, deep: bool = False) -> Soundness:
        """Compare the run with its records; ``deep`` reads every byte, otherwise only names, sizes and records."""
        counts = self.run.record.counts
        unfinished = tuple(
            Progress(item.name, len(self.run.files(item.predictions)), None if counts is None else counts.shards)
            for item in self.run.systems
            if item.status is not SystemStatus.COMPLETE
        )
        settled = not deep and self._seen is not None and self._seen == self._now()
        faults = self._left_out if settled else self.faults(deep=deep)
        return Soundness(faults, unfinished, begun=bool(self.run.systems) and counts is not None)

    def faults(self, *, deep: bool) -> tuple[ShardFault, ...]:
        """Return everything in which the folder differs from the records."""
        names = [item.name for item in self.run.systems]
        twice = (
            ShardFault(
                self.run.path / "systems" / f"{item.folder}.json",
                f"The run {self.run.path} has two systems named '{item.name}'.",
            )
            for place, item in enumerate(self.run.systems)
            if item.name in names[:place]
        )
        of_shards = (item for kind in self._kinds() for item in self._kind_faults(kind, deep=deep))
        return (*self.run.record_faults, *twice, *of_shards)

    def _settle(self) -> dict[str, tuple[Path, ...]]:
        """Decide which shards may be read, once for as long as nothing is added or removed."""
        seen = self._now()
        if self._seen != seen:
            faults = self.faults(deep=self.partial)
            if faults and not self.partial:
                raise damaged_run(self.run, self.faults(deep=True))
            self._left_out = faults
            bad = {item.path for item in faults}
            self._sound = {
                kind: tuple(path for path in self.run.files(kind) if path not in bad and path.parent not in bad)
                for kind in self._kinds()
            }
            # Pairs, facets and cases of a shard belong together: without one of them the others say something else.
            cases = {path.name for path in self._sound["cases"]}
            lost = cases - {name for name in cases if all(_has(self._sound[kind], name) for kind in KINDS)}
            lost |= {path.name for path in bad if path.parent in [self.run.path / kind for kind in KINDS]}
            for kind in KINDS:
                self._sound[kind] = tuple(path for path in self._sound[kind] if path.name not in lost)
            self._seen = seen
        return self._sound

    def _now(self) -> tuple[object, ...]:
        """Return what changes when a record changes, or when a file is added or removed."""
        folders = (self.run.path / kind for kind in self._kinds())
        return self.run.record, self.run.systems, self.run.record_faults, *map(stamp, folders)

    def _kinds(self) -> Iterable[str]:
        return (*KINDS, *(item.predictions for item in self.run.systems))

    def _kind_faults(self, kind: str, *, deep: bool) -> Iterator[ShardFault]:
        run = self.run
        content, finished = self._recorded(kind)
        count = 0 if run.record.counts is None else run.record.counts.shards
        present = run.files(kind)
        # A record that speaks of a million shards that are not there is wrong; naming some is enough.
        most = min(count, len(present) + _MOST_MISSING)
        expected = range(most) if finished else self._begun() if kind in KINDS else ()
        paths = sorted({*present, *(run.shard(kind, number) for number in expected)})
        problems = []
        for path in paths:
            if run.record.counts is not None and int(path.stem) >= count:
                problem: ShardFault | None = ShardFault(path, f"{path} does not belong to the run of {count} shards.")
            elif not run.verifiable:
                problem = unreadable(path) if deep or not path.is_file() else None
            else:
                record = self._records[path] = run.shard_record(path)
                problem = misplaced(path, record) or (altered(path, record) if deep else None)
                if deep and problem is None:
                    self._verified[path] = stamp(path)
            problems += [] if problem is None else [problem]
        yield from problems
        if content is not None and not problems and combined(map(self._records.get, paths)) != content:
            folder = run.path / kind
            yield ShardFault(folder, f"The shards of {folder} are whole, but not those the run was completed with.")

    def _begun(self) -> set[int]:
        """Return the shards of a suite that were surely written: cases come last of them, and answers after cases."""
        kinds = ("cases", *(item.predictions for item in self.run.systems))
        return {int(path.stem) for kind in kinds for path in self.run.files(kind)}

    def _recorded(self, kind: str) -> tuple[str | None, bool]:
        """Return the digest over all shards of a kind, and whether all of them were written."""
        for item in self.run.systems:
            if item.predictions == kind:
                return item.content, item.status is SystemStatus.COMPLETE
        return self.run.record.content.get(kind), self.run.record.counts is not None


def _has(paths: Iterable[Path], name: str) -> bool:
    return any(path.name == name for path in paths)


def damaged_run(run: RunFolder, faults: tuple[ShardFault, ...]) -> DamagedRunError:
    """Return the error for a run that must not be read as it is; it names the files and says how to repair them."""
    return DamagedRunError(
        f"The run {run.path} is damaged: {listed(faults)} Repair it by repeating the command that made it "
        f"({command('run', 'out', str(run.path))}): only what is damaged is asked again. To read the rest as it is, "
        f"use {flag('partial')}.",
        faults,
    )


def listed(faults: tuple[ShardFault, ...]) -> str:
    """Return the problems as sentences, the first few of many."""
    shown = " ".join(item.problem for item in faults[:_NAMED])
    more = len(faults) - _NAMED
    return shown if more <= 0 else f"{shown} {more:,} more files are missing or altered."
