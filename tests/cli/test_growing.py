"""A run that another process writes while it is read: every reader says that it saw a part, and none is confused."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from zlib import crc32

import polars as pl
import pytest
from click.testing import CliRunner, Result

import nliprobe
from nliprobe.base.errors import StoreError
from nliprobe.base.files import write_sealed
from nliprobe.cli.main import cli
from nliprobe.store.frames import record_path
from nliprobe.store.run import MANIFEST, RunFolder
from nliprobe.store.soundness import DamagedRunError

LABELS = "entailment,neutral,contradiction"
SHARDS_AT_FIRST = 2


def left(premises: Sequence[str], hypotheses: Sequence[str]) -> list[str]:
    return ["ENC"[crc32(text.encode()) % 3] for text in premises]


def right(premises: Sequence[str], hypotheses: Sequence[str]) -> list[str]:
    return ["ENC"[crc32((p + h).encode()) % 3] for p, h in zip(premises, hypotheses, strict=True)]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("growing")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NLIPROBE_CACHE", str(folder / "cache"))
        systems = [nliprobe.system(function) for function in (left, right)]
        nliprobe.run(
            systems,
            "builtin/tables-dev?limit=40",
            ["gold", "rows.delete"],
            folder / "run",
            labels=LABELS,
            shard_size=40,
        )
    return folder / "run"


class Growing:
    """A copy of a run with its first shards, to which files are added in the order in which a run writes them."""

    def __init__(self, whole: Path, path: Path) -> None:
        self.path = path
        shutil.copytree(whole, path, ignore=shutil.ignore_patterns("*.parquet", "[0-9]*.json", "index*"))
        run = RunFolder.open(whole)
        unfinished = replace(run.record, counts=None, content={}, skipped=())
        write_sealed(path / MANIFEST, unfinished.to_json())
        folder = RunFolder.open(path, writing=True)
        for system in run.systems:
            folder.reopen(system.name)
        kinds = ("pairs", "facets", "cases", *(system.predictions for system in run.systems))
        shards = [run.shard(kind, number) for number in range(len(run.files("cases"))) for kind in kinds]
        self.waiting = [(source, path / source.relative_to(whole)) for source in shards]
        while len(RunFolder.open(path).files(kinds[-1])) < SHARDS_AT_FIRST:
            self.grow()

    def grow(self) -> None:
        """Add the next shard of one kind: its record, then the shard itself."""
        if not self.waiting:
            return
        source, target = self.waiting.pop(0)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(record_path(source), record_path(target))
        shutil.copy(source, target)


@pytest.fixture
def growing(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Growing]:
    """A run that grows by a file whenever a shard of it is read."""
    run = Growing(whole, tmp_path / "run")
    read_shard = RunFolder.read_shard

    def grow_and_read(self: RunFolder, kind: str, path: Path, columns: Sequence[str] | None = None) -> pl.DataFrame:
        if self.path == run.path:
            run.grow()
        return read_shard(self, kind, path, columns)

    monkeypatch.setattr(RunFolder, "read_shard", grow_and_read)
    before = len(run.waiting)
    yield run
    assert len(run.waiting) < before, "it was read while it grew"


def call(*words: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in words])


@pytest.mark.parametrize("ending", ["html", "md", "json"])
def test_a_report_covers_a_part_and_says_so(growing: Growing, tmp_path: Path, ending: str) -> None:
    out = tmp_path / f"out.{ending}"
    done = call("report", growing.path, "-o", out)
    assert done.exit_code == 0, done.output
    assert "This run is not complete: the numbers cover what has been asked so far" in out.read_text(encoding="utf-8")


def test_a_comparison_covers_what_both_were_asked_and_says_so(growing: Growing, whole: Path) -> None:
    for words in ((growing.path, "--left", "left", "--right", "right"), (growing.path, whole, "--systems", "right")):
        done = call("compare", *words, "--format", "json")
        assert done.exit_code == 0, done.output
        document = json.loads(done.stdout)
        assert document["systems"][0]["integrity"]["state"] == "unfinished"
        assert "not complete" in document["systems"][0]["integrity"]["warnings"][0]
        compared = [entry for pair in document["pairs"] for entry in pair["comparisons"]]
        assert sum(entry["n"] for entry in compared) > 0
    assert "no verdict" in call("compare", growing.path, "--left", "left", "--right", "right").stdout


def test_numbers_are_those_of_cases_that_were_there(growing: Growing, whole: Path) -> None:
    shown = json.loads(call("show", growing.path, "--format", "json").stdout)
    everything = json.loads(call("show", whole, "--format", "json").stdout)
    assert shown["run"]["integrity"]["state"] == "unfinished"
    assert 0 < shown["run"]["cases"] < everything["run"]["cases"]
    for entry in shown["scores"]:
        assert entry["n"] <= shown["run"]["cases"]


def test_a_gate_does_not_decide_on_a_part(growing: Growing, whole: Path) -> None:
    for words in ((growing.path, "--baseline", whole), (whole, "--baseline", growing.path)):
        done = call("gate", *words, "--system", "left")
        assert isinstance(done.exception, StoreError)
        assert f"The run {growing.path} is not complete" in str(done.exception)
    # It refuses before it reads anything.
    growing.grow()


@pytest.mark.parametrize("damage", ["deleted", "torn"])
def test_a_comparison_of_two_runs_names_the_damaged_one(whole: Path, tmp_path: Path, damage: str) -> None:
    other = Path(shutil.copytree(whole, tmp_path / "other"))
    folder = RunFolder.open(other)
    path = folder.files(folder.system("right").predictions)[1]
    if damage == "deleted":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:700])
    words = ("compare", whole, other, "--left", "left", "--right", "right")
    done = call(*words)
    assert isinstance(done.exception, DamagedRunError)
    assert f"The run {other} is damaged" in str(done.exception)
    assert path.name in str(done.exception)
    partly = call(*words, "--partial", "--format", "json")
    assert partly.exit_code == 0, partly.output
    heads = json.loads(partly.stdout)["systems"]
    assert [head["integrity"]["state"] for head in heads] == ["complete", "damaged"]
    assert heads[1]["integrity"]["left_out"] == [str(path.relative_to(other))]
