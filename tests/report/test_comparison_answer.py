"""The first lines of a comparison: who is better, where, by how much, and nothing that a test does not show."""

from __future__ import annotations

from pathlib import Path

from tests.analysis.runs import Asked, derived, pair, write_run

import nliprobe
from nliprobe.analysis.compare.documents import CompareDocument
from nliprobe.report.comparison_answer import answer_lines
from nliprobe.report.comparison_forms import comparison_text

CASES = [pair(f"p{number}", "E", group=f"t{number}") for number in range(90)]


def compared(folder: Path, right: dict[str, int]) -> CompareDocument:
    """Compare systems by how many of the first pairs each gets right."""
    systems = [
        Asked(name, {case.id: "E" if place < count else "N" for place, case in enumerate(CASES)})
        for name, count in right.items()
    ]
    return nliprobe.compare(write_run(folder, {"x/dev": CASES}, systems).path).document


def test_the_better_one_of_two_is_named_on_whichever_side_it_stands(tmp_path: Path) -> None:
    for folder, right in (("a", {"bad": 30, "good": 60}), ("b", {"good": 60, "bad": 30})):
        (tmp_path / folder).mkdir()
        [line] = answer_lines(compared(tmp_path / folder, right))
        assert line.startswith("good is better than bad on x/dev, gold, right answers, by 33.3 points (2")
        assert "−" not in line


def test_what_may_be_chance_is_not_called_better(tmp_path: Path) -> None:
    document = compared(tmp_path, {"one": 60, "two": 61})
    assert answer_lines(document) == ["Nothing tells one and two apart, in 1 comparison."]


def test_of_several_the_best_is_compared_with_each_other(tmp_path: Path) -> None:
    document = compared(tmp_path, {"low": 20, "best": 70, "near": 69, "mid": 45})
    first, *others = answer_lines(document)
    assert first.startswith("On x/dev, gold, best has the most right answers, and is better than low, by 55.6 points (")
    assert "than mid, by 27.8 points (" in first
    assert "near" not in first
    assert others == ["Nothing tells best and near apart."]


def test_a_leader_that_is_not_shown_to_be_better_is_not_called_best(tmp_path: Path) -> None:
    document = compared(tmp_path, {"a": 70, "b": 69, "c": 68})
    assert answer_lines(document) == ["Nothing tells the 3 systems apart."]


def test_a_constant_answer_keeps_most_rules_and_is_no_better_for_that(tmp_path: Path) -> None:
    edited = [derived(f"d{place}", case, relation="E>E N>N C>C") for place, case in enumerate(CASES)]
    constant: dict[str, str | None] = {case.id: "N" for case in (*CASES, *edited)}
    moved: dict[str, str | None] = {
        **{case.id: "E" for case in CASES}, **{case.id: "EN"[place % 2] for place, case in enumerate(edited)},
    }  # fmt: skip
    systems = [Asked("constant", constant), Asked("moved", moved), Asked("again", moved)]
    run = write_run(tmp_path, {"x/dev": [*CASES, *edited]}, systems)
    document = nliprobe.compare(run.path).document
    first, second, *_ = answer_lines(document)
    assert first.startswith("On x/dev, gold, moved has the most right answers, and is better than constant")
    assert second.startswith("On x/dev, rows.delete, constant has the most expectations kept, more than moved, by 50.0")
    text = comparison_text(document, "text")
    assert "a constant answer keeps all that allow an answer to stay" in text.replace("\n", "")
    assert "a constant answer gets 100.0 %" in " ".join(text.split())


def test_an_unfinished_run_has_no_answer(tmp_path: Path) -> None:
    document = compared(tmp_path, {"bad": 30, "good": 60})
    document["systems"][0]["integrity"]["state"] = "unfinished"
    assert answer_lines(document) == ["No verdict: a run is not complete."]


def test_every_form_begins_with_the_answer(tmp_path: Path) -> None:
    document = compared(tmp_path, {"bad": 30, "good": 60})
    for form in ("text", "markdown", "html"):
        text = " ".join(comparison_text(document, form).split())
        assert text.index("good is better than bad on x/dev") < text.index("90")
