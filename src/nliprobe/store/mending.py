"""Set aside what is damaged in a run, so that the command that fills the run makes it again."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import replace
from pathlib import Path

from nliprobe.base.errors import StoreError, option
from nliprobe.base.files import set_aside, sweep_partials, write_sealed
from nliprobe.store.frames import record_path
from nliprobe.store.record import RunRecord, SystemStatus
from nliprobe.store.run import MANIFEST, SYSTEMS, RunFolder
from nliprobe.store.shards import ShardFault
from nliprobe.store.soundness import KINDS


def mend(run: RunFolder, faults: Iterable[ShardFault], folders: Collection[str]) -> list[ShardFault]:
    """Set damaged files aside, and return those faults that are mended when the run is filled.

    Pairs, facets and cases follow from the suite, so that every command can make them again. Answers can be asked again
    only by a command with their system.

    Args:
        run: the run, opened for writing.
        faults: what is wrong with it; see :meth:`RunFolder.soundness`.
        folders: the folders of the systems that are asked now.
    """
    suite = [run.path / kind for kind in KINDS]
    answers = {run.path / "predictions" / folder: folder for folder in folders}
    mended: list[ShardFault] = []
    for fault in faults:
        path = fault.path
        if path.parent in (*suite, *answers):
            _set_shard_aside(path)
        elif path in suite or (path in answers and path.name in {item.folder for item in run.systems}):
            for shard in run.files(str(path.relative_to(run.path))):
                _set_shard_aside(shard)
        elif path.parent == run.path / SYSTEMS and path.stem in folders:
            set_aside(path)
        elif path not in answers:
            continue
        mended.append(fault)
    touched = {fault.path for fault in mended} | {fault.path.parent for fault in mended}
    run.refresh()
    for item in run.systems:
        if run.path / item.predictions in touched and item.status is SystemStatus.COMPLETE:
            run.reopen(item.name)
    return mended


def remake_record(path: Path, record: RunRecord, error: StoreError) -> RunFolder:
    """Write ``run.json`` of a run again if what is left of it shows that it was of the same suite.

    Args:
        path: the run folder.
        record: what the command would write into a new folder.
        error: what is wrong with the file.
    """
    manifest = path / MANIFEST
    left = manifest.read_bytes()
    if record.suite.hash.encode() not in left:
        raise StoreError(
            f"{error} It cannot be told any more which suite the run is of: make it again in another folder with "
            f"{option('out')}; known answers come from the cache."
        ) from error
    size = re.search(rb'"shard_size": ([1-9]\d{0,8})\b', left)
    set_aside(manifest)
    write_sealed(manifest, replace(record, shard_size=int(size[1]) if size else record.shard_size).to_json())
    return RunFolder.open(path, writing=True)


def sweep(run: RunFolder) -> None:
    """Delete the unfinished files that killed processes left in a run folder."""
    folders = (run.path / SYSTEMS, run.path / "index", *(run.path / kind for kind in KINDS))
    for folder in (run.path, *folders, *(run.path / "predictions").glob("*")):
        if folder.is_dir():
            sweep_partials(folder)


def _set_shard_aside(shard: Path) -> None:
    """Set a shard aside with its record; the record of a missing one stays until the shard is made again."""
    if shard.exists():
        set_aside(shard)
        if record_path(shard).exists():
            set_aside(record_path(shard))
