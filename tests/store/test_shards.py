"""Shards and their records: what a kill leaves behind, what was damaged, and two processes in one run."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import polars as pl
import pytest
from tests.cli.helpers import environment

from nliprobe.store import run as run_module
from nliprobe.store import shards as shards_module
from nliprobe.store.frames import case_frames, prediction_frame, record_path
from nliprobe.store.record import CorpusRecord, Counts, RunRecord, SuiteRecord, SystemRecord, SystemStatus
from nliprobe.store.run import RunFolder
from nliprobe.store.soundness import KINDS
from nliprobe.task.case import Prediction, identity_case
from nliprobe.task.labels import SETS, THREE_WAY
from nliprobe.task.pair import Pair

RECORD = RunRecord("0.1.0", "3.11", "2024", SuiteRecord("h", 0, (CorpusRecord("c", "d", THREE_WAY),), ()), 10)
SYSTEM = SystemRecord("m", "m-1", "m", "1")
SHARDS = 3


def fill(run: RunFolder, system: SystemRecord) -> None:
    """What the engine does, in small: write what is not there."""
    for number in range(SHARDS):
        cases = [identity_case(Pair(f"c/{number}/{place}", "p", "h", SETS[1])) for place in range(10)]
        if not run.has("cases", number, 10) or not all(run.has(kind, number) for kind in KINDS):
            for kind, frame in case_frames(["c"] * 10, cases).items():
                run.write(kind, number, frame)
        if not run.has(system.predictions, number, 10):
            ids = [case.id for case in cases]
            run.write(system.predictions, number, prediction_frame(ids, ids, [Prediction(SETS[1])] * 10))
    run.settle(Counts(10 * SHARDS, 10 * SHARDS, SHARDS), [])
    run.finish(system, "2024-01-02")


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    folder = RunFolder.create(tmp_path / "run", RECORD, [SYSTEM])
    fill(folder, SYSTEM)
    return folder


def test_a_whole_run_has_no_faults(run: RunFolder) -> None:
    again = RunFolder.open(run.path)
    assert again.complete
    assert set(again.record.content) == set(KINDS)
    assert list(again.faults()) == []


@pytest.mark.parametrize("kind", [*KINDS, SYSTEM.predictions])
@pytest.mark.parametrize("damage", ["flip", "cut", "gone", "no record", "other record", "exchanged"])
def test_every_damage_is_found(run: RunFolder, kind: str, damage: str) -> None:
    shard = run.shard(kind, 1)
    content = bytearray(shard.read_bytes())
    if damage == "flip":
        content[len(content) // 2] ^= 1
        shard.write_bytes(content)
    elif damage == "cut":
        shard.write_bytes(content[:-1])
    elif damage == "gone":
        shard.unlink()
        record_path(shard).unlink()
    elif damage == "no record":
        record_path(shard).unlink()
    elif damage == "other record":
        record_path(shard).write_text(record_path(shard).read_text().replace('"rows": ', '"rows": 9'))
    else:
        # A shard with a record that fits it, but not the shard of this run.
        run.write(kind, 1, pl.read_parquet(run.shard(kind, 0)).head(5 if kind != "facets" else 0))
        if kind == "facets":
            run.write(kind, 1, pl.DataFrame({"pair_id": ["x"], "case_id": [None], "name": ["n"], "value": ["v"]}))
    faults = list(RunFolder.open(run.path).faults())
    assert [fault.path for fault in faults] == [run.path / kind if damage == "exchanged" else shard]
    assert str(faults[0].path) in faults[0].problem


@pytest.mark.parametrize("damage", ["cut", "gone", "no record"])
def test_a_damaged_shard_is_made_again(run: RunFolder, damage: str) -> None:
    expected = {path: path.read_bytes() for path in run.path.rglob("*.parquet")}
    shard = run.shard(SYSTEM.predictions, 1)
    if damage == "cut":
        shard.write_bytes(shard.read_bytes()[:-1])
    elif damage == "gone":
        shard.unlink()
    else:
        record_path(shard).unlink()
    fill(run, SYSTEM)
    assert list(run.faults()) == []
    assert {path: path.read_bytes() for path in run.path.rglob("*.parquet")} == expected


class Killed(BaseException):
    """Stands for kill -9: nothing after it happens."""


@pytest.mark.parametrize("writes", range(8 * SHARDS + 3))
def test_a_kill_between_any_two_writes_leaves_a_run_that_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writes: int
) -> None:
    fill(RunFolder.create(tmp_path / "whole", RECORD, [SYSTEM]), SYSTEM)
    left = [writes]
    real = os.fsync

    def dying(descriptor: int) -> None:
        if not left[0]:
            raise Killed
        left[0] -= 1
        real(descriptor)

    run = RunFolder.create(tmp_path / "run", RECORD, [SYSTEM])
    monkeypatch.setattr(os, "fsync", dying)
    with pytest.raises(Killed):
        fill(run, SYSTEM)
    monkeypatch.undo()
    again = RunFolder.open(tmp_path / "run")
    assert not again.complete
    assert [fault.problem for fault in again.faults()] == []
    fill(again, SYSTEM)
    assert RunFolder.open(tmp_path / "run").complete
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_resume_reads_no_bytes_of_whole_shards(run: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_hashing(path: Path) -> str:
        raise AssertionError(f"{path} was hashed")

    monkeypatch.setattr(shards_module, "digest_file", no_hashing)
    assert all(run.has(kind, number) for kind in (*KINDS, SYSTEM.predictions) for number in range(SHARDS))


WRITER = """
import sys
from pathlib import Path
from tests.store.test_shards import RECORD, fill
from nliprobe.store.run import RunFolder
from nliprobe.store.record import SystemRecord

