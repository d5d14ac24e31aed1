"""Suites that are kept between runs: the same run folder without making a case, never the cases of another suite."""

from __future__ import annotations

import os
import platform
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl
import pytest
from tests.cli.helpers import nliprobe

from nliprobe.api import _kept_suites
from nliprobe.api import run as running
from nliprobe.api.pairs import pairs
from nliprobe.api.resolve import Request
from nliprobe.api.run import RunResult
from nliprobe.base import own_code
from nliprobe.base.files import read_json
from nliprobe.base.registry import Spec
from nliprobe.engine.steps import Silent
from nliprobe.probes import PROBES, Probe
from nliprobe.probes.rows_delete import RowsDelete
from nliprobe.probes.suite import Suite
from nliprobe.store import suites
from nliprobe.store.run import RunFolder
from nliprobe.store.suites import check_suites, keep_suite, trim
from nliprobe.task.case import Case, Skip
from nliprobe.task.evidenced import EVIDENCE
from nliprobe.task.pair import Pair
from nliprobe.task.source import PairSource, Pool
from nliprobe.task.sources import SOURCES

MODEL = """
import hashlib

def answer(pairs):
    return ["ENC"[hashlib.sha1((p + h).encode()).digest()[0] % 3] for p, h in pairs]
"""
ROWS = ['{"premise": "It rained.", "hypothesis": "It was wet.", "label": "E"}'] * 3
PROBES_ASKED = ("gold", "rows.delete", "rows.permute?n=2")


@pytest.fixture(autouse=True)
def model(tmp_path: Path) -> str:
    (tmp_path / "model.py").write_text(MODEL)
    return f"python:{tmp_path / 'model.py'}:answer?version=1"


@pytest.fixture(autouse=True)
def _small_and_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep small suites, too; what other tests have registered in this process would forbid it."""
    monkeypatch.setattr(running, "LEAST_CASES", 1)
    monkeypatch.setattr(own_code, "LOADED_AT", float("inf"))  # whoever runs the tests may write code meanwhile
    for registry in (SOURCES, EVIDENCE):
        for name, kind in list(registry._registered.items()):
            if not kind.__module__.startswith("nliprobe."):
                monkeypatch.delitem(registry._registered, name)


@pytest.fixture
def generated(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The splits whose cases were generated, in their order."""
    splits: list[str] = []
    before = Suite.items

    def items(self: Suite, source: PairSource, pool: Pool | None) -> Iterator[tuple[str, Case | Skip]]:
        splits.append(source.name)
        return before(self, source, pool)

    monkeypatch.setattr(Suite, "items", items)
    return splits


Go = Callable[..., RunResult]


@pytest.fixture
def go(tmp_path: Path, model: str) -> Go:
    """Run the model into a folder of a given name."""

    def run(out: str, *more: str, said: list[str] | None = None, **changed: object) -> RunResult:
        asked: dict[str, object] = {"on": ["builtin/tables-dev?limit=6"], "probes": PROBES_ASKED, **changed}
        size, progress = asked.pop("shard_size", 24), asked.pop("progress", None)
        request = Request(systems=[model, *more], **asked)  # type: ignore[arg-type]
        said = [] if said is None else said
        return running.run(request, tmp_path / out, shard_size=size, progress=progress, say=said.append)  # type: ignore[arg-type]

    return run


def files(run: Path) -> dict[str, object]:
    """Everything that a run folder holds, without the times at which it was made."""
    found: dict[str, object] = {}
    for path in sorted(run.rglob("*")):
        name = str(path.relative_to(run))
        if path.name.endswith(".partial"):  # left by a kill
            continue
        if path.is_file() and (name == "run.json" or name.startswith("systems/")):
            times = ("created", "finished", "digest")
            found[name] = {key: value for key, value in read_json(path).items() if key not in times}
        elif path.is_file():
            found[name] = path.read_bytes()
    return found


