"""The console report: what is on the page, in narrow and wide terminals, with and without colour."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from rich.console import Console
from tests.analysis.runs import Asked, derived, pair, write_run

from nliprobe.analysis.documents import Document, ShowDocument
from nliprobe.analysis.summary import Scored, score_document, summarise
from nliprobe.base.errors import DataError
from nliprobe.report.console import print_document, render
from nliprobe.report.words import NOTHING, around, percent, plural
from nliprobe.store.record import SkippedPairs
from nliprobe.task.case import Certainty, Prediction
from nliprobe.task.labels import LabelSet, Partition


def text(document: Document, width: int = 80) -> str:
    stream = io.StringIO()
    print_document(document, Console(file=stream, width=width))
    return stream.getvalue()


def line(page: str, *words: str) -> str:
    found = [item for item in page.splitlines() if all(word in item for word in words)]
    assert found, f"no line with {words} in\n{page}"
    return found[0]


@pytest.fixture
def document(tmp_path: Path) -> ShowDocument:
    cases, full, control = {}, {}, {}
    for corpus in ("infotabs/dev", "infotabs/alpha1"):
        bases = [pair(f"{corpus}/{number}", "ENC"[number % 3], group=f"t{number // 2}") for number in range(12)]
        deleted = [derived(f"{base.id}-x", base) for base in bases]
        inserted = [derived(f"{base.id}-i", base, "rows.insert", "E>E N>ENC C>C") for base in bases]
        unsure = [derived(f"{base.id}-l", base, certainty=Certainty.LIKELY) for base in bases[:2]]
        cases[corpus] = [*bases, *deleted, *inserted, *unsure]
        for case in cases[corpus]:
            full[case.id] = str(case.source.gold)
            control[case.id] = "E"
        full[f"{corpus}/0-x"] = "C"
        full[f"{corpus}/3"] = None  # type: ignore[assignment]
    return summarise(
        write_run(
            tmp_path,
            cases,
            [Asked("svm?represent=para", full), Asked("svm?premise=none", control, premise="none")],
            skipped=[SkippedPairs("infotabs/dev", "swap", "a table cannot be exchanged", 1800)],
            notes={"svm?represent=para": ["3 inputs were cut to 512 tokens"]},
        )
    )


def test_the_scorecard_shows_accuracy_gain_and_what_was_not_answered(document: ShowDocument) -> None:
    page = text(document)
    assert "infotabs/dev" in line(page, "System", "infotabs/alpha1")
    assert line(page, "svm?represent=para", "91.7 [").count("91.7 [") == 2
    assert line(page, "gain +58.3 ±").count("gain") == 2
    assert "corrected by Holm): svm?represent=para on infotabs/dev 0.125, " in text(document, 200)
    assert "1 unanswered" in page
    assert "33.3 [" in line(page, "svm?premise=none", "[")
    assert "always answers E" in page
    few = "few groups (cases that share a table, a text or a template): infotabs/dev has 6, infotabs/alpha1 has 6"
    assert few in text(document, 160)
    legend = "gain: points above the best system that cannot use the premise (svm?premise=none)"
    assert legend in text(document, 120)


def test_a_transition_table_marks_what_is_prohibited(document: ShowDocument) -> None:
    page = text(document)
    start = page.index("Answers after rows.delete")
    table = page[start : page.index("Answers after rows.insert")]
    row = line(table, "infotabs/dev", "E").split()
    # Three of the four pairs answered E before; one of them turned to C.
    assert row[:7] == ["infotabs/dev", "E", "3", "66.7", "0.0", "33.3*", "33.3"]
    assert line(table, "1 unanswered", "all").split()[3:5] == ["11", "9.1"]
    assert line(table, "average", "E").split()[2] == "33.3"
    # Certain and likely expectations side by side: neither of the two likely ones is broken.
    assert line(table, "Prohibited", "certain").split() == ["Prohibited", "Before", "n", "certain", "n", "likely"]
    assert re.search(r"all +11 +9\.1 \[\d+\.\d, \d+\.\d\] +2 +0\.0", table)
    assert "* prohibited: changes of the answer that the edit cannot justify" in table
    assert "likely: the expectation holds for most of these pairs, but not for all" in table
    assert "any allowed" in page[page.index("Answers after rows.insert") :]


def test_notes_and_skipped_pairs_are_sentences(document: ShowDocument) -> None:
    page = text(document, 120)
    assert "swap does not apply to 1,800 pairs of infotabs/dev: a table cannot be exchanged" in page
    assert "svm?represent=para: 3 inputs were cut to 512 tokens" in page


@pytest.mark.parametrize("width", [80, 120])
def test_nothing_is_cut_or_overflows(document: ShowDocument, width: int) -> None:
    page = text(document, width)
    assert max(len(item.rstrip()) for item in page.splitlines()) <= width
    assert "…" not in page


def test_many_corpora_are_spread_over_several_tables(document: ShowDocument) -> None:
    entry = document["scores"][0]
    document["scores"] = [{**entry, "corpus": f"corpus-number/{number}"} for number in range(7)]
    document["gains"] = []
    page = text(document)
    assert max(len(item.rstrip()) for item in page.splitlines()) <= 80
    assert all(f"corpus-number/{number}" in page for number in range(7))
    heads = [item for item in page.splitlines() if item.startswith("System")]
    assert [item.count("corpus-number") for item in heads] == [3, 3, 1]


def test_colours_appear_only_on_a_terminal(document: ShowDocument, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b" not in text(document)
    stream = io.StringIO()
    Console(file=stream, width=80, force_terminal=True, color_system="standard").print(render(document))
    assert re.search(r"\x1b\[1;31m *33\.3\*", stream.getvalue())


def test_a_run_that_was_broken_off_says_so(document: ShowDocument) -> None:
    said = "This run is not complete: the numbers cover what has been asked so far."
    document["run"]["integrity"] = {"state": "unfinished", "left_out": [], "warnings": [said]}
    assert "This run is not complete" in text(document)


def test_a_run_without_anything_to_show_says_so(document: ShowDocument) -> None:
    document["scores"], document["gains"], document["transitions"] = [], [], []
    document["expectations"] = []
    assert "Nothing to show" in text(document)


def test_markup_in_names_is_shown_as_it_is(document: ShowDocument) -> None:
    for entry in document["scores"]:
        entry["system"] = "[red]m[/red]"
    assert "[red]m[/red]" in text(document)


def test_a_scored_file_on_one_screen() -> None:
    golds, answers = "EEENNNCCC", ["E", "E", "N", "N", None, "N", "C", "C", "E"]
    rows = [
        Scored(LabelSet.of(gold), Prediction(None if answer is None else LabelSet.of(answer)), str(place))
        for place, (gold, answer) in enumerate(zip(golds, answers, strict=True))
    ]
    rows.append(Scored(None, Prediction(LabelSet.of("E")), "x"))
    page = text(score_document("infotabs/dev", "file:a.jsonl", rows, notes=["2 ids are unknown"]))
    assert "file:a.jsonl on infotabs/dev" in page
    assert "6 of 9 right" in line(page, "Accuracy", "66.7 [35.4, 87.9]")
    assert "1 " in line(page, "Unanswered", "counted as wrong")
    assert "1 " in line(page, "Unlabelled")
    assert line(page, "Gold", "Precision").split()[:2] == ["Gold", "n"]
    assert line(page, "C ", "80.0").split() == ["C", "3", "1", "0", "2", "0", "100.0", "66.7", "80.0"]
    assert "2 ids are unknown" in page


def test_a_two_way_score_says_how_it_was_compared() -> None:
    rows = [Scored(LabelSet.of("N"), Prediction(LabelSet.of("NC")), "t")]
    page = text(score_document("x", "m", rows, system_partition=Partition.parse("E|NC")))
    assert "E|NC" in line(page, "Compared as")


@pytest.mark.parametrize(
    ("groups", "expected", "accuracy"),
    [
        (3, "no interval: cases must come from 5 groups or more, and mine has 3", "50.0 "),
        (12, "few groups (cases that share a table, a text or a template): mine has 12", "50.0 ±"),
        (30, "", "50.0 ±"),
    ],
)
def test_few_groups_are_named_and_fewer_have_no_interval(groups: int, expected: str, accuracy: str) -> None:
    said = [LabelSet.of("E" if place % 7 < 3 or place % 14 == 13 else "N") for place in range(14 * groups)]
    rows = [Scored(LabelSet.of("E"), Prediction(label), f"t{place % groups}") for place, label in enumerate(said)]
    page = text(score_document("mine", "m", rows), 160)
    assert expected in page
    assert ("groups" in page) == bool(expected)
    assert accuracy in line(page, "Accuracy")


def test_a_score_of_nothing_is_shown_too() -> None:
    assert "0 of 0 right" in line(text(score_document("x", "m", [])), "Accuracy", NOTHING)


def test_unknown_documents_are_refused() -> None:
    with pytest.raises(DataError, match="'other/1'"):
        render({"schema": "other/1"})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("share", "ends", "expected"),
    [
        (0.591, [0.57, 0.611], "59.1 ±2.1"),
        (0.5, None, "50.0"),
        (None, None, NOTHING),
        (0.0, [0.0, 0.39], "0.0 [0.0, 39.0]"),
        (1.0, [0.8, 1.0], "100.0 [80.0, 100.0]"),
        (0.55, [0.45, 0.6495], "55.0 ±10.0"),
        (0.55, [0.44, 0.64], "55.0 [44.0, 64.0]"),
    ],
)
def test_numbers_with_intervals(share: float | None, ends: list[float] | None, expected: str) -> None:
    assert around(share, ends) == expected


def test_words() -> None:
    assert around(0.012, [0.0, 0.024], sign=True) == "+1.2 ±1.2"
    assert around(0.012, [-0.01, 0.02], sign=True) == "+1.2 [-1.0, +2.0]"
    assert percent(0.12345) == "12.3"
    assert (plural(1, "pair"), plural(1800, "pair")) == ("1 pair", "1,800 pairs")
