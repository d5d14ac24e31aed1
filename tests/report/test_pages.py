"""The head that all pages share."""

from __future__ import annotations

import re

from nliprobe.api.sources import open_source
from nliprobe.corpora.statistics import stats_document
from nliprobe.report.corpus import stats_page
from nliprobe.report.pages import simple_page


def test_a_simple_page_escapes_its_title_and_keeps_its_body() -> None:
    page = simple_page("a < b", "<p>own</p>", facts="1 & 2", style=".own { color: red; }")
    assert "<title>a &lt; b</title>" in page
    assert "<h1>a &lt; b</h1>" in page
    assert '<p class="kick">1 &amp; 2</p>' in page
    assert re.search(r"<main>\s*<p>own</p>\s*</main>", page)
    assert page.index("svg .bar {") < page.index(".own { color: red; }") < page.index("</style>")


def test_a_simple_page_without_facts_has_no_empty_line_for_them() -> None:
    assert 'class="kick"' not in simple_page("title", "body")


def test_pages_share_their_head() -> None:
    pages = [simple_page("title", ""), stats_page(stats_document([open_source("builtin/sentences-dev")]))]
    heads = {
        re.sub(r"<title>.*</title>|'sha256-[^']*'|&#39;sha256-[^&]*&#39;", "", page.partition("svg .bar {")[0])
        for page in pages
    }
    assert len(heads) == 1
    assert "prefers-color-scheme: dark" in heads.pop()
