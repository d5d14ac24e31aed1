"""Artifacts as people see them: on the console, on the page and in Markdown."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console, RenderableType
from tests.analysis.runs import Asked, write_run
from tests.analysis.test_artifacts_corpus import Held
from tests.analysis.test_artifacts_corpus import drawn as drawn_pairs
from tests.analysis.test_artifacts_run import CASES, SYSTEMS, WORDS, drawn

from nliprobe.analysis.artifacts.corpus import artifacts_document
from nliprobe.analysis.artifacts.run import run_artifacts
from nliprobe.analysis.artifacts.run_documents import ArtifactsDocument
from nliprobe.analysis.artifacts.words import WordChoice
from nliprobe.api.report import report
from nliprobe.base.errors import UsageError
from nliprobe.report.artifacts import artifact_section, render_run_artifacts
from nliprobe.report.artifacts_corpus import render_artifacts
from nliprobe.store.run import RunFolder


def printed(content: RenderableType) -> str:
    console = Console(width=200, file=io.StringIO(), force_terminal=False)
    console.print(content)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    (tmp_path / "runs").mkdir()
    return write_run(tmp_path / "runs", {"x/test": CASES}, SYSTEMS, shard=100)


def test_a_corpus_on_the_console() -> None:
    text = printed(render_artifacts(artifacts_document([Held(drawn_pairs(1, 600, planted=0.4))], WordChoice())))
    assert "best constant" in text
    assert "Words of C" in text
    [line] = [line for line in text.splitlines() if line.startswith("nobody ")]
    assert line.split()[4] == "100.0"
    assert "?" not in line
    assert "a word counts once per hypothesis" in text
    assert "gains nothing that its interval carries" in text
    assert "Words in the hypothesis: " in text


def test_a_corpus_that_is_too_small_says_so() -> None:
    text = printed(render_artifacts(artifacts_document([Held(drawn_pairs(1, 9))], WordChoice())))
    assert "No word is in 20 hypotheses or more" in text
    assert "Too few pairs" in text


def test_a_run_on_the_console(run: RunFolder) -> None:
    text = printed(render_run_artifacts(run_artifacts(run, WORDS)))
    assert "chosen on train: E: outdoors, N: tall, C: nobody" in text
    assert "words: loses 100.0 [" in text
    assert "its answers go with these words; blind, without the premise, loses 100.0" in text
    assert "reader: " in text
    assert "its interval carries no loss" in text
    assert "always (cannot use the premise): +0.0" in text
    assert "best constant" in text
    assert "training data would be the better choice" not in text
    assert "training data would be the better choice" in printed(render_run_artifacts(run_artifacts(run)))


def test_a_small_run_says_what_is_missing(tmp_path: Path) -> None:
    cases = drawn(9)
    run = write_run(tmp_path, {"x": cases}, [Asked("m", {case.id: "E" for case in cases})])
    document: ArtifactsDocument = run_artifacts(run)
    text = printed(render_run_artifacts(document))
    assert "nothing can be said about words: no word is associated" in text
    assert "no control: add a system that does not see the premise" in text
    assert artifact_section(document) is None


def test_the_page_and_markdown_have_a_section(run: RunFolder, tmp_path: Path) -> None:
    page = report(run, tmp_path / "page.html").read_text(encoding="utf-8")
    assert '<h2 id="artifacts">' in page
    assert "words, right (n " in page
    assert "its answers go with these words" in page
    text = report(run, tmp_path / "page.md", form="markdown").read_text(encoding="utf-8")
    assert "## Artifacts" in text
    assert "| words | x/test | gold | the same, gold labels alike | +100.0" in text
    assert "| overlap with the premise |" in text
    with pytest.raises(UsageError, match="JSON report has no section"):
        report(run, tmp_path / "page.json", form="json", words="builtin/sentences-dev")
