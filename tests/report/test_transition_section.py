"""What the page shows of a probe's transitions: large figures of a few, small matrices of many."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.analysis.runs import Asked, derived, pair, write_run

from nliprobe.analysis.cases import read_run
from nliprobe.analysis.documents import Transitions
from nliprobe.analysis.transitions import transitions
from nliprobe.report import pages
from nliprobe.report.transition_section import transition_section

PAIRS = 30


def entries(folder: Path, systems: dict[str, int], corpora: int) -> list[Transitions]:
    """Transitions of systems that turn so many of their answers E into C on the last corpus, and none elsewhere."""
    cases = {}
    answers: dict[str, dict[str, str | None]] = {name: {} for name in systems}
    for corpus in range(corpora):
        bases = [pair(f"c{corpus}p{number}", group=f"c{corpus}t{number}") for number in range(PAIRS)]
        cases[f"c{corpus}/dev"] = [case for base in bases for case in (base, derived(f"{base.id}x", base))]
        for name, turned in systems.items():
            for number, base in enumerate(bases):
                turns = corpus == corpora - 1 and number < turned
                answers[name] |= {base.id: "E", f"{base.id}x": "C" if turns else "E"}
    asked = [Asked(name, own) for name, own in answers.items()]
    return transitions(read_run(write_run(folder, cases, asked, shard=500)))


def view(folder: Path, systems: dict[str, int], corpora: int, unseeing: tuple[str, ...] = ()) -> dict[str, Any]:
    made: dict[str, Any] = transition_section(entries(folder, systems, corpora), unseeing)
    return made


def test_a_few_are_all_drawn_large_with_rates_and_intervals(tmp_path: Path) -> None:
    made = view(tmp_path, {"a": 6, "b": 0}, 2)
    assert [(one["system"], one["corpus"]) for one in made["figures"]] == [
        ("a", "c0/dev"), ("a", "c1/dev"), ("b", "c0/dev"), ("b", "c1/dev")
    ]  # fmt: skip
    assert made["small"] == []
    assert made["figures"][1]["prohibited"] == "20.0 % prohibited"
    assert made["figures"][1]["ends"] == "9.5 to 37.3"
    assert [one["bad"] for one in made["figures"]] == [False, True, False, False]
    # Where nothing is prohibited there is nothing to read.
    assert [bool(one["cases"]) for one in made["figures"]] == [False, True, False, False]
    assert "system=a&probe=" in made["figures"][1]["cases"]
    assert "&corpus=c1%2Fdev&" in made["figures"][1]["cases"]


@pytest.mark.parametrize(("unseeing", "worst"), [((), "b"), (("b",), "a")])
def test_of_many_the_one_that_most_surely_breaks_the_rule_is_large(
    tmp_path: Path, unseeing: tuple[str, ...], worst: str
) -> None:
    made = view(tmp_path, {"a": 6, "b": 20, "c": 0}, 2, unseeing)
    [large] = made["figures"]
    assert (large["system"], large["corpus"]) == (worst, "c1/dev")
    assert made["worst"]


@pytest.mark.parametrize(
    ("systems", "corpora", "titles", "cards"),
    [(2, 3, ["s0", "s1"], ["c0/dev", "c1/dev", "c2/dev"]), (5, 1, ["c0/dev"], ["s0", "s1", "s2", "s3", "s4"])],
)
def test_small_matrices_are_grouped_by_what_there_are_fewer_of(
    tmp_path: Path, systems: int, corpora: int, titles: list[str], cards: list[str]
) -> None:
    made = view(tmp_path, {f"s{number}": 0 for number in range(systems)}, corpora)
    assert [group["title"] for group in made["small"]] == titles
    assert all([card["title"] for card in group["cards"]] == cards for group in made["small"])
    # Nobody is named the worst where nothing is prohibited.
    assert not made["worst"]


def test_every_small_matrix_opens_to_its_intervals(tmp_path: Path) -> None:
    made = view(tmp_path, {f"<b>{number}": 3 for number in range(6)}, 1)
    html = (
        pages.page_environment()
        .from_string('{% from "transitions.html" import moves %}{{ moves(view) }}')
        .render(view=made)
    )
    assert html.count('<details class="moved-card">') == 6
    assert html.count('<table class="matrix">') == 6 + 1
    assert html.count("✗ prohibited</span>") >= 7
    assert "<b>" not in html


def test_systems_that_no_case_reaches_are_named_and_not_drawn(tmp_path: Path) -> None:
    base = pair("p")
    same = {"p": "text", "px": "text"}
    asked = Asked("a", {"p": "E", "px": "E"}, texts=same)
    data = read_run(write_run(tmp_path, {"x/dev": [base, derived("px", base)]}, [asked]))
    made: dict[str, Any] = transition_section(transitions(data), ["a"])
    assert made["figures"] == made["rows"] == []
    assert made["unreached"] == ["a, x/dev: unchanged by construction"]
