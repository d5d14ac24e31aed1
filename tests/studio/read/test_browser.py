"""Reading runs in a real browser: by mouse, by finger and by keys alone; without scripts; while a run grows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.analysis.runs import pair as simple_pair
from tests.studio.helpers import TOKEN
from tests.studio.read.runs import CASES, write_tables
from tests.studio.windows import follow, look, shows, sign_in, tab_to, window

from nliprobe.store.frames import case_frames
from nliprobe.studio.context import address
from nliprobe.studio.settings import Settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

RUN = f"/runs/{address('run0')}"


@pytest.mark.parametrize("width", [1280, 390])
def test_from_the_list_to_a_case_and_its_systems(browser: Browser, served: str, settings: Settings, width: int) -> None:
    write_tables(settings.folder)
    with window(browser, width) as page:
        sign_in(page, served)
        shows(page, "constant answer")
        look(page, "runs")
        follow(page.get_by_role("link", name="run0"))
        page.get_by_label("Words").fill("ghent")
        page.get_by_role("button", name="Show").click()
        shows(page, "1–4 of 4 cases")
        assert page.locator("mark").first.inner_text() == "Ghent"
        look(page, "run")
        page.get_by_label("Probe").select_option("rows.delete")
        page.get_by_role("button", name="Show").click()
        shows(page, "1–1 of 1 case")
        # The address alone brings somebody else to the same list.
        again = page.context.new_page()
        again.goto(page.url)
        shows(again, "1–1 of 1 case")
        again.close()
        page.get_by_role("link", name="Ada died after 1970.").click()
        shows(page, "The row “Died” is taken out.")
        look(page, "case")
        page.get_by_role("link", name="author: W1").click()
        shows(page, "1–4 of 4 cases")
        page.get_by_role("link", name="Compare systems").click()
        page.wait_for_selector("text=Paired tests >> nth=0", state="attached")
        page.wait_for_selector("table.stack")
        look(page, "compare")
        page.locator(".crossed a").first.click()
        shows(page, "1–5 of 5 cases")
        page.goto(f"{served}{RUN}/report")
        shows(page, "Where the points come from")
        page.wait_for_selector("#cases .case")  # its script runs under its own policy


def test_by_keys_alone(browser: Browser, served: str, settings: Settings) -> None:
    write_tables(settings.folder)
    with window(browser, 1280) as page:
        sign_in(page, served)
        tab_to(page, ".run a")
        page.keyboard.press("Enter")
        page.wait_for_url(f"**{RUN}")
        tab_to(page, "[name=q]")
        page.keyboard.type("ghent")
        page.keyboard.press("Enter")
        shows(page, "1–4 of 4 cases")
        tab_to(page, ".said a")
        page.keyboard.press("Enter")
        page.wait_for_url("**/cases/**")
        first = page.url
        page.keyboard.press("j")
        page.wait_for_url(lambda url: "/cases/" in url and url != first)
        assert CASES["delete"] in page.url
        page.keyboard.press("k")
        page.wait_for_url(first)


def test_without_scripts(browser: Browser, served: str, settings: Settings) -> None:
    write_tables(settings.folder)
    with window(browser, 1280, script=False) as page:
        page.goto(f"{served}/enter")
        page.get_by_label("Token").fill(TOKEN)
        follow(page.get_by_role("button", name="Sign in"))
        page.goto(f"{served}{RUN}")
        page.get_by_label("Words").fill("sings")
        follow(page.get_by_role("button", name="Show"))
        assert "5 of 5 cases" in page.inner_text("main")
        follow(page.get_by_role("link", name="Ann sings."))
        assert "The same template with other words" in page.inner_text("main")
        follow(page.get_by_role("link", name="Next case"))
        assert "Ben sings." in page.inner_text("h1")


def test_a_run_that_grows_tells_the_page(browser: Browser, served: str, settings: Settings) -> None:
    run = write_tables(settings.folder, complete=False)
    with window(browser, 1280) as page:
        sign_in(page, served, RUN)
        shows(page, "of 10 cases")
        assert "unfinished" in page.inner_text("#line")
        for _ in range(3):
            with page.expect_response("**/state.json"):
                pass
        assert page.locator("#making").is_hidden()
        for kind, frame in case_frames(["some/dev"], [simple_pair("later")]).items():
            run.write(kind, 4, frame)
        shows(page, "There are new cases")
        page.reload()
        assert "of 11 cases" in page.inner_text("main")
