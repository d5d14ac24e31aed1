"""Model evidence in the reports: numbers beside baselines, pairs drawn on their premise, nothing without evidence."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, get_type_hints

import pytest
from click.testing import CliRunner
from rich.console import Console, RenderableType
from tests.analysis.evidence_runs import asked, cases_of, first_row_reader, ignorer, passage_pair, perfect, table_pair
from tests.analysis.runs import Asked, MakeRun, write_run
from tests.analysis.schemas import load_schema, validate
from tests.report.browser import tab

from nliprobe.analysis.evidence.drawn import PairDocument
from nliprobe.analysis.summary import summarise
from nliprobe.api.report import report
from nliprobe.api.results import Run
from nliprobe.base.errors import NotFoundError
from nliprobe.cli.show import command
from nliprobe.report.console import render
from nliprobe.report.drawn import BOTH, NEEDED, NEITHER, UNJUDGED, USED, mark_of, places_to_show, render_pair
from nliprobe.report.markdown import markdown_report
from nliprobe.report.words import NOTHING
from nliprobe.store.run import RunFolder
from nliprobe.task.case import Case
from nliprobe.task.pair import Pair

if TYPE_CHECKING:
    from playwright.sync_api import Browser


TABLES = [
    table_pair("a", "E", [0], group="t1"),
    table_pair("b", "C", [1, 3], group="t2"),
    table_pair("c", "E", [2], group="t3"),
]
PASSAGES = [passage_pair("p", "E", [0, 3], alone=True), passage_pair("q", "C", [1], alone=True)]


def cases(pairs: list[Pair]) -> list[Case]:
    return [case for pair in pairs for case in cases_of(pair, keep=range(len(pair.sentences)))]


@pytest.fixture
def make_run(tmp_path: Path) -> MakeRun:
    (tmp_path / "runs").mkdir()
    return partial(write_run, tmp_path / "runs")


@pytest.fixture
def run(make_run: MakeRun) -> RunFolder:
    tables, passages = cases(TABLES), cases(PASSAGES)
    every = [*tables, *passages]
    systems = [
        asked("perfect", perfect, every),
        asked("first row", first_row_reader, every),
        asked("ignorer", ignorer, every, premise="none"),
    ]
    return make_run({"tables/dev": tables, "passages/dev": passages}, systems)


def printed(item: RenderableType, width: int = 80) -> str:
    console = Console(file=StringIO(), width=width)
    console.print(item)
    stream = console.file
    assert isinstance(stream, StringIO)
    return stream.getvalue()


def test_the_console_shows_systems_beside_what_needs_no_model(run: RunFolder) -> None:
    text = printed(render(summarise(run)))
    assert all(len(line) <= 80 for line in text.splitlines())
    start = text.index("Rows used, tables/dev, gold evidence")
    part = text[start : text.index("Sentences used, passages/dev")]
    lines = [line.split() for line in part.splitlines()]
    assert ["perfect", "100.0", "100.0", "100.0", "0.0", "0.0", "0.0"] in lines
    assert ["right", "100.0", "100.0", "0.0", "0.0", "0.0"] in lines
    assert ["ignorer", "0.0", "0.0", "0.0", "0.0", "0.0", "100.0"] in lines
    assert ["every", "row", "33.3", "100.0", "100.0", "0.0", "0.0", "0.0"] in lines
    assert "pairs with gold E or C and a needed row: 3 of 3 measured" in part
    assert "a row is used if the answer changes without it" in part
    alone = text[text.index("Sentences used alone, passages/dev") :]
    assert "it alone gives the answer, E or C" in " ".join(alone.split())
    assert "without all needed sentences, 100.0" in alone
    assert "1 pair left out: each of several sentences suffices alone" in " ".join(text.split())


def test_markdown_has_the_same_numbers(run: RunFolder) -> None:
    text = markdown_report(summarise(run))
    assert "## Rows used, tables/dev, gold evidence" in text
    assert "| perfect, right 100.0 |  |  | 100.0 | 0.0 | 0.0 | 0.0 |" in text
    assert "| a random row |" in text


def test_a_run_without_evidence_has_no_section(make_run: MakeRun, tmp_path: Path) -> None:
    bare = cases([replace(pair, evidence=None) for pair in TABLES])
    run = make_run({"tables/dev": bare}, [asked("perfect", perfect, bare)])
    assert "Rows used" not in printed(render(summarise(run)))
    page = report(run, tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Rows used" not in page
    assert Run(run).evidence().is_empty()


def test_a_system_that_cannot_be_measured_shows_no_numbers(make_run: MakeRun) -> None:
    every = cases(TABLES)
    answers = {name: "C" if label == "N" else label for name, label in asked("m", perfect, every).answers.items()}
    text = printed(render(summarise(make_run({"tables/dev": every}, [Asked("m", answers, "E|C")]))))
    assert "2 pairs left out: the system does not tell E from N, so that nothing can change" in " ".join(text.split())
    assert ["m", *[NOTHING] * 6] in [line.split() for line in text.splitlines()]


def test_a_pair_is_drawn_with_the_rows_that_are_needed_and_used(run: RunFolder) -> None:
    document = Run(run).pair("b")
    validate("pair", document)
    assert [unit["needed"] for unit in document["units"]] == [False, True, False, True]
    assert {use["system"]: use["used"] for use in document["systems"]} == {
        "perfect": [1, 3],
        "first row": [],
        "ignorer": [],
    }
    lines = printed(render_pair(document)).splitlines()
    assert " ● ○ ○ Key 1: no" in [line.rstrip() for line in lines]
    assert "       Key 2: other" in [line.rstrip() for line in lines]
    assert "1 perfect, answers C; 2 of 4 rows used" in lines


def test_sentences_that_suffice_alone_are_drawn_by_keeping_one(run: RunFolder) -> None:
    document = Run(run).pair("p")
    validate("pair", document)
    assert {use["system"]: (use["method"], use["used"]) for use in document["systems"]} == {
        "perfect": ("keep", [0, 3]),
        "first row": ("keep", [0, 3]),
        "ignorer": ("keep", [0, 1, 2, 3, 4]),
    }
    assert " ● ● ● 1 Sentence 0 says yes." in [line.rstrip() for line in printed(render_pair(document)).splitlines()]


def test_unknown_uses_are_said_to_be_unknown(make_run: MakeRun) -> None:
    some = cases_of(TABLES[0], delete=[0])
    document = Run(make_run({"x": some}, [asked("m", perfect, some)])).pair("a")
    assert document["systems"][0]["used"] is None
    text = " ".join(printed(render_pair(document)).split())
    assert "not every row was taken out and answered, so its use is not known" in text


def test_a_pair_that_is_not_there_is_named_with_some_that_are(run: RunFolder) -> None:
    with pytest.raises(NotFoundError, match=r"no pair 'zz'\. Its pairs have names such as a, b, c"):
        Run(run).pair("zz")


def test_the_frame_has_systems_and_baselines(run: RunFolder) -> None:
    frame = Run(run).evidence()
    by_system = frame.filter(frame["system"] == "perfect")
    assert by_system["recall"].to_list() == [1.0, 1.0, 1.0]
    assert by_system["method"].to_list() == ["delete", "delete", "keep"]
    rows = frame.filter((frame["baseline"] == "every unit") & (frame["unit"] == "row"))
    assert rows["precision"].to_list() == [pytest.approx((1 / 4 + 2 / 4 + 1 / 4) / 3)]


def test_what_a_unit_is() -> None:
    assert mark_of(needed=True, used=True) == BOTH
    assert mark_of(needed=True, used=None) == NEEDED
    assert mark_of(needed=False, used=True) == USED
    assert mark_of(needed=None, used=True) == UNJUDGED, "nobody said that it is not needed"
    assert mark_of(needed=False, used=False) == NEITHER


def test_the_page_draws_pairs_and_marks_failing_cases(browser: Browser, run: RunFolder, tmp_path: Path) -> None:
    with tab(browser, report(run, tmp_path / "page.html")) as seen:
        body = seen.page
        assert body.locator("h2", has_text="Rows used, tables/dev").count() == 1
        drawn = body.locator("section", has=body.locator("#drawn")).locator("article")
        assert drawn.count() >= 4
        assert drawn.locator("td.mark-both", has_text="needed and used").count() >= 4
        # The reader of the first row is wrong about "b": its card shows what it should have used.
        card = body.locator("#cases article", has_text="first row · gold · b")
        assert card.locator("tr.mark-needed").count() == 2
        assert card.locator("td.mark", has_text="○ needed, not used").count() == 2
        passage = body.locator("#cases article", has_text="first row · gold · q")
        assert passage.locator("tr").count() == 5
        assert seen.complaints == []


def test_of_a_long_passage_the_first_and_the_marked_sentences_are_shown() -> None:
    assert places_to_show(3, []) == [0, 1, 2]
    places = places_to_show(3000, [2, 700, 2999, 5000])
    assert places == [*range(30), 700, 2999]
    assert len(places_to_show(3000, range(3000))) == 60


def test_a_page_with_a_passage_of_3000_sentences_stays_small(make_run: MakeRun, tmp_path: Path) -> None:
    some = cases_of(passage_pair("long", "E", [2500], size=3000), delete=[0, 2500], whole=False)
    page = report(make_run({"x": some}, [asked("m", ignorer, some)], shard=10), tmp_path / "page.html")
    assert page.stat().st_size < 200_000


def test_show_draws_a_pair_and_marks_failing_cases(run: RunFolder) -> None:
    drawn = CliRunner().invoke(command, [str(run.path), "--pair", "b", "--format", "json"])
    validate("pair", json.loads(drawn.stdout))
    failing = [str(run.path), "--failing", "1", "--system", "first row"]
    assert "○ needed, not used" in CliRunner().invoke(command, failing).stdout
    passages = CliRunner().invoke(command, [*failing, "--corpus", "passages/dev"]).stdout
    assert " ○ Sentence 1 says no." in passages


def test_the_schema_names_every_field() -> None:
    part = load_schema("pair")
    assert set(part["properties"]) == set(part["required"]) == set(get_type_hints(PairDocument))
