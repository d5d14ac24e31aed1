"""Pages as people see them: nothing overlaps, is cut, or lies outside; on a phone, on paper, in the dark."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.report.layout import ALL, AXE, AXE_ALL, FEW, Window, page_findings, told
from tests.report.layout_pages import MORE, PAGES

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.mark.parametrize("name", PAGES)
def test_page_is_laid_out_well(name: str, browser: Browser, tmp_path: Path) -> None:
    found = page_findings(browser, PAGES[name](tmp_path), FEW, AXE)
    assert not found, told(found)


@pytest.mark.simulation
@pytest.mark.parametrize("name", [*PAGES, *MORE])
def test_page_is_laid_out_well_in_every_window(name: str, browser: Browser, tmp_path: Path) -> None:
    found = page_findings(browser, {**PAGES, **MORE}[name](tmp_path), ALL, AXE_ALL)
    assert not found, told(found)


ONE_LINE = "overflow: hidden; white-space: nowrap; width: 5em"
READERS_ONLY = "position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)"
PRINTED = "<style>@media print { details::details-content { content-visibility: visible; block-size: auto } }</style>"
CLOSED = "<details><summary>more</summary><p>inside</p></details>"
# A page that has one thing wrong, by the kind of the finding, and what its line must name.
WRONG = {
    "overlap": ("<p style='height: 0; margin: 0'>first</p><p style='margin: 0'>second</p>", ["first", "second"]),
    "cut": (f"<p style='{ONE_LINE}'>a text that is cut</p>", ["that is cut"]),
    "cut in a picture": ("<svg viewBox='0 0 50 20' width='50'><text x='20' y='15'>beyond</text></svg>", ["beyond"]),
    "cut by dots": (f"<p style='{ONE_LINE}; text-overflow: ellipsis'>a text with dots</p>", ["with dots"]),
    "outside": ("<p style='width: 3000px; text-align: right'>far away</p>", ["far away"]),
    "page": ("<div style='width: 3000px; height: 1px'></div><p>fine</p>", ["3008", "390"]),
    "sideways": ("<div style='overflow-x: auto'><p style='width: 900px; text-align: right'>value</p></div>", ["value"]),
    "small": ("<svg viewBox='0 0 900 90' width='90'><text x='5' y='50'>tiny</text></svg>", ["tiny"]),
    "print": ("<style>@media print { .x { display: none } }</style><p class='x'>screen only</p>", ["screen only"]),
    "print of what is closed": (CLOSED, ["inside"]),
    "unheard": (
        "<section><svg width='50' height='9' role='img'><rect width='20' height='9'/></svg></section>",
        ["svg"],
    ),
    "motion": ("<style>p { transition: color 1s }</style><p>moves</p>", ["p"]),
    "motion of scrolling": ("<style>html { scroll-behavior: smooth }</style><p>x</p>", ["smoothly"]),
    "axe": ("<p style='color: #888'>pale</p>", ["color-contrast", "pale"]),
    "console": ("<script>console.log('a complaint')</script><p>x</p>", ["a complaint"]),
    "request": ("<img alt='' src='nowhere.png'><p>x</p>", ["nowhere.png"]),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_found_and_named(name: str, browser: Browser, tmp_path: Path) -> None:
    body, words = WRONG[name]
    phone = [Window(390)]
    found = page_findings(browser, written(tmp_path, body), phone, phone if name == "axe" else [])
    lines = [line for line in found if f"{name.split()[0]}:" in line]
    assert lines, found
    assert all(word in lines[0] for word in words), lines


# What looks suspicious to a machine and is fine.
FINE = {
    "something that could be scrolled": "<div style='overflow-x: auto'><p style='width: 9em'>value</p></div>",
    "for screen readers": f"<p style='{READERS_ONLY}'>unseen text</p><p>seen</p>",
    "closed": f"{PRINTED}{CLOSED}<p>after</p>",
    "tight lines": "<h1 style='line-height: 1.05; width: 6em'>a heading of several lines</h1>",
    "a head beside its values": (
        "<style>@media print { thead { display: none } td::before { content: attr(data-label) } }</style>"
        "<table><thead><tr><th>n</th></tr></thead><tbody><tr><td data-label='n'>1</td></tr></tbody></table>"
    ),
    "a picture beside its table": (
        "<figure><svg width='50' height='9' role='img'><rect width='20' height='9'/></svg><table><tr><td>1</table>"
    ),
    "hidden": "<p style='visibility: hidden; height: 0; margin: 0'>ghost</p><p style='margin: 0'>x</p>",
    "controls": "<style>@media print { button { display: none } }</style><button>more</button>",
}


def test_what_is_fine_is_not_reported(browser: Browser, tmp_path: Path) -> None:
    for name, body in FINE.items():
        assert page_findings(browser, written(tmp_path, body), FEW, []) == [], name


def test_findings_are_told_with_their_windows_and_not_endlessly() -> None:
    lines = [f"390 px, dark: overlap: {number}" for number in range(20)] + ["console: once"]
    assert told(lines).splitlines() == [*lines[:8], "  and 12 more like these", "console: once"]


def written(folder: Path, body: str) -> Path:
    path = folder / "page.html"
    path.write_text(
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        f"<title>t</title><link rel=icon href='data:,'><main>{body}</main>",
        encoding="utf-8",
    )
    return path