def test_the_folder_is_the_same_and_no_case_is_made(tmp_path: Path, go: Go, generated: list[str]) -> None:
    first = go("first")
    assert generated == ["builtin/tables-dev?limit=6"]
    second = go("second")
    assert len(generated) == 1
    assert first.tally is not None
    assert second.tally is not None
    assert len(list((tmp_path / "second" / "cases").glob("*.parquet"))) > 1
    assert files(tmp_path / "first") == files(tmp_path / "second")
    assert first.tally.skips == second.tally.skips
    assert first.tally.pairs == second.tally.pairs == 6
    assert sum(second.tally.reused.values()) == sum(first.tally.asked.values()) + sum(first.tally.reused.values())
    assert not second.tally.asked


def test_several_systems_each_read_in_their_way(
    tmp_path: Path, go: Go, generated: list[str], own_cache: Path, model: str
) -> None:
    more = (f"{model}&represent=struct", f"{model}&premise=swapped")
    two_tables: dict[str, object] = {"on": ["builtin/tables-dev?limit=20"], "probes": ("gold", "rows.permute")}
    go("first", *more, **two_tables)
    go("second", *more, **two_tables)
    assert len(generated) == 1
    assert files(tmp_path / "first") == files(tmp_path / "second")
    go("new way", f"{model}&represent=json", **two_tables)
    assert len(generated) == 2
    assert len(list((own_cache / "suites").iterdir())) == 1 + 4


