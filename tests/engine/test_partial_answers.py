"""Models without a version lose no answers when they are broken off: what had come is kept inside the run."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.fakes import LABELS, Hasher, folder, suite, system

from nliprobe.base.errors import ModelError
from nliprobe.base.registry import Spec
from nliprobe.engine import steps
from nliprobe.engine.local import execute
from nliprobe.engine.steps import RunTally
from nliprobe.models.asynchronous import AsyncModel
from nliprobe.models.command import CommandModel
from nliprobe.models.origin import Origin
from nliprobe.models.system import System
from nliprobe.store.cache import AnswerCache
from nliprobe.store.journal import FOLDER
from nliprobe.store.run import RunFolder
from nliprobe.task.case import Input, Prediction, Status


class Breaks(Hasher):
    """Answers four inputs at a time, and is broken off at some call."""

    batch = 4

    def __init__(self, at: int | None, how: type[BaseException] = AssertionError, version: str | None = None) -> None:
        super().__init__(version)
        self.left = at
        self.how = how
        self.answered: list[str] = []

    def predict(self, inputs: Sequence[Input]) -> Sequence[Prediction]:
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                raise self.how("broken off")
        answers = super().predict(inputs)
        self.answered += [item.id for item in inputs]
        return answers


class AsyncBreaks(AsyncModel):
    """The same, asked many single inputs at once."""

    concurrency = 3

    def __init__(self, at: int | None, how: type[BaseException] = AssertionError) -> None:
        self.left = at
        self.how = how
        self.answered: list[str] = []

    def fingerprint(self) -> str | None:
        return None

    def origin(self) -> Origin:
        return Origin()

    async def answer(self, asked: Input) -> Prediction:
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                raise self.how("broken off")
        self.answered.append(asked.id)
        return Prediction(LABELS[int(asked.id, 16) % 3])


def go(path: Path, item: System, size: int = 60) -> RunTally:
    run = RunFolder.open(path) if path.exists() else folder(path, item)
    try:
        return execute(run, suite(), [item], lambda made: None, shard_size=size)
    finally:
        item.model.close()


def shards(path: Path) -> dict[str, bytes]:
    return {str(file.relative_to(path)): file.read_bytes() for file in path.rglob("*.parquet")}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, bytes], list[str]]:
    """The shards of a run that nothing broke off, and what was asked."""
    path = tmp_path_factory.mktemp("undisturbed") / "run"
    model = Breaks(None)
    go(path, system(model))
    return shards(path), model.answered


@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.integers(0, 12), min_size=1, max_size=4),
    st.sampled_from([AssertionError, KeyboardInterrupt, ModelError, SystemExit]),
    st.sampled_from([Breaks, AsyncBreaks]),
)
def test_no_answer_is_asked_twice_after_errors_at_random_calls(
    undisturbed: tuple[dict[str, bytes], list[str]],
    breaks: list[int],
    how: type[BaseException],
    kind: type[Breaks] | type[AsyncBreaks],
) -> None:
    expected, everything = undisturbed
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "run"
        answered: list[str] = []
        for at in [*breaks, None]:
            model = kind(at, how)
            try:
                go(path, system(model))
            except (Exception, KeyboardInterrupt, SystemExit):
                assert at is not None
            answered += model.answered
        again = len(answered) - len(everything)
        # A service in flight beside the one that failed may have answered without being heard.
        assert again <= (0 if kind is Breaks else len(breaks) * AsyncBreaks.concurrency)
        assert set(answered) == set(everything)
        assert shards(path) == expected, "the same folder as if nothing had happened"
        assert not (path / FOLDER).exists(), "and nothing is left over"


def test_the_first_call_after_a_break_says_what_was_known(tmp_path: Path) -> None:
    with pytest.raises(ModelError):
        go(tmp_path / "run", system(Breaks(5)))
    tally = go(tmp_path / "run", system(Breaks(None)))
    assert tally.reused["fake"] == 20


def test_failed_answers_are_not_in_the_journal(tmp_path: Path) -> None:
    class Fails(Breaks):
        def predict(self, inputs: Sequence[Input]) -> Sequence[Prediction]:
            answers = list(super().predict(inputs))
            return [Prediction(None, None, Status.FAILED, "busy"), *answers[1:]]

    model = Fails(5)
    with pytest.raises(ModelError):
        go(tmp_path / "run", system(model))
    rest = Breaks(None)
    go(tmp_path / "run", system(rest))
    assert len(set(model.answered) & set(rest.answered)) == 5, "one of each batch failed"


def test_a_system_with_a_cache_has_no_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "JOURNAL_SECONDS", -1.0)
    with pytest.raises(ModelError):
        go(tmp_path / "run", system(Breaks(5, version="1")))
    assert not (tmp_path / "run" / FOLDER).exists()
    model = Breaks(None, version="1")
    assert go(tmp_path / "run", system(model)).reused["fake"] == 20


class VersionedService(AsyncBreaks):
    """A service with a version: its answers are in the cache, too."""

    def fingerprint(self) -> str | None:
        return "1"


def test_answers_of_a_service_are_in_the_journal_before_they_are_in_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kill leaves what the journal has; the next run puts it into the cache, and asks the rest."""
    first, rest, other = VersionedService(20), VersionedService(None), VersionedService(None)
    with monkeypatch.context() as killed:
        killed.setattr(AnswerCache, "add", lambda self, answers: None)
        with pytest.raises(ModelError, match="broken off"):
            go(tmp_path / "run", system(first))
    assert list((tmp_path / "run" / FOLDER).rglob("*.jsonl"))
    assert go(tmp_path / "run", system(rest)).reused["fake"] == 20
    assert len(first.answered) == 20
    assert not set(first.answered) & set(rest.answered)
    assert not (tmp_path / "run" / FOLDER).exists()
    go(tmp_path / "other", system(other))
    assert other.answered == []


