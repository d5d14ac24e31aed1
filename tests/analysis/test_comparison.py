"""Comparisons against statsmodels, and every way in which two runs may differ."""

from __future__ import annotations

import itertools
import random

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ttest_1samp
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from tests.analysis.runs import Answers, Asked, MakeRun, derived, pair, write_run
from tests.analysis.schemas import validate

from nliprobe.analysis.compare.comparison import compare
from nliprobe.analysis.compare.documents import Comparison, SideComparison
from nliprobe.analysis.compare.pairing import NothingInCommonError
from nliprobe.analysis.compare.systems import compare_systems, compare_two
from nliprobe.analysis.outcomes import case_outcomes
from nliprobe.base.errors import NotFoundError, UsageError
from nliprobe.report.comparison import in_words
from nliprobe.store.run import RunFolder
from nliprobe.task.case import Case, Certainty

PAIRS = [pair(f"p{number:02d}", "ENC"[number % 3], group=f"t{number // 3}") for number in range(30)]
EDITED = [derived(f"d{number:02d}", source) for number, source in enumerate(PAIRS)]
CASES = {"x/dev": PAIRS[:18] + EDITED[:18], "y/dev": PAIRS[18:] + EDITED[18:]}
ALL = [*PAIRS, *EDITED]


def drawn(seed: int, right: float, silent: float = 0.0) -> dict[str, str | None]:
    """Answers that are right so often, and missing so often."""
    draw = random.Random(seed)
    found: dict[str, str | None] = {}
    for case in ALL:
        gold = str(case.source.gold)
        label = gold if draw.random() < right else draw.choice("ENC")
        found[case.id] = None if draw.random() < silent else label
    return found


def entry_of(document: SideComparison, corpus: str, probe: str, kind: str) -> Comparison:
    [found] = [
        item
        for item in document["comparisons"]
        if (item["corpus"], item["probe"], item["kind"]) == (corpus, probe, kind)
    ]
    return found


def oracle(left: RunFolder, right: RunFolder, kind: str) -> dict[tuple[str, str], dict[str, object]]:
    """The same numbers from the table of outcomes, with plain Python and statsmodels."""
    tables = [case_outcomes(run, run.systems[0].name) for run in (left, right)]
    outcomes = [{row["case_id"]: row for row in table.iter_rows(named=True)} for table in tables]
    found: dict[tuple[str, str], dict[str, object]] = {}
    common = [case for case in outcomes[0] if case in outcomes[1] and outcomes[0][case][kind] != "not applicable"]
    for place, cases in itertools.groupby(
        sorted(common, key=lambda case: (outcomes[0][case]["corpus"], outcomes[0][case]["probe"])),
        key=lambda case: (outcomes[0][case]["corpus"], outcomes[0][case]["probe"]),
    ):
        pairs = [(outcomes[0][case][kind], outcomes[1][case][kind]) for case in cases]
        if kind == "expects":
            pairs = [item for item in pairs if "unanswered" not in item]
        truth = [(one == "holds", other == "holds") for one, other in pairs]
        cells = [[truth.count((one, other)) for other in (True, False)] for one in (True, False)]
        found[place] = {
            "n": len(truth),
            "left": sum(one for one, _ in truth) / len(truth),
            "right": sum(other for _, other in truth) / len(truth),
            "broken": cells[0][1],
            "fixed": cells[1][0],
        }
    return found


@pytest.mark.parametrize("seed", range(3))
def test_compare_counts_what_case_outcomes_say(make_run: MakeRun, seed: int) -> None:
    left = make_run(CASES, [Asked("m", drawn(seed, 0.4, 0.1))])
    # Another order and other shards: cases are matched by id.
    shuffled = {name: sorted(cases, key=lambda case: case.id[::-1]) for name, cases in CASES.items()}
    right = make_run(shuffled, [Asked("m", drawn(seed + 10, 0.8, 0.1))], shard=7)
    document = compare(left, right)
    validate("compare", compare_two(left, right))
    for kind in ("gold", "expects"):
        for (corpus, probe), expected in oracle(left, right, kind).items():
            found = entry_of(document, corpus, probe, kind)
            for key, value in expected.items():
                assert found[key] == pytest.approx(value), key  # type: ignore[literal-required]
            assert found["difference"] == pytest.approx((found["right"] or 0) - (found["left"] or 0))
    values = [item["p"] for item in document["comparisons"]]
    adjusted = multipletests(values, method="holm")[1]
    assert [item["p_holm"] for item in document["comparisons"]] == pytest.approx(list(adjusted))
    discovery = multipletests(values, method="fdr_bh")[1]
    assert [item["p_bh"] for item in document["comparisons"]] == pytest.approx(list(discovery))


