"""Counterfactuals in the reports: bars, tables, and both versions of a table side by side."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console
from tests.analysis.runs import Asked, write_run
from tests.analysis.schemas import validate
from tests.report.case_pages import section_of

from nliprobe.analysis.cases import read_run
from nliprobe.analysis.counterfactual.versions import pair_versions
from nliprobe.analysis.documents import ShowDocument
from nliprobe.analysis.evidence.drawn import pair_document
from nliprobe.analysis.failures import failures
from nliprobe.analysis.summary import summarise
from nliprobe.probes.suite import build_probe
from nliprobe.report.cases import render_cases
from nliprobe.report.console import render
from nliprobe.report.diff import DiffLine, ShownPiece, shown_diff
from nliprobe.report.failing import Shown, shown_failure
from nliprobe.report.html import html_report
from nliprobe.report.markdown import markdown_report
from nliprobe.report.packed import unpack
from nliprobe.report.versions import render_versions
from nliprobe.report.words import LONGEST
from nliprobe.store.run import RunFolder
from nliprobe.task.case import Case, identity_case
from nliprobe.task.evidence import Evidence
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Pair
from nliprobe.task.source import Pool
from nliprobe.task.table import Row, Table

LIGHTS = Table("Harbour Lights", (Row("Time", ("96",)), Row("Cast", ("A", "B", "C")), Row("Peru", ("yes",))), "Film")
CLOCK = Table("Copper Clock", (Row("Time", ("120",)), Row("Land", ("Chile",))), "Film")
SAID = "Harbour Lights takes 96 minutes."


def _printed(what: object) -> str:
    stream = io.StringIO()
    Console(file=stream, width=110).print(what)
    return stream.getvalue()


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    """A run in which both systems follow the hypothesis: right on originals, wrong on what people flipped."""
    pairs = [Pair(f"c/s/{place}", LIGHTS, SAID, LabelSet.of("E"), f"g{place}", Evidence((0,))) for place in range(6)]
    flipped = [
        Pair(f"{of.id}-mod", LIGHTS.update(0, Row("Time", ("99",))), SAID, LabelSet.of("C"), of.group, bases=(of.id,))
        for of in pairs
    ]
    pool = Pool({"g0": LIGHTS, "clock": CLOCK})
    probe = build_probe("counterfactual.relocate")
    moved = [case for pair in pairs for case in probe.cases(pair, pool) if isinstance(case, Case)]
    cases = [*(identity_case(pair) for pair in (*pairs, *flipped)), *moved]
    full = {case.id: "C" if case in moved else "E" for case in cases}
    return write_run(
        tmp_path,
        {"c/s": cases},
        [Asked("full", full), Asked("blind", {case.id: "E" for case in cases}, premise="none")],
    )


@pytest.fixture
def document(run: RunFolder) -> ShowDocument:
    return summarise(run)


def test_the_console_shows_originals_beside_counterfactuals(document: ShowDocument) -> None:
    text = _printed(render(document))
    assert "c/s, made by people: the label is flipped" in text
    assert "c/s, made by counterfactual.relocate, gold evidence: the label is preserved" in text
    assert "best constant" in text
    assert "where only the original is right (6), blind gets 6 of these originals right" in text


def test_edits_of_premises_are_not_shown_twice(document: ShowDocument) -> None:
    assert [entry["n"] for entry in document["following"]] == [6, 6]
    for text in (_printed(render(document)), markdown_report(document)):
        assert "Following an edit" not in text


def test_markdown_has_every_number_in_one_table(document: ShowDocument) -> None:
    text = markdown_report(document)
    assert "## Counterfactuals" in text
    assert "| full | c/s | people | flipped | 6 |" in text
    assert "the best constant answer gets E 100.0 on the originals and C 100.0 on the counterfactuals" in text
    assert "guessing gets 33.3" in text


def test_the_page_draws_bars_and_both_versions(run: RunFolder, document: ShowDocument) -> None:
    page = html_report(document, section_of(run), {})
    assert 'class="bar flipped"' in page
    assert 'class="bar original blind"' in page
    assert 'class="bar preserved"' in page
    assert "made by people: the label is flipped" in page
    _, lists = unpack(page.split('id="cases-data">')[1].split("</script>")[0])
    assert any(isinstance(edit, dict) and "diff" in edit for edit in lists["edits"])


def _failing(run: RunFolder, probe: str) -> Shown:
    item = next(item for item in failures(run)["shown"] if item["probe"] == probe and item["system"] == "full")
    return shown_failure(item)


def test_a_relocated_case_shows_what_was_moved(run: RunFolder) -> None:
    shown = _failing(run, "counterfactual.relocate")
    lines = {line["name"]: line for line in shown["diff"]["lines"]}
    assert {name: line["change"] for name, line in lines.items()} == {
        "title": "changed",
        "hypothesis": "changed",
        "Time": "same",
        "Land": "added",
        "Cast": "removed",
        "Peru": "removed",
    }
    assert lines["hypothesis"]["after"] == [ShownPiece(text="Copper Clock takes 96 minutes.", changed=True)]
    text = _printed(render_cases([shown]))
    assert "The table is now that of “Copper Clock”." in text
    assert "~ title" in text
    assert "+ Land" in text
    assert "- Cast" in text


def test_a_flipped_pair_is_shown_beside_its_original(run: RunFolder) -> None:
    shown = _failing(run, "gold")
    assert shown["original"].startswith("Made from c/s/")
    assert shown["original"].endswith("which was answered E.")
    [line] = [line for line in shown["diff"]["lines"] if line["change"] != "same"]
    assert line == DiffLine(
        name="Time",
        change="changed",
        before=[ShownPiece(text="96", changed=True)],
        after=[ShownPiece(text="99", changed=True)],
    )
    assert "which was answered E." in _printed(render_cases([shown]))


def test_a_pair_is_shown_with_its_other_versions(run: RunFolder) -> None:
    data = read_run(run)
    document = pair_document(run, data, "c/s/0")
    validate("pair", document)
    made = {version["probe"]: version for version in document["versions"]}
    assert set(made) == {"gold", "counterfactual.relocate"}
    assert made["gold"]["after"]["gold"] == "C"
    assert made["counterfactual.relocate"]["answers"][0] == {"system": "full", "before": "E", "after": "C"}
    text = _printed(render_versions(document["versions"]))
    assert "made by its corpus: gold E → C" in text
    assert "made by counterfactual.relocate, certain: gold E → E" in text
    assert "full E → C; blind E → E" in text
    [back] = pair_versions(run, data, "c/s/0-mod")
    assert (back["before"]["gold"], back["after"]["gold"]) == ("E", "C")
    assert pair_versions(run, data, "c/s/nothing") == []


def test_versions_of_texts_show_what_differs(tmp_path: Path) -> None:
    original = Pair("c/s/a", "It rains.", "It is wet.", LabelSet.of("E"))
    other = Pair("c/s/b", "It rains.", "It is dry.", LabelSet.of("C"), bases=("c/s/a",))
    cases = [identity_case(original), identity_case(other)]
    made = write_run(tmp_path, {"c/s": cases}, [Asked("m", {cases[0].id: "E", cases[1].id: None})])
    text = _printed(render_versions(pair_versions(made, read_run(made), "c/s/b")))
    assert "m E → no answer" in text
    assert "as asked, hypothesis: It is dry." in text


def test_only_the_values_that_differ_are_marked() -> None:
    after = LIGHTS.update(1, Row("Cast", ("A", "X", "C"))).permute([2, 1, 0])
    diff = shown_diff(LIGHTS, after, (SAID, SAID))
    assert diff["reordered"]
    [cast] = [line for line in diff["lines"] if line["name"] == "Cast"]
    assert [piece["text"] for piece in cast["after"] if piece["changed"]] == ["X"]
    assert [piece["text"] for piece in cast["before"] if piece["changed"]] == ["B"]


def test_long_cells_are_cut_and_columns_name_rows_without_keys() -> None:
    grid = Table("G", (Row("", ("1", "x" * 5000)),), "", ("no", "text"))
    diff = shown_diff(grid, grid.update(0, Row("", ("2", "y"))), ("h", "h"))
    line = diff["lines"][-1]
    assert line["name"] == "no"
    assert len(line["before"][1]["text"]) < LONGEST + 40
