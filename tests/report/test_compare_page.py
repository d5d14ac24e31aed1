"""The page of a comparison: its heading claims what the corrected tests carry, and no more."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.analysis.runs import Asked, pair, write_run

import nliprobe
from nliprobe.analysis.compare.documents import CompareDocument
from nliprobe.report.compare_page import comparison_page
from nliprobe.report.comparison_answer import answer_heading, answer_lines, largest_sentence

PAIRS = 60


def compared(folder: Path, rights: dict[str, dict[str, int]]) -> CompareDocument:
    """Compare systems of which each has so many pairs of each corpus right, from the first on."""
    corpora = list(next(iter(rights.values())))
    cases = {
        corpus: [pair(f"{corpus[0]}{number}", "E", group=f"{corpus}{number}") for number in range(PAIRS)]
        for corpus in corpora
    }
    asked = [
        Asked(
            name,
            {
                case.id: "E" if number < right[corpus] else "C"
                for corpus in corpora
                for number, case in enumerate(cases[corpus])
            },
        )
        for name, right in rights.items()
    ]
    return nliprobe.compare(write_run(folder, cases, asked).path).document


@pytest.mark.parametrize(
    ("left", "right", "heading"),
    [
        ((30, 30), (30, 30), "No difference is shown between a and b."),
        ((30, 30), (31, 30), "No difference is shown between a and b."),
        ((10, 30), (55, 30), "b is better than a in 1 of 2 comparisons."),
        ((55, 50), (10, 10), "a is better than b in 2 of 2 comparisons."),
        ((10, 50), (55, 10), "b is better in 1, worse in 1 of 2 comparisons."),
    ],
)
def test_the_heading_of_two_systems(
    tmp_path: Path, left: tuple[int, int], right: tuple[int, int], heading: str
) -> None:
    corpora = ("x/dev", "y/dev")
    document = compared(
        tmp_path, {"a": dict(zip(corpora, left, strict=True)), "b": dict(zip(corpora, right, strict=True))}
    )
    assert answer_heading(document) == heading
    [seen] = largest_sentence(document)
    assert "a true difference under" in seen or "no difference can be seen" in seen
    assert any(" is better than " in line for line in answer_lines(document)) == ("better" in heading)
    page = comparison_page(document)
    assert f"<h1>{heading}</h1>" in page
    # Each difference is a line of the picture, with its interval for those who do not see it.
    assert len(re.findall(r'class="line (?:system|control)"', page)) == page.count("<bdi>") >= 2


def test_the_surest_difference_has_its_interval(tmp_path: Path) -> None:
    document = compared(tmp_path, {"a": {"x/dev": 10}, "b": {"x/dev": 55}})
    [first] = answer_lines(document)
    assert re.fullmatch(
        r"b is better than a on x/dev, gold, right answers, by 75\.0 points \(\d+\.\d to \d+\.\d\)\.", first
    )


def test_three_systems_are_told_apart_by_pairs(tmp_path: Path) -> None:
    document = compared(tmp_path, {"a": {"x/dev": 10}, "b": {"x/dev": 12}, "c": {"x/dev": 55}})
    assert answer_heading(document) == "2 of 3 pairs of systems are told apart."
    first = answer_lines(document)[0]
    assert first.startswith("On x/dev, gold, c has the most right answers, and is better than a, by 75.0 points (")
    page = comparison_page(document)
    # A number stands above a column; where rows are blocks, values have the name beside them.
    assert 'data-label="minus 1 a"' in page
    assert "−75.0*" in page
    same = compared(tmp_path, {name: {"x/dev": 30} for name in "abc"})
    assert answer_heading(same) == "Nothing tells the 3 systems apart."


def test_an_unfinished_run_has_no_verdict(tmp_path: Path) -> None:
    document = compared(tmp_path, {"a": {"x/dev": 10}, "b": {"x/dev": 55}})
    document["systems"][0]["integrity"]["state"] = "damaged"
    assert answer_heading(document) == "No verdict: a run is not complete."
    assert answer_lines(document) == ["No verdict: a run is not complete."]
    assert (
        "better"
        not in re.sub(r"(?s)<style>.*?</style>", "", comparison_page(document)).split("Adj. p")[0].split("<h1>")[1]
    )
