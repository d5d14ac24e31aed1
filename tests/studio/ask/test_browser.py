"""*Try* as people use it: in Chromium, on a desk and on a phone, with the mouse and by keyboard alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.studio.helpers import TOKEN
from tests.studio.windows import choose, look, sign_in, tab_to, window

from nliprobe.studio.ask import routes

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

PASTE = """html => {
  const data = new DataTransfer();
  data.setData('text/html', html);
  data.setData('text/plain', 'Born 1983');
  const field = document.getElementById('premise');
  field.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}));
}"""
INFOBOX = (
    "<div><table class='infobox'><caption>Emily Blunt</caption><tr><th>Born</th><td>1983<br>London</td></tr>"
    "<tr><th>Occupation</th><td onclick='alert(1)'>Actress</td></tr><tr><th>Spouse</th><td>John Krasinski</td></tr>"
    "</table></div>"
)
ASKED = "section[aria-label='What is asked']"
HISTORY = "section[aria-labelledby=history]"
# On a page of a trial the tabulator goes by all edits that are offered.
MANY = 150


def answered(page: Page, version: int) -> None:
    """Wait until all is there that was asked about a version."""
    page.wait_for_selector(f"text=version {version} of {version}")
    page.wait_for_selector(".answer .label")
    page.wait_for_selector("#state[data-waiting=no]", state="attached")
    page.wait_for_load_state()


def explained(page: Page) -> None:
    page.wait_for_selector(".word-legend")
    page.wait_for_selector("#state[data-waiting=no]", state="attached")
    page.wait_for_load_state()


@pytest.mark.parametrize("width", [1280, 390])
def test_a_table_is_pasted_asked_edited_explained_and_saved(browser: Browser, served: str, width: int) -> None:
    with window(browser, width) as page:
        sign_in(page, served, "/ask")
        page.evaluate(PASTE, INFOBOX)
        assert page.input_value("#form") == "html"
        assert page.input_value("#premise").startswith("<table")
        page.fill("#hypothesis", "Emily Blunt was born in London.")
        look(page, "ask")
        page.get_by_role("button", name="Ask").click()
        answered(page, 1)
        look(page, "asked")
        page.get_by_role("button", name="Take out the row Born").click()
        answered(page, 2)
        assert page.locator(".move").first.inner_text()
        page.click("summary:has-text('Your own edit')")
        look(page, "own-edit")
        page.locator("ol.own li").nth(1).locator("button[aria-label^='Move up']").click()
        page.get_by_role("button", name="Ask about this").click()
        answered(page, 3)
        assert "rows.permute" in page.inner_text(HISTORY)
        page.locator("button:has-text('Explain')").first.click()
        explained(page)
        look(page, "explained")
        with page.expect_download() as download:
            page.click("text=Download JSONL")
        assert download.value.suggested_filename.endswith(".jsonl")


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
        page.get_by_role("button", name="Ask").click()
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


def begin_by_keys(page: Page, served: str) -> None:
    """Sign in and go to *Try* as people without a mouse do."""
    page.goto(f"{served}/enter")
    tab_to(page, "#token")
    page.keyboard.type(TOKEN)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{served}/")
    tab_to(page, "nav.menu a[href='/ask']")
    page.keyboard.press("Enter")
    page.wait_for_url("**/ask")


def test_a_text_is_asked_and_edited_by_keyboard_alone(browser: Browser, served: str) -> None:
    with window(browser, 1280) as page:
        begin_by_keys(page, served)
        keys = page.keyboard
        tab_to(page, "#premise")
        keys.type("The man plays a guitar.")
        tab_to(page, "#hypothesis")
        keys.type("The man is outside.")
        keys.press("Control+Enter")
        answered(page, 1)
        offered = page.locator(".offers button", has_text="exchanged").get_attribute("value")
        tab_to(page, f".offers button[value='{offered}']", MANY)
        keys.press("Enter")
        answered(page, 2)
        assert "The man is outside." in page.inner_text(ASKED).split("Hypothesis")[0]


def test_a_table_is_asked_edited_explained_and_saved_by_keyboard_alone(browser: Browser, served: str) -> None:
    with window(browser, 1280) as page:
        begin_by_keys(page, served)
        keys = page.keyboard
        tab_to(page, "#premise")
        keys.type("Born: 1983\nOccupation: Actress\nSpouse: John Krasinski\nResidence: London")
        tab_to(page, "#form")
        choose(page, "a table, a key: value per line")
        tab_to(page, "#title")
        keys.type("Emily Blunt")
        tab_to(page, "#hypothesis")
        keys.type("Emily Blunt lives in London.")
        tab_to(page, "#begin button.main")
        keys.press("Enter")
        answered(page, 1)
        # An edit that is offered.
        tab_to(page, "button[aria-label='Take out the row Born']", MANY)
        keys.press("Enter")
        answered(page, 2)
        # Rows that are moved, and one that is taken out, by hand.
        tab_to(page, "#own > summary", MANY)
        keys.press("Enter")
        tab_to(page, "button[aria-label='Move up: Residence']")
        keys.press("Enter")
        keys.press("Enter")
        assert rows(page) == ["Residence", "Occupation", "Spouse", ""]
        tab_to(page, "button[aria-label='Take out: Occupation']")
        keys.press("Enter")
        assert rows(page) == ["Residence", "Spouse", ""]
        assert has_focus(page, "button[aria-label='Take out: Spouse']")
        tab_to(page, "form[data-keys] button.main")
        keys.press("Enter")
        answered(page, 3)
        assert "rows.permute" in page.inner_text(HISTORY)
        # A value that is changed, and a row that is added.
        tab_to(page, "#own > summary", MANY)
        keys.press("Enter")
        tab_to(page, "textarea[aria-label^='Values of row 1']")
        keys.press("Control+a")
        keys.type("Paris")
        tab_to(page, "input[aria-label='Key of row 3']")
        keys.type("Born")
        keys.press("Tab")
        keys.type("1983\nLondon")
        keys.press("Control+Enter")
        answered(page, 4)
        assert page.locator(f"{ASKED} tr", has_text="Residence").locator("ins").all_inner_texts() == ["Paris"]
        assert page.locator(f"{ASKED} tr.added").inner_text().split() == ["Born", "1983", "London", "Take", "out"]
        tab_to(page, "button[aria-label^='Explain the answer']", MANY)
        keys.press("Enter")
        explained(page)
        tab_to(page, "#label", MANY)
        keys.press("ArrowDown")
        keys.press("Tab")
        with page.expect_navigation():
            keys.press("Enter")
        assert page.input_value("#label") == "E"
        tab_to(page, "a[href$='/save.jsonl']", MANY)
        with page.expect_download() as download:
            keys.press("Enter")
        assert download.value.suggested_filename.endswith(".jsonl")


def rows(page: Page) -> list[str]:
    """The keys of the rows that are being edited, from top to bottom."""
    return [field.input_value() for field in page.locator("ol.own [name=key]").all()]


def has_focus(page: Page, selector: str) -> bool:
    return bool(page.evaluate("selector => document.activeElement.matches(selector)", selector))


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
