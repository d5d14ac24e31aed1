"""Consistency and the breakdowns that corpora name, on the console, on the page and in Markdown."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from tests.analysis.runs import Asked, MakeRun, pair, write_run
from tests.analysis.schemas import validate
from tests.report.case_pages import section_of
from tests.report.printing import printed

from nliprobe.analysis.documents import ShowDocument
from nliprobe.analysis.summary import summarise
from nliprobe.corpora.becel import CHAINED, NEGATED
from nliprobe.report.consistency import COLUMNS, consistency_cells, consistency_section
from nliprobe.report.console import render
from nliprobe.report.html import html_report
from nliprobe.report.markdown import markdown_report
from nliprobe.store.run import RunFolder
from nliprobe.task.pair import Facet

ANSWERS = {"p": "N", "q": "C", "pq": "E", "a": "E", "a1": "N"}
CASES = {
    "chains": [
        pair("p", "N", "g"),
        pair("q", "C", "g"),
        pair("pq", "NC", "g")._replace(bases=("p", "q"), expects=CHAINED),
    ],
    "negations": [pair("a", "E", "h"), pair("a1", "C", "h")._replace(bases=("a",), expects=NEGATED)],
}


@pytest.fixture
def make_run(tmp_path: Path) -> MakeRun:
    return partial(write_run, tmp_path)


@pytest.fixture
def run(make_run: MakeRun) -> RunFolder:
    return make_run(CASES, [Asked("m", ANSWERS)])


def words(document: ShowDocument) -> str:
    return " ".join(printed(render(document), 100).split())


def test_every_report_says_what_a_constant_answer_breaks(run: RunFolder) -> None:
    document = summarise(run)
    for text in (words(document), markdown_report(document), html_report(document, section_of(run), {})):
        assert "Consistency" in text
        assert "a constant answer breaks no rule of chains" in text
        assert "always the same label breaks, in percent of negations: E 100.0, N 0.0, C 100.0" in text


def test_cells_fit_their_columns(run: RunFolder) -> None:
    entries = summarise(run)["consistency"]
    assert all(len(consistency_cells(entry)) == len(COLUMNS) for entry in entries)
    assert [consistency_cells(entry)[2] for entry in entries] == ["2", "1"]
    assert consistency_section([]) is None


def test_a_corpus_names_what_it_is_broken_down_by(make_run: MakeRun) -> None:
    kinds = {"a": "x", "b": "x", "c": "y"}
    cases = [pair(name, "E", facets=[Facet("kind", kind), Facet("part", name)]) for name, kind in kinds.items()]
    corpora = [{"name": "big", "digest": "d", "partition": "E|N|C", "by": ["kind,label", "missing"]}]
    corpora.append({"name": "plain", "digest": "d", "partition": "E|N|C"})
    run = make_run(
        {"big": cases, "plain": [pair("z", "C", facets=[Facet("kind", "x")])]},
        [Asked("m", {"a": "E", "b": "N", "c": "E", "z": "C"})],
        suite={"corpora": corpora},
    )
    document = summarise(run)
    validate("show", document)
    (item,) = document["breakdowns"]
    assert (item["corpus"], item["facet"], item["values"]) == ("big", "kind,label", ["x, E", "y, E"])
    assert [(entry["corpus"], entry["count"], entry["n"]) for entry in item["accuracy"]] == [
        ("big", 1, 2),
        ("big", 1, 1),
    ]
    for text in (words(document), markdown_report(document), html_report(document, section_of(run), {})):
        assert "big by kind × label" in text
        assert "E 100 N 0 C 0" in text


def test_a_long_breakdown_is_one_line_on_the_console(make_run: MakeRun) -> None:
    cases = [pair(f"p{number}", "E", facets=[Facet("kind", f"k{number}")]) for number in range(13)]
    corpora = [{"name": "big", "digest": "d", "partition": "E|N|C", "by": ["kind"]}]
    run = make_run({"big": cases}, [Asked("m", {case.id: "E" for case in cases})], suite={"corpora": corpora})
    text = words(summarise(run))
    assert f"13 values: nliprobe show {run.path.name} --by kind" in text
    assert "k12" not in text
    assert "k12" in markdown_report(summarise(run))
