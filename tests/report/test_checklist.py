"""The summary of a checklist as people see it: console, page, section of the report, and the verbs that give it."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from click.testing import CliRunner
from rich.console import Console
from tests.analysis.checklists import Made, answers, example, examples
from tests.analysis.runs import Asked, pair, write_run
from tests.analysis.schemas import validate
from tests.report.browser import tab

from nliprobe.analysis.checklist.document import checklist_document
from nliprobe.analysis.checklist.documents import ChecklistDocument
from nliprobe.analysis.checklist.wording import TemplateWording
from nliprobe.api import checklist as verb
from nliprobe.api.report import report
from nliprobe.api.resolve import Request
from nliprobe.api.run import run as ask
from nliprobe.cli.main import cli
from nliprobe.report import heatmap
from nliprobe.report._checklist_words import extreme_lines
from nliprobe.report.checklist import render_checklist
from nliprobe.report.checklist_page import checklist_page, checklist_section
from nliprobe.report.heatmap import HeatCell, HeatRow, heat_map
from nliprobe.report.pages import simple_page
from nliprobe.report.words import NOTHING
from nliprobe.store.run import RunFolder

HOSTILE = "<script>alert(1)</script>"
WOMEN, MEN = [f"Ana{number}" for number in range(30)], [f"Ben{number}" for number in range(30)]
GENDERS = {**dict.fromkeys(WOMEN, "f"), **dict.fromkeys(MEN, "m")}
PEOPLE = Made("negation.but-not", "negation", "C", genders=GENDERS)
SWAPPED = Made(
    "comparative.swapped", "comparative", "C", variation_of="comparative.same", change="the arguments change places"
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SAME = Made("comparative.same", "comparative", "E")
ODD = Made("odd.one", f"odd {HOSTILE}", "N")
PATTERNS = [
    TemplateWording("negation.but-not", "negation", "{NAME1} is {a(PROFESSION)}.", "{NAME1} is not.", "C"),
    TemplateWording("comparative.same", "comparative", "{NAME1} is taller.", "{NAME1} is taller.", "E"),
    TemplateWording("comparative.swapped", "comparative", "{NAME1} is taller.", "{NAME2} is taller.", "C"),
]
SYSTEMS = ["bert", f"a-very-long-name-of-a-system-{HOSTILE}"]


def write_checklist(folder: Path) -> RunFolder:
    people = []
    for number in range(120):
        name, profession = (WOMEN if number % 4 < 2 else MEN)[number % 30], ("doctor", "dancer")[number % 2]
        people.append(example(PEOPLE, number, NAME1=name, PROFESSION=profession, N=str(number)))
    same, swapped = examples(SAME, 30), examples(SWAPPED, 30)
    odd = [example(ODD, number, X=f"{HOSTILE}{number}") for number in range(5)]
    bench = [pair(f"b{number}", "E") for number in range(30)]
    said: dict[str, str | None] = {case.id: ("C", "E")[number % 2] for number, case in enumerate(people)}
    said |= {**answers(same, 30, "C"), **answers(swapped, 2, "E"), **answers(odd, 2, None), **answers(bench, 27, "N")}
    cases = {"checklist/all": [*people, *same, *swapped, *odd], "snli/dev": bench}
    other = dict.fromkeys(said, "E")
    return write_run(folder, cases, [Asked(SYSTEMS[0], said), Asked(SYSTEMS[1], other)], shard=500)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    return write_checklist(tmp_path_factory.mktemp("runs"))


@pytest.fixture(scope="module")
def document(run: RunFolder) -> ChecklistDocument:
    return checklist_document(run, patterns=PATTERNS)


@pytest.fixture(scope="module")
def page(document: ChecklistDocument, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "checklist.html"
    path.write_text(checklist_page(document), encoding="utf-8")
    return path


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """These templates in the place of the library's."""
    monkeypatch.setattr(verb, "known_patterns", lambda run: PATTERNS)


def printed(document: ChecklistDocument, width: int = 140) -> str:
    stream = io.StringIO()
    Console(file=stream, width=width).print(render_checklist(document))
    return stream.getvalue()


