"""Expectations of a run: by hand, through failing cases, comparisons and gates."""

from __future__ import annotations

import polars as pl
import pytest
from tests.analysis.runs import Asked, MakeRun, pair
from tests.analysis.schemas import validate

from nliprobe.analysis.cases import read_run
from nliprobe.analysis.compare.comparison import compare
from nliprobe.analysis.compare.gate import gate
from nliprobe.analysis.compare.systems import compare_two
from nliprobe.analysis.expectations import expectations
from nliprobe.analysis.failures import failures
from nliprobe.analysis.measures import Measures
from nliprobe.analysis.outcomes import case_outcomes
from nliprobe.analysis.summary import summarise
from nliprobe.analysis.transitions import transitions
from nliprobe.base.errors import StoreError
from nliprobe.stats.intervals import wilson
from nliprobe.store.frames import prediction_frame
from nliprobe.store.run import RunFolder
from nliprobe.task.case import Case, Certainty, Prediction, Status, identity_case, identity_id
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Pair
from nliprobe.task.rule_forms import read_rule

A, B, C = pair("a", "E", group="t1"), pair("b", "N", group="t2"), pair("c", "C", group="t3")
Said = dict[str, Prediction]


def made(name: str, base: Case, text: str, certainty: Certainty = Certainty.CERTAIN) -> Case:
    return Case(
        name, "inv.x", base.source, "edited", "hypothesis",
        bases=(base.id,), expects=read_rule(text), certainty=certainty,
    )  # fmt: skip


def said(label: str | None, *shares: float) -> Prediction:
    if label is None:
        return Prediction(None, status=Status.NO_ANSWER)
    return Prediction(LabelSet.of(label), (shares[0], shares[1], shares[2]) if shares else None)


def written(make_run: MakeRun, cases: list[Case], *answers: Said, status: str = "complete") -> RunFolder:
    """A run of one shard whose answers have probabilities; systems are m, m1, m2…"""
    names = ["m", *(f"m{number}" for number in range(1, len(answers)))]
    run = make_run({"x/dev": cases}, [Asked(name, {}) for name in names], shard=100, status=status)
    for number, given in enumerate(answers):
        ids = [case.id for case in cases if case.id in given]
        run.write(f"predictions/folder-{number}", 0, prediction_frame(ids, ids, [given[name] for name in ids]))
        if len(ids) == len(cases) and status == "complete":
            run.finish(run.system(names[number]), "2024-01-02T00:00:00Z")
    return run


CASES = [
    A, B, C,
    made("a1", A, "same_label"), made("a2", A, "same_label and close 0.1"), made("a3", A, "monotone E down"),
    made("b1", B, "same_label"), made("b2", B, "close 0.1"), made("c1", C, "same_label"),
    made("c2", C, "same_label", Certainty.LIKELY),
]  # fmt: skip
ANSWERS = {
    "a": said("E", 0.8, 0.1, 0.1), "a1": said("N"), "a2": said("E", 0.5, 0.3, 0.2), "a3": said("E", 0.7, 0.2, 0.1),
    "b": said("N"), "b1": said("N"), "b2": said("N", 0.1, 0.8, 0.1), "c": said("C"), "c1": said(None), "c2": said("E"),
}  # fmt: skip


def test_expectations_by_hand(make_run: MakeRun) -> None:
    run = written(make_run, CASES, ANSWERS)
    (entry,) = expectations(read_run(run))
    assert (entry["system"], entry["corpus"], entry["probe"]) == ("m", "x/dev", "inv.x")
    counts = {key: entry[key] for key in ("n", "holds", "broken", "not_applicable", "unanswered")}
    assert counts == {"n": 6, "holds": 2, "broken": 2, "not_applicable": 1, "unanswered": 1}
    assert (entry["uncertain"], entry["groups"]) == (1, 3)
    assert (entry["rate"]["n"], entry["rate"]["count"], entry["rate"]["rate"]) == (4, 2, 0.5)
    # Two groups do not tell how far groups differ.
    assert entry["rate"]["ci95"] is None
    assert entry["rules"]["same_label"] == {"n": 3, "holds": 1, "broken": 1, "not_applicable": 0, "unanswered": 1}
    assert entry["rules"]["close 0.1"]["not_applicable"] == 1
    broken = Measures(read_run(run), "m").measure("x/dev", "inv.x", "broken")
    assert broken is not None
    assert broken.value == 0.5


def test_the_document_has_expectations_and_is_valid(make_run: MakeRun) -> None:
    document = summarise(written(make_run, CASES, ANSWERS))
    validate("show", document)
    assert [entry["broken"] for entry in document["expectations"]] == [2]
    # Some rules look at probabilities, so the expectations show all of them, and nothing is counted twice.
    assert document["transitions"] == []
    assert (document["expectations"][0]["changed"]["n"], document["expectations"][0]["changed"]["count"]) == (5, 1)


