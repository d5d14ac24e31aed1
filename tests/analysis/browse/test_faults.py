"""Indexes of the case browser that are killed, torn, outdated or in the way; runs that grow, change or are deleted."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from tests.analysis.runs import Asked, MakeRun, derived, pair

from nliprobe.analysis.browse import kept
from nliprobe.analysis.browse.background import Browsers
from nliprobe.analysis.browse.building import Progress, build_index, is_current, state_of
from nliprobe.analysis.browse.kept import BusyIndexError, DamagedIndexError, building_file, index_file, trim, writing
from nliprobe.analysis.browse.opened import OpenBrowsers
from nliprobe.analysis.browse.shards import ShardWriter
from nliprobe.analysis.browse.wanted import Wanted, WantedAnswer
from nliprobe.api.listed import remember_verdicts
from nliprobe.base.errors import NotFoundError, StoreError
from nliprobe.base.files import cache_folder
from nliprobe.cli.cache import KINDS
from nliprobe.store.frames import case_frames, prediction_frame
from nliprobe.store.run import RunFolder
from nliprobe.task.case import Prediction
from nliprobe.task.labels import LabelSet


def count(run: Path, wanted: Wanted = Wanted()) -> int:  # noqa: B008 (it cannot be changed)
    with ExitStack() as stack:
        return OpenBrowsers().open(stack, run).count(wanted)


def noted_shards(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The shards that are read from now on."""
    written: list[int] = []
    write = ShardWriter.write

    def noted(self: ShardWriter, number: int) -> int:
        written.append(number)
        return write(self, number)

    monkeypatch.setattr(ShardWriter, "write", noted)
    return written


@pytest.fixture
def run(make_run: MakeRun) -> RunFolder:
    """A run of four shards."""
    cases = [pair(f"p{place}", "E") for place in range(10)]
    return make_run({"some/dev": cases}, [Asked("one", {case.id: "E" for case in cases})], shard=3)


