"""A report in Chromium: how long until its failing cases are there, and how long a search among them takes."""

from __future__ import annotations

import shutil
import statistics
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

REPEATS = 3
NAMES = (
    "open_seconds", "longest_task_at_opening_ms", "search_at_once_seconds", "longest_task_of_it_ms",
    "first_search_seconds", "longest_task_of_first_search_ms", "next_search_seconds",
)  # fmt: skip
# Work that holds up a page for longer is felt: https://www.w3.org/TR/longtasks-1/ reports it from 50 ms on.
WATCH_TASKS = """
window.longest = 0;
new PerformanceObserver((list) => {
  for (const task of list.getEntries()) window.longest = Math.max(window.longest, task.duration);
}).observe({ type: "longtask", buffered: true });
"""
# Letters are typed and the list is awaited within the page, so that nothing of the driver is measured.
SEARCH = """async (word) => {
  window.longest = 0;
  const status = document.getElementById("status");
  const search = document.getElementById("search");
  search.focus();
  const before = status.textContent;
  const start = performance.now();
  search.value = word;
  search.dispatchEvent(new Event("input", { bubbles: true }));
  await new Promise((done) => {
    const watch = new MutationObserver(() => {
      if (status.textContent === before || !/ of [0-9,]+ failing cases?/.test(status.textContent)) return;
      watch.disconnect();
      done();
    });
    watch.observe(status, { childList: true, characterData: true, subtree: true });
  });
  const seconds = (performance.now() - start) / 1000;
  await new Promise((done) => setTimeout(done, 300));
  return [seconds, window.longest];
}"""


def measure_page(page: Path) -> dict[str, float | None]:
    """Open a page some times and search in it; the median of each number, or none without a Chromium.

    A reader takes a second to type a first word; a search at once after the first card is the worst case.
    """
    chromium = shutil.which("chromium")
    if chromium is None:
        return dict.fromkeys(NAMES)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        rows = []
        for _ in range(REPEATS):
            tab = browser.new_page()
            opened, task = open_page(tab, page)
            at_once = tab.evaluate(SEARCH, "united states")
            tab.close()
            tab = browser.new_page()
            open_page(tab, page)
            tab.wait_for_timeout(2000)
            later = tab.evaluate(SEARCH, "united states")
            again = tab.evaluate(SEARCH, "born in")
            tab.close()
            rows.append((opened, task, *at_once, *later, again[0]))
        browser.close()
    return {
        name: round(statistics.median(column), 3) for name, column in zip(NAMES, zip(*rows, strict=True), strict=True)
    }


def open_page(tab: Page, page: Path) -> tuple[float, float]:
    """Return the seconds until the first failing case is drawn, and the longest task until then in milliseconds."""
    tab.add_init_script(WATCH_TASKS)
    start = time.perf_counter()
    tab.goto(page.as_uri())
    tab.wait_for_selector("#cases article.case")
    seconds = time.perf_counter() - start
    return seconds, tab.evaluate("window.longest")