def test_a_broken_off_run_counts_what_was_asked(make_run: MakeRun) -> None:
    assert expectations(read_run(written(make_run, CASES, {"a": said("E")}))) == []
    (entry,) = expectations(read_run(written(make_run, CASES, {"a": said("E"), "a1": said("E"), "b1": said("E")})))
    assert (entry["n"], entry["holds"], entry["rate"]["ci95"]) == (1, 1, list(wilson(0, 1) or ()))


def test_case_outcomes_and_failures_tell_what_was_expected(make_run: MakeRun) -> None:
    run = written(make_run, CASES, ANSWERS)
    found = {row["case_id"]: row["expects"] for row in case_outcomes(run, "m").iter_rows(named=True)}
    assert found["a1"] == found["a2"] == found["c2"] == "broken"
    assert (found["a3"], found["b2"], found["c1"], found["a"]) == (
        "holds", "not applicable", "unanswered", "not applicable",
    )  # fmt: skip
    shown = {item["case_id"]: item for item in failures(run)["shown"]}
    assert set(shown) == {"a1", "a2", "c2"}
    assert shown["a1"]["expected"] == ""
    assert (shown["a1"]["before"], shown["a1"]["answer"], shown["a1"]["allowed"]) == ("E", "N", "E")
    assert shown["a2"]["allowed"] == ""
    assert shown["a2"]["expected"] == "the same label as before and every probability within 0.1 of the one before"
    assert shown["a2"]["shares_before"] == pytest.approx([0.8, 0.1, 0.1])
    assert shown["a2"]["shares"] == pytest.approx([0.5, 0.3, 0.2])
    assert shown["a1"]["shares"] is None


def test_compare_and_gate_judge_probabilities(make_run: MakeRun) -> None:
    before = {**ANSWERS, "a2": said("E", 0.8, 0.1, 0.1), "c": said(None)}
    run = written(make_run, CASES, before, ANSWERS)
    document = compare(run, run, "m", "m1")
    validate("compare", compare_two(run, run, "m", "m1"))
    by_kind = {entry["kind"]: entry for entry in document["comparisons"] if entry["probe"] == "inv.x"}
    # a2 keeps its label on both sides, and its probabilities on one. c1 is unanswered and b2 weighs nothing: left out.
    entry = by_kind["expects"]
    assert (entry["n"], entry["left_out"], entry["broken"], entry["fixed"], entry["uncertain"]) == (4, 2, 1, 0, 1)
    (flip,) = entry["broken_examples"]
    assert (flip["case_id"], flip["left"]["allowed"], flip["right"]["answer"]) == ("a2", "E", "E")
    assert flip["right"]["expected"].startswith("the same label as before and every probability within 0.1")
    decided = gate(run, baseline=run, system="m1", baseline_system="m")
    line = next(check for check in decided["checks"] if check["metric"] == "holds")
    assert (line["probe"], line["value"]) == ("inv.x", -0.25)


def test_expectations_without_a_base_are_compared(make_run: MakeRun) -> None:
    alone = Case("a1", "x", A.source, "edited", "h", bases=(), expects=read_rule("label_in EN"))
    run = written(make_run, [A, alone], {"a": said("E"), "a1": said("N")}, {"a": said("E"), "a1": said("C")})
    (entry,) = [entry for entry in compare(run, run, "m", "m1")["comparisons"] if entry["kind"] == "expects"]
    assert (entry["n"], entry["broken"]) == (1, 1)
    (flip,) = entry["broken_examples"]
    assert (flip["left"]["before"], flip["left"]["allowed"], flip["left"]["expected"]) == (
        None,
        "",
        "entailment or neutral",
    )


def test_pairs_made_from_pairs_are_compared_by_the_identity_probe(make_run: MakeRun) -> None:
    one = Pair("x/1", "p", "h", LabelSet.of("E"), "g")
    two = Pair("x/2", "q", "h", LabelSet.of("E"), "g", bases=("x/1",), expects=read_rule("same_label"))
    cases = [identity_case(one), identity_case(two)]
    assert cases[1].bases == (identity_id("x/1"),)
    run = written(make_run, cases, {cases[0].id: said("E"), cases[1].id: said("N")})
    assert expectations(read_run(run)) == []
    (entry,) = transitions(read_run(run))
    assert (entry["probe"], entry["prohibited_overall"]["count"]) == ("gold", 1)
    (shown,) = failures(run)["shown"]
    assert (shown["before"], shown["allowed"], shown["expected"]) == ("E", "E", "")


def test_a_damaged_rule_is_named(make_run: MakeRun) -> None:
    run = written(make_run, [A, made("a1", A, "same_label")], {"a": said("E"), "a1": said("E")}, status="running")
    frame = run.read("cases").with_columns(expects=pl.lit("same_labl"))
    run.write("cases", 0, frame)
    with pytest.raises(StoreError, match="Did you mean 'same_label'"):
        read_run(run)
