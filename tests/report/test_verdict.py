"""The verdict claims no more than the numbers carry: many corpora and probes, wide intervals, chance, constants."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.analysis.runs import Asked, derived, pair, write_run

from nliprobe.analysis.summary import summarise
from nliprobe.report.verdict import verdicts
from nliprobe.task.case import Case

KEEP = "E>E N>N C>C"


def labelled(corpus: str, n: int, size: int = 1) -> list[Case]:
    """Make pairs with the labels in turn, of which ``size`` share a group."""
    return [pair(f"{corpus}/{number}", "ENC"[number % 3], group=f"{corpus}/t{number // size}") for number in range(n)]


def right(cases: list[Case], wrong: range = range(0)) -> dict[str, str | None]:
    """Answer as gold says, except in a range of places, where the next label is given."""
    following = {"E": "N", "N": "C", "C": "E"}
    return {
        case.id: following[str(case.source.gold)] if place in wrong else str(case.source.gold)
        for place, case in enumerate(cases)
    }


def test_a_clear_gain_is_named_with_its_corpus(tmp_path: Path) -> None:
    cases = labelled("x/dev", 90)
    systems = [Asked("m", right(cases, range(5))), Asked("none", right(cases, range(40, 90)), premise="none")]
    [text] = verdicts(summarise(write_run(tmp_path, {"x/dev": cases}, systems, shard=90)))
    assert text.startswith("m: it clearly uses the premise on x/dev (+50.0 points, 95 % interval +")


def test_a_gain_among_many_corpora_is_no_claim(tmp_path: Path) -> None:
    # On one corpus of five the system beats the control on 15 of 18 cases where they differ: p is 0.0075, not after
    # correction for ten gains (two systems).
    corpora = {f"c{number}": labelled(f"c{number}", 90) for number in range(5)}
    first = corpora["c0"]
    others = {case.id: label for name in ("c1", "c2", "c3", "c4") for case in corpora[name] for label in ["N"]}
    blind = {**others, **right(first, range(15))}
    lucky = {**others, **right(first, range(15, 18))}
    systems = [Asked("lucky", lucky), Asked("other", {**lucky}), Asked("none", blind, premise="none")]
    run = write_run(tmp_path, corpora, systems, shard=500)
    document = summarise(run)
    [gain] = [item for item in document["gains"] if item["corpus"] == "c0" and item["system"] == "lucky"]
    assert gain["p"] < 0.05 < gain["p_holm"]
    text, _ = verdicts(document)
    assert "uses the premise" not in text
    assert "No gain from the premise can be shown on c0 (+13.3 points" in text


def test_a_wide_interval_shows_nothing_and_a_narrow_one_little(tmp_path: Path) -> None:
    wide, narrow = labelled("wide", 45, size=3), labelled("narrow", 3000)
    said = {**right(wide, range(10)), **right(narrow, range(10))}
    blind = {**right(wide, range(5, 20)), **right(narrow, range(5, 15))}
    run = write_run(
        tmp_path, {"wide": wide, "narrow": narrow}, [Asked("m", said), Asked("b", blind, premise="none")], shard=4000
    )
    [text] = verdicts(summarise(run))
    assert "It gains little or nothing from the premise on narrow (+0.0 points" in f" {text.replace(': it', ': It')}"
    assert "No gain from the premise can be shown on wide (" in text


def test_chance_is_told_before_consistency_is_praised(tmp_path: Path) -> None:
    cases = labelled("x/dev", 300)
    edited = [derived(f"{case.id}-x", case, "inv.x", KEEP) for case in cases]
    # Two thirds E and one third N, whatever the gold label: right as often as a constant, and never moved by an edit.
    said = {case.id: "N" if int(case.id.split("/")[-1]) // 3 % 3 == 0 else "E" for case in cases}
    said |= {case.id: said[case.id.removesuffix("-x")] for case in edited}
    [text] = verdicts(summarise(write_run(tmp_path, {"x/dev": [*cases, *edited]}, [Asked("m", said)], shard=600)))
    chance = (
        "m: its accuracy is not shown to be above that of a constant answer on x/dev (33.3 %, a constant answer 33.3 %)"
    )
    assert text.startswith(chance)
    assert "It keeps the rules in nearly all cases of inv.x on x/dev (0.0 % of cases" in text


def test_too_few_cases_are_no_praise(tmp_path: Path) -> None:
    cases = labelled("x/dev", 24, size=3)
    edited = [derived(f"{case.id}-x", case, "inv.x", KEEP) for case in cases]
    said = right([*cases, *edited])
    [text] = verdicts(summarise(write_run(tmp_path, {"x/dev": [*cases, *edited]}, [Asked("m", said)], shard=60)))
    assert (
        "It cannot be told how well it keeps the rules of inv.x on x/dev (0.0 % of cases, 95 % interval 0.0 to" in text
    )
    assert "nearly all" not in text


@pytest.mark.parametrize(("probes", "claimed"), [(1, True), (40, False)])
def test_the_worst_of_many_probes_is_no_claim(tmp_path: Path, probes: int, claimed: bool) -> None:
    cases = labelled("x/dev", 100)
    edited = [derived(f"{case.id}-{place}", case, f"inv.{place}", KEEP) for place in range(probes) for case in cases]
    said = right([*cases, *edited])
    # Seven of a hundred answers change under the first probe: alone surely more than 2 %, not as the worst of forty.
    for case in edited[:7]:
        said[case.id] = {"E": "N", "N": "C", "C": "E"}[str(said[case.id])]
    [text] = verdicts(summarise(write_run(tmp_path, {"x/dev": [*cases, *edited]}, [Asked("m", said)], shard=9000)))
    assert ("must not after inv.0 on x/dev (7.0 % of cases" in text) == claimed


def test_constants_are_called_controls(tmp_path: Path) -> None:
    cases = labelled("x/dev", 60)
    systems = [Asked("m", right(cases)), Asked("always", dict.fromkeys([case.id for case in cases], "C"))]
    first, last = verdicts(summarise(write_run(tmp_path, {"x/dev": cases}, systems, shard=60)))
    assert first.startswith("m: it is better than a constant answer on x/dev (+66.7 points, 95 % interval +")
    assert first.endswith(
        "no control that reads hypotheses alone was asked, so that no use of the premise can be shown."
    )
    assert last == "always answers C to every case: it serves as a control."
