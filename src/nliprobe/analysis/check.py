"""The document behind ``nliprobe check``: every byte of a run compared with its records, and nothing written."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal, TypedDict

from nliprobe.store.frames import record_path
from nliprobe.store.run import MANIFEST, SYSTEMS, DamagedRecordError, RunFolder
from nliprobe.store.shards import ShardFault, altered
from nliprobe.store.soundness import KINDS, Soundness, State

CHECK_SCHEMA: Final = "nliprobe/check/1"


class CheckFault(TypedDict):
    """A file that is missing or not as it was written, and a sentence that says what is wrong."""

    file: str
    problem: str


class CheckUnfinished(TypedDict):
    """A system that has not been asked everything: its shards of answers, and how many there will be if known."""

    system: str
    shards: int
    expected: int | None


class CheckDocument(TypedDict):
    """What ``nliprobe check RUN --format json`` writes.

    ``sound`` is whether the run is complete and every byte of it is as it was written. ``verified`` counts the files
    that were compared, and ``bytes`` their size. ``others`` are files that no record speaks of, such as reports.
    """

    schema: Literal["nliprobe/check/1"]
    run: str
    sound: bool
    state: Literal["complete", "unfinished", "damaged"]
    format: int | None
    verifiable: bool
    systems: list[str]
    verified: int
    bytes: int
    faults: list[CheckFault]
    unfinished: list[CheckUnfinished]
    others: list[str]


def check_document(path: Path) -> CheckDocument:
    """Compare every byte of a run folder with its records; nothing is written, moved or repaired."""
    try:
        run = RunFolder.open(path, partial=True)
    except DamagedRecordError as error:
        fault = CheckFault(file=MANIFEST, problem=str(error))
        return _document(path, None, Soundness((), ()), [fault], [])
    soundness = run.soundness(deep=True)
    problems = [*soundness.faults, *_index_faults(run)]
    covered = _covered(run)
    faults = [CheckFault(file=str(item.path.relative_to(path)), problem=item.problem) for item in problems]
    bad = {item.path for item in problems}
    verified = [item for item in covered if item.is_file() and item not in bad] if run.verifiable else []
    return _document(path, run, soundness, faults, verified)


def _document(
    path: Path, run: RunFolder | None, soundness: Soundness, faults: list[CheckFault], verified: list[Path]
) -> CheckDocument:
    state = State.DAMAGED if faults else soundness.state
    known = set() if run is None else set(_covered(run))
    everything = sorted(item for item in path.rglob("*") if item.is_file())
    return CheckDocument(
        schema=CHECK_SCHEMA,
        run=path.resolve().name,
        sound=state is State.COMPLETE and run is not None and run.verifiable,
        state=state.value,
        format=None if run is None else run.record.format,
        verifiable=run is not None and run.verifiable,
        systems=[] if run is None else [item.name for item in run.systems],
        verified=len(verified),
        bytes=sum(item.stat().st_size for item in verified),
        faults=faults,
        unfinished=[
            CheckUnfinished(system=item.system, shards=item.shards, expected=item.expected)
            for item in soundness.unfinished
        ],
        others=[] if run is None else [str(item.relative_to(path)) for item in everything if item not in known],
    )


def _covered(run: RunFolder) -> list[Path]:
    """Return the files that records speak of, and the records."""
    kinds = (*KINDS, *(item.predictions for item in run.systems))
    shards = [path for kind in kinds for path in run.files(kind)]
    records = [path for kind in kinds for path in sorted((run.path / kind).glob("[0-9]*.json"))]
    systems = sorted((run.path / SYSTEMS).glob("[!.]*.json"))
    index = sorted((run.path / "index").glob("cases-*"))
    return [run.path / MANIFEST, *systems, *shards, *(records if run.verifiable else []), *index]


def _index_faults(run: RunFolder) -> list[ShardFault]:
    """Return the indexes that are not as they were written; single cases are then found without them."""
    faults = []
    for path in sorted((run.path / "index").glob("cases-*.npy")):
        # The index of an earlier version has no record, and is made anew in memory.
        problem = altered(path) if record_path(path).exists() else None
        faults += [] if problem is None else [problem]
    return faults
