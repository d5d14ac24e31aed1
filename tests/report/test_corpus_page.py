"""The page and the console table of corpus statistics."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.report.browser import tab
from tests.report.printing import printed

from nliprobe.api.sources import open_source
from nliprobe.corpora.statistics import stats_document
from nliprobe.report.bars import Bar, bar_chart
from nliprobe.report.corpus import render_stats, stats_page
from nliprobe.task.statistics import StatsDocument

if TYPE_CHECKING:
    from playwright.sync_api import Browser


HOSTILE = "</script><img src=x onerror=alert(1)>"


@pytest.fixture
def document(tmp_path: Path) -> StatsDocument:
    rows = [
        {
            "premise": {"title": HOSTILE, "Born": "1815"},
            "hypothesis": "Born in 1815.",
            "label": label,
            "kind": [HOSTILE, "x"],
        }
        for label in "ENC"
    ]
    path = tmp_path / "own.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    own = open_source(f"file:{path}?facets=kind")
    return stats_document([own, open_source("builtin/sentences-dev")], own)


def test_bars_are_on_one_scale_and_described() -> None:
    text = bar_chart([Bar("a", (("e", 1.0), ("n", 1.0)), "2"), Bar("b<", (("all", 1.0),), "1")], "title")
    assert text.count('width="50.00%"') == 3
    assert 'role="table" aria-label="title"' in text
    assert re.findall(r'role="(?:rowheader|cell)">(?:<bdi>)?([^<]*)', text) == ["a", "2", "b&lt;", "1"]
    assert 'aria-label="none"' in bar_chart([], "none")


def test_console_shows_a_line_a_statistic(document: StatsDocument) -> None:
    text = printed(render_stats(document), 160)
    assert "builtin/sentences-dev" in text
    assert "words in a hypothesis" in text
    assert "shared with" in text
    assert "values of kind in a pair" not in text  # every pair has as many
    assert "pairs by kind and label" in text


def test_page_asks_for_nothing_and_has_its_charts(browser: Browser, document: StatsDocument, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(stats_page(document), encoding="utf-8")
    with tab(browser, path) as seen:
        assert seen.requests == [path.as_uri()]
        assert seen.complaints == []
        assert seen.page.locator("img, script").count() == 0
        assert seen.page.locator("rect.bar").count() > 6
