"""The numbers of the results page and of the README come from the answers that are shipped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.papers.made_answers import Make, always_right, answering

from nliprobe.papers.checklist.answers_file import MEASURE, Answers, NotMeasuredError
from nliprobe.papers.checklist.results import BLOCK, block, fill_blocks

ROOT = Path(__file__).parents[2]
PAGES = {"README.md": ["headline"], "docs/results/checklist.md": [
    "overview", "capabilities", "variations", "readings", "published",
]}  # fmt: skip


@pytest.mark.results
@pytest.mark.parametrize("page", PAGES)
def test_pages_hold_what_the_answers_give(page: str) -> None:
    """Run python scripts/checklist_results.py after new answers or a change of the templates."""
    text = (ROOT / page).read_text(encoding="utf-8")
    assert [match[1] for match in BLOCK.finditer(text)] == PAGES[page]
    assert fill_blocks(text) == text


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with answering(always_right, monkeypatch):
        yield


@pytest.mark.usefixtures("made")
def test_a_system_that_answers_the_labels_is_always_right() -> None:
    overview = block("overview")
    assert "| with the premise | 100.0 ± 0.0 | 100.0 ± 0.0 | 86.0 ± 0.0 | 70.0 ± 0.0 | 194 / 0 / 0 |" in overview
    [control] = [line for line in overview.splitlines() if line.startswith("| hypothesis only")]
    assert "| 33.3 ± 0.0 |" in control, "with labels weighted alike a constant answer gets a third"
    [constant] = [line for line in overview.splitlines() if line.startswith("| always")]
    share = float(constant.split("|")[2])
    assert share <= 40
    assert "183,200 examples of 194 templates" in overview
    assert "86 % of SNLI, a corpus of sentence pairs, and on [100 % of the checklist]" in block("headline")
    assert f"gets {share:.0f} %" in block("headline")


@pytest.mark.results
@pytest.mark.usefixtures("made")
def test_the_other_blocks_are_tables_of_the_suite() -> None:
    lines = [line.split("|") for line in block("capabilities").strip().splitlines()[2:]]
    assert len(lines) == 17
    assert sum(int(line[2]) for line in lines) == 194
    assert all(float(line[3].split()[1]) <= 60 for line in lines), "no constant answer passes a capability"
    assert "| with the premise | 0.0 ± 0.0 | 100.0 ± 0.0 | 0.0 ± 0.0 |" in block("readings")
    assert "0 templates are passed while a variation of them is failed" in block("variations")
    assert "| MiniLM | 100.0 |" in block("published")


def stale(name: str) -> Answers:
    return replace(always_right(name), digest="0" * 24, more={})


def missing(name: str) -> Answers:
    raise NotMeasuredError(f"There are no answers '{name}'.")


@pytest.mark.results
@pytest.mark.parametrize("make", [stale, missing])
def test_without_answers_to_this_core_no_number_stands(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    with answering(make, monkeypatch):
        for names in PAGES.values():
            for name in names:
                text = block(name)
                assert "not measured" in text.lower()
                assert name == "headline" or MEASURE in " ".join(text.split())
                assert not any(letter.isdigit() for letter in text)
