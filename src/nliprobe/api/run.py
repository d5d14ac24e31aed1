"""Asking systems about a suite, and keeping their answers in a folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from platform import python_version
from types import MappingProxyType
from typing import NamedTuple

from nliprobe import __version__
from nliprobe.api._kept_suites import fill_from_kept_suite, keep_for_other_runs
from nliprobe.api.resolve import Request, check_distinct, check_sources, check_systems
from nliprobe.base.errors import StoreError, UsageError, option
from nliprobe.base.files import cache_folder
from nliprobe.corpora.notices import evidence_notices, source_notices
from nliprobe.engine.ask import Caches
from nliprobe.engine.choice import LOCAL, Engine, EngineChoice, LocalEngine
from nliprobe.engine.doctor.examine import examine_system, refuse_permuted
from nliprobe.engine.stages import SHARD_SIZE, count_failed
from nliprobe.engine.steps import Progress, RunTally, known_pairs
from nliprobe.models.origin import changed_files, in_words
from nliprobe.models.system import DEFAULT_REPRESENTATION, System
from nliprobe.probes.suite import Suite
from nliprobe.store.mending import mend, remake_record, sweep
from nliprobe.store.record import (
    CorpusRecord,
    Counts,
    ProbeRecord,
    RunRecord,
    SkippedPairs,
    SuiteRecord,
    SystemRecord,
    SystemStatus,
)
from nliprobe.store.run import MANIFEST, SPENT, DamagedRecordError, RunFolder
from nliprobe.store.shards import ShardFault
from nliprobe.store.soundness import State
from nliprobe.store.suites import FOLDER as SUITES
from nliprobe.store.verdict import OFF, Verdict
from nliprobe.task.labels import THREE_WAY
from nliprobe.task.source import PairSource, Source
from nliprobe.task.sources import is_published
from nliprobe.training.fit import make_ready

# Smaller suites are made in a tenth of a second, in which they are hardly found and copied.
LEAST_CASES = 10_000


@dataclass(frozen=True)
class RunResult:
    """A run, and what this call did; ``tally`` is none if there was nothing left to do."""

    run: RunFolder
    tally: RunTally | None


def run(
    request: Request,
    out: Path,
    *,
    engine: EngineChoice = LOCAL,
    shard_size: int = SHARD_SIZE,
    progress: Progress | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> RunResult:
    """Ask every system about the suite; continue a run that was stopped, add systems to a run of the same suite."""
    if not request.systems:
        raise UsageError(
            f"There is no system to ask: name one with {option('system', python='systems')}, "
            f"for example {option('system', 'svm', python='systems')}."
        )
    suite = request.suite()
    # A run that is there already has said this, and reading every pair again would make it slow to repeat.
    doubtful = [] if (out / MANIFEST).is_file() else [item for item in suite.sources if not is_published(item)]
    doubts = {item.name: [*source_notices(item), *evidence_notices(item, request.root)] for item in doubtful}
    for name, notices in doubts.items():
        for notice in notices:
            say(f"{name}: {notice}")
    training = request.training()
    check_sources([*suite.sources, *training])
    if not (out / MANIFEST).is_file():
        check_distinct(suite.sources)
    systems = request.build_systems(training)
    before = _check_folder(out, suite, systems, shard_size)
    for system in systems:
        system.model.keep_account(out / SPENT / system.folder)
    ready: set[str] = set()
    caches = Caches()

    def prepare(system: System) -> None:
        if system.name not in ready and system.model.trainable and make_ready(system, training):
            say(f"{system.name}: trained on {', '.join(source.name for source in training)}")
        ready.add(system.name)

    try:
        if before is None or before.work_left:
            check_systems(systems, suite)
        with _engine(engine, systems, say) as asker:
            verdicts = _examine(out, suite, systems, prepare, caches, request, training, say, asker)
            mended = [] if before is None else _mend(RunFolder.open(out, writing=True), before.faults, systems, say)
            folder, fresh = _open_or_create(out, describe_suite(suite, doubts), systems, shard_size, verdicts)
            failed = _failed_before(folder, systems)
            if not fresh and not mended and not failed and folder.complete and folder.record.counts is not None:
                folder.writing = False
                return RunResult(folder, None)
            for name, inputs in failed.items():
                say(f"{name}: {inputs:,} inputs failed before; asking them again")
                folder.reopen(name)
            filled = None
            if _is_kept(suite):
                filled = fill_from_kept_suite(request, suite, folder, systems, caches, progress, say)
            tally = filled or asker.execute(
                folder,
                suite,
                systems,
                prepare,
                shard_size=folder.record.shard_size,
                progress=progress,
                caches=caches,
            )
    finally:
        for system in systems:
            system.model.close()
    if not tally.interrupted:
        if any(source.partition != THREE_WAY for source in training):
            # What a model learnt from coarser labels decides how finely it tells them apart: it must be loaded.
            for system in systems:
                prepare(system)
        _finish(folder, tally, systems)
        if filled is None and tally.cases >= LEAST_CASES:
            keep_for_other_runs(request, suite, folder, systems, caches)
    folder.writing = False
    return RunResult(folder, tally)


def _is_kept(suite: Suite) -> bool:
    """Tell whether cases of a suite may be kept from an earlier run; this takes no time."""
    return any((cache_folder() / SUITES).glob(f"{suite.hash}*"))


def _engine(
    choice: EngineChoice, systems: Sequence[System], say: Callable[[str], None]
) -> AbstractContextManager[Engine]:
    """Return the engine of a choice, to be entered while it is used; it is told of all systems that will be asked."""
    if choice == LOCAL:
        return nullcontext(LocalEngine())
    from nliprobe.engine.on_ray.engine import RayEngine

    return RayEngine(choice, systems, say)


class _Before(NamedTuple):
    """A run that is there already: what is wrong with it, and whether these systems have anything left to answer."""

    faults: tuple[ShardFault, ...]
    work_left: bool


def _check_folder(out: Path, suite: Suite, systems: Sequence[System], shard_size: int) -> _Before | None:
    """Raise an error if a folder cannot take this run; return what is there already, if anything.

    Every byte of a run that is there is compared with its records: otherwise a damaged run would be called complete.
    """
    if not (out / MANIFEST).is_file():
        RunFolder.require_free(out)
        return None
    described = describe_suite(suite, {})
    try:
        folder = RunFolder.open(out, writing=True)
    except DamagedRecordError as error:
        folder = remake_record(out, _new_record(described, shard_size), error)
    soundness = folder.soundness(deep=True)
    known = {item.name for item in folder.systems}
    complete = soundness.state is State.COMPLETE and all(system.name in known for system in systems)
    if not complete:
        folder.require_current()
    _check_same_suite(folder, described)
    _check_same_systems(folder, systems)
    return _Before(soundness.faults, not complete)


def _mend(
    folder: RunFolder, faults: Sequence[ShardFault], systems: Sequence[System], say: Callable[[str], None]
) -> list[ShardFault]:
    """Set damaged files aside, and say so; what belongs to systems that are not asked now is only named."""
    sweep(folder)
    mended = mend(folder, faults, {system.folder for system in systems}) if faults else []
    for fault in faults:
        remedy = "It is made again." if fault in mended else "Repair it by the same command with its system."
        say(f"damaged: {fault.problem} {remedy}")
    return mended


def _new_record(suite: SuiteRecord, shard_size: int) -> RunRecord:
    return RunRecord(__version__, python_version(), _now(), suite, shard_size)


def _examine(
    out: Path,
    suite: Suite,
    systems: list[System],
    prepare: Callable[[System], None],
    caches: Caches,
    request: Request,
    training: Sequence[PairSource],
    say: Callable[[str], None],
    asker: Engine,
) -> dict[str, Verdict]:
    """Return the doctor's verdict on each system that a run in this folder does not know yet.

    A verdict that the folder has stays as it is: answers that were asked without the doctor do not become examined.
    """
    known: set[str] = set()
    if (out / MANIFEST).is_file():
        known = {item.name for item in RunFolder.open(out, writing=True).systems}
    verdicts: dict[str, Verdict] = {}
    for system in systems:
        if system.name in known:
            continue
        if not request.doctor:
            verdicts[system.name] = OFF
            continue
        ready = partial(_prepare_instead, prepare, system)
        verdict = examine_system(asker.asking(system), suite.sources, ready, caches, training)
        if not request.labels:
            refuse_permuted(system, verdict)
        if verdict.status != "not asked":
            for finding in verdict.findings:
                say(f"{system.name}: {finding}")
        verdicts[system.name] = verdict
    return verdicts


def _prepare_instead(prepare: Callable[[System], None], system: System, asked: System) -> None:
    """Prepare a system in place of the one that is asked for it elsewhere."""
    prepare(system)


def _open_or_create(
    out: Path, suite: SuiteRecord, systems: list[System], shard_size: int, verdicts: Mapping[str, Verdict]
) -> tuple[RunFolder, bool]:
    """Return the run folder, and whether systems were added to it."""
    record = _new_record(suite, shard_size)
    there = (out / MANIFEST).is_file()
    folder = RunFolder.open(out, writing=True) if there else RunFolder.create(out, record)
    folder.writing = True
    _check_same_suite(folder, record.suite)
    _check_same_systems(folder, systems)
    present = {item.name for item in folder.systems}
    new = [system for system in systems if system.name not in present]
    for system in new:
        folder.add(describe_system(system, verdicts.get(system.name)))
    return folder, bool(new)


def describe_suite(suite: Suite, notes: Mapping[str, Sequence[str]] = MappingProxyType({})) -> SuiteRecord:
    """Return what a run keeps about its suite, with the notes on its corpora by their names."""
    return SuiteRecord(
        suite.hash,
        suite.seed,
        tuple(
            CorpusRecord(
                source.name,
                suite.digests[source.name],
                source.partition,
                tuple(notes.get(source.name, ())),
                source.report_by if isinstance(source, Source) else (),
                known_pairs(source),
            )
            for source in suite.sources
        ),
        tuple(
            ProbeRecord(probe.spec, probe.name, probe.version, probe.reads or None, probe.about)
            for probe in suite.probes
        ),
    )


def describe_system(system: System, verdict: Verdict | None = None) -> SystemRecord:
    """Return what a run keeps about a system, with the doctor's verdict on it."""
    return SystemRecord(
        name=system.name,
        folder=system.folder,
        spec=str(system.spec),
        identity=system.identity(),
        fingerprint=system.fingerprint(),
        partition=system.model.partition,
        represent=system.spec.represent or DEFAULT_REPRESENTATION,
        premise=system.reader.control.value,
        train_premise=system.learning_reader.control.value if system.train else None,
        labels=system.spec.labels,
        train=tuple(sorted(system.train)),
        family=system.spec.family or None,
        made_from=system.origin.digests,
        doctor=verdict,
    )


