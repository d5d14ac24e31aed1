"""Pages carry a Content-Security-Policy that allows what they need, and with which an injected script does nothing."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.report.browser import tab
from tests.report.layout_pages import explanations

from nliprobe.api.report import report
from nliprobe.api.resolve import Request
from nliprobe.api.run import run
from nliprobe.api.sources import open_source
from nliprobe.corpora.statistics import stats_document
from nliprobe.papers.page import reproduce_page
from nliprobe.papers.recipes import CellDocument, Chart, Computed, Recipe
from nliprobe.report.bars import Bar
from nliprobe.report.corpus import stats_page
from nliprobe.report.pages import simple_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def run_page(folder: Path, *systems: str, on: str, checklist: bool = False) -> str:
    train = ["builtin/sentences-train"]
    done = run(Request([on], systems, ["gold"], train), folder / "run").run
    if checklist:
        from nliprobe.api.face import open_run

        return open_run(done.path).report(folder / "c.html", checklist=True).read_text(encoding="utf-8")
    return report(done, folder / "r.html").read_text(encoding="utf-8")


PAGES: dict[str, Callable[[Path], str]] = {
    "report": lambda folder: run_page(folder, "majority", "majority?premise=none&name=b", on="builtin/sentences-dev"),
    "report with checklist": lambda folder: run_page(folder, "majority", on="checklist?n=2&only=negation"),
    "checklist": lambda folder: run_page(folder, "majority", on="checklist?n=25&only=negation", checklist=True),
    "corpus": lambda folder: stats_page(stats_document([open_source("builtin/tables-dev")])),
    "explanations": lambda folder: explanations("small"),
    "papers": lambda folder: papers_page(),
    "simple": lambda folder: simple_page("title", "<p>body</p>", style=".own { color: red; }"),
}


def papers_page() -> str:
    cells: list[CellDocument] = [{"row": "row", "col": "column", "paper": 1.5, "ours": 2.5}]
    chart = Chart("chart", [Bar("bar", (("all", 1.0),), "1")])
    recipe = Recipe("own:table1", "A table", lambda folders: Computed({}, []), lambda found: [chart])
    return reproduce_page([(recipe, {"item": "own:table1", "title": "A table", "cells": cells, "notes": []})])


def policy(page: str) -> dict[str, str]:
    [content] = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)
    rules = [rule.strip().partition(" ") for rule in unescape(content).split(";")]
    return {name: value for name, _, value in rules}


def digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@pytest.mark.parametrize("name", PAGES)
def test_a_page_works_under_its_policy_and_an_injected_script_does_not(
    browser: Browser, name: str, tmp_path: Path
) -> None:
    page = PAGES[name](tmp_path)
    rules = policy(page)
    [style] = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert rules == {
        "default-src": "'none'", "img-src": "data:", "base-uri": "'none'", "form-action": "'none'",
        "style-src": digest(style), **({"script-src": digest(scripts[0])} if scripts else {}),
    }  # fmt: skip
    assert len(scripts) == (1 if name.startswith("report") else 0)
    assert not re.search(r"<[^>]+\s(?:style|on\w+)=", re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL))
    path = tmp_path / "page.html"
    path.write_text(page, encoding="utf-8")
    with tab(browser, path) as seen:
        assert seen.complaints == []
        assert seen.requests == [path.as_uri()]
        assert seen.page.evaluate("getComputedStyle(document.body).marginTop") == "0px"  # ours
    injected = "<script>window.hit = 1</script><img src=x onerror='window.hit = 1'><style>h1 { color: red; }</style>"
    path.write_text(page.replace("<main>", f"<main>{injected}"), encoding="utf-8")
    with tab(browser, path) as seen:
        assert seen.page.evaluate("window.hit") is None
        assert seen.page.evaluate("getComputedStyle(document.querySelector('h1')).color") != "rgb(255, 0, 0)"
        assert len(seen.complaints) >= 3  # each is refused by the browser, and said
