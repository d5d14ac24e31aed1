"""The corpus of the page on extending: its files and its class, written down and run as the page says."""

from __future__ import annotations

import re
from pathlib import Path

from tests.cli.helpers import nliprobe
from tests.docs.test_pages_run import GUIDE, steps

PAGE = "extend.md"


def test_the_corpus_of_the_page_runs(tmp_path: Path) -> None:
    text = (GUIDE / PAGE).read_text(encoding="utf-8")
    [code] = [
        block for block in re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL) if "League" in block
    ]
    (tmp_path / "league.py").write_text(code, encoding="utf-8")
    (tmp_path / "league").mkdir()
    ran = 0
    for step in steps(PAGE):
        if step.file:
            (tmp_path / "league" / step.file).write_text(step.content, encoding="utf-8")
            continue
        done = nliprobe(*step.words, cwd=tmp_path)
        said = " ".join(f"{done.stdout}\n{done.stderr}".split())
        shown = " ".join(" ".join(step.shown).split())
        for piece in shown.split("…"):
            assert piece.strip() in said
        ran += 1
    assert ran == 2