folder, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
print("ready", flush=True)
sys.stdin.readline()
run = RunFolder.create(folder, RECORD)
for number in range(count):
    system = SystemRecord(f"{name}{number}", f"{name}{number}-x", "s", f"{name}{number}")
    run.add(system)
    fill(run, system)
"""


def test_two_processes_that_add_systems_lose_nothing(tmp_path: Path) -> None:
    count = 8
    root = Path(__file__).parents[2]
    env = environment({"PYTHONPATH": os.pathsep.join([str(root), *sys.path])})
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path / "run"), name, str(count)],
            env=env, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        for name in ("a", "b")
    ]  # fmt: skip
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    for writer in writers:
        writer.communicate(timeout=120)
        assert writer.returncode == 0
    run = RunFolder.open(tmp_path / "run")
    assert {item.name for item in run.systems} == {f"{name}{number}" for name in "ab" for number in range(count)}
    assert run.complete
    assert list(run.faults()) == []
    assert not list(run.path.rglob("*.damaged"))
    places = [item.place for item in run.systems]
    assert places == sorted(places)


def test_a_system_that_is_not_done_keeps_the_run_open(run: RunFolder) -> None:
    other = SystemRecord("n", "n-1", "n", "2")
    run.add(other)
    assert not RunFolder.open(run.path).complete
    run.write(other.predictions, 0, run.predictions("m").head(10))
    run.finish(other, "2024-01-03")
    again = RunFolder.open(run.path)
    assert again.system("n").status is SystemStatus.RUNNING, "two shards are missing"
    assert again.system("m") == replace(run.system("m"), status=SystemStatus.COMPLETE)
    fill(again, other)
    assert again.complete


def no_reading(path: Path) -> NoReturn:
    pytest.fail(f"{path} was read back by the process that wrote it")


def test_a_process_does_not_read_back_what_it_wrote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (run_module, shards_module):
        monkeypatch.setattr(module, "read_sealed", no_reading)
    run = RunFolder.create(tmp_path / "run", RECORD, [SYSTEM, replace(SYSTEM, name="n", folder="n-1")])
    fill(run, SYSTEM)
    run.reopen("m")
    run.finish(SYSTEM, "2024-01-03")
    monkeypatch.undo()
    read = RunFolder.open(run.path)
    assert read.systems == run.systems
    assert read.record == run.record
    assert [item.status for item in read.systems] == [SystemStatus.COMPLETE, SystemStatus.RUNNING]
    assert list(read.faults()) == []


def test_what_another_process_wrote_over_it_is_read(run: RunFolder) -> None:
    other = RunFolder.open(run.path)
    other.reopen("m")
    other.write(SYSTEM.predictions, 1, run.read_shard(SYSTEM.predictions, run.shard(SYSTEM.predictions, 0)))
    run.refresh()
    assert run.systems == other.systems
    assert run.system("m").status is SystemStatus.RUNNING
    run.finish(SYSTEM, "2024-01-03")
    assert list(RunFolder.open(run.path).faults()) == []
    record_path(run.shard(SYSTEM.predictions, 1)).unlink()
    run.finish(SYSTEM, "2024-01-04")
    assert run.system("m").content is None
    assert not run.complete
