"""The three states of a run: complete, unfinished and damaged; what is left out; and how damage is mended."""

from __future__ import annotations

import os
import time
from pathlib import Path

import polars as pl
import pytest
from tests.analysis.runs import Asked, derived, pair, write_run

from nliprobe.analysis.cases import read_run
from nliprobe.analysis.integrity import integrity
from nliprobe.base.errors import NliprobeError, StoreError
from nliprobe.base.files import read_json, sealed, sweep_partials, this_machine
from nliprobe.store.access import CaseFilter
from nliprobe.store.frames import record_path
from nliprobe.store.mending import mend, sweep
from nliprobe.store.run import RunFolder
from nliprobe.store.soundness import DamagedRunError, State

BASES = [pair(f"p{number}", "ENC"[number % 3]) for number in range(12)]
CASES = [case for base in BASES for case in (base, derived(f"{base.id}-edit", base))]
ANSWERS = {case.id: "ENC"[number % 3] for number, case in enumerate(CASES)}


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    systems = [Asked("m", ANSWERS), Asked("n", dict.fromkeys(ANSWERS, "E"))]
    return write_run(tmp_path, {"x/dev": CASES}, systems, shard=5)


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 4
    path.write_bytes(content)


def test_a_whole_run_is_complete_and_says_nothing(run: RunFolder) -> None:
    opened = RunFolder.open(run.path)
    read_run(opened)
    assert opened.state is State.COMPLETE
    assert integrity(opened) == {"state": "complete", "left_out": [], "warnings": []}
    assert opened.left_out == ()


def test_what_was_never_written_is_unfinished(tmp_path: Path) -> None:
    half = {case.id: "E" for case in CASES[:10]}
    run = write_run(tmp_path, {"x/dev": CASES}, [Asked("m", ANSWERS), Asked("half", half)], shard=5)
    for number in (2, 3, 4):
        run.shard("predictions/folder-1", number).unlink()
        record_path(run.shard("predictions/folder-1", number)).unlink()
    opened = RunFolder.open(run.path)
    read_run(opened)
    said = integrity(opened)
    assert said["state"] == "unfinished"
    assert "(half: 2 shards of 5)" in said["warnings"][0]
    assert "no verdict" in said["warnings"][0]


@pytest.mark.parametrize("kind", ["pairs", "facets", "cases", "predictions/folder-1"])
@pytest.mark.parametrize("damage", ["gone", "both gone", "cut", "no record", "extra"])
def test_what_is_missing_is_damage_whatever_is_read(run: RunFolder, kind: str, damage: str) -> None:
    shard = run.shard(kind, 1)
    if damage == "cut":
        shard.write_bytes(shard.read_bytes()[:-3])
    elif damage == "no record":
        record_path(shard).unlink()
    elif damage == "extra":
        for path in (shard, record_path(shard)):
            path.with_name(path.name.replace("00001", "00009")).write_bytes(path.read_bytes())
    else:
        shard.unlink()
        if damage == "both gone":
            record_path(shard).unlink()
    opened = RunFolder.open(run.path)
    assert opened.state is State.DAMAGED
    with pytest.raises(DamagedRunError, match=r"is damaged: .*0000.*Repair it by repeating the command") as caught:
        opened.read("cases")
    assert len(caught.value.faults) == 1
    with pytest.raises(DamagedRunError):
        opened.page(CaseFilter())


@pytest.mark.parametrize("kind", ["pairs", "cases", "predictions/folder-1"])
def test_altered_bytes_are_found_when_they_are_read(run: RunFolder, kind: str) -> None:
    flip(run.shard(kind, 2))
    flip(run.shard(kind, 3))
    with pytest.raises(DamagedRunError, match="was altered after it was written") as caught:
        read_run(RunFolder.open(run.path))
    assert [item.path.name for item in caught.value.faults] == ["00002.parquet", "00003.parquet"], "all are named"


def test_a_run_is_verified_again_when_a_file_changes_under_a_reader(run: RunFolder) -> None:
    opened = RunFolder.open(run.path)
    read_run(opened)
    flip(run.shard("cases", 0))
    os.utime(run.shard("cases", 0), (1, 1))
    with pytest.raises(DamagedRunError):
        read_run(opened)


def test_single_cases_are_verified(run: RunFolder) -> None:
    flip(run.shard("predictions/folder-0", 0))
    with pytest.raises(DamagedRunError):
        RunFolder.open(run.path).case("p0")


def test_a_flipped_index_is_not_believed(run: RunFolder) -> None:
    wanted = CaseFilter(system="m", label="C")
    expected = RunFolder.open(run.path).page(wanted, limit=99).cases
    [index] = run.path.glob("index/*.npy")
    whole = index.read_bytes()
    for place in range(128, len(whole), 7):
        content = bytearray(whole)
        content[place] ^= 1
        index.write_bytes(content)
        assert RunFolder.open(run.path).page(wanted, limit=99).cases.equals(expected)


def test_partial_leaves_out_damaged_answers_and_says_so(run: RunFolder) -> None:
    flip(run.shard("predictions/folder-1", 1))
    opened = RunFolder.open(run.path, partial=True)
    data = read_run(opened)
    assert [int((system.answers == 8).sum()) for system in data.systems] == [0, 5]
    said = integrity(opened)
    assert (said["state"], said["left_out"]) == ("damaged", ["predictions/folder-1/00001.parquet"])
    assert "partial=True" in said["warnings"][0]
    assert "00001.parquet" in said["warnings"][0]


