"""Names and notes in the Markdown report are text: no markup, no HTML, no links."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from nliprobe.api.report import report
from nliprobe.api.resolve import Request
from nliprobe.api.run import run
from nliprobe.report._markdown_text import inline, paragraph

HOSTILE = (
    "<script>alert(1)</script> <img src=x onerror=alert(2)> &lt;b&gt; | a | b | [x](javascript:alert(3)) "
    "![i](http://x/y) `code` **bold** _it_ ~~no~~ $x$ http://evil.example www.evil.example <http://auto> "
    "[ref]: http://z \\| # h\n\n# head\n"
    "- list\n| c | d |\n| --- | --- |\x1b[31m\r\u2028> quote"
)


def rendered(text: str) -> str:
    html: str = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(text)
    return html


@pytest.mark.parametrize(
    "start", ["", "# ", "- ", "1. ", "1) ", "> ", "    ", "=== ", "+ ", "```", "~~~", "[a]: b", "---"]
)
def test_a_text_is_one_paragraph_of_plain_text(start: str) -> None:
    html = rendered(paragraph(start + HOSTILE))
    assert set(re.findall(r"<(/?\w+)", html)) == {"p", "/p"}
    assert html.count("<p>") == 1
    for words in (
        "<script>alert(1)</script>",
        "&lt;b&gt;",
        "[x](javascript:alert(3))",
        "`code`",
        "http://evil.example",
    ):
        assert words in unescape(html)


@given(st.text(st.sampled_from("ab |`*_[](){}<>&!#+-=~$\\/:.\n\t1)\"'@^"), max_size=30))
def test_no_text_becomes_markup_or_is_lost(text: str) -> None:
    html = rendered(paragraph(text))
    assert set(re.findall(r"<(/?\w+)", html)) <= {"p", "/p"}
    assert unescape(re.sub(r"</?p>", "", html)).split() == text.split()
    [row] = re.findall(
        r"<tbody>\n<tr>(.*?)</tr>", rendered(f"| a | b |\n| --- | --- |\n| {inline(text)} | end |"), re.DOTALL
    )
    assert re.findall(r"<td>(.*?)</td>", row, re.DOTALL)[1] == "end"
    assert set(re.findall(r"<(/?\w+)", row)) == {"td", "/td"}


def test_a_report_of_a_hostile_run_has_only_our_structure(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text("def answer(pairs):\n    return ['E' for _ in pairs]\n", encoding="utf-8")

    def text(name: str) -> str:
        system = f"python:{tmp_path / 'model.py'}:answer?name={name}"
        done = run(
            Request(["builtin/tables-dev?limit=20"], [system], ["gold", "rows.delete"]), tmp_path / str(len(name))
        )
        return report(done.run, tmp_path / "r.md").read_text(encoding="utf-8")

    hostile = "%3Cimg src=x onerror=alert(1)%3E|[x](http://y)`z`%0A%23 head"
    tags = [re.findall(r"<(/?\w+)", rendered(text(name))) for name in ("plain", hostile)]
    assert tags[0] == tags[1]
    assert "img" not in tags[1]
