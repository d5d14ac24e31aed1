"""Knowledge bias on the console, on the page and in Markdown."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from tests.analysis.runs import Asked, write_run
from tests.analysis.test_knowledge import CASES, RIGHT, twins, wrong
from tests.report.case_pages import section_of
from tests.report.printing import printed

from nliprobe.analysis.summary import summarise
from nliprobe.report.console import render
from nliprobe.report.html import html_report
from nliprobe.report.knowledge import COLUMNS, knowledge_cells, knowledge_readings, knowledge_section
from nliprobe.report.markdown import markdown_report
from nliprobe.store.run import RunFolder

BIASED = RIGHT | {f"f{table}.0": wrong(f"f{table}.0") for table in range(12)}


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    systems = [Asked("biased", BIASED), Asked("fair", RIGHT), Asked("blind", dict.fromkeys(RIGHT, "E"), premise="none")]
    return partial(write_run, tmp_path)({"x": CASES}, systems)


def test_every_report_says_what_the_bias_shows_and_what_comes_for_free(run: RunFolder) -> None:
    document = summarise(run)
    console = " ".join(printed(render(document), 100).split())
    for text in (console, markdown_report(document), html_report(document, section_of(run), {})):
        assert "Knowledge bias" in text
        assert "biased on x: better on what is real than on its twins" in text
        assert "fair on x: no knowledge bias is shown" in text
        assert "blind on x" not in text
        assert "36 twins from 12 tables; guessing gets 33.3 of either" in text
        assert "cannot use the premise (blind)" in text


def test_cells_fit_their_columns(run: RunFolder) -> None:
    entries = summarise(run)["knowledge"]
    assert all(len(knowledge_cells(entry)) == len(COLUMNS) for entry in entries)
    assert knowledge_section([]) is None


def test_few_tables_show_nothing(tmp_path: Path) -> None:
    cases = twins(2)
    answers = {case.id: str(case.gold) if case.id.startswith("r") else "E" for case in cases}
    document = summarise(write_run(tmp_path, {"x": cases}, [Asked("m", answers)]))
    assert knowledge_readings(document["knowledge"]) == [
        "m on x: too few tables to tell whether knowledge of the names helps or misleads"
    ]