def test_a_build_that_was_killed_is_continued(run: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    script = f"""
import os, signal
from pathlib import Path
from nliprobe.analysis.browse.building import build_index
def report(progress):
    if progress.done == 2:
        os.kill(os.getpid(), signal.SIGKILL)
build_index(Path({str(run.path)!r}), report)
"""
    killed = subprocess.run([sys.executable, "-c", script], check=False, capture_output=True)
    assert killed.returncode == -signal.SIGKILL
    assert building_file(run.path).exists()
    assert not index_file(run.path).exists()
    written = noted_shards(monkeypatch)
    build_index(run.path)
    assert written == [2, 3]
    assert count(run.path) == 10
    assert not building_file(run.path).exists()


@pytest.mark.parametrize("damage", ["cut", "noise", "empty", "text"])
def test_a_torn_index_is_set_aside_and_made_again(run: RunFolder, damage: str) -> None:
    path = build_index(run.path)
    content = path.read_bytes()
    changed = {
        "cut": content[: len(content) // 2],
        "noise": content[:4096] + bytes(len(content) - 4096),
        "empty": b"",
        "text": b"not a database" * 1000,
    }
    path.write_bytes(changed[damage])
    with pytest.raises(DamagedIndexError, match="set aside"):
        count(run.path)
    assert not path.exists()
    build_index(run.path)
    assert count(run.path) == 10


def test_a_damaged_index_is_made_again_at_once_when_it_is_built(run: RunFolder) -> None:
    path = build_index(run.path)
    path.replace(building_file(run.path))
    building_file(run.path).write_bytes(b"torn" * 5000)
    build_index(run.path)
    assert count(run.path) == 10


def test_altered_columns_are_noticed(run: RunFolder) -> None:
    path = build_index(run.path)
    with writing(path) as connection:
        connection.execute("UPDATE columns SET content = zeroblob(length(content)) WHERE name = 'pair'")
    with pytest.raises(DamagedIndexError, match="altered"):
        count(run.path)


def test_an_index_of_another_version_is_made_again(run: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    build_index(run.path)
    monkeypatch.setattr(kept, "FORMAT", 99)
    assert not is_current(run.path, state_of(run))
    build_index(run.path)
    assert is_current(run.path, state_of(run))
    assert count(run.path) == 10


def test_a_run_that_grows_gets_its_new_shards(make_run: MakeRun, monkeypatch: pytest.MonkeyPatch) -> None:
    first = [pair(f"p{place}", "E") for place in range(3)]
    run = make_run({"some/dev": first}, [Asked("one", {"p0": "E", "p1": "N", "p2": "E"})], status="running")
    build_index(run.path)
    assert count(run.path) == 3
    later = [pair("later", "E"), derived("edited", first[0])]
    for kind, frame in case_frames(["some/dev"] * 2, later).items():
        run.write(kind, 1, frame)
    written = noted_shards(monkeypatch)
    build_index(RunFolder.open(run.path).path)
    assert written == [1]
    assert count(run.path) == 5
    assert count(run.path, Wanted(answers=(WantedAnswer("one", "not asked"),))) == 2
    answers = prediction_frame(["later", "edited"], ["0" * 24, "1" * 24], [Prediction(LabelSet.of("C"))] * 2)
    run.write("predictions/folder-0", 1, answers)
    build_index(run.path)
    assert count(run.path, Wanted(answers=(WantedAnswer("one", "C"),))) == 2
    assert written == [1]


def test_a_shard_that_was_made_again_is_indexed_again(make_run: MakeRun) -> None:
    run = make_run({"some/dev": [pair("old"), pair("same")]}, [], shard=1, status="running")
    build_index(run.path)
    for kind, frame in case_frames(["some/dev"], [pair("new")]).items():
        run.write(kind, 0, frame)
    build_index(run.path)
    assert [count(run.path, Wanted(search=word)) for word in ("old", "new", "same")] == [0, 1, 1]


def test_a_run_that_was_deleted_is_noticed(run: RunFolder, make_run: MakeRun) -> None:
    browsers = Browsers()
    assert browsers.look(run.path).current
    shutil.rmtree(run.path)
    with pytest.raises(NotFoundError, match="is not a run"):
        browsers.look(run.path)
    with pytest.raises(NotFoundError, match="no longer there"), browsers.browse(run.path):
        pass
    other = make_run({"some/dev": [pair("x")]}, [], status="running")
    gone = index_file(run.path)
    assert gone.exists()
    build_index(other.path)  # whoever makes an index tidies up
    assert not gone.exists()


def test_a_run_deleted_while_it_is_read_is_an_error_with_a_sentence(run: RunFolder) -> None:
    def report(progress: Progress) -> None:
        if progress.done == 2:
            shutil.rmtree(run.path)

    with pytest.raises((NotFoundError, StoreError), match=str(run.path.name)):
        build_index(run.path, report)


def test_a_full_disk_says_so_and_leaves_nothing(run: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: ShardWriter, number: int) -> int:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(ShardWriter, "write", full)
        with pytest.raises(StoreError, match="No space left to make the index"):
            build_index(run.path)
    assert not building_file(run.path).exists()
    build_index(run.path)
    assert count(run.path) == 10


def test_a_user_without_a_home_is_told_where_else_indexes_can_be(
    run: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home").write_text("no folder")
    monkeypatch.setenv("NLIPROBE_CACHE", str(tmp_path / "home" / "cache"))
    with pytest.raises(StoreError, match=r"home/cache/browse: Not a directory\. Name another folder"):
        build_index(run.path)


def test_a_home_that_is_closed_to_a_service_is_no_fault_of_ours(
    run: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    monkeypatch.setenv("NLIPROBE_CACHE", str(home / "cache"))
    # As it is for everybody but the administrator, as whom tests may run.
    for name in ("open", "stat", "mkdir"):
        monkeypatch.setattr(Path, name, refusing_in(home, getattr(Path, name)))
    with closing(Browsers()) as browsers:
        readiness = browsers.look(run.path)
    assert not readiness.ready
    assert "Permission denied. Name another folder in NLIPROBE_CACHE" in str(readiness.problem)
    remember_verdicts(run, ["nothing is kept, and nothing fails"])


def refusing_in(closed: Path, does: Callable[..., Any]) -> Callable[..., Any]:
    def refused(path: Path, *arguments: Any, **named: Any) -> Any:
        if closed in path.parents:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return does(path, *arguments, **named)

    return refused


def test_a_python_without_full_text_search_says_so(run: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "_SCHEMA", kept._SCHEMA.replace("fts5(", "missing_module("))
    with pytest.raises(StoreError, match="no full-text search"):
        build_index(run.path)


def test_only_one_process_makes_an_index(run: RunFolder) -> None:
    with writing(building_file(run.path)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        with pytest.raises(BusyIndexError, match="Another process"):
            build_index(run.path)
        connection.execute("ROLLBACK")
    build_index(run.path)
    assert count(run.path) == 10


def test_indexes_used_the_longest_ago_are_deleted_first(make_run: MakeRun) -> None:
    runs = [make_run({"some/dev": [pair(f"p{place}")]}, [], status="running") for place in range(3)]
    paths = [build_index(run.path) for run in runs]
    for age, path in enumerate(paths):
        os.utime(path, (time.time() - 100 * (3 - age),) * 2)
    size = paths[0].stat().st_size
    trim(paths[0], most=2 * size)
    assert [path.exists() for path in paths] == [True, False, True]
    assert paths[0].parent == cache_folder() / "browse"
    assert "browse" in KINDS


def test_the_index_of_a_large_run_is_made_in_the_background(run: RunFolder) -> None:
    browsers = Browsers(few=0)
    first = browsers.look(run.path)
    assert (first.ready, first.current) == (False, False)
    assert first.progress is not None
    end = time.monotonic() + 60
    while not browsers.look(run.path).current:
        assert time.monotonic() < end
        time.sleep(0.05)
    with browsers.browse(run.path) as browser:
        assert browser.count(Wanted(search="premise")) == 10
    browsers.close()


def test_an_index_that_waits_for_its_turn_is_not_begun_when_the_server_has_ended(run: RunFolder) -> None:
    browsers = Browsers(few=0)
    with browsers._turn:
        browsers.look(run.path)
        browsers.close()
    end = time.monotonic() + 60
    while browsers._jobs[run.path].ended is None:
        assert time.monotonic() < end
        time.sleep(0.05)
    assert "the server is stopping" in (browsers._jobs[run.path].problem or "")
    assert not building_file(run.path).exists()


def test_an_index_that_cannot_be_made_is_tried_again_later(run: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    browsers = Browsers(clock=lambda: now[0])
    monkeypatch.setattr(kept, "_SCHEMA", kept._SCHEMA.replace("fts5(", "missing_module("))
    assert "no full-text search" in (browsers.look(run.path).problem or "")
    monkeypatch.undo()
    monkeypatch.setenv("NLIPROBE_CACHE", str(cache_folder()))
    assert not browsers.look(run.path).current
    now[0] = 11.0
    assert browsers.look(run.path).current
