"""Build the three reports of docs/gallery.md from answers that come with the package.

``make docs`` puts them beside the manual. They are kept in ``docs/_build/gallery`` and made anew only when the package,
this script or the corpus has changed. ``python -m scripts.gallery --write`` also writes what the reports say into
``docs/gallery.md``, and ``--pictures`` takes their pictures with the Chromium of the machine.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import chdir, contextmanager
from html import escape
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import nliprobe
from nliprobe.api.results import Run
from nliprobe.api.sources import open_source
from nliprobe.base.errors import NotFoundError
from nliprobe.base.hashing import digest, digest_bytes
from nliprobe.papers.asked import make_cases
from nliprobe.papers.blocks import block_pattern, fill_page
from nliprobe.papers.checklist.answers_file import HYPOTHESIS_ONLY, WITH_PREMISE, shipped_answers
from nliprobe.papers.evidence import answers_file as evidence
from nliprobe.papers.probe_answers import UNCHANGED
from nliprobe.report._checklist_words import extreme_lines
from nliprobe.report.hero import hero

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "gallery.md"
KEPT = ROOT / "docs" / "_build" / "gallery"
PICTURES = ROOT / "docs" / "images"
SPLIT = "infotabs/alpha1"
ROW_PROBES = ("gold", "rows.delete", "rows.insert", "rows.update", "rows.permute")
# All 183,200 examples would make a page of 6 MB; with fewer per template, the intervals over templates are the same.
EXAMPLES = 50
NAME, BLIND = "MiniLM", "MiniLM, hypothesis only"
Answer = dict[str, str]


class Report(NamedTuple):
    """A report of the gallery: its title, which names the run, how the run is made, and the corpus it needs.

    ``templates`` says whether it is read by capabilities.
    """

    title: str
    make: Callable[[Path], Run]
    needs: str = ""
    templates: bool = False


def small_run(out: Path) -> Run:
    """Ask the network that comes with the package about what comes with the package."""
    corpora = ("builtin/sentences-dev", "builtin/tables-dev", "checklist?n=20")
    systems = ("small", "small?premise=none&name=small, hypothesis only")
    return nliprobe.run(systems, corpora, ("gold", "swap", "rows.delete"), out)


def checklist_run(out: Path) -> Run:
    """Take the answers of the first seed to the first examples of each template."""
    source = open_source("checklist")
    pairs = list(source.pairs())
    places = [
        place
        for _, places in groupby(range(len(pairs)), key=lambda place: pairs[place].group)
        for place in list(places)[:EXAMPLES]
    ]
    given = {name: shipped_answers(name).to(source.digest(), len(pairs))[0] for name in (WITH_PREMISE, HYPOTHESIS_ONLY)}
    answers = {
        name: [{"id": pairs[place].id, "label": letters[place]} for place in places] for name, letters in given.items()
    }
    systems = {WITH_PREMISE: f"name={NAME}", HYPOTHESIS_ONLY: f"name={BLIND}&premise=none"}
    chosen = {f"checklist-{EXAMPLES}": [pairs[place] for place in places]}
    with answered(answers, systems) as specs:
        return nliprobe.run(specs, chosen, out=out)


def infotabs_run(out: Path) -> Run:
    """Take the answers of the first seed to a test split of InfoTabS and to edits of its tables' rows."""
    names = (evidence.FULL, evidence.HYPOTHESIS_ONLY)
    systems = {names[0]: f"name={NAME}&represent=para", names[1]: f"name={BLIND}&represent=para&premise=none"}
    with answered({name: list(_row_answers(name)) for name in names}, systems) as specs:
        return nliprobe.run(specs, SPLIT, ROW_PROBES, out)


def _row_answers(name: str) -> Iterator[Answer]:
    answers = evidence.find_answers(name, None)
    assert answers is not None, name
    made = make_cases(SPLIT, ROW_PROBES, None, answers.represent, answers.premise)
    labels: dict[str, str] = {}
    for probe, cases in made.probes.items():
        letters = "".join(answers.to(SPLIT, probe, cases.digest, cases.sizes)[0])
        asked = zip(cases.inputs, letters, strict=True)
        labels |= {read: letter for read, letter in asked if letter != UNCHANGED}
    for read, letter in labels.items():
        yield {"input_id": read, "label": letter}


@contextmanager
def answered(answers: Mapping[str, Iterable[Answer]], systems: Mapping[str, str]) -> Iterator[list[str]]:
    """Write answers to files, and yield the specs of the systems that look them up.

    Their folder is the current one meanwhile, so that a page names files and not the folders of this machine.
    """
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for name, lines in answers.items():
            text = "".join(json.dumps(line) + "\n" for line in lines)
            Path(f"{name}.jsonl").write_text(text, encoding="utf-8")
        yield [f"predictions:{name}.jsonl?{words}" for name, words in systems.items()]


