"""Looking at a run from outside: counts, states, and files that are torn or appear meanwhile."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.analysis.runs import Asked, pair, write_run
from tests.analysis.schemas import validate
from tests.report.printing import printed

from nliprobe.analysis.watch import WatchDocument, watch_document
from nliprobe.base.errors import NotFoundError
from nliprobe.base.files import this_machine
from nliprobe.report.watch import render_watch, watch_line
from nliprobe.store import watch as watching
from nliprobe.store.journal import Journal
from nliprobe.store.record import ShardRecord
from nliprobe.store.run import RunFolder
from nliprobe.store.shards import read_record
from nliprobe.store.soundness import State
from nliprobe.store.watch import RunWatch
from nliprobe.task.case import Prediction
from nliprobe.task.labels import LabelSet


def make(tmp_path: Path, cases: int = 10, status: str = "complete", names: tuple[str, ...] = ("a", "b")) -> RunFolder:
    asked = [pair(f"p{number}", "E") for number in range(cases)]
    systems = [Asked(name, {case.id: "E" for case in asked}) for name in names]
    return write_run(tmp_path, {"corpus": asked}, systems, status=status)


def look(run: RunFolder, now: float | None = None) -> WatchDocument:
    watch = RunWatch(run.path, sleep=lambda seconds: None)
    if now is not None:
        watch = RunWatch(run.path, clock=lambda: now, sleep=lambda seconds: None)
    document = watch_document(run.path, watch.look())
    validate("watch", document)
    return document


def set_times(run: RunFolder, times: dict[str, float], every: float) -> None:
    """Let all files be old, and the shards of each system be written one after the other."""
    for path in [*run.path.rglob("*"), run.path]:
        os.utime(path, (0, 0))
    for system, first in times.items():
        for number, path in enumerate(run.files(run.system(system).predictions)):
            os.utime(path, (first + number * every,) * 2)
            os.utime(path.parent, (first + number * every,) * 2)


def test_a_complete_run(tmp_path: Path) -> None:
    document = look(make(tmp_path))
    assert document["state"] == "complete"
    assert (document["cases"], document["total"], document["about"], document["pairs"]) == (10, 10, None, 10)
    assert [(item["name"], item["cases"], item["shards"], item["share"]) for item in document["systems"]] == [
        ("a", 10, 4, 1.0), ("b", 10, 4, 1.0)
    ]  # fmt: skip
    assert document["seconds_left"] is None
    assert "complete: 10 cases, 2 systems" in watch_line(document)


def test_an_unfinished_run_says_how_long_it_may_take(tmp_path: Path) -> None:
    run = make(tmp_path, cases=12, status="running")
    for path in run.files(run.system("b").predictions)[2:]:
        path.unlink()
    set_times(run, {"a": 1000.0, "b": 1000.0}, every=10.0)
    document = look(run, now=1032.0)
    assert (document["state"], document["total"], document["about"]) == ("unfinished", None, None)
    assert document["seconds_since"] == 2.0
    first, second = document["systems"]
    assert (first["rate"], second["rate"]) == (0.3, None)  # three cases in ten seconds; two shards tell no rate
    assert document["seconds_left"] is None
    text = printed(render_watch(document), 80)
    assert "how many there will be is known when the last one is made" in " ".join(text.split())
    assert "last written 2 s ago" in text
    assert max(map(len, text.splitlines())) <= 80


def test_time_left_by_the_number_of_pairs_that_corpora_hold(tmp_path: Path) -> None:
    run = make(tmp_path, cases=12, status="running", names=("a",))
    set_times(run, {"a": 1000.0}, every=10.0)
    seen = RunWatch(run.path, clock=lambda: 1031.0).look()
    assert seen.record is not None
    [corpus] = seen.record.suite.corpora
    object.__setattr__(corpus, "pairs", 48)
    document = watch_document(run.path, seen)
    assert (document["about"], document["systems"][0]["share"]) == (48, 0.25)
    assert document["seconds_left"] == pytest.approx(36 / 0.3)
    assert "about 2 min left" in watch_line(document)


def test_silence_is_said_and_no_time_is_promised(tmp_path: Path) -> None:
    run = make(tmp_path, cases=12, status="running", names=("a",))
    set_times(run, {"a": 1000.0}, every=10.0)
    document = look(run, now=1030.0 + 600)
    assert document["quiet"]
    assert document["seconds_left"] is None
    text = " ".join(printed(render_watch(document), 80).split())
    assert "last written 10 min ago" in text
    assert "the run may have been stopped. Repeating its command continues it." in text
    assert not look(run, now=1030.0 + 55)["quiet"]


def test_a_shard_is_read_once_and_never_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = make(tmp_path)
    read: list[Path] = []

    def counted(path: Path) -> ShardRecord | None:
        read.append(path)
        return read_record(path)

    monkeypatch.setattr(watching, "read_record", counted)
    watch = RunWatch(run.path)
    first = watch.look()
    assert len(read) == 16  # cases, pairs and two systems, four shards of each
    assert watch.look().systems == first.systems
    assert len(read) == 16


def test_no_run_yet(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"it has no run\.json"):
        RunWatch(tmp_path / "nothing").look()


def test_a_torn_record_is_said_and_then_read(tmp_path: Path) -> None:
    run = make(tmp_path)
    manifest = run.path / "run.json"
    whole = manifest.read_bytes()
    manifest.write_bytes(whole[:100])
    watch = RunWatch(run.path, sleep=lambda seconds: None)
    torn = watch_document(run.path, watch.look())
    assert torn["state"] == "damaged"
    assert "does not hold JSON" in torn["problems"][0]
    assert "does not hold JSON" in " ".join(printed(render_watch(torn)).split())
    manifest.write_bytes(whole)
    assert watch.look().state is State.COMPLETE


def test_damage_counts_only_if_it_stays(tmp_path: Path) -> None:
    run = make(tmp_path)
    record = run.path / "cases" / "00001.json"
    whole = record.read_bytes()
    record.unlink()

    def mend(seconds: float) -> None:
        record.write_bytes(whole)

    look_again = RunWatch(run.path, sleep=mend).look()
    assert look_again.state is State.COMPLETE
    record.unlink()
    stays = RunWatch(run.path, sleep=lambda seconds: None).look()
    assert stays.state is State.DAMAGED
    assert "00001.parquet has no record" in stays.problems[0]


def test_answers_of_a_shard_that_is_not_whole(tmp_path: Path) -> None:
    run = make(tmp_path, status="running", names=("a",))
    journal = Journal(run.path / "journal" / run.system("a").folder)
    journal.add(4, {f"i{number}": Prediction(LabelSet.of("E")) for number in range(7)})
    with journal.file(4).open("ab") as stream:
        stream.write(b"\ncut sho")  # a kill in the middle of a line
    journal.add(0, {"swept later": Prediction(LabelSet.of("E"))})
    document = look(run)
    assert document["systems"][0]["early"] == 7
    assert "7 answers more" in watch_line(document)


def test_who_is_writing_is_said_only_where_it_is_seen(tmp_path: Path) -> None:
    run = make(tmp_path, status="running")
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    folder = run.path / "cases"
    (folder / f".00009.parquet.{this_machine()}-{os.getpid()}.partial").touch()
    (folder / f".00008.parquet.{this_machine()}-{ended.pid}.partial").touch()
    (folder / ".00007.parquet.01234567-4711.partial").touch()
    (folder / ".someone-else.partial").touch()
    found = {(item["process"], item["this_machine"], item["ended"]) for item in look(run)["writers"]}
    assert found == {(os.getpid(), True, False), (ended.pid, True, True), (4711, False, None)}
    assert "process 4711 of another machine" in watch_line(look(run))


def test_a_run_that_grows(tmp_path: Path) -> None:
    run = make(tmp_path, status="running", names=("a",))
    late = run.files(run.system("a").predictions)[2:]
    content = {path: path.read_bytes() for path in late}
    for path in late:
        path.unlink()
    watch = RunWatch(run.path)
    assert [item.cases for item in watch.look().systems] == [6]
    for path, bytes_ in content.items():
        path.write_bytes(bytes_)
    assert [item.cases for item in watch.look().systems] == [10]