def test_single_cases_are_tested_by_mcnemar(make_run: MakeRun) -> None:
    cases = [pair(f"p{number}", "E") for number in range(30)]
    said = [{case.id: "E" if number % other else "N" for number, case in enumerate(cases)} for other in (3, 7)]
    run = make_run({"x": cases}, [Asked("a", said[0]), Asked("b", said[1])])
    [found] = compare(run, run, "a", "b")["comparisons"]
    assert found["groups"] == found["n"] == 30
    assert found["p"] == pytest.approx(mcnemar([[0, found["broken"]], [found["fixed"], 0]], exact=True).pvalue)


def test_cases_of_one_table_are_one_difference(make_run: MakeRun) -> None:
    # The right side is better on 80 cases, but these come from four tables: no test can tell that from chance.
    cases = [pair(f"p{number}", "E", group=f"t{number // 20}") for number in range(120)]
    bad = {case.id: "N" if number < 80 else "E" for number, case in enumerate(cases)}
    run = make_run({"x": cases}, [Asked("a", bad), Asked("b", dict.fromkeys(bad, "E"))], shard=60)
    [found] = compare(run, run, "a", "b")["comparisons"]
    assert (found["fixed"], found["broken"], found["groups"]) == (80, 0, 6)
    assert found["p"] == 2 / 2**4
    assert in_words(found) == "may be chance"


def test_compare_of_two_systems_of_one_run_equals_that_of_two_runs(make_run: MakeRun) -> None:
    one, other = Asked("a", drawn(1, 0.4)), Asked("b", drawn(2, 0.7))
    together = make_run(CASES, [one, other])
    apart = compare(make_run(CASES, [one]), make_run(CASES, [other]))
    assert compare(together, together, "a", "b")["comparisons"] == apart["comparisons"]


def test_compare_is_symmetric(make_run: MakeRun) -> None:
    run = make_run(CASES, [Asked("a", drawn(1, 0.4)), Asked("b", drawn(2, 0.7))])
    there, back = compare(run, run, "a", "b"), compare(run, run, "b", "a")
    for one, other in zip(there["comparisons"], back["comparisons"], strict=True):
        assert (one["fixed"], one["p"], one["p_holm"]) == (other["broken"], other["p"], other["p_holm"])
        assert one["difference"] == pytest.approx(-(other["difference"] or 0))
        assert one["fixed_examples"] == [
            {**flip, "left": flip["right"], "right": flip["left"]} for flip in other["broken_examples"]
        ]


def test_the_interval_is_students_over_groups(make_run: MakeRun) -> None:
    run = make_run(CASES, [Asked("a", drawn(1, 0.4)), Asked("b", drawn(2, 0.7))])
    found = entry_of(compare(run, run, "a", "b"), "x/dev", "gold", "gold")
    outcomes = [case_outcomes(run, name).filter(corpus="x/dev", probe="gold")["gold"] == "holds" for name in "ab"]
    points = (outcomes[1].cast(pl.Int64) - outcomes[0].cast(pl.Int64)).to_numpy().reshape(6, 3).sum(axis=1)
    assert found["groups"] == 6
    # Groups of the same size: the mean of their rates, with five degrees of freedom.
    assert found["ci95"] == pytest.approx(list(ttest_1samp(points / 3, 0).confidence_interval()))
    assert found["ci95_family"] is not None
    assert found["ci95"] is not None
    assert found["ci95_family"][0] < found["ci95"][0] < found["ci95"][1] < found["ci95_family"][1]


def test_unanswered_is_wrong_by_gold_and_left_out_of_expectations(make_run: MakeRun) -> None:
    a, b = pair("a", "E"), pair("b", "E")
    cases = {"x": [a, b, derived("a1", a), derived("b1", b)]}
    left = make_run(cases, [Asked("m", {"a": "E", "b": "E", "a1": "C", "b1": "E"})])
    right = make_run(cases, [Asked("m", {"a": "E", "b": None, "a1": "E", "b1": "E"})])
    document = compare(left, right)
    gold = entry_of(document, "x", "gold", "gold")
    assert (gold["n"], gold["left"], gold["right"], gold["unanswered_right"]) == (2, 1.0, 0.5, 1)
    assert (gold["left_out"], gold["broken"]) == (0, 1)
    assert gold["broken_examples"][0]["right"] == {"before": None, "answer": None, "allowed": "E", "expected": ""}
    relation = entry_of(document, "x", "rows.delete", "expects")
    assert (relation["n"], relation["left_out"], relation["unanswered_right"]) == (1, 1, 1)
    assert (relation["fixed"], relation["broken"], relation["difference"]) == (1, 0, 1.0)
    assert relation["fixed_examples"] == [
        {
            "case_id": "a1",
            "pair_id": "a",
            "hypothesis": "hypothesis",
            "edits": None,
            "left": {"before": "E", "answer": "C", "allowed": "EN", "expected": ""},
            "right": {"before": "E", "answer": "E", "allowed": "EN", "expected": ""},
        }
    ]


