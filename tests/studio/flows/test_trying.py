"""From a pair that is pasted or typed to its edits, why it is answered so, and the file that keeps it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from tests.studio.ask.loaded import two_systems
from tests.studio.flows.flow import flow
from tests.studio.flows.hands import Hand
from tests.studio.flows.held import held_until
from tests.studio.helpers import TOKEN
from tests.studio.serving import serving
from tests.studio.windows import shows

import nliprobe
from nliprobe.api.sources import open_source
from nliprobe.api.tried import CASE_FILE_PARAMETERS
from nliprobe.cli.main import cli
from nliprobe.studio.app import make_app
from nliprobe.studio.ask import routes
from nliprobe.studio.ask.trials import TRIALS, Trial
from nliprobe.studio.context import Studio
from nliprobe.task.table import Row, Table

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page
    from tests.studio.flows.conftest import NewWindow

# As on a page of an encyclopedia, with what belongs to no table around it.
INFOBOX = (
    "<p>Emily Blunt is an actress.</p><table class='infobox'><caption>Emily Blunt</caption>"
    "<tr><th>Born</th><td>1983<br>London</td></tr><tr><th>Occupation</th><td><a href='/a'>Actress</a></td></tr>"
    "<tr><th>Spouse</th><td>John Krasinski</td></tr></table>"
)
ASKED = "section[aria-label='What is asked']"


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """One for all flows: to load the systems takes longer than most of them."""
    with two_systems(tmp_path_factory.mktemp("studio")) as made:
        yield made


@pytest.fixture(scope="module")
def served(studio: Studio) -> Iterator[str]:
    with serving(make_app(studio), studio) as address:
        yield address


def paste(hand: Hand, field: Locator, html: str) -> None:
    """Select all of another page, copy it, and paste it into a field."""
    page = field.page
    other = page.context.new_page()
    other.set_content(html)
    other.keyboard.press("Control+a")
    other.keyboard.press("Control+c")
    other.close()
    page.bring_to_front()
    hand.write(field, "")
    page.keyboard.press("Control+v")


def begin(hand: Hand, page: Page) -> None:
    hand.follow(page.get_by_role("link", name="Try", exact=True))


def enter(hand: Hand, page: Page, served: str) -> None:
    page.goto(f"{served}/enter")
    hand.write(page.get_by_label("Token"), TOKEN)
    hand.follow(page.get_by_role("button", name="Sign in"))


def asked_in_vain(hand: Hand, page: Page, why: str) -> None:
    hand.follow(page.get_by_role("button", name="Ask", exact=True))
    shows(page, why)


def ask(hand: Hand, page: Page) -> None:
    hand.follow(page.get_by_role("button", name="Ask", exact=True))
    answered(page, 1)


def answered(page: Page, version: int) -> None:
    """Wait until all is there that was asked about a version."""
    shows(page, f"version {version} of ")
    page.wait_for_selector("#state[data-waiting=no]", state="attached")


def moves(page: Page) -> dict[str, str]:
    """Return what became of the answer of each system."""
    answers = page.locator(".answer").all()
    return {one.locator(".name").inner_text(): one.locator(".move strong").inner_text() for one in answers}


def trial_of(studio: Studio) -> Trial:
    return studio.part(TRIALS).latest()[0]


def saved(hand: Hand, page: Page, form: str, folder: Path) -> Path:
    """Download a file and keep it as a browser names it."""
    with page.expect_download() as download:
        hand.press(page.get_by_role("link", name=f"Download {form}"))
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


@flow(
    "GET /ask",
    "POST /ask",
    "GET /ask/{key}",
    "GET /ask/{key}/state",
    "POST /ask/{key}/edit",
    "POST /ask/{key}/explain",
    "POST /ask/{key}/label",
    "GET /ask/{key}/save.{form}",
)
def test_a_table_is_pasted_edited_explained_and_saved(
    owner_window: Page, hand: Hand, studio: Studio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Pages come before the answers do.
    monkeypatch.setattr(routes, "_PATIENCE", 0.0)
    page = owner_window
    begin(hand, page)
    paste(hand, page.get_by_label("Premise", exact=True), INFOBOX)
    assert page.get_by_label("Premise", exact=True).input_value().startswith("<table")
    assert page.get_by_label("The premise is").input_value() == "html"
    hand.write(page.get_by_label("Hypothesis"), "Emily Blunt was born in London.")
    hand.look(page, "ask")
    ask(hand, page)
    shows(page, "Read as a table, HTML: 3 rows.")
    assert page.locator(".answer .name").all_inner_texts() == ["small", "wording"]
    assert page.locator(".answer .label").first.inner_text() == "entailment"
    hand.look(page, "asked")
    # An edit that is offered: the answer moves as it may not, and what reads no premise does not follow.
    hand.follow(page.get_by_role("button", name="Take out the row Born"))
    answered(page, 2)
    assert moves(page) == {"small": "✗ prohibited.", "wording": "not reached."}
    shows(page, "It moved from entailment to contradiction. Allowed: entailment, neutral.")
    assert page.locator(f"{ASKED} tr.removed").inner_text().split() == ["Born", "1983", "London"]
    hand.look(page, "edited")
    with held_until(page, "**/state?*"):
        hand.follow(page.get_by_role("button", name="Explain the answer of small"))
    page.wait_for_selector(".word-legend")
    answered(page, 2)
    hand.look(page, "explained")
    # Rows that are moved and one more, by one's own hand.
    hand.press(page.locator("#own > summary"))
    hand.press(page.get_by_role("button", name="Move up: Spouse"))
    hand.look(page, "own-edit")
    hand.follow(page.get_by_role("button", name="Ask about this"))
    answered(page, 3)
    shows(page, "rows.permute")
    # The first version again, and another edit of that one: a value, and a word of the hypothesis.
    hand.follow(page.get_by_role("link", name="Version 1", exact=True))
    answered(page, 1)
    hand.press(page.locator("#own > summary"))
    hand.write(page.get_by_label("Values of row 1, one per line"), "1983\nParis")
    hand.write(page.get_by_label("Key of row 4"), "Residence")
    hand.write(page.get_by_label("Values of row 4, one per line"), "London")
    hand.write(page.locator("#own").get_by_label("Hypothesis"), "Emily Blunt lives in London.")
    hand.follow(page.get_by_role("button", name="Ask about this"))
    answered(page, 4)
    shows(page, "Nothing is known about what must happen")
    assert page.locator(f"{ASKED} ins").all_inner_texts() == ["Paris", "Residence", "London", "lives"]
    made = trial_of(studio).versions[3].made
    assert made is not None
    assert (made.base, made.rule) == (1, None)
    hand.look(page, "history")
    # The right answer, which the file keeps.
    hand.choose(page.get_by_label("Right answer to version 4"), "entailment")
    hand.follow(page.get_by_role("button", name="Keep"))
    assert page.get_by_label("Right answer to version 4").input_value() == "E"
    versions = trial_of(studio).versions
    path = saved(hand, page, "CSV", tmp_path)
    read = list(open_source(f"file:{path}?{CASE_FILE_PARAMETERS}", None).pairs())
    assert [(pair.premise, pair.hypothesis) for pair in read] == [(one.premise, one.hypothesis) for one in versions]
    assert str(read[3].gold) == "E"
    # The line of the page is typed as it stands; the run judges the same moves again.
    saved(hand, page, "JSONL", tmp_path)
    monkeypatch.chdir(tmp_path)
    program, *words = shlex.split(page.locator("section[aria-labelledby=save] code").inner_text())
    assert program == "nliprobe"
    assert CliRunner().invoke(cli, words).exit_code == 0
    run = nliprobe.open_run(tmp_path / "runs" / path.stem)
    assert run.systems == ("small", "wording")
    assert run.failures("small").select("pair_id", "before", "answer").rows() == [(f"{path.stem}/2", "E", "C")]


@flow("GET /ask", "POST /ask", "GET /ask/{key}", "POST /ask/{key}/edit", "GET /ask/{key}/save.{form}")
def test_a_text_is_typed_and_edited(owner_window: Page, hand: Hand, studio: Studio, tmp_path: Path) -> None:
    page = owner_window
    begin(hand, page)
    hand.write(page.get_by_label("Premise", exact=True), "The man plays a guitar. Anna owns two cats.")
    hand.write(page.get_by_label("Hypothesis"), "The man is outside.")
    hand.tick(page.get_by_label("wording"))
    ask(hand, page)
    assert page.locator(".answer .name").all_inner_texts() == ["small"]
    hand.look(page, "text")
    hand.follow(page.get_by_role("button", name="Premise and hypothesis are exchanged"))
    answered(page, 2)
    assert page.locator(f"{ASKED} .text").all_inner_texts() == [
        "The man is outside.",
        "The man plays a guitar. Anna owns two cats.",
    ]
    assert moves(page) == {"small": "✗ prohibited."}
    # One word of a text, in the version before.
    hand.follow(page.get_by_role("link", name="Version 1", exact=True))
    answered(page, 1)
    hand.press(page.locator("#own > summary"))
    hand.write(page.locator("#own").get_by_label("Hypothesis"), "The man is indoors.")
    hand.follow(page.get_by_role("button", name="Ask about this"))
    answered(page, 3)
    assert page.locator(f"{ASKED} ins").all_inner_texts() == ["indoors"]
    # Another trial, and this one again.
    hand.follow(page.get_by_role("link", name="New trial"))
    hand.look(page, "ask-again")
    hand.follow(page.get_by_role("link", name="The man is outside.").first)
    answered(page, 3)
    hand.choose(page.get_by_label("Right answer to version 3"), "contradiction")
    hand.follow(page.get_by_role("button", name="Keep"))
    read = list(open_source(f"file:{saved(hand, page, 'CSV', tmp_path)}?{CASE_FILE_PARAMETERS}", None).pairs())
    assert [str(pair.gold) for pair in read] == ["None", "None", "C"]
    assert [pair.bases for pair in read] == [(), (read[0].id,), ()]


@pytest.mark.parametrize(
    ("form", "title", "typed"),
    [
        (
            "a table, a key: value per line",
            "",
            "Up\nYear: 2009\nVoices: Ed Asner\nVoices: Jordan Nagai\nLength: 96 minutes",
        ),
        ("a table, CSV or TSV", "Up", "Year,2009\nVoices,Ed Asner\nVoices,Jordan Nagai\nLength,96 minutes"),
    ],
    ids=["lines", "CSV"],
)
@flow("GET /ask", "POST /ask", "GET /ask/{key}", "POST /ask/{key}/edit")
def test_a_table_is_typed(owner_window: Page, hand: Hand, studio: Studio, form: str, title: str, typed: str) -> None:
    page = owner_window
    begin(hand, page)
    hand.write(page.get_by_label("Premise", exact=True), typed)
    hand.choose(page.get_by_label("The premise is"), form)
    hand.write(page.get_by_label("Title, if the table has none"), title)
    hand.write(page.get_by_label("Hypothesis"), "Up is a film of 2009.")
    ask(hand, page)
    first = trial_of(studio).versions[0].premise
    rows = (Row("Year", ("2009",)), Row("Voices", ("Ed Asner", "Jordan Nagai")), Row("Length", ("96 minutes",)))
    assert first == Table("Up", rows)
    # A row that is taken out by hand is one whose effect is known.
    hand.press(page.locator("#own > summary"))
    hand.press(page.get_by_role("button", name="Take out: Length"))
    hand.follow(page.get_by_role("button", name="Ask about this"))
    answered(page, 2)
    assert moves(page) == {"small": "allowed.", "wording": "not reached."}


@flow("GET /ask", "POST /ask", "GET /ask/{key}", "POST /ask/{key}/edit")
def test_a_table_of_columns_is_edited_cell_by_cell(owner_window: Page, hand: Hand, studio: Studio) -> None:
    page = owner_window
    begin(hand, page)
    hand.write(page.get_by_label("Premise", exact=True), "team,won,lost,points\nReds,3,1,9\nBlues,1,3,3")
    hand.choose(page.get_by_label("The premise is"), "a table, CSV")
    hand.write(page.get_by_label("Title, if the table has none"), "League")
    hand.write(page.get_by_label("Hypothesis"), "The Reds won three games.")
    ask(hand, page)
    hand.look(page, "columns")
    hand.press(page.locator("#own > summary"))
    hand.write(page.get_by_label("Row 1, won"), "4")
    for name, value in (("team", "Greens"), ("won", "0"), ("lost", "2"), ("points", "0")):
        hand.write(page.get_by_label(f"Row 3, {name}"), value)
    hand.look(page, "columns-own")
    hand.follow(page.get_by_role("button", name="Ask about this"))
    answered(page, 2)
    assert page.locator(f"{ASKED} ins").all_inner_texts() == ["4", "Greens", "0", "2", "0"]


@flow("GET /ask", "POST /ask", "GET /ask/{key}", "POST /ask/{key}/edit")
def test_what_cannot_be_asked_is_said_and_nothing_is_lost(
    new_window: NewWindow, served: str, hand: Hand, studio: Studio
) -> None:
    page = new_window(lets="422 (Unprocessable")
    enter(hand, page, served)
    begin(hand, page)
    premise, hypothesis = page.get_by_label("Premise", exact=True), page.get_by_label("Hypothesis")
    form, title = page.get_by_label("The premise is"), page.get_by_label("Title, if the table has none")
    # The browser itself asks for what is empty.
    hand.write(premise, " ")
    hand.press(page.get_by_role("button", name="Ask", exact=True))
    assert hypothesis.evaluate("field => field.matches(':focus:invalid')")
    hand.write(hypothesis, "Up is a film of 2009.")
    hand.write(title, "Up")
    hand.tick(page.get_by_label("small"))
    asked_in_vain(hand, page, "The premise is empty")
    hand.look(page, "refused")
    paste(hand, premise, "word " * 3001)
    asked_in_vain(hand, page, "The premise has 3,001 words")
    assert len(premise.input_value().split()) == 3001
    hand.choose(form, "a table, a key: value per line")
    hand.write(premise, "Year: 2009\nLength")
    asked_in_vain(hand, page, "Line 2 has no key before a colon")
    assert premise.input_value() == "Year: 2009\nLength"
    hand.tick(page.get_by_label("wording"))
    asked_in_vain(hand, page, "No system is chosen")
    hand.tick(page.get_by_label("small"))
    hand.write(premise, "Year: 2009\nLength: 96 minutes")
    assert form.input_value() == "lines"
    assert title.input_value() == "Up"
    assert hypothesis.input_value() == "Up is a film of 2009."
    ask(hand, page)
    # An edit of one's own.
    hand.press(page.locator("#own > summary"))
    hand.write(page.get_by_label("Key of row 3"), "Voices")
    hand.write(page.locator("#own").get_by_label("Hypothesis"), "Up is long.")
    hand.follow(page.get_by_role("button", name="Ask about this"))
    shows(page, "The row “Voices” has no value")
    hand.look(page, "refused-edit")
    hand.write(page.get_by_label("Values of row 3"), "Ed Asner")
    hand.follow(page.get_by_role("button", name="Ask about this"))
    answered(page, 2)
    version = trial_of(studio).versions[1]
    assert version.hypothesis == "Up is long."
    assert isinstance(version.premise, Table)
    assert version.premise.rows[-1] == Row("Voices", ("Ed Asner",))
