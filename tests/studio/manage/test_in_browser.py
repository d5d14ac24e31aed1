"""The owner's pages in a real browser: how all of them look, what is kept up to date, and what goes without scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.report.layout import PHONE
from tests.studio.manage.made import make, work
from tests.studio.windows import follow, shows, sign_in, window, wrong

from nliprobe.people.store.projects import read_projects
from nliprobe.people.store.raters import block_rater, withdraw_rater
from nliprobe.studio.context import Studio

if TYPE_CHECKING:
    from playwright.sync_api import Browser

WIDTHS = (1280, PHONE)


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
    code = f"Read:\n\n```\n{'--option ' * 60}\n```\n"
    homes = [make(studio.store, title="Is the label of this pair the right one?", instructions=code, pilot=4)]
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


def test_who_is_in_a_table_stays_there_while_it_is_kept_up_to_date(
    browser: Browser, served: str, studio: Studio
) -> None:
    home = make(studio.store)
    work(studio.store, most=2)
    with window(browser, 600) as page:
        page.clock.install()
        sign_in(page, served, home)
        page.get_by_role("link", name="rater-2").focus()
        work(studio.store)
        page.clock.fast_forward(5_000)
        page.locator("#raters td[data-label=judgements]", has_text="12").first.wait_for()
        assert page.evaluate("() => document.activeElement.textContent") == "rater-2"
        # Whoever has pressed on a table is in it, too.
        page.locator("#raters .wide").first.focus()
        block_rater(studio.store, "labels", "rater-3", "guesses")
        page.clock.fast_forward(5_000)
        page.locator("#raters .note", has_text="blocked").wait_for()
        assert page.evaluate("() => document.activeElement.matches('#raters .wide')")
        # A link that is gone cannot have the focus any longer: the part waits until they have left it.
        page.locator("#flags a").first.focus()
        withdraw_rater(studio.store, "labels", "rater-2")
        page.clock.fast_forward(5_000)
        page.locator("#raters .note", has_text="withdrawn").wait_for()
        assert page.evaluate("() => document.activeElement.closest('#flags') !== null")
        page.locator("#raters .wide").first.focus()
        page.clock.fast_forward(5_000)
        page.locator("#flags", has_text="Nothing.").wait_for()


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


def test_who_has_signed_out_elsewhere_is_told_so(browser: Browser, served: str, studio: Studio) -> None:
    home = make(studio.store)
    with window(browser, 1280, lets="403") as page:
        page.clock.install()
        sign_in(page, served, home)
        page.context.clear_cookies()
        page.clock.fast_forward(5_000)
        shows(page, "Only the owner of this studio sees this page")


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
        page.click("text=See what can be asked")
        page.click("text=Make this project")
        shows(page, "The project was made")
        assert [project.name for project in read_projects(studio.store)] == ["plain"]