def test_a_journal_left_beside_a_complete_shard_is_swept(tmp_path: Path) -> None:
    item = system(Breaks(None))
    go(tmp_path / "run", item)
    left = tmp_path / "run" / FOLDER / item.folder / "00000.jsonl"
    left.parent.mkdir(parents=True)
    left.write_bytes(b"\nleft over\n")
    again = Breaks(None)
    go(tmp_path / "run", system(again))
    assert again.answered == []
    assert not (tmp_path / "run" / FOLDER).exists()


# It answers one line at a time, notes what it has answered, and stops as it is told.
PROGRAM = """
import json, os, sys, time
asked, stops, how = sys.argv[1], int(sys.argv[2]), sys.argv[3]
for number, line in enumerate(sys.stdin):
    if number == stops:
        if how == "dies":
            os._exit(3)
        if how == "garbage":
            print("this is no answer", flush=True)
        time.sleep(60)
    item = json.loads(line)
    with open(asked, "a") as stream:
        stream.write(item["id"] + "\\n")
    print(json.dumps({"id": item["id"], "label": "ENC"[int(item["id"], 16) % 3]}), flush=True)
"""


class Program(CommandModel):
    """A command whose argument says how it behaves, and stands for one program."""

    def origin(self) -> Origin:
        return Origin()


def program(tmp_path: Path, stops: int, how: str, timeout: float = 60) -> Program:
    (tmp_path / "program.py").write_text(PROGRAM)
    words = [sys.executable, str(tmp_path / "program.py"), str(tmp_path / "asked.log"), str(stops), how]
    return Program.from_spec(Spec("command", shlex.join(words), (("timeout", str(timeout)),)), None)


@pytest.mark.parametrize(("how", "timeout"), [("garbage", 60), ("hangs", 1.5)])
def test_a_program_that_goes_wrong_keeps_the_answers_it_gave(
    tmp_path: Path, undisturbed: tuple[dict[str, bytes], list[str]], how: str, timeout: float
) -> None:
    with pytest.raises(ModelError, match=r"not JSON|within 1.5 seconds"):
        go(tmp_path / "run", system(program(tmp_path, 30, how, timeout)))
    go(tmp_path / "run", system(program(tmp_path, -1, "well")))
    asked = (tmp_path / "asked.log").read_text().split()
    assert len(asked) == len(set(asked)) == len(set(undisturbed[1]))
    assert shards(tmp_path / "run") == undisturbed[0]


def test_a_program_that_dies_is_asked_only_what_it_has_not_answered(
    tmp_path: Path, undisturbed: tuple[dict[str, bytes], list[str]]
) -> None:
    # It dies after every thirty answers, and is started again.
    tally = go(tmp_path / "run", system(program(tmp_path, 30, "dies")))
    asked = (tmp_path / "asked.log").read_text().split()
    assert len(asked) == len(set(asked)) == len(set(undisturbed[1]))
    assert tally.failed["fake"] == 0
    assert shards(tmp_path / "run") == undisturbed[0]


KILLED = """
import sys, time
from pathlib import Path
from tests.engine.fakes import Hasher, folder, suite, system
from nliprobe.engine import local, steps
from nliprobe.store.run import RunFolder

class Slow(Hasher):
    batch = 1
    def predict(self, inputs):
        time.sleep(0.005)
        answers = super().predict(inputs)
        with open(sys.argv[2], "a") as stream:
            stream.write("".join(item.id + "\\n" for item in inputs))
        return answers

steps.JOURNAL_SECONDS = 0.0
path = Path(sys.argv[1])
item = system(Slow(None))
run = RunFolder.open(path) if path.exists() else folder(path, item)
local.execute(run, suite(), [item], lambda made: None, shard_size=60)
"""


@pytest.mark.faults
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system cannot kill")
def test_kills_lose_at_most_the_answer_at_hand(tmp_path: Path, undisturbed: tuple[dict[str, bytes], list[str]]) -> None:
    (tmp_path / "killed.py").write_text(KILLED)
    root = str(Path(__file__).parents[2])
    path = os.pathsep.join([root, *filter(None, [os.environ.get("PYTHONPATH"), str(Path(steps.__file__).parents[2])])])
    asked, kills = tmp_path / "asked.log", 0
    for wanted in (7, 45, 90, 10**9):
        command = [sys.executable, str(tmp_path / "killed.py"), str(tmp_path / "run"), str(asked)]
        process = subprocess.Popen(command, env={**os.environ, "PYTHONPATH": path})
        deadline = time.monotonic() + 120
        while process.poll() is None and time.monotonic() < deadline:
            if asked.exists() and asked.read_text().count("\n") >= wanted:
                process.kill()
                kills += 1
                process.wait()
            time.sleep(0.002)
        assert process.wait() == (0 if wanted == 10**9 else -signal.SIGKILL)
    lines = asked.read_text().split()
    assert set(lines) == set(undisturbed[1])
    assert kills == 3
    assert len(lines) - len(set(undisturbed[1])) <= kills, "an answer may be noted here and not yet there"
    assert shards(tmp_path / "run") == undisturbed[0]
