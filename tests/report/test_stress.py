"""Stress tests as people see them: on the console, the page and in Markdown."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.analysis.runs import Asked, derived, write_run
from tests.analysis.test_stress import ANSWERS, CASES, PAIRS, RIGHT
from tests.report.printing import printed, shown

from nliprobe.analysis.summary import summarise
from nliprobe.api.report import report
from nliprobe.api.results import Run
from nliprobe.report.console import render
from nliprobe.store.run import RunFolder

NEW = [derived(f"{base.id}-new", base, "stress.antonymy", None, gold="C", bases=()) for base in PAIRS]
ALL = [*CASES, *NEW]
SAID = {**ANSWERS, **{case.id: "C" for case in NEW}}


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    folder = tmp_path / "runs"
    folder.mkdir()
    texts = {name: f"text of {name.removesuffix('+')}" for name in SAID}
    alike = {**SAID, **{f"{name}+": SAID[name] for name in RIGHT}}
    # A constant is one by its model, or by enough answers.
    systems = [
        Asked("m", SAID),
        Asked("blind", alike, premise="none", texts=texts),
        Asked("always", dict.fromkeys(SAID, "C")),
    ]
    return write_run(folder, {"x": ALL}, systems)


def test_console_shows_before_after_and_drop(run: RunFolder) -> None:
    text = shown(run)
    (line, *_) = (line.split() for line in text.splitlines() if line.startswith("stress.overlap"))
    assert line[1] == "91.7"
    assert "58.3" in line
    assert "+33.3" in line
    assert "36.4" in line
    assert "no drop is shown if its interval holds 0" in text
    assert "control: what the best system gets that cannot use the premise" in text
    # All of it is in the one table.
    assert "Accuracy after stress" not in text


def test_console_says_what_needs_no_understanding(run: RunFolder) -> None:
    text = shown(run)
    assert "stress.antonymy: every pair is C, so a system that always answers C gets 100 %" in text
    assert "always always answers C: it cannot lose accuracy, which is no merit" in text
    assert "reads all pairs of the test exactly like the originals: blind on x (stress.overlap)" in text
    assert "some pairs unanswered, which counts as wrong: m on x (stress.overlap)" in text
    assert "new pairs: the test makes them from one sentence each" in text


def test_a_narrow_console_cuts_nothing(run: RunFolder) -> None:
    lines = shown(run, 80).splitlines()
    assert all(len(line) <= 80 for line in lines)
    assert any(line.rstrip().endswith("Constant") for line in lines)
    assert any(line.startswith("stress.antonymy") and line.rstrip().endswith("C 100.0") for line in lines)


def test_page_and_markdown_have_the_section(run: RunFolder, tmp_path: Path) -> None:
    page = report(run, tmp_path / "report.html").read_text(encoding="utf-8")
    text = report(run, tmp_path / "report.md", form="markdown").read_text(encoding="utf-8")
    assert '<h2 id="stress">' in page
    assert "x: points of accuracy lost" in page
    assert "x: percent right on new pairs" in page
    assert "always C, stress.antonymy" in page
    assert "## Stress tests" in text
    assert "| m | x | stress.overlap | 91.7 " in text
    assert "E 75.0 to 0.0, N 100.0 to 75.0, C 100.0 to 100.0" in text
    assert "Accuracy after stress" not in page + text


def test_means_over_seeds_stay_visible(tmp_path: Path) -> None:
    run = write_run(tmp_path, {"x": CASES}, [Asked("m", ANSWERS)])
    document = summarise(run)
    document["families"] = [
        {"family": "f", "systems": ["m"], "corpus": "x", "probe": "stress.overlap", "accuracy": 0.583, "sd": None,
         "gain": None}
    ]  # fmt: skip
    text = printed(render(document))
    assert "Mean over seeds" in text
    assert "58.3" in text.partition("Mean over seeds")[2]


def test_other_runs_have_no_section(tmp_path: Path) -> None:
    run = write_run(tmp_path, {"x": PAIRS[:1]}, [Asked("m", {"p0": "E"})])
    text = report(run, tmp_path / "report.html").read_text(encoding="utf-8") + shown(run)
    assert "Stress tests" not in text


def test_frame_has_a_row_per_system_and_test(run: RunFolder) -> None:
    frame = Run(run).stress()
    assert frame.select("system", "test").rows() == [
        (system, test) for system in ("m", "blind", "always") for test in ("stress.overlap", "stress.antonymy")
    ]
    overlap, antonymy = frame.rows(named=True)[:2]
    assert (overlap["original"], overlap["drop"]) == (pytest.approx(11 / 12), pytest.approx(4 / 12))
    assert overlap["drop_low"] < overlap["drop"] < overlap["drop_high"]
    assert overlap["control"] == "blind"
    # New pairs have no original, and always C is right on all of them.
    assert (antonymy["original"], antonymy["drop"], antonymy["changed"]) == (None, None, None)
    assert (antonymy["constant"], antonymy["constant_accuracy"]) == ("C", 1.0)
