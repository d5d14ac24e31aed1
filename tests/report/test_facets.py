"""A breakdown by facet as people see it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.analysis.runs import Asked, derived, write_run
from tests.analysis.test_facets import ANSWERS, CASES, B
from tests.report.printing import printed

from nliprobe.analysis.facets import facet_scores
from nliprobe.api.report import report
from nliprobe.base.errors import UsageError
from nliprobe.report.facets import facet_section, render_facets
from nliprobe.report.words import NOTHING
from nliprobe.store.run import RunFolder


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    folder = tmp_path / "runs"
    folder.mkdir()
    return write_run(folder, CASES, [Asked("m", ANSWERS), Asked("other", dict.fromkeys(ANSWERS, "E"))])


def test_console_has_values_down_and_systems_across(run: RunFolder) -> None:
    text = printed(render_facets(facet_scores(run, "kind")))
    assert "Accuracy, x/dev" in text
    assert "Prohibited after rows.delete, x/dev" in text
    assert "a pair counts under each of its values" in text
    assert "1 pair of x/dev without it left out" in text
    assert "?: fewer than 5 pairs" in text
    (line,) = [line for line in text.splitlines() if line.startswith("y ")][:1]
    assert line.split()[:9] == ["y", "1", "E", "100", "N", "0", "C", "0", "100.0"]


def test_page_has_a_section_a_facet(run: RunFolder, tmp_path: Path) -> None:
    text = report(run, tmp_path / "report.html", by=["kind", "rows"]).read_text(encoding="utf-8")
    assert '<h2 id="by-kind">' in text
    assert '<h2 id="by-rows">' in text
    assert "Accuracy, m on x/dev" in text
    assert '<h2 id="by-' not in report(run, tmp_path / "plain.html").read_text(encoding="utf-8")


def test_section_draws_a_plot_for_each_system_and_probe(run: RunFolder) -> None:
    section = facet_section(facet_scores(run, "kind"))
    plots = section["plots"]
    assert isinstance(plots, list)
    assert [plot["title"] for plot in plots] == [
        "Accuracy, m on x/dev",
        "Accuracy, other on x/dev",
        "Prohibited after rows.delete, m on x/dev",
        "Prohibited after rows.delete, other on x/dev",
    ]


def test_other_forms_have_no_facets(run: RunFolder, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"Only the HTML report has sections by facet"):
        report(run, tmp_path / "report.md", form="markdown", by=["kind"])


def test_cases_of_one_group_have_no_interval_to_show(tmp_path: Path) -> None:
    edited = [derived(f"b{n}", B) for n in range(2, 6)]
    answers = dict.fromkeys(["b", *(case.id for case in edited)], "E")
    document = facet_scores(write_run(tmp_path, {"x": [B, *edited]}, [Asked("m", answers)]), "kind")
    rows = facet_section(document)["rows"]
    assert isinstance(rows, list)
    assert [(row[0], row[7], row[5]) for row in rows] == [
        ("accuracy", "1", "0.0 to 79.3"),
        ("prohibited after rows.delete", "4", NOTHING),
    ]
