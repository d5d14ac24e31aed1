"""Running a suite on systems into a folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from platform import python_version

from nliprobe import __version__
from nliprobe.api.doctor import examine_system, refuse_permuted
from nliprobe.api.resolve import Request
from nliprobe.base.errors import StoreError, UsageError
from nliprobe.engine.caches import Caches
from nliprobe.engine.local import RunTally, execute
from nliprobe.engine.plan import SHARD_SIZE
from nliprobe.engine.progress import Progress
from nliprobe.engine.stages import count_failed
from nliprobe.models.system import System
from nliprobe.probes.suite import Suite
from nliprobe.store.run import MANIFEST, RunFolder
from nliprobe.task.partitions import THREE_WAY
from nliprobe.training.fit import make_ready


@dataclass(frozen=True)
class RunResult:
    """A run, and what this call did for it; ``tally`` is none when there was nothing left to do."""

    run: RunFolder
    tally: RunTally | None


def run(
    request: Request,
    out: Path,
    *,
    shard_size: int = SHARD_SIZE,
    progress: Progress | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> RunResult:
    """Ask the suite of every system; continues a run that stopped, adds systems to a run of the same suite."""
    if not request.systems:
        raise UsageError("There is no system to ask: name one with --system, for example --system svm.")
    suite = request.suite()
    training = request.training()
    systems = request.build_systems(training)
    ready: set[str] = set()
    caches = Caches()

    def prepare(system: System) -> None:
        if system.name not in ready and make_ready(system, training):
            say(f"{system.name}: trained on {', '.join(source.name for source in training)}")
        ready.add(system.name)

    try:
        verdicts = _examine(out, suite, systems, prepare, caches, request, say)
        folder, fresh = _open_or_create(out, suite, systems, shard_size, verdicts)
        failed = _failed_before(folder, systems)
        if not fresh and folder.complete and not failed:
            return RunResult(folder, None)
        for name, inputs in failed.items():
            say(f"{name}: {inputs:,} inputs failed before; asking them again")
        size = folder.manifest.get("shard_size")
        tally = execute(
            folder,
            suite,
            systems,
            prepare,
            shard_size=size if isinstance(size, int) else shard_size,
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
    return RunResult(folder, tally)


def _examine(
    out: Path,
    suite: Suite,
    systems: list[System],
    prepare: Callable[[System], None],
    caches: Caches,
    request: Request,
    say: Callable[[str], None],
) -> dict[str, dict[str, object]]:
    """The doctor's verdict on each system that a run in this folder does not know yet."""
    known = {str(item["name"]) for item in RunFolder.open(out).systems} if (out / MANIFEST).is_file() else set()
    verdicts: dict[str, dict[str, object]] = {}
    for system in systems:
        if system.name in known:
            continue
        verdict = examine_system(system, suite.sources, prepare, caches)
        if not request.label_map:
            refuse_permuted(system, verdict)
        if verdict.status != "not asked":
            for finding in verdict.findings:
                say(f"{system.name}: {finding}")
        verdicts[system.name] = verdict.to_json()
    return verdicts


def _open_or_create(
    out: Path, suite: Suite, systems: list[System], shard_size: int, verdicts: Mapping[str, dict[str, object]]
) -> tuple[RunFolder, bool]:
    """The run folder, and whether something in it is still to be done."""
    if not (out / MANIFEST).is_file():
        manifest: dict[str, object] = {
            "nliprobe": __version__,
            "python": python_version(),
            "status": "running",
            "created": _now(),
            "suite": {"hash": suite.hash, **suite.description},
            "shard_size": shard_size,
            "systems": [{**system.describe(), "doctor": verdicts.get(system.name)} for system in systems],
        }
        return RunFolder.create(out, manifest), True
    folder = RunFolder.open(out)
    _check_same_suite(folder, suite)
    present = {str(item["name"]): item for item in folder.systems}
    added = False
    for system in systems:
        known = present.get(system.name)
        if known is None:
            present[system.name] = {**system.describe(), "doctor": verdicts.get(system.name)}
            added = True
        elif known.get("identity") != system.identity():
            raise StoreError(
                f"The run {out} has another system named '{system.name}': its model, training data or label map "
                "differs. Choose another folder with --out, or another name with name=…"
            )
    if added:
        folder.manifest.update({"status": "running", "systems": list(present.values())})
        folder.save()
    return folder, added


def _failed_before(folder: RunFolder, systems: list[System]) -> dict[str, int]:
    """How many inputs of each system have failed in this folder, where some have."""
    recorded = folder.manifest.get("failed")
    # Of a complete run nothing is read: it is free.
    counts = _failed(folder, systems) if not folder.complete else recorded if isinstance(recorded, Mapping) else {}
    return {system.name: counts[system.name] for system in systems if counts.get(system.name)}


def _failed(folder: RunFolder, systems: list[System]) -> dict[str, int]:
    return {system.name: count_failed(folder, f"predictions/{system.folder}") for system in systems}


def _check_same_suite(folder: RunFolder, suite: Suite) -> None:
    stored = folder.manifest.get("suite")
    if isinstance(stored, Mapping) and stored.get("hash") == suite.hash:
        return
    differs = [
        name
        for name, value in suite.description.items()
        if not isinstance(stored, Mapping) or stored.get(name) != value
    ]
    raise StoreError(
        f"The run {folder.path} is of another suite (its {', '.join(differs)} differ). "
        "Choose another folder with --out, or delete that one."
    )


def _finish(folder: RunFolder, tally: RunTally, systems: list[System]) -> None:
    notes, failed = folder.manifest.get("notes"), folder.manifest.get("failed")
    described = {system.name: system.describe() for system in systems}
    folder.manifest.update(
        {
            "systems": [{**item, **described.get(str(item["name"]), {})} for item in folder.systems],
            # A system added earlier and stopped half-way keeps the run open until it is asked for again.
            "status": "complete" if all(_answered(folder, item, tally) for item in folder.systems) else "running",
            "finished": _now(),
            "counts": {"cases": tally.cases, "pairs": tally.pairs, "shards": tally.shards},
            # How many inputs of each system have failed: the same command asks them again.
            "failed": {**(failed if isinstance(failed, dict) else {}), **_failed(folder, systems)},
            "skipped": [
                {"corpus": corpus, "probe": probe, "reason": reason, "n": n}
                for (corpus, probe, reason), n in sorted(tally.skips.items())
            ],
            "notes": {
                **(notes if isinstance(notes, dict) else {}),
                **{system.name: found for system in systems if (found := system.model.notes())},
            },
        }
    )
    folder.save()


def _answered(folder: RunFolder, system: Mapping[str, object], tally: RunTally) -> bool:
    return len(folder.files(f"predictions/{system['folder']}")) == tally.shards


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
