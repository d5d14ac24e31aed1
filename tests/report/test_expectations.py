"""Expectations as reports show them: the guide's own example, on the console, as Markdown, JSON and in a browser."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from rich.console import Console
from tests.analysis.schemas import validate
from tests.report.browser import serious, tab

from nliprobe.analysis.failures import failures
from nliprobe.analysis.summary import summarise
from nliprobe.api.report import report
from nliprobe.api.resolve import Request
from nliprobe.api.run import run
from nliprobe.report.cases import render_cases
from nliprobe.report.console import render
from nliprobe.report.failing import shown_failure
from nliprobe.store.run import RunFolder
from nliprobe.task.edits import apply_edits, edits_from_json

if TYPE_CHECKING:
    from playwright.sync_api import Browser


GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "expectations.md"
ASKED = "id=id&base=base&expects=expects"
PROBES = ["gold", "inv.names", "inv.surface", "dir.negate", "dir.append?tolerance=0.05"]


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """The run of the guide, with the probes added."""
    folder = tmp_path_factory.mktemp("guide")
    text = GUIDE.read_text(encoding="utf-8")
    for name, content in re.findall(r"`(\w+\.\w+)`:\n\n```\w+\n(.*?)```", text, flags=re.DOTALL):
        (folder / name).write_text(content, encoding="utf-8")
    system = f"python:{folder / 'words.py'}:answer?name=words&labels=entailment,neutral,contradiction"
    on = [f"file:{folder / name}?{ASKED}" for name in ("mine.csv", "huts.jsonl")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NLIPROBE_CACHE", str(folder / "cache"))
        return run(Request(on, [system], PROBES), folder / "run").run


def printed(thing: object, width: int = 80) -> str:
    console = Console(width=width, no_color=True)
    with console.capture() as capture:
        console.print(thing)
    return capture.get()


def test_the_guide_shows_what_is_printed(example: RunFolder) -> None:
    document = summarise(example)
    validate("show", document)
    own = {entry["corpus"]: entry for entry in document["expectations"] if entry["probe"] == "gold"}
    counts = {name: (item["n"], item["holds"], item["broken"], item["not_applicable"]) for name, item in own.items()}
    assert counts == {"mine": (5, 2, 2, 1), "huts": (2, 1, 1, 0)}
    page, shown = GUIDE.read_text(encoding="utf-8"), printed(render(document))
    block = page[page.index("Expectations  what must hold") :].partition("```")[0]
    # The other probes come after. How wide columns are is Rich's choice: versions before 14.3 choose otherwise.
    ours = shown[shown.index("Expectations  what must hold") :].splitlines()[: len(block.splitlines())]
    assert [line.strip("─").split() for line in block.splitlines()] == [line.strip("─").split() for line in ours]
    told = printed(render_cases([shown_failure(item) for item in failures(example)["shown"]]), 100)
    case = page[page.index("words · gold · mine/cake-perhaps") :].partition("```")[0].strip()
    assert case in told


LENGTHS = """
def answer(pairs):
    shares = [len(premise + hypothesis) / (len(premise + hypothesis) + 30) for premise, hypothesis in pairs]
    return [{"probabilities": [share, (1 - share) / 2, (1 - share) / 2]} for share in shares]
"""


def test_failing_cases_say_what_was_asked(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"premise": "Emily is not at home.", "hypothesis": "Emily is out.", "label": "E"},
        {"premise": {"title": "Emily", "Town": "Rom"}, "hypothesis": "Emily is away.", "label": "N"},
    ]
    (tmp_path / "two.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (tmp_path / "lengths.py").write_text(LENGTHS, encoding="utf-8")
    system = f"python:{tmp_path / 'lengths.py'}:answer?labels=entailment,neutral,contradiction"
    folder = run(Request([f"file:{tmp_path / 'two.jsonl'}"], [system], PROBES), tmp_path / "run").run
    shown = [shown_failure(item) for item in failures(folder)["shown"]]
    text, table = sorted(
        (item for item in shown if item["probe"].startswith("dir.append")), key=lambda item: "title" in item
    )
    added = re.fullmatch("In the premise, “(.*)” is added.", text["edit"])
    assert added is not None
    assert text["premise"] == f"Emily is not at home. {added[1]}"
    assert table["edit"].startswith("The row “Note” is added: “")
    assert [row["key"] for row in table["rows"]] == ["Town", "Note"]
    for item in (text, table):
        assert item["moved"].startswith("Probabilities: E 0.")
        assert item["expected"] == "the same label as before and every probability within 0.05 of the one before"
    negated = next(item for item in shown if item["probe"] == "dir.negate")
    assert negated["hypothesis"] in ("Emily is not out.", "Emily is not away.")
    assert negated["edit"] == "In the hypothesis, “not” is added."
    assert all(item["allowed"] or item["expected"] for item in shown)


# It answers by where the first sentence ends.
PLACES = """
def answer(pairs):
    return [("entailment", "neutral", "contradiction")[premise.find(".") % 3] for premise, _ in pairs]