def test_another_suite_is_made_anew(go: Go, generated: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NLIPROBE_DATA", raising=False)  # or the quality of the evidence would be measured
    others: tuple[dict[str, object], ...] = (
        {"seed": 1},
        {"shard_size": 25},
        {"probes": (*PROBES_ASKED[:2], "rows.permute?n=3")},
        {"on": ["builtin/tables-dev?limit=5"]},
        {"on": ["builtin/tables-dev?limit=6&evidence=lexical"]},
    )
    go("first")
    for number, changed in enumerate(others):
        go(f"other {number}", **changed)
        assert len(generated) == number + 2, changed
    go("first again")
    go("other again", **others[0])
    assert len(generated) == len(others) + 1


def test_a_changed_file_is_read_anew(tmp_path: Path, go: Go, generated: list[str]) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text("\n".join(ROWS))
    stamp = path.stat()
    changed = {"on": [f"file:{path}"], "probes": ("gold", "swap")}
    go("first", **changed)
    path.write_text("\n".join(ROWS).replace("rained", "poured"))
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    go("second", **changed)
    assert len(generated) == 2
    assert "It poured." in RunFolder.open(tmp_path / "second").read("pairs")["premise"].to_list()


def test_a_file_that_changed_during_the_run_is_not_kept(
    tmp_path: Path, go: Go, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text("\n".join(ROWS))
    finish = running._finish

    def changing(*arguments: object) -> None:
        path.write_text("\n".join(ROWS * 2))
        finish(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(running, "_finish", changing)
    go("first", on=[f"file:{path}"])
    assert not (own_cache / "suites").exists()


def test_another_version_of_anything_makes_cases_anew(
    go: Go, generated: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    others: tuple[tuple[object, str, object], ...] = (
        (RowsDelete, "version", 99),
        (_kept_suites, "code_digest", lambda rooms: "other"),
        (_kept_suites, "__version__", "0"),
        (pl, "__version__", "0"),
        (platform, "python_version", lambda: "3.99"),
    )
    go("first")
    for number, (owner, name, value) in enumerate(others):
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, value)
            go(f"other {number}")
        assert len(generated) == number + 2, name
    go("first again")
    assert len(generated) == len(others) + 1


def test_code_that_changed_while_it_runs_keeps_and_finds_nothing(
    go: Go, generated: list[str], monkeypatch: pytest.MonkeyPatch, own_cache: Path
) -> None:
    go("first")
    kept = sorted((own_cache / "suites").iterdir())
    monkeypatch.setattr(own_code, "LOADED_AT", 0.0)
    go("second")
    go("third", seed=1)
    assert len(generated) == 3
    assert sorted((own_cache / "suites").iterdir()) == kept


def test_the_code_of_others_is_never_trusted(
    go: Go, own_cache: Path, monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    class Mine(Probe):
        def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
            yield self.case(pair, (), alone=True)

    monkeypatch.setitem(PROBES._registered, "mine", Mine)
    go("probe", probes=("gold", "mine"))
    source = SOURCES.get("builtin")

    class Other(source):  # type: ignore[misc,valid-type]
        pass

    given = Other.from_spec(Spec.parse("builtin/tables-dev"), [])
    go("given as an object", on=[given], probes=("gold",), shard_size=500)
    monkeypatch.setitem(SOURCES._registered, "other", Other)
    go("plugin")
    assert not (own_cache / "suites").exists()


def test_pairs_in_memory_are_kept_by_their_content(go: Go, generated: list[str]) -> None:
    rows = [("It rained.", f"It was wet {number}.", "E") for number in range(9)]
    go("first", on=[pairs(rows)], probes=("gold", "swap"))
    go("second", on=[pairs(rows)], probes=("gold", "swap"))
    assert len(generated) == 1
    go("third", on=[pairs(rows[1:])], probes=("gold", "swap"))
    assert len(generated) == 2


@pytest.mark.parametrize("suffix", ["cases", "inputs"])
@pytest.mark.parametrize("place", [0.5, 0.999])
def test_a_damaged_file_is_set_aside_and_made_again(
    tmp_path: Path, go: Go, generated: list[str], own_cache: Path, suffix: str, place: float
) -> None:
    go("first")
    [path] = (own_cache / "suites").glob(f"*.{suffix}")
    whole = path.read_bytes()
    at = int(place * len(whole))
    path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
    said: list[str] = []
    go("second", said=said)
    assert [line for line in said if line.startswith("a kept suite cannot be used, and its cases are made again")]
    assert len(generated) == 2
    assert files(tmp_path / "first") == files(tmp_path / "second")
    assert path.read_bytes() == whole
    assert path.with_name(path.name + ".damaged").exists()
    go("third")
    assert len(generated) == 2


def test_an_answer_that_is_not_known_is_asked(tmp_path: Path, go: Go, generated: list[str], own_cache: Path) -> None:
    go("first")
    for path in (own_cache / "answers").rglob("*.parquet"):
        path.unlink()
    second = go("second").tally
    assert second is not None
    assert sum(second.asked.values()) > 0
    assert len(generated) == 2
    assert files(tmp_path / "first") == files(tmp_path / "second")


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path, go: Go, own_cache: Path) -> None:
    own_cache.mkdir()
    (own_cache / "suites").write_text("a file where the folder should be")
    go("first")
    go("second")
    assert files(tmp_path / "first") == files(tmp_path / "second")


def test_a_full_disk_keeps_nothing_and_leaves_nothing(
    tmp_path: Path, go: Go, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def on_a_full_disk(*arguments: object) -> None:
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, hard))
        try:
            keep_suite(*arguments)  # type: ignore[arg-type]
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    monkeypatch.setattr(_kept_suites, "keep_suite", on_a_full_disk)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # a compiled module would be cut off, too
    assert go("first").run.complete
    assert list((own_cache / "suites").iterdir()) == []


def test_what_another_process_wrote_is_not_kept(tmp_path: Path, go: Go, own_cache: Path) -> None:
    result = go("first")
    for path in (own_cache / "suites").iterdir():
        path.unlink()
    kind = result.run.systems[0].predictions
    keep_suite(RunFolder.open(tmp_path / "first"), "key", {"reading": kind})
    assert list((own_cache / "suites").iterdir()) == []
    keep_suite(result.run, "key", {"reading": kind})
    assert len(list((own_cache / "suites").iterdir())) == 2


def test_ctrl_c_stops_after_a_shard_and_the_run_can_be_continued(tmp_path: Path, go: Go, generated: list[str]) -> None:
    class Pressing(Silent):
        def shard_done(self, shard: int, cases: int, pairs: int) -> None:
            if shard == 1:
                os.kill(os.getpid(), signal.SIGINT)

    go("first")
    stopped = go("second", progress=Pressing()).tally
    assert stopped is not None
    assert stopped.interrupted
    assert stopped.shards == 2
    assert not RunFolder.open(tmp_path / "second").complete
    go("second")
    assert len(generated) == 1
    assert files(tmp_path / "first") == files(tmp_path / "second")


# Is imported as a plugin, keeps small suites, and kills the command when it is about to rename a file for the nth time.
KILLING = """
import os, signal
from pathlib import Path
from nliprobe.api import run
from nliprobe.base import own_code

run.LEAST_CASES, own_code.LOADED_AT = 1, float("inf")
replace, left = Path.replace, [int(os.environ.get("KILL_AT", "100000"))]

def replacing(self, target):
    if os.environ.get("KILL_WHAT", "") in str(target):
        left[0] -= 1
        if not left[0]:
            os.kill(os.getpid(), signal.SIGKILL)
    return replace(self, target)

Path.replace = replacing
"""


@pytest.mark.faults
def test_kill_9_at_any_time_leaves_nothing_that_is_wrong(tmp_path: Path, model: str, own_cache: Path) -> None:
    (tmp_path / "killing.py").write_text(KILLING)

    def words(out: str) -> list[str]:
        return [
            "run", "--quiet", "--plugin", str(tmp_path / "killing.py"), "--system", model, "--shard-size", "16",
            "--on", "builtin/tables-dev?limit=6", "--probes", "gold,rows.delete", "--out", str(tmp_path / out),
        ]  # fmt: skip

    for what in (".cases", ".inputs"):  # the run is complete when its suite is kept
        nliprobe(*words("first"), env={"KILL_AT": "1", "KILL_WHAT": what}, code=-signal.SIGKILL)
        nliprobe("check", str(tmp_path / "first"))
        (tmp_path / "first").rename(tmp_path / f"killed{what}")
    nliprobe(*words("first"))
    assert len([path for path in (own_cache / "suites").iterdir() if not path.name.startswith(".")]) == 2
    for at in (5, 12):
        nliprobe(*words("second"), env={"KILL_AT": str(at), "KILL_WHAT": "second/"}, code=-signal.SIGKILL)
    nliprobe(*words("second"))
    nliprobe(*words("undisturbed"), env={"NLIPROBE_CACHE": str(tmp_path / "other cache")})
    wanted = files(tmp_path / "undisturbed")
    assert all(files(tmp_path / name) == wanted for name in ("second", "killed.cases", "killed.inputs"))
    assert check_suites().damaged == []


def test_the_cache_verb_knows_kept_suites(tmp_path: Path, go: Go, own_cache: Path) -> None:
    go("first")
    assert nliprobe("cache", "ls").stdout.count("suites ") == 2
    assert "the cases of 1 suites" in nliprobe("cache", "check").stdout
    [path] = (own_cache / "suites").glob("*.cases")
    path.write_bytes(path.read_bytes()[:-20])
    assert f"damaged, set aside: {path}.damaged" in nliprobe("cache", "check", code=1).stderr
    nliprobe("cache", "clear", "--yes")
    assert not (own_cache / "suites").exists()


def test_what_was_used_the_longest_ago_is_deleted(own_cache: Path) -> None:
    own_cache.mkdir()
    for number, name in enumerate(["c", "a", "d", "b"]):
        (own_cache / name).write_bytes(b"x" * 10)
        os.utime(own_cache / name, (1_000 + number, 1_000 + number))
    trim(own_cache, 25)
    assert sorted(path.name for path in own_cache.iterdir()) == ["b", "d"]
    trim(own_cache, 0)
    assert list(own_cache.iterdir()) == []


def test_a_suite_that_is_used_counts_as_new_and_one_too_large_is_not_kept(
    go: Go, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go("first")
    for path in (own_cache / "suites").iterdir():
        os.utime(path, (1, 1))
    go("second")
    assert all(path.stat().st_mtime > 1 for path in (own_cache / "suites").iterdir())
    monkeypatch.setattr(suites, "MOST_BYTES", 100)
    go("third", seed=1)
    assert len(list((own_cache / "suites").iterdir())) == 2


def test_a_small_suite_is_not_kept(go: Go, own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "LEAST_CASES", 10_000)
    go("first")
    assert not (own_cache / "suites").exists()
