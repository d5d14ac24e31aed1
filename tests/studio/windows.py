"""A person at a browser: their window, their way in, the keys they press, and what is wrong with what they see.

A page is there some time before its style sheets and scripts are, the longer the busier the machine is. So pages are
loaded before they are judged or hear keys, and what a click leads to is waited for by something that only it has.
``page.wait_for_function`` is of no use here: the policy of the pages lets an expression be evaluated only once.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.report.browser import serious
from tests.report.layout import PHONE, SCRIPT, Scheme
from tests.studio.helpers import TOKEN

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog, Locator, Page

# Milliseconds after which something does not come any more, however busy the machine is; fewer while a test is written.
PATIENCE = int(os.environ.get("NLIPROBE_PATIENCE", "60000"))


@contextmanager
def window(
    browser: Browser, width: int, scheme: Scheme | None = None, *, script: bool = True, lets: str | None = None
) -> Iterator[Page]:
    """Open a window of somebody new; whatever its pages complain about is an error.

    Args:
        browser: the browser.
        width: the width; a narrow window is a phone's.
        scheme: the colours; dark on a phone and light elsewhere if none are given.
        script: whether scripts run.
        lets: what complaints that are brought about on purpose contain.
    """
    phone = width <= PHONE
    context = browser.new_context(
        viewport={"width": width, "height": 844 if phone else 900},
        color_scheme=scheme or ("dark" if phone else "light"),
        has_touch=phone,
        java_script_enabled=script,
    )
    context.set_default_timeout(PATIENCE)
    complaints: list[str] = []

    def refuse(dialog: Dialog) -> None:
        complaints.append(f"a dialog: {dialog.message}")
        dialog.dismiss()

    context.on("console", lambda message: complaints.append(message.text))
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    context.on("dialog", refuse)
    try:
        yield context.new_page()
        found = [line for line in complaints if lets is None or lets not in line]
        assert not found, found
    finally:
        context.close()


def sign_in(page: Page, served: str, to: str = "/") -> None:
    """Come in by the owner's link, and go to a page."""
    # The page of the link sends its form at once: it may be gone before it is loaded.
    page.goto(f"{served}/enter#{TOKEN}", wait_until="commit")
    page.wait_for_url(f"{served}/")
    page.goto(f"{served}{to}")


def follow(leading: Locator) -> None:
    """Click what leads to another page, and wait until that is loaded."""
    with leading.page.expect_navigation():
        leading.click()


def shows(page: Page, text: str) -> None:
    """Wait until a page says something, and is loaded."""
    page.wait_for_selector(f"text={text}")
    page.wait_for_load_state()


def tab_to(page: Page, selector: str, most: int = 40) -> None:
    """Press the tabulator until an element has the focus, which must be visible there."""
    page.wait_for_load_state()
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            outline = page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle")
            assert outline != "none", f"the focus on {selector} cannot be seen"
            return
    raise AssertionError(f"the keyboard does not reach {selector}")


# At the end of a page, bars that stay in reach are where they belong and cover nothing; those that stay above are put
# there as long as a page is looked at.
END = """() => {
  for (const bar of document.querySelectorAll('.stays')) bar.style.position = 'static';
  scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' });
}"""
PUT_BACK = "() => { for (const bar of document.querySelectorAll('.stays')) bar.style.position = ''; }"


def wrong(page: Page, *, opened: bool = False, axe: bool = True) -> list[str]:
    """Return what is wrong with the layout of a page, and what axe finds.

    Args:
        page: the page.
        opened: whether everything that opens is opened before.
        axe: whether axe looks as well, which takes longest.
    """
    page.wait_for_load_state()
    size = page.viewport_size
    assert size is not None
    checks = page.evaluate_handle(SCRIPT)
    if opened:
        checks.evaluate("checks => checks.openAll()")
    page.evaluate(END)
    found = checks.evaluate("(checks, sideways) => checks.layout(sideways)", size["width"] <= PHONE)
    # The link to the content is seen only when it has the focus.
    lines = [line for line in found if "a.skip" not in line]
    if axe:
        lines += [f"axe: {line}" for line in serious(page)]
    page.evaluate(PUT_BACK)
    return lines


def look(page: Page, name: str) -> None:
    """Find nothing wrong with a page, and keep a picture of it if pictures are asked for."""
    page.wait_for_load_state()
    size = page.viewport_size
    assert size is not None
    if folder := os.environ.get("NLIPROBE_PICTURES"):
        page.screenshot(path=Path(folder) / f"{name}-{size['width']}.png", full_page=True)
    found = wrong(page)
    assert not found, "\n".join([f"{name} at {size['width']}:", *found[:20]])