def test_console_says_everything_once(document: ChecklistDocument) -> None:
    text = printed(document)
    assert "bert is right in 50.8 %" in text
    assert "passes 1 of 4 templates and fails 1" in text
    assert re.search(r"the highest is comparative \(53\.3 %, [^)]+\), the lowest odd", " ".join(text.split()))
    assert "points on snli/dev (90.0)" in " ".join(text.split())
    assert "?: fewer than 5 templates" in text
    assert "dancer 0.0 … doctor 100.0" in text
    assert "the arguments change places" in text
    assert "E 100 %" in text
    assert "Ordinary least squares over 3 templates." in text
    (line,) = [line for line in text.splitlines() if line.startswith("comparative.swapped") and "So it is" in line][:1]
    assert line.split()[1:5] == ["6.7", "[1.8,", "21.3]", "C"]


def test_console_puts_systems_that_do_not_fit_into_another_table(document: ChecklistDocument) -> None:
    assert printed(document, 200).count("mean over templates") == 1
    assert printed(document, 80).count("mean over templates") == 2


def test_page_shows_what_the_document_has(browser: Browser, page: Path) -> None:
    with tab(browser, page) as seen:
        body = seen.page
        assert body.title().startswith("What can it reason about?")
        text = body.locator("main").inner_text()
        assert [item.inner_text() for item in body.locator("h2").all()] == [
            "What can it reason about? capabilities",
            "Templates passed and failed checklist",
            "Label by label checklist",
            "Benchmark and checklist checklist",
            "Variations",
            "What the drawn words do lexicon effects",
            "What goes with high or low accuracy surrogate",
            "All templates",
            "Notes",
        ]
        assert "PROFESSION in negation.but-not" in text
        assert "the arguments change places" in text
        # Three capabilities and the whole suite, three labels and their mean, two values with three columns.
        assert body.locator("table.heat").count() == 3
        # Two systems, and what the best constant answer gets.
        assert body.locator("table.heat").first.locator("td[class^=h]").count() == 12
        body.locator("summary", has_text="comparative (2)").click()
        assert "instead E\u00a0100\u00a0%" in body.locator("main").inner_text()
        assert seen.complaints == []
        assert seen.requests == [page.as_uri()]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_numbers_can_be_read_on_every_colour(browser: Browser, tmp_path: Path, scheme: str) -> None:
    """Contrast by WCAG's own formula, on every step of the colour."""
    cells = tuple(HeatCell(share / heatmap.STEPS, str(share)) for share in range(heatmap.STEPS + 1))
    drawn = heat_map([str(number) for number in range(len(cells))], [HeatRow("row", cells)], "t")
    style = (Path(heatmap.__file__).parent / "page" / "heatmap.css").read_text(encoding="utf-8")
    html = simple_page("t", drawn, style=style)
    path = tmp_path / "map.html"
    path.write_text(html, encoding="utf-8")
    with tab(browser, path, scheme=scheme) as seen:
        contrasts = seen.page.evaluate(
            """() => {
              const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
              const read = colour => {
                context.fillStyle = colour;
                context.fillRect(0, 0, 1, 1);
                return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
              };
              const part = value => (value /= 255) <= .03928 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4;
              const light = c => .2126 * part(c[0]) + .7152 * part(c[1]) + .0722 * part(c[2]);
              return [...document.querySelectorAll('table.heat tbody td')].map(cell => {
                const style = getComputedStyle(cell);
                const ink = light(read(style.color)), ground = light(read(style.backgroundColor));
                return (Math.max(ink, ground) + .05) / (Math.min(ink, ground) + .05);
              });
            }"""
        )
    assert len(contrasts) == len(cells)
    assert min(contrasts) >= 4.5
    assert contrasts[0] != pytest.approx(contrasts[-1])


def test_report_of_a_run_gets_the_head_of_the_summary(run: RunFolder, tmp_path: Path, known: None) -> None:
    text = report(run, tmp_path / "report.html").read_text(encoding="utf-8")
    assert '<h2 id="capabilities">' in text
    assert '<h2 id="bins">' in text
    assert "What the drawn words do" not in text
    plain = write_run(tmp_path, {"x": [pair("a", "E")]}, [Asked("m", {"a": "E"})])
    assert 'id="capabilities"' not in report(plain, tmp_path / "plain.html").read_text(encoding="utf-8")


