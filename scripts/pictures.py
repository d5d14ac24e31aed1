"""Take the pictures of the manual from real pages, with the commands that the manual shows.

``python -m scripts.pictures`` writes docs/images/*.png anew; names after it take only these. Needs playwright and a
Chromium, as the tests of the pages do.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Page
from tests.report.browser import launched

import nliprobe
from nliprobe.cli.demo import ON, PROBES, SYSTEMS, TRAIN

DOCS = Path(__file__).parents[1] / "docs"
IMAGES = DOCS / "images"
# Points of the page per picture: what a manual shows beside its text.
WIDE, NARROW = 1280, 860


class Part(NamedTuple):
    """What is seen of a page: from the upper edge of one element to that of another, or an element as a whole."""

    width: int
    first: str
    last: str = ""
    high: int = 1000


def demo(folder: Path) -> Path:
    return nliprobe.run(SYSTEMS, ON, PROBES, folder / "demo", train=TRAIN).report()


def hut(folder: Path) -> Path:
    """Follow docs/guide/tables.md."""
    text = (DOCS / "guide" / "tables.md").read_text(encoding="utf-8")
    for name, language in (("hut.html", "html"), ("hypotheses.csv", "text")):
        [block] = re.findall(rf"`{re.escape(name)}`[^`]*```{language}\n(.*?)```", text, re.DOTALL)[:1]
        (folder / name).write_text(block, encoding="utf-8")
    for command in (
        "data import hut.html --hypotheses hypotheses.csv --category Building -o hut.jsonl",
        "train svm --train builtin/tables-train --out models/svm",
        "train svm --premise none --train builtin/tables-train --out models/svm-blind",
        "run --system trained:models/svm --system trained:models/svm-blind --on file:hut.jsonl?facets=type "
        "--probes gold,rows.delete,rows.permute --out runs/hut --quiet",
        "report runs/hut -o hut-report.html",
    ):
        words = [sys.executable, "-m", "nliprobe", *command.split()]
        subprocess.run(words, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return folder / "hut-report.html"


def evidence(folder: Path) -> Path:
    """Follow docs/guide/evidence.md."""
    systems = ["svm?represent=para&name=SVM", "svm?premise=none&name=hypothesis only"]
    probes = ["gold", "rows.delete", "rows.delete?which=all-relevant"]
    on, train = ["builtin/tables-dev"], ["builtin/tables-train"]
    return nliprobe.run(systems, on, probes, folder / "evidence", train=train).report()


PICTURES: dict[str, tuple[Callable[[Path], Path], Part]] = {
    "report": (demo, Part(WIDE, "body")),
    "tables-report": (hut, Part(WIDE, "body", high=860)),
    "tables-case": (hut, Part(NARROW, "#cases article:has(tr.removed)")),
    "evidence": (evidence, Part(NARROW, "section:has(.legend) h2", "details", 900)),
    "evidence-rows": (evidence, Part(NARROW, "section:has(#drawn) article:has(.mark-both):has(.mark-needed)")),
}


def take(page: Page, part: Part, path: Path) -> None:
    """Write one picture."""
    start = page.locator(part.first).first
    box = start.bounding_box()
    assert box is not None, part
    if part.first != "body" and not part.last:
        start.screenshot(path=path)
        return
    top = 0.0 if part.first == "body" else box["y"] - 16
    high = min(part.high, page.evaluate("document.documentElement.scrollHeight") - top)
    clip = {"x": 0, "y": top, "width": part.width, "height": high}
    page.screenshot(path=path, full_page=True, clip=clip)  # type: ignore[arg-type]


def picture(browser: Browser, made: Path, part: Part, path: Path) -> None:
    context = browser.new_context(viewport={"width": part.width, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    page.goto(made.as_uri())
    page.locator("#cases article.case").first.wait_for()
    take(page, part, path)
    context.close()


def main(names: list[str]) -> None:
    chosen = {name: PICTURES[name] for name in names or PICTURES}
    with tempfile.TemporaryDirectory() as folder, launched() as browser:
        pages: dict[Callable[[Path], Path], Path] = {}
        for name, (make, part) in chosen.items():
            pages[make] = pages.get(make) or make(Path(folder)).absolute()
            picture(browser, pages[make], part, IMAGES / f"{name}.png")


if __name__ == "__main__":
    main(sys.argv[1:])