def _failed_before(folder: RunFolder, systems: list[System]) -> dict[str, int]:
    """Count the failed inputs of each system in this folder; systems without any are left out."""
    counts = {item.name: _failed(folder, item) for item in folder.systems}
    return {system.name: counts[system.name] for system in systems if counts[system.name]}


def _failed(folder: RunFolder, system: SystemRecord) -> int:
    # Nothing is read for a complete system, so that repeating a complete run costs nothing.
    return system.failed if system.status is SystemStatus.COMPLETE else count_failed(folder, system.predictions)


def _check_same_suite(folder: RunFolder, suite: SuiteRecord) -> None:
    stored = folder.record.suite
    if stored.hash == suite.hash:
        return
    differs = [name for name in ("seed", "corpora", "probes") if getattr(stored, name) != getattr(suite, name)]
    raise StoreError(
        f"The run {folder.path} is of another suite (its {', '.join(differs)} differ). "
        f"Choose another folder with {option('out')}, or delete that one."
    )


def _check_same_systems(folder: RunFolder, systems: Sequence[System]) -> None:
    present = {item.name: item for item in folder.systems}
    for system in systems:
        known = present.get(system.name)
        if known is not None and known.identity != system.identity():
            raise StoreError(
                f"The run {folder.path} has another system named '{system.name}': {_difference(known, system)}. "
                f"Choose another folder with {option('out')}, or another name with name=…"
            )


def _difference(known: SystemRecord, system: System) -> str:
    files = changed_files(known.made_from, system.origin.digests) if known.made_from else []
    if files:
        return f"{in_words(files)} changed since the run was begun"
    return "its model, training data or label map differs"


def _finish(folder: RunFolder, tally: RunTally, systems: list[System]) -> None:
    folder.settle(
        Counts(tally.cases, tally.pairs, tally.shards),
        [SkippedPairs(*place, n) for place, n in sorted(tally.skips.items())],
    )
    for system in systems:
        known = folder.system(system.name)
        # It is known only now how finely a model that was trained for the run tells labels apart.
        described = replace(describe_system(system), doctor=known.doctor)
        noted = dict.fromkeys([*system.model.notes(), *tally.notes.get(system.name, ())])
        notes, failed = tuple(noted) or known.notes, count_failed(folder, known.predictions)
        folder.finish(replace(described, notes=notes, failed=failed), _now())


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