def test_a_worthless_surrogate_shows_no_coefficients(tmp_path: Path) -> None:
    head = "Capability\tTemplate\tLabel\tGood\tNoise\tFile\n"
    noise = np.random.default_rng(0).integers(0, 100, 40)
    rows = [
        f"WORLD\tP: {('{CITY}', '{YEAR}')[place % 2]}. H: {{CITY}}.\tE\t{(90, 10)[place % 2]}\t{share}\tw{place}\n"
        for place, share in enumerate(noise)
    ]
    path = tmp_path / "t.tsv"
    path.write_text(head + "".join(rows))
    document = verb.score_template_accuracies(path)
    text = printed(document)
    good, bad = text.split("Good: surrogate")[1].split("Noise: surrogate")
    assert "YEAR" in good
    assert "Worthless" in bad
    assert "YEAR" not in bad
    assert checklist_page(document).count('class="plot"') == 2  # the bins of both, and the coefficients of one


def test_hostile_names_are_text(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)" in text


def test_heat_map_is_a_table_whose_long_names_are_at_hand() -> None:
    cells = (HeatCell(0.5, "50.0 ±1.0", "half"), HeatCell(None, NOTHING))
    drawn = heat_map(["RoBERTa-SNLI-MNLI-FEVER-ANLI", "x" * 40], [HeatRow("lexical", cells, "linguistic")], "Accuracy")
    assert 'aria-label="Accuracy"' in drawn
    assert 'title="RoBERTa-SNLI-MNLI-FEVER-ANLI"><bdi>RoBERTa-SNLI…LI-FEVER-ANLI</bdi>' in drawn
    assert f'title="{"x" * 40}"' in drawn
    assert '<td role="cell" class="h10" title="half"' in drawn
    assert drawn.count(' class="h') == 2  # the table itself, and one cell with a share
    assert "<table" in heat_map([], [], "nothing")


