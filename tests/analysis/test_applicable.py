"""Cases that a system reads exactly like their base: they are in no rate, failure or comparison, and are counted."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.analysis.runs import Asked, MakeRun, derived, pair
from tests.analysis.schemas import validate

from nliprobe.analysis.cases import read_run
from nliprobe.analysis.compare.comparison import compare
from nliprobe.analysis.compare.gate import gate
from nliprobe.analysis.compare.systems import compare_two
from nliprobe.analysis.expectations import expectations
from nliprobe.analysis.facets import facet_scores
from nliprobe.analysis.failures import failures
from nliprobe.analysis.measures import Measures
from nliprobe.analysis.outcomes import case_outcomes
from nliprobe.analysis.scores import scores
from nliprobe.analysis.summary import summarise
from nliprobe.analysis.transitions import transitions
from nliprobe.report.expectations import expectation_table
from nliprobe.store.run import RunFolder
from nliprobe.task.case import TEXT_DIGITS, Certainty, input_id, keyed_input_id
from nliprobe.task.pair import Facet
from nliprobe.task.relations import SAME
from nliprobe.task.rules import And, Close

BASES = [pair(name, "E", group=name) for name in "abc"]
EDITED = [derived(f"{base.id}1", base, "inv.surface", str(SAME), gold="E") for base in BASES]
CASES = [*BASES, *EDITED]
# The edit of b reaches neither system, that of c only the first.
ANSWERS = {"a": "E", "b": "E", "c": "E", "a1": "N", "b1": "E", "c1": "E"}
FIRST = Asked("first", ANSWERS, texts={"b": "t", "b1": "t"})
SECOND = Asked("second", {**ANSWERS, "a1": "E"}, texts={"b": "t", "b1": "t", "c": "u", "c1": "u"})


@pytest.fixture
def run(make_run: MakeRun) -> RunFolder:
    return make_run({"x/dev": CASES}, [FIRST, SECOND])


def test_transitions_leave_them_out_and_count_them(run: RunFolder) -> None:
    first, second = transitions(read_run(run))
    assert (first["n"], first["unchanged"], first["prohibited_overall"]["rate"]) == (2, 1, 0.5)
    assert (second["n"], second["unchanged"], second["prohibited_overall"]["rate"]) == (1, 2, 0.0)
    validate("show", summarise(run))


def test_gold_labels_count_all_the_same(run: RunFolder) -> None:
    (entry,) = [item for item in scores(read_run(run)) if item["probe"] == "inv.surface" and item["system"] == "first"]
    assert (entry["n"], entry["correct"]) == (3, 2)


def test_outcomes_and_failures_call_them_not_applicable(make_run: MakeRun) -> None:
    # A system that answers the same text in two ways did not fail a test of the edit.
    run = make_run({"x/dev": CASES}, [FIRST._replace(answers={**ANSWERS, "b1": "C"})])
    by_case = {row["case_id"]: row["expects"] for row in case_outcomes(run, "first").iter_rows(named=True)}
    assert (by_case["a1"], by_case["b1"], by_case["c1"]) == ("broken", "not applicable", "holds")
    assert [item["case_id"] for item in failures(run)["shown"]] == ["a1"]


def test_comparisons_use_the_cases_that_reach_both(run: RunFolder) -> None:
    document = compare(run, run, "first", "second")
    validate("compare", compare_two(run, run, "first", "second"))
    gold, expects = (
        next(item for item in document["comparisons"] if item["probe"] == "inv.surface" and item["kind"] == kind)
        for kind in ("gold", "expects")
    )
    assert (expects["n"], expects["left_out"], expects["fixed"]) == (1, 2, 1)
    assert (expects["unchanged_left"], expects["unchanged_right"]) == (1, 2)
    assert (gold["n"], gold["unchanged_left"]) == (3, 0)


def test_a_gate_measures_what_reaches_the_system(run: RunFolder) -> None:
    for metric, value in (("prohibited", 0.5), ("broken", 0.5), ("changed", 0.5)):
        measure = Measures(read_run(run), "first").measure("x/dev", "inv.surface", metric)
        assert measure is not None
        assert measure.value == value
    decided = gate(run, baseline=run, system="second", baseline_system="first")
    assert any("on 1 cases" in check["reason"] for check in decided["checks"] if check["metric"] == "holds")


def test_a_gate_says_that_nothing_reaches_a_system(make_run: MakeRun) -> None:
    control = Asked("none", ANSWERS, premise="none", texts={case.id: case.id[0] for case in CASES})
    run = make_run({"x/dev": CASES}, [FIRST, control])
    decided = gate(run, baseline=run, system="none", baseline_system="first")
    (check,) = [item for item in decided["checks"] if item["metric"] == "holds"]
    assert check["reason"] == "nothing to compare: 3 cases do not reach one of the systems"


def test_facets_leave_them_out(make_run: MakeRun) -> None:
    marked = [case._replace(facets=(Facet("kind", "stop"),)) if case in EDITED else case for case in CASES]
    document = facet_scores(make_run({"x/dev": marked}, [FIRST]), "kind")
    (entry,) = document["prohibited"]
    assert (entry["value"], entry["n"], entry["rate"]) == ("stop", 2, 0.5)


def test_rules_over_probabilities_leave_them_out(make_run: MakeRun) -> None:
    weighed = [case._replace(expects=And((SAME, Close(0.1)))) for case in EDITED]
    run = make_run({"x/dev": [*BASES, *weighed]}, [FIRST, SECOND])
    assert transitions(read_run(run)) == []
    first, second = expectations(read_run(run))
    assert (first["n"], first["unchanged"], first["rate"]["rate"], first["changed"]["rate"]) == (2, 1, 0.5, 0.5)
    assert (second["n"], second["unchanged"], second["rate"]["rate"]) == (1, 2, 0.0)
    validate("show", summarise(run))


def test_a_control_is_unchanged_by_construction(make_run: MakeRun) -> None:
    hidden = {case.id: case.id[0] for case in CASES}
    expects = And((SAME, Close(0.1)))
    weighed = [case._replace(probe="dir.append", id=f"{case.id}w", expects=expects) for case in EDITED]
    answers = {**ANSWERS, **{case.id: "E" for case in weighed}}
    texts = {**hidden, **{case.id: case.id[0] for case in weighed}}
    run = make_run({"x/dev": [*CASES, *weighed]}, [Asked("control", answers, premise="none", texts=texts)])
    document = summarise(run)
    (entry,), (expected,) = document["transitions"], document["expectations"]
    assert (entry["n"], entry["unchanged"], entry["prohibited_overall"]["rate"]) == (0, 3, None)
    assert (expected["n"], expected["unchanged"], expected["rate"]["rate"]) == (0, 3, None)
    shown = list(expectation_table([expected], ["control"]).columns[-1].cells)
    assert [str(cell) for cell in shown] == ["unchanged by construction"]
    # Its answers are still right or wrong.
    assert [item["n"] for item in document["scores"]] == [3, 3, 3]


def test_each_failure_is_in_one_place(run: RunFolder) -> None:
    document = summarise(run)
    places = [(item["system"], item["corpus"], item["probe"]) for item in document["transitions"]]
    assert places
    assert document["expectations"] == []


def test_a_case_with_two_bases_always_counts(make_run: MakeRun) -> None:
    a, b = BASES[:2]
    both = derived("ab", a, "joined", None, gold="E", bases=("a", "b"))
    texts = dict.fromkeys(("a", "b", "ab"), "the same")
    run = make_run({"x/dev": [a, b, both]}, [Asked("m", {"a": "E", "b": "E", "ab": "N"}, texts=texts)])
    data = read_run(run)
    assert not data.systems[0].unchanged.any()


def test_an_input_that_was_not_asked_is_not_equal_to_another(make_run: MakeRun) -> None:
    run = make_run({"x/dev": CASES}, [FIRST._replace(answers={"a": "E", "b1": "E"}, texts={})])
    assert not read_run(run).systems[0].unchanged.any()


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.sampled_from(list(Certainty))), min_size=1))
def test_marks_equal_a_slow_comparison(make_run: MakeRun, read: list[tuple[int, int, Certainty]]) -> None:
    bases = [pair(f"p{number}") for number in range(len(read))]
    edited = [
        derived(f"q{number}", base, certainty=item[2])
        for number, (base, item) in enumerate(zip(bases, read, strict=True))
    ]
    texts = {base.id: f"text {item[0]}" for base, item in zip(bases, read, strict=True)}
    texts |= {case.id: f"text {item[1]}" for case, item in zip(edited, read, strict=True)}
    run = make_run({"x/dev": [*edited, *bases]}, [Asked("m", dict.fromkeys(texts, "E"), texts=texts)])
    data = read_run(run)
    ids = data.cases.ids.to_list()
    expected = {case.id for case in edited if texts[case.id] == texts[case.bases[0]]}
    assert {name for name, same in zip(ids, data.systems[0].unchanged.tolist(), strict=True) if same} == expected


@given(st.text(), st.text(), st.text(), st.text())
def test_a_key_keeps_what_tells_texts_apart(premise: str, hypothesis: str, one: str, other: str) -> None:
    text = input_id(premise, hypothesis)
    first, second = keyed_input_id(text, one), keyed_input_id(text, other)
    assert first[:TEXT_DIGITS] == second[:TEXT_DIGITS] == text[:TEXT_DIGITS]
    assert len(first) == len(text)
    assert (first == second) == (one == other)
