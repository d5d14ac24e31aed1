"""A study in a browser: the keys of its questions, and all of it without scripts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from starlette.applications import Starlette
from tests.people.studied import small_study
from tests.studio.helpers import Client
from tests.studio.study.walk import Walker, links, study_address
from tests.studio.windows import follow, shows, sign_in, tab_to, window, wrong

from nliprobe.people.store.study_answers import read_standing
from nliprobe.people.study.files import write_study
from nliprobe.people.study.orders import item_order
from nliprobe.people.study.records import FeedbackQuestion
from nliprobe.studio.context import Studio

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

STUDY, KEY = small_study()
NAME = "study-of-the-secret-system"


@pytest.fixture
def invited(owner: Client, served: str) -> str:
    """The link of somebody who is invited."""
    address = study_address(owner)
    owner.submit(f"{address}/invite", count="1", note="Ann")
    [link] = links(owner, address)
    return f"{served}{link}"


def begin_first_part(page: Page, invited: str) -> None:
    """Come in by an invitation, pass over the practice, and begin."""
    page.goto(invited)
    follow(page.get_by_role("button", name="I agree, begin"))
    follow(page.get_by_role("button", name="Skip this question"))
    follow(page.get_by_role("link", name="Go on"))
    follow(page.get_by_role("link", name="Begin this part"))


def test_keys_answer(browser: Browser, invited: str, studio: Studio) -> None:
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


def test_who_came_back_by_the_link_and_goes_back_over_a_part_is_where_they_are(browser: Browser, invited: str) -> None:
    with window(browser, 1280) as page:
        begin_first_part(page, invited)
        follow(page.get_by_role("button", name="Skip this question"))
        # The browser may not keep where the link has led.
        page.goto(invited)
        assert page.url.endswith("/stage/1/2")
        while not page.url.endswith("/stage/2"):
            follow(page.get_by_role("button", name="Skip this question"))
        follow(page.get_by_role("link", name="Begin this part"))
        page.go_back()
        assert page.url.endswith("/stage/2")
        page.go_back()
        assert page.url.endswith("/stage/2")
        shows(page, "Begin this part")


def test_a_press_too_many_does_not_answer(browser: Browser, invited: str) -> None:
    with window(browser, 1280) as page:
        begin_first_part(page, invited)
        more, less = (f"[aria-label='One point {way} on 20-40 %']" for way in ("more", "less"))
        tab_to(page, more)
        for _ in range(7):
            page.keyboard.press("Enter")
        assert page.inner_text("#left") == "0 points left"
        assert page.evaluate("button => document.activeElement.matches(button)", more)
        page.locator(less).focus()
        for _ in range(7):
            page.keyboard.press("Enter")
        assert page.inner_text("#left") == "5 points left"
        assert page.evaluate("button => document.activeElement.matches(button)", less)
        # Without the focus, what does nothing is passed over.
        page.keyboard.press("Tab")
        page.wait_for_selector(f"{less}:disabled")
        page.keyboard.press("Tab")
        assert page.evaluate("button => document.activeElement.matches(button)", more)
        assert page.url.endswith("/stage/1/1")


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


def test_long_words_are_broken(
    browser: Browser, owner: Client, served: str, app: Starlette, invited: str, folder: Path
) -> None:
    word = "Donaudampfschiff" * 12
    asked = (FeedbackQuestion("useful", f"{word}?", (word,)), FeedbackQuestion("remark", word, ()))
    write_study(folder, replace(STUDY, stages=tuple(replace(one, feedback=asked) for one in STUDY.stages)), KEY)
    address = study_address(owner)
    walker = Walker(Client(app), links(owner, address)[0], f"/study/{address.rpartition('/')[2]}")
    walker.open(walker.link)
    walker.walk("/stage/1/feedback")
    with window(browser, 390) as page:
        page.goto(invited)
        assert not wrong(page, axe=False)
        walker.send_fields(walker.target(), {**walker.fields(), "f:remark": f"https://example.org/{word}"})
        sign_in(page, served, f"{address}/results")
        shows(page, "What participants say")
        assert not wrong(page, axe=False)
