"""The list of runs with what they show: computed when asked for, kept by what the run holds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.analysis.runs import Asked, pair, write_run
from tests.cli.helpers import nliprobe, nliprobe_json

from nliprobe.analysis.summary import summarise
from nliprobe.api import listed
from nliprobe.api.listed import listed_runs, run_folders
from nliprobe.report.hero import short_answers
from nliprobe.store.run import RunFolder


def make(folder: Path, wrong: int = 0, status: str = "complete") -> RunFolder:
    folder.mkdir(parents=True, exist_ok=True)
    cases = [pair(f"p{number}", "ENC"[number % 3]) for number in range(30)]
    full = Asked("model", {case.id: "E" if place < wrong else str(case.gold) for place, case in enumerate(cases)})
    control = Asked("control", {case.id: "E" for case in cases}, premise="none")
    return write_run(folder, {"corpus": cases}, [full, control], status=status)


def test_a_run_says_when_what_and_how_much(tmp_path: Path) -> None:
    run = make(tmp_path)
    [item] = listed_runs(tmp_path)
    assert (item["name"], item["state"], item["cases"]) == (str(run.path), "complete", 30)
    assert (item["systems"], item["corpora"]) == (["model", "control"], ["corpus"])
    assert item["created"] == "2024-01-01T00:00:00Z"
    assert item["verdicts"] is None


def test_verdicts_are_those_of_the_report_and_computed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = make(tmp_path)
    [item] = listed_runs(tmp_path, verdicts=True)
    assert item["verdicts"] == short_answers(summarise(run))
    assert item["verdicts"]
    monkeypatch.setattr(listed, "_computed", lambda run: pytest.fail("computed again"))
    assert [item] == list(listed_runs(tmp_path))
    assert [item] == list(listed_runs(tmp_path, verdicts=True))


def test_a_verdict_belongs_to_what_the_run_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = make(tmp_path / "a"), make(tmp_path / "b", wrong=25)
    shown = {item["name"]: item["verdicts"] for item in listed_runs(tmp_path, verdicts=True)}
    assert shown[str(first.path)] != shown[str(second.path)]
    # A copy of a run elsewhere holds the same.
    first.path.rename(tmp_path / "moved")
    assert {item["name"]: item["verdicts"] for item in listed_runs(tmp_path)}[str(tmp_path / "moved")] is not None
    monkeypatch.setattr(listed, "_RULES", 99)
    assert all(item["verdicts"] is None for item in listed_runs(tmp_path))


def test_nothing_is_written_into_the_run_and_a_damaged_file_is_not_believed(tmp_path: Path, own_cache: Path) -> None:
    run = make(tmp_path / "runs")
    before = sorted(run.path.rglob("*"))
    [item] = listed_runs(tmp_path / "runs", verdicts=True)
    assert sorted(run.path.rglob("*")) == before
    [kept] = (own_cache / "verdicts").iterdir()
    kept.write_text(kept.read_text(encoding="utf-8").replace("model", "other"), encoding="utf-8")
    assert [entry["verdicts"] for entry in listed_runs(tmp_path / "runs")] == [None]
    assert [entry["verdicts"] for entry in listed_runs(tmp_path / "runs", verdicts=True)] == [item["verdicts"]]


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path / "runs")
    (tmp_path / "file").touch()
    monkeypatch.setenv("NLIPROBE_CACHE", str(tmp_path / "file" / "below"))
    [item] = listed_runs(tmp_path / "runs", verdicts=True)
    assert item["verdicts"]


def test_unfinished_and_damaged_runs_have_no_verdict(tmp_path: Path) -> None:
    make(tmp_path / "a", status="running")
    broken = make(tmp_path / "b")
    (broken.path / "cases" / "00000.parquet").unlink()
    torn = make(tmp_path / "c")
    (torn.path / "run.json").write_text("{", encoding="utf-8")
    items = list(listed_runs(tmp_path, verdicts=True))
    assert [(item["state"], item["verdicts"]) for item in items] == [
        ("unfinished", None), ("damaged", None), (None, None)
    ]  # fmt: skip
    assert "does not hold JSON" in items[2]["about"]


def test_the_inside_of_a_run_is_not_searched(tmp_path: Path) -> None:
    run = make(tmp_path)
    (run.path / "cases" / "inner").mkdir()
    (run.path / "cases" / "inner" / "run.json").touch()
    assert list(run_folders(tmp_path)) == [run.path]


def test_on_the_command_line(tmp_path: Path) -> None:
    make(tmp_path / "runs")
    plain = nliprobe("ls", "runs", cwd=tmp_path)
    assert "2024-01-01 00:00  complete: 2 systems on corpus, 30 cases (model, control)" in plain.stdout
    assert "--verdicts" in plain.stderr
    shown = nliprobe("ls", "runs", str(tmp_path), "--verdicts")
    # The answer is not cut, and has its interval.
    assert re.search(
        r"^    model: It cannot be told without a control\. 100\.0 % right on corpus \([\d.]+ to 100\.0\)",
        shown.stdout,
        re.M,
    )
    assert shown.stderr == ""
    [item] = nliprobe_json("ls", "runs", "--in", str(tmp_path))["runs"]
    assert item["verdicts"]
    assert "for runs" in nliprobe("ls", "probes", "--verdicts", code=2).stderr
