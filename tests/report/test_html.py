"""The HTML report, as a browser sees it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.report.browser import tab
from tests.report.layout import AXE, FEW, page_findings, told

from nliprobe.analysis.summary import summarise
from nliprobe.api.report import report
from nliprobe.api.resolve import Request
from nliprobe.api.run import run
from nliprobe.cli.demo import ON, PROBES, SYSTEMS, TRAIN
from nliprobe.report.verdict import verdicts
from nliprobe.store.run import RunFolder

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    folder = tmp_path_factory.mktemp("demo")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NLIPROBE_CACHE", str(folder / "cache"))
        return run(Request(ON, SYSTEMS, PROBES, TRAIN), folder / "run").run


@pytest.fixture(scope="module")
def page(demo: RunFolder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return report(demo, tmp_path_factory.mktemp("page") / "report.html")


def test_the_demo_shows_a_network_that_is_good_at_home_and_fails_elsewhere(demo: RunFolder) -> None:
    document = summarise(demo)
    network, svm = verdicts(document)
    assert network.startswith("small: ")
    assert "its accuracy is not shown to be above that of a constant answer on" in network
    assert "builtin/tables-dev (" in network
    assert "It changes its answer where it must not after swap on builtin/sentences-dev and checklist?n=5 (" in network
    assert "It learnt from SNLI and MultiNLI." in document["notes"]["small"][0]
    assert svm.startswith("SVM: ")
    assert "its accuracy is not shown to be above that of a constant answer on" in svm
    assert "It gains little or nothing from the premise on builtin/tables-dev (-6.0 points" in svm
    assert "uses the premise" not in svm
    assert "It changes its answer where it must not after swap on builtin/sentences-dev and checklist?n=5 (" in svm


def test_what_several_systems_note_stands_once_at_the_head_of_the_page(browser: Browser, page: Path) -> None:
    with tab(browser, page) as seen:
        body = seen.page
        note = body.get_by_text("small and small, hypothesis only: It learnt from SNLI and MultiNLI.")
        assert note.count() == 1
        first = body.get_by_role("heading", level=2).first
        top, heading = note.bounding_box(), first.bounding_box()
        assert top is not None
        assert heading is not None
        assert top["y"] < heading["y"]


def test_report_is_one_small_file_that_names_no_other(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert page.stat().st_size < 3_000_000
    assert "http://" not in text.replace("http://www.w3.org", "")
    assert "https://" not in text
    assert "<link rel=stylesheet" not in text
    assert " src=" not in text


def test_report_renders_filters_and_asks_for_nothing(browser: Browser, page: Path) -> None:
    with tab(browser, page) as seen:
        body = seen.page
        assert "Does it reason or guess?" in body.title()
        # Four or fewer of a probe are drawn large; of swap's eight, the worst is, and each is small.
        assert body.locator("figure.moved svg.transitions").count() == 3
        assert body.locator("details.moved-card svg.moves").count() == 8
        assert body.get_by_text("SVM, hypothesis only, builtin/tables-dev: unchanged by construction").count() == 1
        assert body.locator("th", has_text="prohibited (likely)").count() == 1
        assert body.locator("path.edge.prohibited").count() >= 4
        # What the list itself does is in test_case_browser.
        body.locator("#cases article.case").first.wait_for()
        assert body.locator("#cases article.case").count() == 20
        body.click("#more")
        body.wait_for_function("() => document.querySelectorAll('#cases article.case').length === 40")
        assert seen.requests == [page.as_uri()]
        assert seen.complaints == []


def test_report_is_laid_out_well_and_accessible(browser: Browser, page: Path) -> None:
    """The page with most kinds of chapters: pairs with their evidence, templates, swapped texts."""
    found = page_findings(browser, page, FEW, AXE)
    assert not found, told(found)


HOSTILE = [
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(2)>",
    "\u202eright to left\u202c",
    "\u2028\u2029 ' \" & < > `",
    "x" * 1_000_000,
]


def hostile_run(folder: Path) -> RunFolder:
    """A run over hostile texts, with a system of a hostile name that is always wrong."""
    premises: list[object] = [
        *HOSTILE,
        *({"title": text, "key " + text: [text, text], "other": "1"} for text in HOSTILE),
    ]
    rows = [
        {"premise": premise, "hypothesis": text[:5000], "label": "C"}
        for premise, text in zip(premises, HOSTILE * 2, strict=True)
    ]
    (folder / "hostile.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (folder / "model.py").write_text(
        "def answer(pairs):\n    return ['E' if '1' in p[-9:] or len(p) % 2 else 'N' for p, h in pairs]\n"
    )
    system = f"python:{folder / 'model.py'}:answer?name=%3Cscript%3Ealert(3)%3C/script%3E"
    request = Request([f"file:{folder / 'hostile.jsonl'}"], [system], ["gold", "rows.delete", "swap"])
    return run(request, folder / "run").run


def test_hostile_text_is_shown_as_text(browser: Browser, tmp_path: Path) -> None:
    path = report(hostile_run(tmp_path), tmp_path / "report.html")
    assert path.stat().st_size < 3_000_000
    with tab(browser, path) as seen:
        assert seen.complaints == []
        assert seen.requests == [path.as_uri()]
        assert seen.page.locator("article.case img, article.case script").count() == 0
        seen.page.locator("#cases article.case").first.wait_for()
        text = seen.page.locator("#cases").inner_text()
        assert "<script>alert(1)</script>" in text
        assert "(1,000,000 characters)" in text


@pytest.mark.parametrize("form", ["markdown", "json"])
def test_other_forms(demo: RunFolder, tmp_path: Path, form: str) -> None:
    text = report(demo, tmp_path / "report", form=form).read_text(encoding="utf-8")
    if form == "json":
        assert json.loads(text)["schema"] == "nliprobe/show/3"
    else:
        assert "## Accuracy minus the best premise-free control" in text
        assert "| SVM | builtin/tables-dev | E |" in text
        section = text.split("## rows.delete")[1].split("##")[0].strip().splitlines()
        assert len({line.count("|") for line in section if line.startswith("|")}) == 1
        assert "unchanged by construction" in section[-1]
        after_swap = text.split("## swap")[1].split("##")[0]
        assert "prohibited % | n likely | prohibited % (likely)" in after_swap
        # The swap test has its accuracies, label by label.
        assert "Accuracy after swap" not in text
        rows = [line.split(" | ") for line in text.split("## Swap test")[1].split("##")[0].splitlines()]
        assert {"E", "N", "C"} <= {cells[2] for cells in rows if cells[0] == "| SVM"}


def test_report_of_a_run_without_failures(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("premise,hypothesis,label\np,h,E\n")
    (tmp_path / "model.py").write_text("def answer(pairs):\n    return ['E' for _ in pairs]\n")
    request = Request([f"file:{tmp_path / 'one.csv'}"], [f"python:{tmp_path / 'model.py'}:answer"])
    path = report(run(request, tmp_path / "run").run, tmp_path / "report.html")
    with tab(browser, path) as seen:
        assert seen.complaints == []
        assert "There are none." in seen.page.locator("main").inner_text()
