"""Following an edit: what answers do when an edit changes the gold label, and when it keeps it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.analysis.runs import Asked, MakeRun, derived, pair
from tests.analysis.schemas import validate

from nliprobe.analysis.cases import read_run
from nliprobe.analysis.following import edit_facets, following
from nliprobe.analysis.following_documents import FollowingEntry
from nliprobe.analysis.summary import summarise
from nliprobe.store.run import RunFolder
from nliprobe.task.case import Case
from nliprobe.task.pair import Facet

TWO = {"x": "E|NC"}


def family(name: str, edits: dict[str, tuple[str, str]], group: str = "") -> list[Case]:
    """A consistent summary and edits of it: by name their gold label and their type."""
    of = group or name
    seed = pair(name, "E", of, facets=[Facet("domain", "news")])
    made = [
        pair(edit, gold, of, base=name, facets=[Facet("domain", "news"), Facet("type", kind)])
        for edit, (gold, kind) in edits.items()
    ]
    return [seed, *(_about(case, seed) for case in made)]


def _about(case: Case, seed: Case) -> Case:
    """Return an edit of the summary: the document stays."""
    source = replace(case.source, premise=seed.source.premise, hypothesis=f"{seed.hypothesis} {case.source.id}")
    return case._replace(source=source, premise=source.premise, hypothesis=source.hypothesis)


CASES = [
    *family("a", {"a1": ("NC", "swap"), "a2": ("E", "words")}),
    *family("b", {"b1": ("NC", "swap"), "b2": ("NC", "negation"), "b3": ("E", "words")}),
]
IDS = [case.id for case in CASES]


def entries(run: RunFolder) -> dict[str, FollowingEntry]:
    data = read_run(run)
    return {item["system"]: item for item in following(data, edit_facets(run, data))}


def test_the_four_outcomes_of_edits_that_change_the_label(make_run: MakeRun) -> None:
    answers = dict.fromkeys(IDS, "E") | {"a1": "C", "b": "N", "b2": "N", "b3": "N"}
    item = entries(make_run({"x": CASES}, [Asked("m", answers)], partitions=TWO))["m"]
    # a E, a1 C: both right. b N, b1 E: neither. b N, b2 N: right after the edit only.
    assert item["changes"]["outcomes"] == {"both": 1, "before": 0, "after": 1, "neither": 1}
    assert (item["changes"]["rate"]["count"], item["changes"]["rate"]["n"]) == (1, 3)
    assert (item["changes"]["of_right"]["count"], item["changes"]["of_right"]["n"]) == (1, 1)
    # a E, a2 E: both right. b N, b3 N: neither.
    assert item["keeps"]["outcomes"] == {"both": 1, "before": 0, "after": 0, "neither": 1}
    assert (item["n"], item["unlabelled"], item["partition"]) == (5, 0, "E|NC")
    assert (item["changes"]["groups"], item["changes"]["chance"]) == (2, 0.25)


def test_a_perfect_system_follows_all_and_a_constant_none(make_run: MakeRun) -> None:
    perfect = {case.id: "N" if str(case.gold) == "NC" else "E" for case in CASES}
    systems = [Asked("perfect", perfect), Asked("constant", dict.fromkeys(IDS, "E"))]
    run = make_run({"x": CASES}, systems, partitions=TWO)
    by_system = entries(run)
    assert by_system["perfect"]["changes"]["rate"]["rate"] == by_system["perfect"]["keeps"]["rate"]["rate"] == 1.0
    assert by_system["constant"]["changes"]["rate"]["rate"] == by_system["constant"]["changes"]["constant"] == 0.0
    assert by_system["constant"]["keeps"]["rate"]["rate"] == by_system["constant"]["keeps"]["constant"] == 1.0
    assert by_system["constant"]["changes"]["outcomes"]["before"] == 3


def test_the_best_control_is_beside_with_the_gain_over_it(make_run: MakeRun) -> None:
    cases = [case for number in range(8) for case in family(f"f{number}", {f"e{number}": ("NC", "swap")})]
    perfect = {case.id: "N" if str(case.gold) == "NC" else "E" for case in cases}
    luck = perfect | {f"e{number}": "E" for number in range(6)}
    worse = Asked("worse", dict.fromkeys(perfect, "N"), premise="none")
    systems = [Asked("m", perfect), Asked("blind", luck, premise="none"), worse]
    changes = entries(make_run({"x": cases}, systems, partitions=TWO))["m"]["changes"]
    assert (changes["control"], changes["control_rate"], changes["gain"]) == ("blind", 0.25, 0.75)
    assert changes["gain_ci95"] is not None
    assert changes["gain_ci95"][0] < 0.75 < changes["gain_ci95"][1]


def test_facets_that_only_edited_pairs_have_sort_the_edits(make_run: MakeRun) -> None:
    run = make_run({"x": CASES}, [Asked("m", dict.fromkeys(IDS, "E"))], partitions=TWO)
    by = entries(run)["m"]["by"]
    counts = {(item["facet"], item["value"]): (item["changes"]["rate"]["n"], item["keeps"]["rate"]["n"]) for item in by}
    assert counts == {("type", "swap"): (2, 0), ("type", "negation"): (1, 0), ("type", "words"): (0, 2)}


def test_no_answer_is_wrong_and_an_edit_that_is_not_read_counts(make_run: MakeRun) -> None:
    cases = family("a", {"a1": ("NC", "swap"), "a2": ("NC", "swap")})
    asked = Asked("m", {"a": "E", "a1": None, "a2": "E"}, texts={"a": "same", "a2": "same"})
    changes = entries(make_run({"x": cases}, [asked], partitions=TWO))["m"]["changes"]
    assert (changes["unanswered"], changes["unreached"], changes["outcomes"]["before"]) == (1, 1, 2)


def test_three_labels_are_followed_too(make_run: MakeRun) -> None:
    cases = [pair("a", "N"), pair("a1", "C", base="a"), pair("a2", "E", base="a"), pair("a3", None, base="a")]
    item = entries(make_run({"x": cases}, [Asked("m", {"a": "N", "a1": "E", "a2": "E", "a3": "E"})]))["m"]
    assert item["changes"]["outcomes"] == {"both": 1, "before": 1, "after": 0, "neither": 0}
    assert (item["unlabelled"], item["n"]) == (1, 2)
    assert item["changes"]["chance"] == pytest.approx(1 / 9)
    assert item["keeps"]["rate"] == {"n": 0, "count": 0, "rate": None, "ci95": None}


def test_labels_that_a_system_cannot_tell_apart_do_not_change(make_run: MakeRun) -> None:
    cases = [pair("a", "N"), pair("a1", "C", base="a")]
    asked = Asked("m", {"a": "NC", "a1": "NC"}, partition="E|NC")
    item = entries(make_run({"x": cases}, [asked]))["m"]
    assert (item["changes"]["rate"]["n"], item["keeps"]["rate"]["count"]) == (0, 1)


def test_edits_of_probes_are_not_people_s_edits(make_run: MakeRun) -> None:
    a = pair("a", "E")
    assert not entries(make_run({"x": [a, derived("a1", a, gold="E")]}, [Asked("m", {"a": "E", "a1": "E"})]))


def test_the_document_is_valid(make_run: MakeRun) -> None:
    systems = [Asked("m", dict.fromkeys(IDS, "E")), Asked("b", dict.fromkeys(IDS, "N"), premise="none")]
    run = make_run({"x": CASES}, systems, partitions=TWO)
    document = summarise(run)
    validate("show", document)
    assert [item["system"] for item in document["following"]] == ["m", "b"]
