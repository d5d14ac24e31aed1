"""A run opens what a system has answered before once, for the doctor and the engine alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from nliprobe.api.resolve import Request
from nliprobe.api.run import RunResult, run
from nliprobe.engine import ask
from nliprobe.store.cache import AnswerCache

SYSTEMS = ("majority", "svm?premise=none")


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The caches that were opened, in their order."""
    folders: list[Path] = []

    class Noted(AnswerCache):
        def __init__(self, folder: Path) -> None:
            folders.append(folder)
            super().__init__(folder)

    monkeypatch.setattr(ask, "AnswerCache", Noted)
    return folders


def go(out: Path) -> RunResult:
    return run(Request(["builtin/sentences-dev"], SYSTEMS, train=["builtin/sentences-train"]), out)


def test_a_run_opens_the_cache_of_each_system_once(tmp_path: Path, opened: list[Path]) -> None:
    go(tmp_path / "first")
    assert len(opened) == len(set(opened)) == len(SYSTEMS)
    opened.clear()
    result = go(tmp_path / "second")
    assert len(opened) == len(SYSTEMS)
    assert result.tally is not None
    assert not result.tally.asked


def test_a_complete_run_opens_no_cache(tmp_path: Path, opened: list[Path]) -> None:
    go(tmp_path / "run")
    opened.clear()
    assert go(tmp_path / "run").tally is None
    assert opened == []


def test_a_damaged_cache_that_the_doctor_met_is_reported(tmp_path: Path, own_cache: Path) -> None:
    go(tmp_path / "first")
    files = sorted((own_cache / "answers").rglob("*.parquet"))
    for path in files:
        path.write_bytes(path.read_bytes()[:30])
    tally = go(tmp_path / "second").tally
    assert tally is not None
    assert sorted(tally.damaged) == [path.with_name(path.name + ".damaged") for path in files]