def test_sides_are_compared_in_labels_that_both_and_the_corpus_tell_apart(make_run: MakeRun) -> None:
    cases = {"x": [pair("a", "N"), pair("b", "E")]}
    run = make_run(cases, [Asked("three", {"a": "C", "b": "E"}), Asked("two", {"a": "NC", "b": "NC"}, "E|NC")])
    found = entry_of(compare(run, run, "three", "two"), "x", "gold", "gold")
    assert (found["partition"], found["left"], found["right"]) == ("E|NC", 1.0, 0.5)
    hans = make_run(cases, [Asked("m", {"a": "C", "b": "E"})], partitions={"x": "E|NC"})
    assert entry_of(compare(hans, run, None, "three"), "x", "gold", "gold")["left"] == 1.0


def test_cases_of_one_side_are_counted_and_listed(make_run: MakeRun) -> None:
    a, b, c = pair("a", "E"), pair("b", "E"), pair("c", "E")
    left = make_run({"x": [a, b], "old": [pair("o", "N")]}, [Asked("m", {"a": "E", "b": "N", "o": "N"})])
    right = make_run({"x": [c, b], "new": [pair("n", "C")]}, [Asked("m", {"b": "E", "c": "E", "n": "C"})])
    document = compare(left, right)
    validate("compare", compare_two(left, right))
    found = {item["corpus"]: (item["n"], item["only_left"], item["only_right"]) for item in document["comparisons"]}
    assert found == {"x": (1, 1, 1), "old": (0, 1, 0), "new": (0, 0, 1)}
    assert entry_of(document, "old", "gold", "gold")["p_holm"] is None
    assert document["differences"] == [
        "The corpus old is only in the left run.",
        "The corpus new is only in the right run.",
    ]


def test_a_case_not_asked_is_not_paired(make_run: MakeRun) -> None:
    a, b = pair("a", "E"), pair("b", "E")
    cases = {"x": [a, b, derived("b1", b)]}
    left = make_run(cases, [Asked("m", {"a": "E", "b": "E", "b1": "E"})])
    right = make_run(cases, [Asked("m", {"a": "E", "b1": "E"})], status="running")
    document = compare(left, right)
    gold = entry_of(document, "x", "gold", "gold")
    assert (gold["n"], gold["only_left"]) == (1, 1)
    # The base was not asked, so there is nothing the edited case could be compared with.
    relation = entry_of(document, "x", "rows.delete", "expects")
    assert (relation["n"], relation["only_left"], relation["p"]) == (0, 1, None)
    assert document["left"]["integrity"]["state"] == "complete"
    assert document["right"]["integrity"]["state"] == "unfinished"


def suite(**changes: object) -> dict[str, object]:
    return {
        "hash": str(changes),
        "seed": 0,
        "corpora": [{"name": "x", "digest": "d", "partition": "E|N|C"}],
        "probes": [{"spec": "gold", "name": "gold", "version": 1}],
        **changes,
    }


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"seed": 7}, "The seeds differ: 0 left, 7 right."),
        (
            {"corpora": [{"name": "x", "digest": "e", "partition": "E|N|C"}]},
            "The digest of the corpus x differs: d left, e right.",
        ),
        (
            {"probes": [{"spec": "gold", "name": "gold", "version": 2}]},
            "The version of the probe gold differs: 1 left, 2 right.",
        ),
        ({"probes": []}, "The probe gold is only in the left run."),
        ({"hash": "other"}, "The suites have different hashes: {} left, other right."),
        ({}, None),
    ],
)
def test_differences_of_suites_are_said(make_run: MakeRun, changes: dict[str, object], sentence: str | None) -> None:
    cases = {"x": [pair("a", "E")]}
    left = make_run(cases, [Asked("m", {"a": "E"})], suite=suite())
    right = make_run(cases, [Asked("m", {"a": "N"})], suite=suite(**changes))
    assert compare(left, right)["differences"] == ([] if sentence is None else [sentence])


