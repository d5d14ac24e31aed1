"""The swap test as people see it: on the console, on the page, in Markdown and as a frame."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.analysis.runs import Asked, write_run
from tests.analysis.test_swap import answers, both
from tests.report.printing import shown

import nliprobe
from nliprobe.api.report import report
from nliprobe.api.results import Run
from nliprobe.report.dumbbell import Dumbbell, Estimate, dumbbell_plot
from nliprobe.store.run import RunFolder

GOLDS = [*"E" * 40, *"N" * 40, *"C" * 40]
BEFORE = "E" * 40 + "N" * 40 + "C" * 40
# E falls, N stays except for doubtful pairs, C falls.
AFTER = "N" * 40 + "E" * 2 + "N" * 38 + "N" * 20 + "C" * 20


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    folder = tmp_path / "runs"
    folder.mkdir()
    cases = [
        case
        for number, gold in enumerate(GOLDS)
        for case in both(f"p{number}", gold, doubtful=gold == "N" and number < 42)
    ]
    cases += both("unlabelled", None)
    more: dict[str, str | None] = {"unlabelled": "E", "unlabelled'": "E"}
    systems = [
        Asked("m", answers(BEFORE, AFTER) | more, shares=dict.fromkeys(answers(BEFORE, AFTER), (0.2, 0.3, 0.5))),
        Asked("blind", answers(BEFORE, "E" * 60 + "N" * 60) | more, premise="none"),
        Asked("always", dict.fromkeys([*answers(BEFORE, AFTER), *more], "E")),
    ]
    return write_run(folder, {"x": cases}, systems, shard=300)


def test_console_says_what_the_drops_show(run: RunFolder) -> None:
    text = shown(run)
    rows = {tuple(line.split()[:3]): line.split()[-1] for line in text.splitlines() if len(line.split()) > 3}
    assert rows["x", "E", "40"] == "expected"
    assert rows["N*", "38", "100.0"] == "undecided"
    assert rows["C", "40", "100.0"] == "shortcuts"
    assert "m, C on x (+50.0 ±16.2): falls although swapping keeps the label: evidence of shortcuts" in text
    assert "blind: cannot use the premise, so that nothing is concluded" in text
    assert "always: cannot use the premise, so that nothing is concluded" in text
    assert "left out without a gold label: 1 pair of x" in text
    assert "(2 of 40 neutral pairs of x)" in text
    assert "p40: premise of p40 / hypothesis" in text
    assert "control: what the best system that cannot use the premise drops (blind)" in text
    assert "always E gets 100 of E and 0 of the rest both ways, guessing 33.3: neither ever drops (x)" in text


def test_verdicts_fit_narrow_consoles(run: RunFolder) -> None:
    text = shown(run, 80)
    assert all(word in text for word in ("expected", "undecided", "shortcuts"))


def test_console_shows_consistency(run: RunFolder) -> None:
    text = shown(run)
    part = text[
        text.index("Consistency under swap") : text.index("Answers after swap") if "Answers after" in text else None
    ]
    assert ["m", "N", "95.0"] in [line.split()[:3] for line in part.splitlines()]
    assert "0.00 [0.00," in part
    assert "a constant answer has 0" in part


def test_page_and_markdown_have_the_section(run: RunFolder, tmp_path: Path) -> None:
    page = report(run, tmp_path / "report.html").read_text(encoding="utf-8")
    text = report(run, tmp_path / "report.md", form="markdown").read_text(encoding="utf-8")
    assert '<h2 id="swap-test">' in page
    assert re.search(r"<bdi>C, m</bdi>.*?\(as it is 100.0 \[[^;]*; swapped 50.0[^<]*\)</span>", page)
    assert "## Swap test" in text
    assert "### Consistency under swap" in text
    assert "| m | x | N without doubtful | 100.0 " in text
    assert "| blind | x | C | 100.0 " in text
    for written in (page, text):
        assert "evidence of shortcuts" in written
        assert "p40: premise of p40 / hypothesis" in written


def test_a_run_gives_the_table_as_a_frame(run: RunFolder) -> None:
    frame = Run(run).swap()
    mine = frame.filter(system="m", doubtful=True)
    assert mine["gold"].to_list() == ["E", "N", "C"]
    assert mine["drop"].to_list() == pytest.approx([1, 0.05, 0.5])
    assert mine["verdict"].to_list() == ["expected", "undecided", "shortcuts"]
    assert mine["control_drop"].to_list() == [0, 0.5, 1]
    assert mine["divergence"].to_list() == [None, 0, 0]
    assert len(frame) == 12


def test_doubtful_neutrals_can_be_broken_down() -> None:
    """They are likely only, so that likely cases count where a facet has no others."""
    pairs = [(f"Farmer {n} sold apples.", f"Farmer {n} sold two apples.", "N") for n in range(6)]
    made = nliprobe.run({"m": lambda premises, hypotheses: ["N"] * len(premises)}, {"own": pairs}, "swap")
    document = made.by("swap")
    assert document["values"] == ["doubtful"]
    assert [(entry["value"], entry["n"], entry["count"]) for entry in document["prohibited"]] == [("doubtful", 6, 0)]
    assert document["notes"]["swap"] == ["what these cases expect is likely, not certain"]


def test_tables_get_one_clear_line(tmp_path: Path) -> None:
    made = nliprobe.run({"m": lambda premises, hypotheses: ["E"] * len(premises)}, "builtin/tables-dev?limit=4", "swap")
    text = shown(made.folder)
    assert "builtin/tables-dev" in text
    assert "swap has no meaning for tables, because a table cannot be a hypothesis: nothing was asked" in text
    assert made.swap().is_empty()
    page = made.report(tmp_path / "page.html").read_text(encoding="utf-8")
    assert "swap has no meaning for tables" in page


def test_pairs_as_people_have_them(tmp_path: Path) -> None:
    """Equal texts, emoji, other scripts, very long texts and pairs without a label do not stop anything."""
    pairs = [
        ("A dog runs.", "A dog runs.", "E"),
        ("\N{DOG} שלום עולם", "\N{DOG} שלום עולם טוב", "N"),
        ("word " * 3000, "A word.", "E"),
        ("A cat sleeps.", "No cat sleeps.", "C"),
        ("A cat sleeps.", "A cat dreams.", None),
    ]
    made = nliprobe.run({"m": lambda premises, hypotheses: ["C"] * len(premises)}, {"own": pairs}, "swap")
    document = made.summary()["swap"]
    assert document is not None
    [corpus], [entry] = document["corpora"], document["entries"]
    assert (corpus["pairs"], corpus["swapped"], entry["n"], entry["unlabelled"]) == (5, 4, 3, 1)
    assert corpus["left_out"] == {"premise and hypothesis are the same": 1}
    assert [row["label"] for row in entry["labels"]] == ["E", "N", "C"]
    assert {row["verdict"] for row in entry["labels"]} <= {"undecided", "control"}
    assert "Swap test" in shown(made.folder)
    made.report(tmp_path / "page.html")


def test_the_picture_says_what_it_shows_and_escapes_names() -> None:
    drawn = dumbbell_plot([Dumbbell("<b>", Estimate(0.9, 0.8, 1.0), Estimate(0.5, 0.4, 0.6), "-40.0")], ("old", "new"))
    assert "<bdi>&lt;b&gt;</bdi>" in drawn
    assert "−40.0" in drawn
    assert "(old 90.0 ±10.0; new 50.0 ±10.0)" in drawn
    assert "<b>" not in drawn
    assert drawn.count("<circle") == 2