REPORTS = {
    "minilm-infotabs": Report("MiniLM on InfoTabS", infotabs_run, SPLIT),
    "minilm-checklist": Report("MiniLM on the checklist", checklist_run, templates=True),
    "small": Report("The small network", small_run),
}


def build(kept: Path = KEPT, names: Iterable[str] = tuple(REPORTS)) -> dict[str, Path]:
    """Make the pages that are not there or that are out of date, and return where each page is."""
    kept.mkdir(parents=True, exist_ok=True)
    state = _state()
    pages: dict[str, Path] = {}
    for name in names:
        pages[name], key = kept / f"{name}.html", kept / f"{name}.key"
        wanted = digest(state, _corpus_state(REPORTS[name].needs))
        if not pages[name].is_file() or not key.is_file() or key.read_text(encoding="utf-8") != wanted:
            _make(REPORTS[name], pages[name], kept / f"{name}.txt")
            key.write_text(wanted, encoding="utf-8")
    return pages


def _make(report: Report, page: Path, words: Path) -> None:
    try:
        with tempfile.TemporaryDirectory() as folder:
            run = report.make(Path(folder) / report.title)
            run.report(page)
            head = hero(run.summary())
            said = [f"**{head.answer}**", *head.lead]
            if report.templates:
                said.append(extreme_lines(run.checklist())[0].replace(f"{NAME}: lowest", "It is lowest"))
    except NotFoundError as error:
        words.unlink(missing_ok=True)
        page.write_text(_stand_in(report, str(error)), encoding="utf-8")
    else:
        words.write_text(" ".join(said), encoding="utf-8")


def _state() -> str:
    """Hash everything that a page is made with."""
    package = sorted(path for path in Path(nliprobe.__file__).parent.rglob("*") if path.is_file())
    files = [path for path in package if path.suffix != ".pyc"]
    return digest(nliprobe.__version__, *(digest_bytes(path.read_bytes()) for path in (*files, Path(__file__))))


def _corpus_state(name: str) -> str:
    try:
        return open_source(name).digest() if name else ""
    except NotFoundError:
        return "not here"


def _stand_in(report: Report, why: str) -> str:
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(report.title)}</title>'
        f"<h1>{escape(report.title)}</h1><p>This report could not be built, because its corpus was not there when the "
        f"manual was built. {escape(why)}</p><p><code>make docs</code> builds it where NLIPROBE_DATA names a folder "
        f'with {escape(report.needs)}.</p><p><a href="../gallery.html">Back to the gallery</a></p></html>\n'
    )


def copy_pages(out: Path) -> None:
    """Put the pages beside the built manual."""
    out.mkdir(parents=True, exist_ok=True)
    for page in build().values():
        shutil.copy2(page, out / page.name)


def filled(text: str, kept: Path = KEPT) -> str:
    """Return the page of the gallery with what the reports say; a report that could not be built leaves its block."""
    said = {path.stem: path.read_text(encoding="utf-8") for path in kept.glob("*.txt")}
    blocks = {match[1]: match[2] for match in block_pattern("gallery").finditer(text)}
    return fill_page(text, "gallery", lambda name: f"\n\n{said[name]}\n\n" if name in said else blocks[name])


def take_pictures() -> None:
    """Take a picture of the head of each page: the answer, its reason, and where the points come from."""
    from playwright.sync_api import FloatRect, sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        tab = browser.new_page(viewport={"width": 1000, "height": 720})
        for name, page in build().items():
            tab.goto(page.as_uri())
            top, bottom = (tab.locator(part).first.bounding_box() for part in ("h1", "figure.where"))
            assert top is not None
            assert bottom is not None
            start, end = top["y"] - 40, bottom["y"] + bottom["height"] + 16
            clip: FloatRect = {"x": 0, "y": start, "width": 1000, "height": end - start}
            tab.screenshot(path=PICTURES / f"gallery-{name}.png", clip=clip, full_page=True)
        browser.close()


def main() -> None:
    """Build the pages, and write their words and pictures where that is asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="Write what the reports say into docs/gallery.md.")
    parser.add_argument("--pictures", action="store_true", help="Take the pictures anew.")
    given = parser.parse_args()
    for page in build().values():
        print(f"{page.relative_to(ROOT)}: {page.stat().st_size / 1e6:.1f} MB")
    if given.write:
        PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    if given.pictures:
        take_pictures()


if __name__ == "__main__":
    main()
