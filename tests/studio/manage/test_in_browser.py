"""The owner's way through a project in a real browser, on a desk and on a phone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.report.layout import PHONE
from tests.studio.manage.made import make, work
from tests.studio.windows import choose, follow, shows, sign_in, tab_to, window, wrong

from nliprobe.people.store.adjudicating import read_adjudications
from nliprobe.people.store.projects import read_project, read_projects
from nliprobe.studio.context import Studio, address

if TYPE_CHECKING:
    from playwright.sync_api import Browser

WIDTHS = (1280, PHONE)


@pytest.mark.parametrize("width", WIDTHS)
def test_from_the_form_to_the_export(browser: Browser, served: str, studio: Studio, width: int) -> None:
    # The form that is sent with something missing is answered with the status 422, which the browser tells.
    with window(browser, width, lets="422") as page:
        sign_in(page, served, "/projects")
        follow(page.get_by_role("link", name="A new project"))
        page.get_by_label("Name").fill("cats")
        page.get_by_label("Raters per item").fill("3")
        page.get_by_label("Items at most").fill("9")
        page.get_by_label("Items of a pilot").fill("4")
        page.get_by_label("What raters read before they begin").fill("Read **both** <b>texts</b>.")
        page.locator("#instructions-preview strong").wait_for()
        assert page.locator("#instructions-preview b").count() == 0
        assert page.get_by_label("Of a run").is_hidden()
        # Something is missing: it is said beside its field, and nothing is lost.
        follow(page.get_by_role("button", name="Look what can be asked"))
        assert "Choose what the items are made from" in page.locator("#source-wrong").inner_text()
        assert page.get_by_label("Raters per item").input_value() == "3"
        page.get_by_label("Made from").select_option(label="builtin/tables-dev (216 pairs about 24 infoboxes)")
        page.get_by_role("button", name="Look what can be asked").click()
        shows(page, "27 judgements")
        page.get_by_role("button", name="Make this project").click()
        shows(page, "The project was made")
        home = f"/projects/{address('cats')}"
        follow(page.get_by_role("link", name="Invite raters"))
        follow(page.get_by_role("button", name="Make a link"))
        assert page.locator("#link").input_value().startswith(f"{served}/i/")
        # The page of the project hears of raters at work without being loaded again.
        page.goto(f"{served}{home}")
        work(studio.store, "cats")
        page.locator("#progress .big", has_text="11").wait_for()
        page.get_by_role("link", name="rater-2").wait_for()
        page.get_by_role("button", name="Open batch 1").click()
        shows(page, "The batch is open")
        work(studio.store, "cats")
        follow(page.get_by_role("link", name="Disagreements"))
        follow(page.locator("table.stack a").first)
        page.get_by_label("neutral", exact=True).check()
        page.get_by_label("Reason").fill("as the instructions say")
        page.get_by_role("button", name="Decide").click()
        shows(page, "Your decision is kept")
        assert len(read_adjudications(studio.store, "cats")) == 1
        page.goto(f"{served}{home}/raters/3")
        page.get_by_label("Reason, for the log").fill("guesses")
        page.get_by_role("button", name="Block rater-3").click()
        shows(page, "Nothing of theirs counts")
        page.get_by_role("button", name="Let rater-3 in again").click()
        shows(page, "may work again")
        page.goto(f"{served}{home}/export")
        with page.expect_download() as download:
            page.get_by_role("button", name="Download").click()
        assert download.value.suggested_filename.endswith("-ratings.csv")
        assert [project.name for project in read_projects(studio.store)] == ["cats"]
        assert read_project(studio.store, "cats").batches_open == 2


PAGES = (
    "",
    "/items",
    "/items/3",
    "/disagreements",
    "/raters/2",
    "/invitations",
    "/instructions",
    "/rules",
    "/export",
    "/log",
)


def test_every_page_is_laid_out_well(browser: Browser, served: str, studio: Studio) -> None:
    homes = [make(studio.store, title="Is the label of this pair the right one?", pilot=4)]
    work(studio.store)
    homes.append(make(studio.store, "rows", "evidence"))
    work(studio.store, "rows", "evidence")
    pages = [f"{homes[0]}{rest}" for rest in PAGES]
    addresses = ["/projects", "/projects/new", *pages, *(f"{homes[1]}{rest}" for rest in ("", "/items/3"))]
    # axe takes longest; in the dark it looks at the pages that have something of everything.
    many = (addresses[1], homes[0], f"{homes[0]}/items/3")
    found = []
    for width in WIDTHS:
        with window(browser, width) as page:
            sign_in(page, served)
            for where in addresses:
                page.goto(f"{served}{where}")
                lines = wrong(page, opened=True, axe=width > PHONE or where in many)
                found += [f"{where} at {width}: {line}" for line in lines]
    assert not found, "\n".join(found[:20])


def test_by_keyboard_alone_a_project_is_made_and_a_disagreement_decided(
    browser: Browser, served: str, studio: Studio
) -> None:
    with window(browser, 1280) as page:
        sign_in(page, served, "/projects/new")
        tab_to(page, "#name")
        page.keyboard.type("keys")
        tab_to(page, "#source")
        choose(page, "builtin/tables-dev")
        tab_to(page, "#items")
        page.keyboard.type("6")
        tab_to(page, "#raters")
        page.keyboard.press("Control+a")
        page.keyboard.type("3")
        page.keyboard.press("Enter")
        # The page before it says only that the plan is being made, and is loaded again.
        shows(page, "Make this project")
        tab_to(page, "form[action^='/projects/new/'] button")
        page.keyboard.press("Enter")
        shows(page, "The project was made")
        work(studio.store, "keys")
        tab_to(page, "nav.sub a[href$='/disagreements']")
        page.keyboard.press("Enter")
        page.wait_for_url("**/disagreements")
        tab_to(page, "table.stack a")
        page.keyboard.press("Enter")
        page.wait_for_url("**/items/*")
        tab_to(page, "input[name=label]")
        page.keyboard.press("Space")
        page.keyboard.press("Enter")
        shows(page, "Your decision is kept")
        assert len(read_adjudications(studio.store, "keys")) == 1


def test_a_studio_that_does_not_answer_is_said_until_it_is_there_again(
    browser: Browser, served: str, studio: Studio
) -> None:
    home = make(studio.store)
    with window(browser, 1280, lets="Failed to load resource") as page:
        sign_in(page, served)
        page.clock.install()
        page.goto(f"{served}{home}")
        page.route("**/live", lambda route: route.abort())
        page.clock.run_for(5_000)
        shows(page, "The studio does not answer")
        work(studio.store)
        page.unroute("**/live")
        page.clock.run_for(20_000)
        page.locator("#progress .big", has_text="35").wait_for()
        page.locator("#lost").wait_for(state="hidden")


def test_without_scripts_the_form_makes_a_project(browser: Browser, served: str, studio: Studio) -> None:
    with window(browser, 1280) as page:
        sign_in(page, served)
        cookies = page.context.cookies()
    with window(browser, 1280, script=False) as page:
        page.context.add_cookies(cookies)  # type: ignore[arg-type]
        page.goto(f"{served}/projects/new")
        page.fill("#name", "plain")
        page.fill("#instructions", "**Read**")
        follow(page.locator("#preview-button"))
        assert page.locator("#instructions-preview strong").inner_text() == "Read"
        page.select_option("#source", "corpus-0")
        page.click("text=Look what can be asked")
        page.click("text=Make this project")
        shows(page, "The project was made")
        assert [project.name for project in read_projects(studio.store)] == ["plain"]