def test_section_of_published_accuracies_counts_no_examples(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    path.write_text("Capability\tTemplate\tLabel\tOne\tFile\nWORLD\tP: {CITY}. H: {CITY}.\tE\t50\tw\n")
    document = verb.score_template_accuracies(path)
    assert checklist_section(document)["counted"] is False
    assert "mean accuracy of 50.0 %" in printed(document)
    assert "{CITY}. → {CITY}." in checklist_page(document)


def test_verbs_show_report_and_score(run: RunFolder, tmp_path: Path, known: None) -> None:
    invoke = CliRunner().invoke
    shown = invoke(cli, ["show", str(run.path), "--checklist", "--format", "json"], catch_exceptions=False)
    assert shown.exit_code == 0
    validate("checklist", json.loads(shown.output))
    assert "Capabilities" in invoke(cli, ["show", str(run.path), "--checklist"]).output
    out = tmp_path / "page.html"
    assert invoke(cli, ["report", str(run.path), "--checklist", "-o", str(out)]).exit_code == 0
    assert "What the drawn words do" in out.read_text(encoding="utf-8")
    assert invoke(cli, ["report", str(run.path), "--checklist", "-o", str(tmp_path / "c.json")]).exit_code == 0
    assert json.loads((tmp_path / "c.json").read_text(encoding="utf-8"))["schema"] == "nliprobe/checklist/2"
    refused = invoke(cli, ["report", str(run.path), "--checklist", "-o", str(tmp_path / "c.md")])
    assert refused.exit_code != 0


def test_score_takes_a_table_or_answers(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    path.write_text("Capability\tTemplate\tLabel\tOne\tFile\nWORLD\tP: {CITY}. H: {CITY}.\tE\t50\tw\n")
    invoke = CliRunner().invoke
    told = invoke(cli, ["score", "--template-accuracies", str(path), "--format", "json"], catch_exceptions=False)
    validate("checklist", json.loads(told.output))
    for words in (
        ["--template-accuracies", str(path), "--on", "snli/dev"],
        ["--on", "snli/dev"],
        ["--predictions", str(path)],
    ):
        assert invoke(cli, ["score", *words]).exit_code != 0


def test_a_run_over_templates_of_ones_own(tmp_path: Path) -> None:
    """From a template file to the page: what corpora of templates write is what the summary reads."""
    (tmp_path / "mine.yaml").write_text(
        "capability: astrology\n"
        "templates:\n"
        "  - id: astrology.stars\n"
        '    premise: "{NAME1} is {a(PROFESSION)} and {NAME2} is not."\n'
        '    hypothesis: "{NAME2} is {a(PROFESSION)}."\n'
        "    label: C\n"
        "    because: It says that the other is not.\n"
        "    second: {label: N, capability: implicature, because: It might be another kind.}\n"
        "  - id: astrology.moons\n"
        '    premise: "{NAME1} is {a(PROFESSION)}."\n'
        '    hypothesis: "{NAME1} is {a(PROFESSION)}."\n'
        "    label: E\n"
        "    because: It is the same.\n"
        "  - id: astrology.suns\n"
        '    premise: "{NAME1} is here."\n'
        '    hypothesis: "{NAME1} is not here."\n'
        "    label: C\n"
        "    because: It denies it.\n"
        "    variation: {of: astrology.moons, change: not is added}\n",
        encoding="utf-8",
    )
    (tmp_path / "model.py").write_text(
        "def answer(pairs):\n    return ['E' if 'doctor' in p else 'C' for p, h in pairs]\n"
    )
    request = Request([f"templates:{tmp_path / 'mine.yaml'}?n=60"], [f"python:{tmp_path / 'model.py'}:answer?name=m"])
    folder = ask(request, tmp_path / "run").run
    document = verb.checklist(folder)
    validate("checklist", document)
    assert [entry["capability"] for entry in document["capabilities"]] == ["astrology"]
    assert [entry["template"] for entry in document["template_table"]] == ["astrology.moons", "astrology.suns"]
    assert [item["template"] for item in document["readings"]] == [None, "astrology.stars"]
    assert document["readings"][1]["second_capability"] == "implicature"
    assert [item["template"] for item in document["variations"]] == ["astrology.suns"]
    told = "Templates with two readings are in no accuracy: 1. Which reading is taken is shown apart."
    assert document["notes"] == [told]
    assert "takes the first reading in" in printed(document)
    assert '<h2 id="readings">' in checklist_page(document)
    (tmp_path / "mine.yaml").unlink()
    unknown = "How the templates are written is not known, so there is no surrogate."
    assert verb.checklist(folder)["notes"] == [told, unknown]


def test_readings_alone_are_shown(tmp_path: Path) -> None:
    made = Made("quantifier.all", "quantifier", "N", second="C")
    cases = examples(made, 12)
    run = write_run(tmp_path, {"checklist": cases}, [Asked("m", answers(cases, 7, "C"))])
    document = checklist_document(run)
    text = printed(document)
    assert "m takes the first reading in 58.3 %" in text
    assert "quantifier.all" in text
    page = checklist_page(document)
    assert '<h2 id="readings">' in page
    assert 'id="capabilities"' not in page


def test_the_section_names_the_lowest_capability_with_its_interval(document: ChecklistDocument) -> None:
    lines = extreme_lines(document)
    assert [line.partition(":")[0] for line in lines] == document["systems"]
    for line, system in zip(lines, document["systems"], strict=True):
        rates = {
            entry["capability"]: entry["accuracy"]
            for entry in document["capabilities"]
            if entry["system"] == system and entry["accuracy"] is not None
        }
        low, high = min(rates.values()), max(rates.values())
        lowest, highest = re.findall(
            r"(?:lowest|highest) in (.+?) \(([\d.]+) %, (?:no interval|[\d.]+ to [\d.]+)\)", line
        )
        assert (rates[lowest[0]], lowest[1]) == (low, f"{100 * low:.1f}")
        assert (rates[highest[0]], highest[1]) == (high, f"{100 * high:.1f}")
        assert "where a constant answer gets" in line
    assert extreme_lines({**document, "integrity": {**document["integrity"], "state": "unfinished"}}) == []


def test_an_interval_that_reaches_into_the_lowest_is_said(document: ChecklistDocument) -> None:
    ends = iter(([0.0, 0.3], [0.2, 0.6], [0.5, 0.9]))
    entries = [
        {**entry, "n": 10, "accuracy": 0.1 * place, "ci95": next(ends), "capability": f"c{place}", "system": "m"}
        for place, entry in enumerate([document["capabilities"][0]] * 3)
    ]
    [line] = extreme_lines({**document, "systems": ["m"], "capabilities": entries})  # type: ignore[typeddict-item]
    assert line.endswith("The lowest may also be another: 1 interval overlaps with its own.")
