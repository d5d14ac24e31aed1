"""The machine's own Chromium, driven without any download."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog, Page

FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)


@dataclass
class Opened:
    """A page, what it asked for and what it complained about."""

    page: Page
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def refuse(self, dialog: Dialog) -> None:
        self.complaints.append("a dialog")
        dialog.dismiss()


@contextmanager
def launched() -> Iterator[Browser]:
    """Start Chromium; the test is skipped where there is none."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("there is no Chromium on this machine")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=FLAGS.split())
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def tab(browser: Browser, path: Path, *, width: int = 1200, scheme: str = "light") -> Iterator[Opened]:
    """Open a file in a tab of its own."""
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme="dark" if scheme == "dark" else "light"
    )
    try:
        page = context.new_page()
        found = Opened(page)
        page.on("request", lambda request: found.requests.append(request.url))
        page.on("console", lambda message: found.complaints.append(message.text))
        page.on("pageerror", lambda error: found.complaints.append(str(error)))
        page.on("dialog", found.refuse)
        page.goto(path.as_uri())
        yield found
    finally:
        context.close()


@contextmanager
def opened(path: Path, *, width: int = 1200, scheme: str = "light") -> Iterator[Opened]:
    """Open a file in a Chromium of its own."""
    with launched() as browser, tab(browser, path, width=width, scheme=scheme) as found:
        yield found


# Lines, cards and items beyond the third of their kind are taken away while axe looks, which takes long on long pages.
THIN = """() => {
  const same = (one, other) => one.localName === other.localName && one.className === other.className;
  const many = [...document.querySelectorAll("tr, li, article, .line, details, figure")].filter((element) => {
    let before = element.previousElementSibling, count = 0;
    for (; before && count < 3; before = before.previousElementSibling) count += same(element, before);
    return count === 3;
  });
  window.thinned = many.map((element) => {
    const place = document.createComment("");
    element.replaceWith(place);
    return [place, element];
  });
}"""
WHOLE = """() => {
  for (const [place, element] of window.thinned || []) place.replaceWith(element);
  delete window.thinned;
}"""

# Rules whose findings are at most moderate, which nobody would read, and which look at every element.
MODERATE = (
    "region", "heading-order", "page-has-heading-one", "landmark-unique", "landmark-one-main",
    "landmark-no-duplicate-banner", "landmark-no-duplicate-contentinfo", "landmark-no-duplicate-main",
    "landmark-banner-is-top-level", "landmark-complementary-is-top-level", "landmark-contentinfo-is-top-level",
    "landmark-main-is-top-level",
)  # fmt: skip
AXE_OPTIONS = {
    "resultTypes": ["violations"],
    "preload": False,  # pages carry all they need
    "rules": {name: {"enabled": False} for name in MODERATE},
}


def serious(page: Page) -> list[str]:
    """Return the serious and critical findings of axe-core; the test is skipped where it is not installed."""
    axe = pytest.importorskip("axe_core_python.sync_playwright", reason="axe-core-python is not installed").Axe()
    page.evaluate(THIN)
    page.evaluate(axe.axe_script)
    found = page.evaluate("options => axe.run(options).then((found) => found.violations)", AXE_OPTIONS)
    page.evaluate(WHOLE)
    return [
        f"{item['id']} ({item['help']}), {len(item['nodes'])} times, first {item['nodes'][0]['html'][:160]}"
        for item in found
        if item["impact"] in ("serious", "critical")
    ]