"""


def test_edits_of_sentences_are_shown_as_they_were_asked(tmp_path: Path) -> None:
    (tmp_path / "places.py").write_text(PLACES, encoding="utf-8")
    system = f"python:{tmp_path / 'places.py'}:answer?labels=entailment,neutral,contradiction"
    probes = ["gold", "sentences.delete", "sentences.permute", "sentences.insert?n=3", "sentences.keep"]
    folder = run(Request(["builtin/passages-dev"], [system], probes), tmp_path / "run").run
    told: dict[str, str] = {}
    for item in failures(folder)["shown"]:
        if item["probe"] == "gold":
            continue
        shown = shown_failure(item)
        premise, _ = apply_edits(item["premise"], item["hypothesis"], edits_from_json(item["edits"] or "[]"))
        assert shown["premise"] == premise != item["premise"]
        doubt = " What is expected here is likely, not certain."
        assert shown["edit"].endswith(doubt) == (item["certainty"] == "likely")
        told[item["probe"]] = shown["edit"].removesuffix(doubt)
    assert told["sentences.delete"].startswith("The sentence “")
    assert told["sentences.permute"] == "The sentences are in another order, shown here as it was asked."
    assert told["sentences.insert?n=3"].endswith("” is added.")
    assert told["sentences.keep"].startswith("Nothing is left but “")


def test_other_forms_have_the_expectations(example: RunFolder, tmp_path: Path) -> None:
    text = report(example, tmp_path / "report.md", form="markdown").read_text(encoding="utf-8")
    assert "## Expectations" in text
    assert "| words | mine | gold | 5 | 2 | 2 | 1 | 0 | 0 | 50.0 |" in text
    content = json.loads(report(example, tmp_path / "report.json", form="json").read_text(encoding="utf-8"))
    assert content["expectations"][0]["system"] == "words"


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (390, "dark")])
def test_the_page_has_a_section(browser: Browser, example: RunFolder, tmp_path: Path, width: int, scheme: str) -> None:
    path = report(example, tmp_path / "report.html")
    with tab(browser, path, width=width, scheme=scheme) as seen:
        section = seen.page.locator("section", has=seen.page.locator("h2", has_text="What else must hold"))
        assert section.count() == 1
        assert section.locator(".plot").count() == len({entry["probe"] for entry in summarise(example)["expectations"]})
        assert "if base_in N then monotone C up" in section.inner_text()
        seen.page.fill("#search", "Perhaps")
        seen.page.wait_for_function("() => location.hash.includes('Perhaps')")
        words = "expected: the probability of entailment lower than before"
        seen.page.locator("#cases article.case", has_text=words).first.wait_for()
        assert seen.complaints == []
        assert serious(seen.page) == []
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= width


def test_every_link_of_the_page_leads_somewhere(example: RunFolder, tmp_path: Path) -> None:
    page = report(example, tmp_path / "report.html").read_text(encoding="utf-8")
    links = set(re.findall(r'href="#([^"]+)"', page))
    assert "expectations" in links
    assert links <= {"top"} | set(re.findall(r'id="([^"]+)"', page))


def test_a_run_without_expectations_has_no_section(tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("premise,hypothesis,label\na dog,a cat,C\n", encoding="utf-8")
    (tmp_path / "model.py").write_text("def answer(pairs):\n    return ['E' for _ in pairs]\n", encoding="utf-8")
    asked = Request([f"file:{tmp_path / 'one.csv'}"], [f"python:{tmp_path / 'model.py'}:answer"])
    folder = run(asked, tmp_path / "run").run
    assert summarise(folder)["expectations"] == []
    assert 'id="expectations"' not in report(folder, tmp_path / "r.html").read_text(encoding="utf-8")
