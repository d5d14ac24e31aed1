"""Corpora with two labels and their edits as people see them: on the console, the page and in Markdown."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.analysis.runs import Asked, write_run
from tests.analysis.test_following import family
from tests.analysis.test_two_way import Shares
from tests.report.printing import printed

from nliprobe.analysis.summary import Scored, score_document, summarise
from nliprobe.api.report import report
from nliprobe.report.console import render
from nliprobe.store.run import RunFolder
from nliprobe.task.case import Case, Prediction
from nliprobe.task.labels import LabelSet, Partition


def edited(name: str) -> list[Case]:
    return family(name, {f"{name}-not": ("NC", "swap"), f"{name}-as": ("E", "words")})


CASES = {corpus: [case for number in range(8) for case in edited(f"{corpus}{number}")] for corpus in ("x", "y")}
IDS = [case.id for cases in CASES.values() for case in cases]
SHARES: Shares = {name: (0.45, 0.3, 0.25) if name.endswith("not") else (0.6, 0.2, 0.2) for name in IDS}


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    folder = tmp_path / "runs"
    folder.mkdir()
    full = Asked("m", dict.fromkeys(IDS, "E") | {"x0-as": "N"}, shares=SHARES)
    blind = Asked("blind", {name: "EN"[name.endswith("not")] for name in IDS}, premise="none")
    return write_run(folder, CASES, [full, blind], partitions=dict.fromkeys(CASES, "E|NC"))


def shown(run: RunFolder, threshold: str = "") -> str:
    return printed(render(summarise(run, threshold=threshold)), 200)


def test_console_says_the_score_the_threshold_and_the_control(run: RunFolder) -> None:
    text = shown(run)
    lines = [line.split() for line in text.splitlines()]
    assert ["x", "at", "0.5"] in lines
    # The answer is nearly always E, but the probabilities tell the two labels apart.
    assert ["m", "46.9"] in [line[:2] for line in lines]
    assert any(line[:1] == ["m"] and line.count("100.0") >= 2 for line in lines)
    assert "a constant answer and chance get 50" in text
    assert "balanced: by the system's own answer, one of E, N, C (m, blind)" in text
    assert "at threshold: answered by whether P(E) is at least 0.5 (the default)" in text
    assert "no ROC-AUC: the system gives no probabilities (blind on x, blind on y)" in text
    assert "control: what the best system gets that cannot use the premise (blind)" in text


def test_console_says_where_a_threshold_comes_from(run: RunFolder) -> None:
    assert "P(E) is at least 0.3 (as asked for)" in shown(run, "0.3")
    tuned = shown(run, "y")
    assert "P(E) is at least 0.525 (the best one on y)" in tuned
    assert "nothing at threshold: the threshold was chosen on these pairs (m on y)" in tuned


def test_console_shows_edits_and_their_kinds(run: RunFolder) -> None:
    text = shown(run)
    assert "Following an edit" in text
    lines = [line.split() for line in text.splitlines()]
    assert ["swap", "8", "0.0"] in [line[:3] for line in lines]
    # The kinds of edits are not listed for controls.
    assert sum(line[:1] == ["swap"] for line in lines) == 2
    assert "guessing among E, NC gets 25.0 of either" in text


def test_page_and_markdown_have_the_same_sections(run: RunFolder, tmp_path: Path) -> None:
    page = report(run, tmp_path / "report.html").read_text(encoding="utf-8")
    text = report(run, tmp_path / "report.md", form="markdown", threshold="y").read_text(encoding="utf-8")
    for title, anchor in (("Two labels", "two-way"), ("Following an edit", "following")):
        assert f'<h2 id="{anchor}">' in page
        assert f"## {title}" in text
    assert "m, AUC" in page
    assert "m, label changes" in page
    assert "| m | x | 46.9 " in text
    assert "0.525, best on y" in text
    assert "label changes, type swap" in text


def test_other_runs_have_neither(tmp_path: Path) -> None:
    run = write_run(tmp_path, {"x": CASES["x"][:1]}, [Asked("m", {"x0": "E"})])
    text = report(run, tmp_path / "report.html").read_text(encoding="utf-8") + shown(run)
    assert "Two labels" not in text
    assert "Following an edit" not in text
    assert 'id="two-way"' not in text
    assert 'id="following"' not in text


def test_a_scored_file_shows_them_too() -> None:
    answered = [
        Scored(LabelSet.of(gold), Prediction(LabelSet.of("E"), shares), gold)
        for gold, shares in (("E", (0.9, 0.1, 0.0)), ("NC", (0.6, 0.4, 0.0)))
    ]
    document = score_document("x", "m", answered, corpus_partition=Partition.parse("E|NC"))
    text = printed(render(document))
    assert "2 pairs ranked by P(E)" in text
    assert "by whether P(E) is at least 0.5 (the default)" in text
    assert "Labels alike" not in text