def test_the_same_id_with_another_text_or_expectation_is_left_out(make_run: MakeRun) -> None:
    answers: Answers = {"a": "E", "b": "E", "c": "E"}
    left = make_run({"x": [pair("a", "E"), pair("b", "E"), pair("c", "E")]}, [Asked("m", answers)], suite=suite())
    corpora = [{"name": "x", "digest": "e", "partition": "E|N|C"}]
    c = pair("c", "E")
    edited = Case("c", c.probe, c.source.__class__("c", "another premise", "hypothesis", c.gold), "", "", gold=c.gold)
    right = make_run(
        {"x": [pair("a", "N"), pair("b", "E"), edited]}, [Asked("m", answers)], suite=suite(corpora=corpora)
    )
    document = compare(left, right)
    [found] = document["comparisons"]
    assert (found["n"], found["altered"], found["only_left"], found["only_right"]) == (1, 2, 0, 0)
    assert "2 cases have the same id" in document["notes"][0]


def test_uncertain_cases_are_counted_apart(make_run: MakeRun) -> None:
    a = pair("a", "E")
    cases = {"x": [a, derived("a1", a), derived("a2", a, certainty=Certainty.LIKELY)]}
    run = make_run(
        cases, [Asked("m", dict.fromkeys(("a", "a1", "a2"), "E")), Asked("o", dict.fromkeys(("a", "a1", "a2"), "C"))]
    )
    found = entry_of(compare(run, run, "m", "o"), "x", "rows.delete", "expects")
    assert (found["n"], found["uncertain"]) == (1, 1)
    everything = compare(run, run, "m", "o", certainty=list(Certainty))
    assert entry_of(everything, "x", "rows.delete", "expects")["n"] == 2


def test_runs_without_a_common_case_are_refused_with_what_differs(make_run: MakeRun) -> None:
    left = make_run({"x": [pair("a", "E")]}, [Asked("m", {"a": "E"})])
    right = make_run({"y": [pair("b", "E")]}, [Asked("m", {"b": "E"})])
    with pytest.raises(NothingInCommonError, match=r"no case in common\. The corpus x is only in the left run\."):
        compare(left, right)


def test_a_system_must_be_named_when_there_are_several(make_run: MakeRun) -> None:
    run = make_run({"x": [pair("a", "E")]}, [Asked("a, b", {"a": "E"}), Asked("c", {"a": "E"})])
    with pytest.raises(UsageError, match=r"has 2 systems: 'a, b', 'c'\. Name one with left=\."):
        compare(run, run)
    with pytest.raises(UsageError, match="right="):
        compare(run, run, "c")
    with pytest.raises(UsageError, match="Both sides are c"):
        compare(run, run, "c", "c")
    with pytest.raises(NotFoundError, match="Did you mean 'a, b'"):
        compare(run, run, "a, bb", "c")


def test_five_examples_are_shown_in_the_order_of_their_ids(make_run: MakeRun) -> None:
    pairs = [pair(f"p{number}", "E") for number in (7, 3, 9, 1, 5, 0, 2)]
    run = make_run(
        {"x": pairs},
        [
            Asked("bad", dict.fromkeys([case.id for case in pairs], "C")),
            Asked("good", dict.fromkeys([case.id for case in pairs], "E")),
        ],
    )
    [found] = compare(run, run, "bad", "good")["comparisons"]
    assert found["fixed"] == 7
    assert [flip["case_id"] for flip in found["fixed_examples"]] == ["p0", "p1", "p2", "p3", "p5"]
    assert found["broken_examples"] == []


@settings(max_examples=30)
@given(left=st.lists(st.sampled_from(["E", "N", None]), min_size=6, max_size=6))
def test_a_system_compared_with_its_own_answers_differs_nowhere(
    tmp_path_factory: pytest.TempPathFactory, left: list[str | None]
) -> None:
    cases = {"x": PAIRS[:6]}
    answers = {case.id: label for case, label in zip(PAIRS[:6], left, strict=True)}
    folder = tmp_path_factory.mktemp("runs")
    runs = [write_run(folder, cases, [Asked("m", answers)]) for _ in range(2)]
    [found] = compare(runs[0], runs[1])["comparisons"]
    assert (found["difference"], found["p_holm"], found["fixed"]) == (0, 1.0, 0)
    if found["groups"] >= 5:
        assert found["ci95"] is not None
        assert found["ci95"][0] < 0 < found["ci95"][1], "six cases do not show that two systems are the same"


