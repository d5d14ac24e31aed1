"""A study in a browser: by mouse on a desk, on a phone, and by keyboard alone; nothing is laid out badly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from starlette.applications import Starlette
from tests.people.studied import small_study
from tests.studio.helpers import Client
from tests.studio.study.walk import links, new_participant, study_address
from tests.studio.windows import follow, look, sign_in, tab_to, window

from nliprobe.people.store.study_answers import read_standing
from nliprobe.people.study.orders import item_order
from nliprobe.studio.context import Studio

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

STUDY, _ = small_study()
NAME = "study-of-the-secret-system"


@pytest.fixture
def invited(owner: Client, served: str) -> str:
    """The link of somebody who is invited."""
    address = study_address(owner)
    owner.submit(f"{address}/invite", count="1", note="Ann")
    [link] = links(owner, address)
    return f"{served}{link}"


@pytest.mark.parametrize("width", [1280, 390])
def test_a_participant_answers_by_mouse_or_touch(width: int, browser: Browser, invited: str, studio: Studio) -> None:
    with window(browser, width) as page:
        page.goto(invited)
        look(page, "landing")
        follow(page.get_by_role("button", name="I agree, begin"))
        look(page, "practice")
        # Nothing is chosen yet, and the page is not left.
        page.get_by_role("button", name="Answer").click()
        assert page.evaluate("() => document.activeElement.matches(':invalid')")
        page.get_by_text("contradiction", exact=True).last.click()
        follow(page.get_by_role("button", name="Answer"))
        assert "Because it is." in page.inner_text("main")
        look(page, "solution")
        follow(page.get_by_role("link", name="Go on"))
        look(page, "instructions")
        follow(page.get_by_role("link", name="Begin this part"))
        look(page, "bid")
        more = page.get_by_role("button", name="One point more on 20-40 %")
        for _ in range(4):
            more.click()
        page.get_by_role("button", name="One point less on 20-40 %").click()
        page.get_by_role("button", name="One point more on 80-100 %").click()
        assert page.inner_text("#left") == "1 point left"
        page.get_by_role("button", name="Answer").click()
        page.wait_for_url("**/stage/1/2")
        page.go_back()
        page.wait_for_url("**/stage/1/1")
        assert "You answered: 0 3 0 0 1" in page.inner_text("main")
        answer_rest(page)
        look(page, "thanks")
        item = item_order(STUDY, "bids", 1)[0]
        assert read_standing(studio.store, NAME, 1).answers["bids", item] == "0 3 0 0 1"


# What pages of a participant hold, and what they are called here.
KINDS = {"#on": "onward", ".bids": "bids", "#answer .choices": "choices", ".opinions": "opinions"}


def answer_rest(page: Page) -> None:
    """Go to the end; the first page of each kind is looked at."""
    seen: set[str] = set()
    page.goto(page.url.split("/stage")[0])
    for _ in range(80):
        if page.url.endswith("/thanks"):
            return
        kind = next(each for each in KINDS if page.locator(each).count())
        about = "-template" if page.get_by_text("The template").count() else ""
        name = f"{KINDS[kind]}{about}"
        if kind != "#on" and name not in seen:
            seen.add(name)
            look(page, name)
        if kind == ".opinions":
            if page.locator("textarea").count():
                page.locator("textarea").first.fill("Fine, thank you.")
            follow(page.get_by_role("button", name="Go on"))
        elif kind == "#on":
            follow(page.locator("#on"))
        else:
            if kind == ".bids":
                page.locator(".more").nth(2).click()
            else:
                page.locator("#answer .choice").nth(1).click()
            follow(page.locator("#send"))
    raise AssertionError(page.url)


def test_a_participant_answers_by_keyboard_alone(browser: Browser, invited: str, studio: Studio) -> None:
    with window(browser, 1280) as page:
        page.goto(invited)
        press = page.keyboard.press
        tab_to(page, "button.main")
        press("Enter")
        page.wait_for_url("**/practice")
        press("3")
        with page.expect_navigation():
            press("Enter")
        assert page.locator("#on").is_visible()
        press("Enter")
        page.wait_for_url("**/stage/1")
        tab_to(page, "#on")
        press("Enter")
        page.wait_for_url("**/stage/1/1")
        for key in ("2", "2", "4", "4", "Shift+4", "5", "5", "5"):
            press(key)
        assert page.inner_text("#left") == "0 points left"
        tab_to(page, "#send")
        press("Enter")
        page.wait_for_url("**/stage/1/2")
        said = read_standing(studio.store, NAME, 1).answers
        assert said["bids", item_order(STUDY, "bids", 1)[0]] == "0 2 0 1 2"
        for place in range(2, 7):
            press("1")
            press("Enter")
            page.wait_for_url(f"**/stage/{'1/' + str(place + 1) if place < 6 else '2'}")
        tab_to(page, "#on")
        press("Enter")
        page.wait_for_url("**/stage/2/1")
        press("ArrowDown")
        press("ArrowDown")
        press("Enter")
        page.wait_for_url("**/stage/2/2")
        assert read_standing(studio.store, NAME, 1).answers["picks", item_order(STUDY, "picks", 1)[0]] == "20-40"
        press("5")
        press("Enter")
        page.wait_for_url("**/stage/2/3")
        tab_to(page, "a[href$='/pause']")
        press("Enter")
        page.wait_for_url("**/pause")


def test_everything_works_without_scripts(browser: Browser, invited: str) -> None:
    with window(browser, 390, script=False) as page:
        page.goto(invited)
        follow(page.get_by_role("button", name="I agree, begin"))
        page.get_by_text("neutral", exact=True).last.click()
        follow(page.locator("#send"))
        follow(page.locator("#on"))
        follow(page.locator("#on"))
        page.locator("#bin-3").fill("5")
        follow(page.locator("#send"))
        assert page.url.endswith("/stage/1/2")


@pytest.mark.parametrize("width", [1280, 390])
def test_the_owner_sees_studies(width: int, browser: Browser, served: str, owner: Client, app: Starlette) -> None:
    for stop in ("/thanks", "/stage/2/4", "/stage/3/2"):
        new_participant(owner, Client(app)).walk(stop)
    owner.submit(f"{study_address(owner)}/open", open="yes", most="20")
    with window(browser, width) as page:
        sign_in(page, served, "/studies")
        look(page, "owner-studies")
        follow(page.get_by_role("link", name="A study"))
        look(page, "owner-study")
        page.get_by_label("How many").fill("2")
        page.get_by_label("Note, which only you see").fill("the phonology class")
        follow(page.get_by_role("button", name="Make links"))
        assert "2 new links" in page.inner_text("main")
        page.locator("#people ~ ul details summary").last.click()
        look(page, "owner-invited")
        follow(page.get_by_role("link", name="Results so far"))
        look(page, "owner-results")
