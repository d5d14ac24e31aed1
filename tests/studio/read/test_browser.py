"""Reading runs in a real browser: by shortcuts, and without scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.studio.helpers import TOKEN
from tests.studio.read.runs import CASES, write_tables
from tests.studio.windows import follow, sign_in, window

from nliprobe.studio.context import address
from nliprobe.studio.settings import Settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

RUN = f"/runs/{address('run0')}"


def test_keys_lead_from_case_to_case(browser: Browser, served: str, settings: Settings) -> None:
    write_tables(settings.folder)
    with window(browser, 1280) as page:
        sign_in(page, served, f"{RUN}?q=ghent")
        follow(page.locator(".said a").first)
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