def test_three_systems_are_compared_each_with_each(make_run: MakeRun) -> None:
    run = make_run(CASES, [Asked("a", drawn(1, 0.2)), Asked("b", drawn(2, 0.9)), Asked("c", drawn(1, 0.2))])
    document = compare_systems([run], margin=0.3)
    validate("compare", document)
    assert [(pair["left"], pair["right"]) for pair in document["pairs"]] == [("a", "b"), ("a", "c"), ("b", "c")]
    entries = [entry for pair in document["pairs"] for entry in pair["comparisons"]]
    # One family of tests: all comparisons of all pairs.
    adjusted = multipletests([entry["p"] for entry in entries], method="holm")[1]
    assert [entry["p_holm"] for entry in entries] == pytest.approx(list(adjusted))
    assert all(entry["difference"] == 0 for entry in document["pairs"][1]["comparisons"])
    for item in document["separations"]:
        assert item["letters"] is not None
        shared = bool(set(item["letters"]["a"]) & set(item["letters"]["c"]))
        assert shared, "systems with the same answers are never told apart"
    counts = [item["told_apart"] for item in document["separations"]]
    assert counts == sorted(counts, reverse=True)
    with_b = compare_systems([run], reference="b")
    assert [(pair["left"], pair["right"]) for pair in with_b["pairs"]] == [("b", "a"), ("b", "c")]
    assert all(item["letters"] is None for item in with_b["separations"])


def test_the_overall_difference_counts_a_table_once(make_run: MakeRun) -> None:
    run = make_run(CASES, [Asked("a", drawn(1, 0.4)), Asked("b", drawn(2, 0.7))])
    [pair] = compare_systems([run])["pairs"]
    [overall] = [item for item in pair["overall"] if (item["family"], item["kind"]) == ("gold", "gold")]
    assert (overall["n"], overall["groups"], overall["places"]) == (30, 10, 2)
    places = [item for item in pair["comparisons"] if (item["probe"], item["kind"]) == ("gold", "gold")]
    assert overall["fixed"] == sum(item["fixed"] for item in places)


def test_systems_of_the_same_name_are_named_by_their_runs(make_run: MakeRun) -> None:
    runs = [make_run(CASES, [Asked("m", drawn(seed, 0.5))]) for seed in range(3)]
    document = compare_systems(runs)
    names = [system["name"] for system in document["systems"]]
    assert names == [f"m ({run.path.name})" for run in runs]
    assert len(set(names)) == 3
    chosen = compare_systems(runs, [names[2], names[0]])
    assert [(pair["left"], pair["right"]) for pair in chosen["pairs"]] == [(names[2], names[0])]
    with pytest.raises(UsageError, match="given twice"):
        compare_systems([runs[0], runs[0]])
    with pytest.raises(UsageError, match="named twice"):
        compare_systems(runs, [names[0], names[0]])
    with pytest.raises(UsageError, match="only one system"):
        compare_systems(runs[:1])
    with pytest.raises(NotFoundError, match="No run has a system 'x'"):
        compare_systems(runs, ["x"])
    with pytest.raises(UsageError, match="Several runs have the reference"):
        compare_systems(runs, reference="m")
    with pytest.raises(UsageError, match="A margin is a fraction"):
        compare_systems(runs, margin=2)


def test_pairs_without_a_common_case_are_noted_and_the_others_compared(make_run: MakeRun) -> None:
    one = make_run({"x": [pair("a", "E")]}, [Asked("p", {"a": "E"}), Asked("q", {"a": "N"})])
    other = make_run({"y": [pair("b", "E")]}, [Asked("r", {"b": "E"})])
    document = compare_systems([one, other])
    validate("compare", document)
    assert "p and r were asked no case in common: they are not compared." in document["notes"]
    assert [item["compared"] for item in document["separations"]] == [1]


def test_an_unfinished_run_decides_nothing(make_run: MakeRun) -> None:
    cases = {"x": [pair(f"p{number}", "E") for number in range(40)]}
    said = {f"p{number}": "E" for number in range(40)}
    run = make_run(cases, [Asked("a", said), Asked("b", said)], status="running")
    [found] = compare_systems([run], margin=0.2)["pairs"]
    assert found["comparisons"][0]["margin"] is not None
    assert found["comparisons"][0]["margin"]["p_holm"] < 0.05
    assert found["comparisons"][0]["margin"]["verdict"] == "undecided"


def test_right_answers_stand_beside_what_a_constant_answer_gets(make_run: MakeRun) -> None:
    cases = [pair(f"p{number}", "EEN"[number % 3]) for number in range(30)]
    edited = [derived(f"d{number}", source) for number, source in enumerate(cases)]
    said = {case.id: "E" for case in (*cases, *edited)}
    run = make_run({"x/dev": [*cases, *edited]}, [Asked("a", said), Asked("b", {**said, "p2": "N"})], shard=60)
    found = {item["kind"]: item["constant"] for item in compare(run, run, "a", "b")["comparisons"]}
    assert found == {"gold": pytest.approx(2 / 3), "expects": None}
