"""What is wrong with a page's layout, found in Chromium from the boxes of its texts.

Every finding is a line: the window it was seen in, its kind, the element, and the texts. The kinds:

- ``overlap``: a text stands on another.
- ``cut``: a text is cut by an element that hides what is too much, or by the edge of its picture.
- ``outside``, ``page``: a text lies outside the window; the page can be scrolled sideways.
- ``sideways``: on a phone, a text is seen only after something was scrolled sideways.
- ``small``: letters that are too small to be read.
- ``print``, ``motion``: lost on paper; moving although the reader asked for less of it.
- ``unheard``: a picture without a table or a list for those who do not see it.
- ``axe``: a serious or critical finding of axe-core.
- ``request``, ``console``: the page asked for something or complained.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from tests.report.browser import serious, tab

if TYPE_CHECKING:
    from playwright.sync_api import Browser, JSHandle, Page

SCRIPT = Path(__file__).with_name("layout.js").read_text(encoding="utf-8")
WIDTHS = (1280, 820, 390)
# Up to this width values must be visible without scrolling anything sideways.
PHONE = 390
# A4 with its usual margins, at 96 pixels per inch.
PAPER = 700
# More lines of one kind help nobody.
MOST = 8

Scheme = Literal["light", "dark"]


class Window(NamedTuple):
    """How a page is looked at: the width, the colours, and whether everything that opens is open."""

    width: int
    scheme: Scheme = "light"
    opened: bool = False

    def __str__(self) -> str:
        return f"{self.width} px, {self.scheme}{', all open' if self.opened else ''}"


# Colours do not move anything: two windows with axe see all of them.
FEW = (Window(1280, "light"), Window(820, "light"), Window(PHONE, "dark"), Window(PHONE, "dark", opened=True))
ALL = tuple(
    Window(width, scheme, opened) for width in WIDTHS for scheme in ("light", "dark") for opened in (False, True)
)
AXE = (Window(1280, "light"), Window(PHONE, "dark", opened=True))
# What axe sees does not change between 820 and 1280 pixels, and what is open includes what is closed.
AXE_ALL = tuple(window for window in ALL if window.opened and window.width != 820)


def page_findings(browser: Browser, path: Path, windows: Sequence[Window], axe: Sequence[Window]) -> list[str]:
    """Open a page and return everything that is wrong with it.

    Args:
        browser: the browser.
        path: the page.
        windows: how it is looked at.
        axe: the windows in which axe-core looks at it as well, which takes longest.
    """
    with tab(browser, path) as shown:
        checks = shown.page.evaluate_handle(SCRIPT)
        found = []
        for window in windows:
            show(shown.page, checks, window)
            lines = checks.evaluate("(checks, sideways) => checks.layout(sideways)", window.width <= PHONE)
            if window in axe:
                lines += [f"axe: {line}" for line in serious(shown.page)]
            found += [f"{window}: {line}" for line in lines]
        found += checks.evaluate("checks => checks.unheard()")
        found += print_findings(shown.page, checks)
        found += motion_findings(shown.page, checks)
        found += [f"request: {url}" for url in shown.requests if url != path.as_uri()]
        return found + [f"console: {line}" for line in shown.complaints]


def show(page: Page, checks: JSHandle, window: Window) -> None:
    """Look at a page in a certain way; it is not loaded again."""
    page.set_viewport_size({"width": window.width, "height": 900})
    page.emulate_media(color_scheme=window.scheme, media="screen")
    checks.evaluate(f"checks => checks.{'openAll' if window.opened else 'closeAll'}()")


def print_findings(page: Page, checks: JSHandle) -> list[str]:
    """Return what is seen on the screen, or in something that opens, and is lost on paper."""
    show(page, checks, Window(PAPER))
    checks.evaluate("checks => checks.beforePrint()")
    page.emulate_media(media="print")
    found: list[str] = checks.evaluate("checks => checks.inPrint()")
    page.emulate_media(media="screen")
    return found


def motion_findings(page: Page, checks: JSHandle) -> list[str]:
    """Return what moves although the reader asked for less motion."""
    page.emulate_media(reduced_motion="reduce")
    found: list[str] = checks.evaluate("checks => checks.moving()")
    page.emulate_media(reduced_motion="no-preference")
    return found


def told(found: Iterable[str]) -> str:
    """Write findings for the message of a failing test: the first of each kind and window, and how many there are."""
    groups: dict[str, list[str]] = {}
    for line in found:
        parts = line.split(": ")
        groups.setdefault(": ".join(parts[:2]) if " px, " in parts[0] else parts[0], []).append(line)
    lines = []
    for lines_of in groups.values():
        lines += lines_of[:MOST]
        if len(lines_of) > MOST:
            lines.append(f"  and {len(lines_of) - MOST} more like these")
    return "\n".join(lines)
