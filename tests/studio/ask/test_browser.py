"""*Try* in Chromium: keys, what is slow, gone or sent twice, what is long; what people do is in the flows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.studio.windows import sign_in, tab_to, window

from nliprobe.studio.ask import routes
from nliprobe.studio.ask.trials import TRIALS
from nliprobe.studio.context import Studio

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

ASKED = "section[aria-label='What is asked']"
# On a page of a trial the tabulator goes by all edits that are offered.
MANY = 150


def answered(page: Page, version: int) -> None:
    """Wait until all is there that was asked about a version."""
    page.wait_for_selector(f"text=version {version} of {version}")
    page.wait_for_selector(".answer .label")
    page.wait_for_selector("#state[data-waiting=no]", state="attached")
    page.wait_for_load_state()


def begin(page: Page, premise: str, *, form: str) -> None:
    """Ask about a table that is typed."""
    page.fill("#premise", premise)
    page.select_option("#form", form)
    page.fill("#title", "Emily Blunt")
    page.fill("#hypothesis", "Emily Blunt lives in London.")
    page.get_by_role("button", name="Ask", exact=True).click()
    answered(page, 1)


def test_what_is_being_written_stays_when_answers_come(
    browser: Browser, served: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes, "_PATIENCE", 0.0)
    held: list[Route] = []
    with window(browser, 1280) as page:
        sign_in(page, served, "/ask")
        page.fill("#premise", "The man plays a guitar.")
        page.fill("#hypothesis", "The man is outside.")
        page.route("**/state?at=*", lambda route: held.append(route))
        page.keyboard.press("Control+Enter")
        page.wait_for_selector("text=The systems are being asked")
        page.click("summary:has-text('Your own edit')")
        page.fill("#own-hypothesis", "The man is indoors and")
        page.unroute("**/state?at=*")  # lets those go on that wait
        answered(page, 1)
        page.keyboard.type(" sings.")
        assert page.input_value("#own-hypothesis") == "The man is indoors and sings."
        page.keyboard.press("Control+Enter")
        answered(page, 2)
        assert "indoors and sings." in page.inner_text(ASKED)


def test_who_works_by_keys_keeps_their_place(browser: Browser, served: str) -> None:
    with window(browser, 1280) as page:
        sign_in(page, served, "/ask")
        begin(page, "Born: 1983\nOccupation: Actress\nSpouse: John Krasinski\nResidence: London", form="lines")
        keys = page.keyboard
        tab_to(page, "#own > summary", MANY)
        keys.press("Enter")
        tab_to(page, "button[aria-label='Move up: Residence']")
        keys.press("Enter")
        keys.press("Enter")
        assert rows(page) == ["Born", "Residence", "Occupation", "Spouse", ""]
        tab_to(page, "button[aria-label='Take out: Occupation']")
        keys.press("Enter")
        assert rows(page) == ["Born", "Residence", "Spouse", ""]
        assert has_focus(page, "button[aria-label='Take out: Spouse']")
        # A row is named as it is now.
        tab_to(page, "input[aria-label='Key of row 5']")
        keys.type("Height")
        assert page.get_by_role("button", name="Take out: Height").is_visible()
        keys.press("Tab")
        keys.type("1.71 m\nor so")
        keys.press("Control+Enter")
        answered(page, 2)
        added = page.locator(f"{ASKED} tr.added").inner_text()
        assert " ".join(added.split()) == "Height 1.71 m or so Take out"
        # Whoever works by keys goes on where they see what came of it.
        keys.press("Tab")
        assert has_focus(page, "button[aria-label='Explain the answer of small']")
        tab_to(page, "#label", MANY)
        keys.press("ArrowDown")
        keys.press("Tab")
        with page.expect_navigation():
            keys.press("Enter")
        page.wait_for_load_state()
        keys.press("Tab")
        assert has_focus(page, "#label")
        assert page.input_value("#label") == "E"


def rows(page: Page) -> list[str]:
    """The keys of the rows that are being edited, from top to bottom."""
    return [field.input_value() for field in page.locator("ol.own [name=key]").all()]


def has_focus(page: Page, selector: str) -> bool:
    return bool(page.evaluate("selector => document.activeElement.matches(selector)", selector))


def test_what_is_sent_twice_is_asked_once(browser: Browser, served: str, studio: Studio) -> None:
    with window(browser, 1280) as page:
        sign_in(page, served, "/ask")
        page.fill("#premise", "The man plays a guitar.")
        page.fill("#hypothesis", "The man is outside.")
        page.get_by_role("button", name="Ask", exact=True).dblclick()
        answered(page, 1)
        page.click("#own > summary")
        page.fill("#own-hypothesis", "The man is indoors.")
        # A key that is held down.
        page.keyboard.down("Control")
        for _ in range(5):
            page.keyboard.down("Enter")
        page.keyboard.up("Enter")
        page.keyboard.up("Control")
        page.wait_for_selector("text=version 2 of ")
        answered(page, 2)
        page.go_back()
        page.wait_for_selector("text=version 1 of ")
        page.click(".offers button:has-text('exchanged')")
        answered(page, 3)
        assert [len(trial.versions) for trial in studio.part(TRIALS).latest()] == [3]


def test_answers_come_where_an_edit_was_refused_meanwhile(
    browser: Browser, served: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes, "_PATIENCE", 0.0)
    held: list[Route] = []
    with window(browser, 1280, lets="422 (Unprocessable") as page:
        sign_in(page, served, "/ask")
        page.route("**/state?at=*", lambda route: held.append(route))
        page.fill("#premise", "The man plays a guitar.")
        page.fill("#hypothesis", "The man is outside.")
        page.get_by_role("button", name="Ask", exact=True).click()
        page.wait_for_selector("text=The systems are being asked")
        page.click("#own > summary")
        with page.expect_navigation():
            page.get_by_role("button", name="Ask about this").click()
        page.wait_for_selector("text=Nothing is changed")
        page.fill("#own-hypothesis", "The man is indoors.")
        page.unroute("**/state?at=*")
        answered(page, 1)
        assert page.inner_text("#heard") == "What was asked is answered."
        assert page.input_value("#own-hypothesis") == "The man is indoors."


def test_a_trial_that_is_gone_takes_nothing_along_that_is_being_written(
    browser: Browser, served: str, studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes, "_PATIENCE", 0.0)
    held: list[Route] = []
    with window(browser, 1280, lets="404 (Not Found)") as page:
        sign_in(page, served, "/ask")
        page.route("**/state?at=*", lambda route: held.append(route))
        page.fill("#premise", "The man plays a guitar.")
        page.fill("#hypothesis", "The man is outside.")
        page.get_by_role("button", name="Ask", exact=True).click()
        page.wait_for_selector("text=The systems are being asked")
        page.click("#own > summary")
        page.fill("#own-hypothesis", "The man is indoors.")
        # As after the server was started again.
        studio.part(TRIALS)._kept.clear()
        page.unroute("**/state?at=*")
        page.wait_for_selector("#state >> text=This trial is not kept any more")
        assert page.input_value("#own-hypothesis") == "The man is indoors."


def test_below_a_long_premise_are_the_answers_and_the_change_is_in_sight(browser: Browser, served: str) -> None:
    with window(browser, 390) as page:
        sign_in(page, served, "/ask")
        begin(page, "\n".join(f"key {number}: value {number}" for number in range(200)), form="lines")
        answers = page.locator("#answers").bounding_box()
        assert answers is not None
        assert answers["y"] < 2 * 844
        page.get_by_role("button", name="Take out the row key 150").click()
        answered(page, 2)
        premise, change = page.locator(".tall").bounding_box(), page.locator("tr.removed").bounding_box()
        assert premise is not None
        assert change is not None
        assert premise["y"] < change["y"] < premise["y"] + premise["height"] - change["height"]


def test_what_runs_from_right_to_left_begins_at_the_right(browser: Browser, served: str) -> None:
    with window(browser, 1280) as page:
        sign_in(page, served, "/ask")
        page.fill("#premise", "رجل يعزف على الغيتار.")
        page.fill("#hypothesis", "A man plays.")
        page.get_by_role("button", name="Ask").click()
        answered(page, 1)
        first, second = (begins(page, place) for place in (0, 1))
        assert first > 0.5 > second


def begins(page: Page, place: int) -> float:
    """Tell where in its paragraph the first letter of a text is: 0 at the left, 1 at the right."""
    script = """(item) => {
      const range = document.createRange();
      range.setStart(item.firstChild, 0);
      range.setEnd(item.firstChild, 1);
      const [letter, whole] = [range.getBoundingClientRect(), item.getBoundingClientRect()];
      return (letter.left - whole.left) / whole.width;
    }"""
    return float(page.locator(f"{ASKED} p.text").nth(place).evaluate(script))
