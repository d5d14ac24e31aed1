"""Raters in a real browser, beside the flows: shortcuts, two tabs, a connection that breaks, and no scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from starlette.applications import Starlette
from tests.studio.serving import serving
from tests.studio.windows import look, shows, window
from tests.studio.work.desks import begin, invitation, make_project, work

from nliprobe.people.items.of_pairs import items_of
from nliprobe.people.records import Item, Json
from nliprobe.people.store.drafting import read_draft
from nliprobe.people.store.judging import read_judgements
from nliprobe.people.store.progress import read_progress
from nliprobe.people.tasks import TASKS
from nliprobe.studio.app import make_app
from nliprobe.studio.context import Studio
from nliprobe.task.sources import open_source

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Request, Route

# Answers that the tests let fail on purpose are told by the browser, too.
FAILED = "Failed to load resource"


def tables(task: str, count: int = 6, **options: str) -> list[Item]:
    pairs = list(open_source("builtin/tables-dev").pairs())[:count]
    return list(items_of(TASKS.get(task)(options), pairs).items)


def test_the_address_of_an_invitation_goes_along_with_no_request(browser: Browser, served: str, studio: Studio) -> None:
    """Proxies write into their logs from which page something was asked."""
    link = invitation(studio, make_project(studio))
    asked: list[Request] = []
    with window(browser, 1280) as page:
        page.on("request", lambda one: asked.append(one))
        begin(page, f"{served}{link}?worker=of-a-platform")
        told = [one.all_headers().get("referer", "") for one in asked]
    assert sum(one.startswith(served) for one in told) > 4, "styles, scripts and the form come from a page of ours"
    assert not [one for one in told if link in one or "of-a-platform" in one]


def test_two_tabs_and_a_lost_connection(browser: Browser, served: str, studio: Studio) -> None:
    project = make_project(studio, items=tables("verify"))
    with window(browser, 1280, lets=FAILED) as page:
        begin(page, served + invitation(studio, project))
        other = page.context.new_page()
        other.goto(served + work(project))
        page.get_by_role("button", name="Entailment").click()
        shows(page, "Item 2")
        # The second tab still shows the first item.
        other.get_by_role("button", name="Neutral").click()
        shows(other, "You had judged that item already")
        other.close()
        # Whatever is entered is kept, and so is an answer that the server does not take yet.
        page.locator("summary", has_text="Comment").click()
        page.locator("#remark").fill("hard to say")
        shows(page, "Draft kept")
        item = next(one for one in tables("verify") if read_draft(studio.store, project.name, "rater-1", one.name))
        assert item is not None
        tries = 0

        def break_off(route: Route) -> None:
            nonlocal tries
            tries += 1
            if tries == 1:
                route.abort()
            else:
                route.fulfill(status=503, json={"error": "Not now."})

        page.route("**/judge", break_off)
        page.get_by_role("button", name="Contradiction").click()
        # After each try the page waits twice as long: both have been made, and there may be more.
        shows(page, "/Your answer is kept here and sent again in [248]/")
        assert tries >= 2
        page.unroute("**/judge")
        shows(page, "Item 3")
        kept = read_judgements(studio.store, project.name)
        assert [(one.answer["label"], one.remark) for one in kept] == [("E", ""), ("C", "hard to say")]


def test_tables_of_a_corpus_on_a_phone(browser: Browser, served: str, studio: Studio) -> None:
    verified = make_project(studio, items=tables("verify"))
    marked = make_project(studio, "evidence", items=tables("evidence"))
    edited = make_project(
        studio, "counterfactual", items=tables("counterfactual", 9, edits="rows"), options={"edits": "rows"}
    )
    with window(browser, 390) as page:
        begin(page, served + invitation(studio, verified))
        look(page, "corpus-verify")
        begin(page, served + invitation(studio, marked))
        # Anywhere on a row; what a finger does comes a moment after it was lifted.
        page.locator("tr.unit-line td.text").nth(1).tap()
        page.wait_for_selector("#unit-1:checked")
        page.get_by_text("Nothing is needed").tap()
        page.wait_for_selector("[name=unit]:checked", state="detached")
        page.locator("tr.unit-line th.text").nth(2).tap()
        page.wait_for_selector("#unit-2:checked")
        look(page, "corpus-evidence")
        page.get_by_role("button", name="Save").tap()
        shows(page, "Item 2")
        assert [one.answer for one in read_judgements(studio.store, marked.name)] == [{"units": [2], "outside": False}]
        begin(page, served + invitation(studio, edited))
        page.locator("#rows textarea").first.fill("Somebody else\nand more")
        page.wait_for_selector("#diff ins")
        look(page, "corpus-counterfactual")


def test_everything_by_keys_alone(browser: Browser, served: str, studio: Studio) -> None:
    labels, marked = make_project(studio, "judge"), make_project(studio, "evidence")
    with window(browser, 1280, "dark") as page:

        def press(*keys: str, to: str = "") -> None:
            for key in keys:
                page.keyboard.press(key)
            if to:
                # A page listens to keys when it is loaded.
                shows(page, to)

        def write(text: str) -> None:
            page.keyboard.type(text)

        page.goto(served + invitation(studio, labels))
        press("Tab", "Tab", "Enter", to="Item 1")
        press("?", to="press what is chosen")
        press("Escape")
        page.wait_for_selector("#keys", state="hidden")
        press("o", "2", to="Item 2")
        press("z", to="Revise an earlier answer")
        press("ArrowDown", "ArrowDown", "ArrowDown", "Enter", to="Your answer was changed")
        press("c")
        write("a comment")
        press("Escape", "1", to="Item 3")
        press("f")
        write("a typo")
        press("Enter", to="the owner will look at it")
        press("s")
        write("too hard")
        press("Enter", to="nothing left for you")
        said = [(one.answer, one.remark) for one in read_judgements(studio.store, labels.name)]
        assert ({"label": "E", "odd": False}, "a comment") in said
        assert ({"label": "C", "odd": True}, "") in said
        flags = read_progress(studio.store, labels.name).flags
        assert [(flag.reason, flag.flagged) for flag in flags] == [("a typo", True), ("too hard", False)]
        page.goto(served + invitation(studio, marked))
        press("Tab", "Tab", "Enter", to="Item 1")
        press("1", "ArrowDown", "ArrowDown", "Space", "o", "Enter", to="Item 2")
        press("n", "Enter", to="Item 3")
        answers = [one.answer for one in read_judgements(studio.store, marked.name)]
        assert answers[0]["outside"] is True
        assert answers[1] == {"units": [], "outside": False}


def test_points_and_sentences(browser: Browser, served: str, studio: Studio) -> None:
    bids, written = make_project(studio, "bid"), make_project(studio, "write")
    with window(browser, 390, "light") as page:
        begin(page, served + invitation(studio, bids))
        page.keyboard.press("4")
        page.keyboard.press("4")
        page.keyboard.press("5")
        page.keyboard.press("Backspace")
        page.locator("[data-more='2']").click()
        page.locator("[data-less='2']").click()
        page.locator("[data-rest='1']").click()
        page.locator("[data-more='1']").click()  # there is none left
        shows(page, "All points are placed")
        page.get_by_role("button", name="Save").click()
        shows(page, "Item 2")
        assert read_judgements(studio.store, bids.name)[0].answer == {"points": [3, 0, 0, 2, 0]}
        begin(page, served + invitation(studio, written))
        page.keyboard.press("1")
        for text in ("It is high.", "It is low.", "It is cold."):
            page.keyboard.type(text)
            page.keyboard.press("Enter")
        shows(page, "Item 2")


def test_an_answer_waits_for_a_server_that_restarts(browser: Browser, app: Starlette, studio: Studio) -> None:
    project = make_project(studio)
    with window(browser, 1280, lets=FAILED) as page:
        with serving(app, studio) as address:
            begin(page, address + invitation(studio, project))
        page.keyboard.press("3")
        shows(page, "Not saved yet")
        with serving(make_app(studio), studio, port=int(address.rpartition(":")[2])):
            shows(page, "Item 2")
    assert [one.answer for one in read_judgements(studio.store, project.name)] == [{"label": "C"}]


def test_forms_work_without_scripts(browser: Browser, served: str, studio: Studio) -> None:
    project = make_project(studio, "counterfactual", items=tables("counterfactual", 9))
    with window(browser, 1280, script=False) as page:
        begin(page, served + invitation(studio, project), script=False)
        page.locator("#rows textarea").first.fill("Somebody else")
        page.get_by_role("button", name="Check").click()
        page.wait_for_selector("#diff ins")
        page.get_by_role("button", name="Save").click()
        shows(page, "Item 2")
    assert len(read_judgements(studio.store, project.name)) == 1


LONG: Json = {"title": "A long table", "rows": [[f"Key {number}", [f"value {number}"]] for number in range(40)]}


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("task", ["evidence", "counterfactual"])
def test_the_hypothesis_stays_in_sight_and_hides_no_row_that_keys_go_to(
    task: str, width: int, browser: Browser, served: str, studio: Studio
) -> None:
    content: dict[str, Json] = {"premise": LONG, "hypothesis": "Value 3 is smaller than value 38, as can be seen."}
    if task == "counterfactual":
        content["wanted"] = "C"
    project = make_project(studio, task, items=[Item("long", content)])
    with window(browser, width) as page:
        begin(page, served + invitation(studio, project))
        for key in ["ArrowDown"] * 30 + ["ArrowUp"] * 25:
            # In a field of several lines the arrow keys move the cursor: Tab goes on.
            if task == "counterfactual":
                page.keyboard.press("Tab" if key == "ArrowDown" else "Shift+Tab")
            else:
                page.keyboard.press(key)
            if not page.evaluate("document.activeElement.closest('tbody')"):
                continue
            hidden = page.evaluate(
                """() => {
                  const box = document.activeElement.getBoundingClientRect();
                  const over = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
                  const stays = document.querySelector('.stays').getBoundingClientRect();
                  if (stays.top < 0 || stays.bottom > innerHeight) return 'the hypothesis is out of sight';
                  if (!over || over.closest('.stays, .ask')) return 'the row is hidden: ' + document.activeElement.id;
                  return '';
                }"""
            )
            assert not hidden
        page.mouse.wheel(0, 600)
        look(page, f"{task}-long")