@pytest.mark.parametrize("kind", ["pairs", "facets", "cases"])
def test_partial_leaves_out_a_shard_of_the_suite_and_what_hangs_on_it(run: RunFolder, kind: str) -> None:
    run.shard(kind, 0).unlink()
    opened = RunFolder.open(run.path, partial=True)
    data = read_run(opened)
    # Five cases per shard: p0, its edit, p1, its edit, p2. The edit of p2 is in the next shard and has lost its base.
    left = {case.id for case in CASES[6:]}
    assert set(data.cases.ids) == left
    assert all((system.answers != 8).all() for system in data.systems)


def test_partial_on_a_whole_run_changes_nothing(run: RunFolder) -> None:
    opened = RunFolder.open(run.path, partial=True)
    assert len(read_run(opened).cases.ids) == len(CASES)
    assert integrity(opened)["state"] == "complete"


def test_a_damaged_system_record_is_named_and_left_out(run: RunFolder) -> None:
    record = run.path / "systems" / "folder-1.json"
    record.write_bytes(record.read_bytes().replace(b'"name": "n"', b'"name": "k"'))
    with pytest.raises(DamagedRunError, match=r"folder-1.json was altered"):
        RunFolder.open(run.path)
    opened = RunFolder.open(run.path, partial=True)
    assert [item.name for item in opened.systems] == ["m"]
    read_run(opened)
    assert integrity(opened)["left_out"] == ["systems/folder-1.json"]


def test_answers_without_a_record_of_their_system_are_damage(run: RunFolder) -> None:
    (run.path / "systems" / "folder-1.json").unlink()
    with pytest.raises(DamagedRunError, match="answers of a system whose record is missing"):
        RunFolder.open(run.path)


def test_two_records_of_one_name_are_damage(run: RunFolder) -> None:
    record = run.path / "systems" / "folder-1.json"
    content = read_json(record)
    del content["digest"]
    record.write_bytes(sealed({**content, "name": "m"}))
    with pytest.raises(DamagedRunError, match="two systems named 'm'"):
        read_run(RunFolder.open(run.path))


def test_shards_exchanged_with_those_of_another_run_are_damage(run: RunFolder, tmp_path: Path) -> None:
    other = write_run(tmp_path, {"x/dev": CASES}, [Asked("m", dict.fromkeys(ANSWERS, "C"))], shard=5)
    for path in (other.shard("predictions/folder-0", 1), record_path(other.shard("predictions/folder-0", 1))):
        (run.path / path.relative_to(other.path)).write_bytes(path.read_bytes())
    with pytest.raises(DamagedRunError, match="not those the run was completed with"):
        read_run(RunFolder.open(run.path))


@pytest.mark.parametrize("version", [0, -5, True, "2", 1.0, 2.0, [], {}, 10**30])
def test_a_format_that_is_none_is_refused(run: RunFolder, version: object) -> None:
    content = read_json(run.path / "run.json")
    del content["digest"]
    (run.path / "run.json").write_bytes(sealed({**content, "format": version}))
    with pytest.raises(StoreError, match="format"):
        RunFolder.open(run.path)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b"\0" * 100, b"[" * 100_000, b'{"format": 2}'])
def test_a_manifest_that_is_none_is_a_sentence(run: RunFolder, content: bytes) -> None:
    (run.path / "run.json").write_bytes(content)
    for partial in (False, True):
        with pytest.raises(NliprobeError, match=r"run\.json"):
            RunFolder.open(run.path, partial=partial)


def test_mending_sets_aside_what_is_damaged_and_keeps_the_rest(run: RunFolder) -> None:
    flip(run.shard("predictions/folder-0", 1))
    flip(run.shard("predictions/folder-1", 2))
    flip(run.shard("cases", 3))
    opened = RunFolder.open(run.path, writing=True)
    mended = mend(opened, opened.soundness(deep=True).faults, {"folder-0"})
    assert sorted(item.path.name for item in mended) == ["00001.parquet", "00003.parquet"]
    assert not run.shard("predictions/folder-0", 1).exists()
    assert not record_path(run.shard("cases", 3)).exists()
    assert run.shard("predictions/folder-1", 2).exists(), "only a command with its system can ask it again"
    assert [item.status.value for item in RunFolder.open(run.path, writing=True).systems] == ["running", "complete"]


def test_what_is_made_again_must_be_what_was_there(run: RunFolder) -> None:
    opened = RunFolder.open(run.path, writing=True)
    counts = opened.record.counts
    assert counts is not None
    opened.write("cases", 1, pl.read_parquet(run.shard("cases", 1)).reverse())
    with pytest.raises(StoreError, match="not what the run was completed with"):
        opened.settle(counts, [])
    assert RunFolder.open(run.path).state is State.DAMAGED


def test_unfinished_files_of_dead_writers_are_swept_and_of_live_ones_kept(run: RunFolder) -> None:
    live = run.path / "cases"
    dead, old, young = 4_000_000, time.time() - 3600, time.time()
    names = {
        f".a.parquet.{this_machine()}-{dead}.partial": (old, False),
        f".b.parquet.{this_machine()}-{dead}.partial": (young, True),
        f".c.parquet.{this_machine()}-{os.getpid()}.partial": (old, True),
        ".d.parquet.00000000-77.partial": (old, True),
        ".e.parquet.77.partial": (time.time() - 200_000, False),
    }
    for folder in (live, run.path, run.path / "predictions" / "folder-0"):
        for name, (written, _) in names.items():
            (folder / name).write_bytes(b"half")
            os.utime(folder / name, (written, written))
    sweep(run)
    for folder in (live, run.path, run.path / "predictions" / "folder-0"):
        assert {name: (folder / name).exists() for name in names} == {name: kept for name, (_, kept) in names.items()}
    sweep_partials(run.path / "no such folder")
