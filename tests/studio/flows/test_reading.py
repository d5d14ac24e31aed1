"""From the list of runs to a case, why it is answered so, and systems compared."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.analysis.runs import pair as simple_pair
from tests.studio.flows.flow import flow
from tests.studio.flows.hands import Hand
from tests.studio.flows.held import held_until
from tests.studio.read.runs import write_tables
from tests.studio.windows import shows

import nliprobe
from nliprobe.store.frames import case_frames
from nliprobe.studio.settings import Settings

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Serve a corpus, too, in which pairs like others are looked for."""
    return replace(settings, corpora=("builtin/tables-train",))


@flow(
    "GET /",
    "GET /runs.json",
    "GET /runs/{key}",
    "GET /runs/{key}/cases/{case}",
    "GET /runs/{key}/compare",
    "GET /runs/{key}/report",
    "GET /log",
    "GET /enter",
    "POST /enter",
    "POST /leave",
)
def test_a_run_is_read(owner_window: Page, hand: Hand, settings: Settings) -> None:
    page = owner_window
    write_tables(settings.folder)
    page.reload()
    shows(page, "constant answer")
    hand.look(page, "runs")
    hand.follow(page.get_by_role("link", name="run0"))
    # Words and filters.
    hand.write(page.get_by_label("Words"), "ghent")
    hand.follow(page.get_by_role("button", name="Show"))
    shows(page, "1–4 of 4 cases")
    assert page.locator("mark").first.inner_text() == "Ghent"
    hand.look(page, "run")
    hand.choose(page.get_by_label("Probe"), "rows.delete")
    hand.follow(page.get_by_role("button", name="Show"))
    shows(page, "1–1 of 1 case")
    # The address alone brings somebody else to the same list.
    again = page.context.new_page()
    again.goto(page.url)
    shows(again, "1–1 of 1 case")
    again.close()
    # One case, the next one, and those with the same facet.
    hand.follow(page.get_by_role("link", name="Ada died after 1970."))
    shows(page, "The row “Died” is taken out.")
    hand.look(page, "case")
    hand.follow(page.get_by_role("link", name="author: W1"))
    shows(page, "1–4 of 4 cases")
    # A facet opens the other filters.
    hand.tick(page.get_by_label("systems disagree"))
    hand.follow(page.get_by_role("button", name="Show"))
    shows(page, "1–2 of 2 cases")
    hand.look(page, "run-filtered")
    hand.follow(page.get_by_role("link", name="all cases"))
    shows(page, "1–10 of 10 cases")
    hand.follow(page.get_by_role("link", name="Ann sings."))
    hand.follow(page.get_by_role("link", name="Next case"))
    assert "Ben sings." in page.inner_text("h1")
    hand.follow(page.get_by_role("link", name="Previous case"))
    # The same template with other words.
    hand.follow(page.get_by_role("link", name="Eve sings."))
    hand.follow(page.get_by_role("link", name="run0"))
    # Two systems, case by case; each number leads to its cases.
    hand.follow(page.get_by_role("link", name="Compare systems"))
    page.wait_for_selector("table.stack")
    hand.look(page, "compare")
    hand.choose(page.get_by_label("Probe"), "gold")
    hand.follow(page.get_by_role("button", name="Compare"))
    hand.follow(page.locator(".crossed a").first)
    shows(page, "cases (of 10 in the run)")
    hand.follow(page.get_by_role("link", name="Full report"))
    shows(page, "Where the points come from")
    page.wait_for_selector("#cases .case")  # its script runs under its own policy
    page.go_back()
    hand.follow(page.get_by_role("link", name="Log", exact=True))
    shows(page, "signed in")
    hand.look(page, "log")
    hand.follow(page.get_by_role("button", name="Sign out"))
    shows(page, "You have signed out")


@flow(
    "GET /runs/{key}/cases/{case}",
    "POST /runs/{key}/cases/{case}/explain",
    "GET /runs/{key}/cases/{case}/state.json",
)
def test_an_answer_is_explained(owner_window: Page, hand: Hand, settings: Settings) -> None:
    nliprobe.run("small", "builtin/tables-dev?limit=3", out=settings.folder / "asked")
    page = owner_window
    page.reload()
    hand.follow(page.get_by_role("link", name="asked"))
    hand.follow(page.locator(".said a").first)
    hand.choose(page.get_by_label("With the nearest pairs of"), "builtin/tables-train")
    with held_until(page, "**/state.json"):
        hand.follow(page.get_by_role("button", name="Explain the answer of small"))
    page.wait_for_selector(".word-legend")
    shows(page, "Nearest of 216 pairs")
    hand.look(page, "case-explained")


@flow("GET /runs/{key}", "GET /runs/{key}/state.json")
def test_a_run_that_grows_tells_the_page(owner_window: Page, hand: Hand, settings: Settings) -> None:
    run = write_tables(settings.folder, complete=False)
    page = owner_window
    page.reload()
    hand.follow(page.get_by_role("link", name="run0"))
    shows(page, "of 10 cases")
    assert "unfinished" in page.inner_text("#line")
    for _ in range(3):
        with page.expect_response("**/state.json"):
            pass
    assert page.locator("#making").is_hidden()
    hand.look(page, "run-unfinished")
    for kind, frame in case_frames(["some/dev"], [simple_pair("later")]).items():
        run.write(kind, 4, frame)
    shows(page, "There are new cases")
    page.reload()
    assert "of 11 cases" in page.inner_text("main")
