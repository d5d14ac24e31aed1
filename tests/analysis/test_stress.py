"""Stress tests of a run: accuracies, paired drops, changed answers and what stands beside them, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from tests.analysis.runs import Asked, MakeRun, derived, pair
from tests.analysis.schemas import validate

from nliprobe.analysis.cases import read_run
from nliprobe.analysis.stress import is_stress_test, stress
from nliprobe.analysis.stress_documents import StressEntry
from nliprobe.analysis.summary import summarise
from nliprobe.store.run import RunFolder
from nliprobe.task.case import Case, Certainty

SAME = "E>E N>N C>C"
TEST = "stress.overlap"
GOLD = [*"ENC" * 4]


def stressed(base: Case, test: str = TEST, certainty: Certainty = Certainty.CERTAIN) -> Case:
    gold = None if base.gold is None else str(base.gold)
    return derived(f"{base.id}+", base, test, SAME, gold=gold, certainty=certainty)


PAIRS = [pair(f"p{place}", gold, group=f"g{place // 2}") for place, gold in enumerate(GOLD)]
CASES = [case for base in PAIRS for case in (base, stressed(base))]
RIGHT = {base.id: gold for base, gold in zip(PAIRS, GOLD, strict=True)}
# Right before everywhere but in p0; after the edit, E is answered N, and p1 is not answered.
ANSWERS: dict[str, str | None] = {
    **RIGHT,
    **{f"{name}+": "N" if gold == "E" else gold for name, gold in RIGHT.items()},
    "p0": "C",
    "p1+": None,
}


def only(run: RunFolder, system: str = "m", **where: object) -> StressEntry:
    entries = [item for item in stress(read_run(run)) if item["system"] == system]
    (entry,) = (item for item in entries if all(dict(item)[key] == value for key, value in where.items()))
    return entry


def test_numbers_by_hand(make_run: MakeRun) -> None:
    entry = only(make_run({"x": CASES}, [Asked("m", ANSWERS)]))
    assert (entry["corpus"], entry["test"], entry["likely"]) == ("x", TEST, False)
    assert (entry["n"], entry["groups"], entry["unanswered"], entry["unlabelled"]) == (12, 6, 1, 0)
    assert entry["original"] == pytest.approx(11 / 12)
    assert entry["stressed"] == pytest.approx(7 / 12)
    assert entry["drop"] == pytest.approx(4 / 12)
    # E became N three times, and p0 went from C to N; p1 has no answer to compare.
    assert entry["changed"] is not None
    assert (entry["changed"]["n"], entry["changed"]["count"]) == (11, 4)
    assert entry["constant"] == {"label": "E", "accuracy": pytest.approx(1 / 3)}
    assert entry["control"] is None
    assert {label: (item["original"], item["stressed"]) for label, item in entry["labels"].items()} == {
        "E": (0.75, 0.0),
        "N": (1.0, 0.75),
        "C": (1.0, 1.0),
    }


def test_the_interval_of_the_drop_is_that_of_paired_differences_by_group(make_run: MakeRun) -> None:
    entry = only(make_run({"x": CASES}, [Asked("m", ANSWERS)]))
    before = np.array([ANSWERS[base.id] == gold for base, gold in zip(PAIRS, GOLD, strict=True)], dtype=float)
    after = np.array([ANSWERS[f"{base.id}+"] == gold for base, gold in zip(PAIRS, GOLD, strict=True)], dtype=float)
    # All groups have two pairs, so the interval is Student's of the six means of groups.
    means = (before - after).reshape(6, 2).mean(axis=1)
    assert entry["drop_ci95"] is not None
    low, high = entry["drop_ci95"]
    assert (low + high) / 2 == pytest.approx(means.mean())
    assert (high - low) / 2 == pytest.approx(2.5706 * means.std(ddof=1) / np.sqrt(6), rel=0.15)


def test_new_pairs_have_no_original(make_run: MakeRun) -> None:
    new = [
        derived(f"{base.id}-new", base, "stress.antonymy", None, gold="C", certainty=Certainty.LIKELY, bases=())
        for base in PAIRS
    ]
    answers = dict.fromkeys((case.id for case in [*PAIRS, *new]), "C")
    run = make_run({"x": [*PAIRS, *new]}, [Asked("m", {**answers, "p0": "E"})])
    entry = only(run)
    assert entry["likely"]
    assert (entry["original"], entry["drop"], entry["drop_ci95"], entry["changed"]) == (None, None, None, None)
    assert (entry["stressed"], entry["constant"]) == (1.0, {"label": "C", "accuracy": 1.0})
    assert list(entry["labels"]) == ["C"]
    both = stress(read_run(run), certainty=set(Certainty))
    assert [item["likely"] for item in both] == [False]


def test_controls_and_what_a_system_never_sees(make_run: MakeRun) -> None:
    texts = {name: f"text of {name.removesuffix('+')}" for name in ANSWERS}
    blind = Asked("blind", {**ANSWERS, **{f"{name}+": ANSWERS[name] for name in RIGHT}}, premise="none", texts=texts)
    constant = Asked("always", dict.fromkeys(ANSWERS, "E"))
    run = make_run({"x": CASES}, [Asked("m", ANSWERS), blind, constant])
    assert only(run)["control"] == {"system": "blind", "value": pytest.approx(11 / 12)}
    unseeing = only(run, "blind")
    assert (unseeing["unreached"], unseeing["drop"]) == (12, 0.0)
    assert unseeing["changed"] is not None
    assert unseeing["changed"]["count"] == 0
    assert unseeing["control"] == {"system": "always", "value": pytest.approx(1 / 3)}


def test_unlabelled_pairs_are_counted_and_left_out(make_run: MakeRun) -> None:
    open_pair = pair("open", group="g9")
    run = make_run(
        {"x": [*CASES, open_pair, stressed(open_pair)]}, [Asked("m", {**ANSWERS, "open": "E", "open+": "N"})]
    )
    entry = only(run)
    assert (entry["n"], entry["unlabelled"]) == (12, 1)
    # A corpus without any label has no accuracy to lose.
    alone = make_run({"x": [open_pair, stressed(open_pair)]}, [Asked("m", {"open": "E", "open+": "N"})])
    assert stress(read_run(alone)) == []


def test_two_labels_are_compared_in_the_coarser_partition(make_run: MakeRun) -> None:
    base = [pair(f"q{place}", "E" if place % 2 else "NC") for place in range(6)]
    cases = [case for item in base for case in (item, stressed(item))]
    answers = {item.id: "E" if place % 2 else "N" for place, item in enumerate(base)}
    answers |= {f"{item.id}+": "E" if place % 2 else "C" for place, item in enumerate(base)}
    entry = only(make_run({"x": cases}, [Asked("m", answers)], partitions={"x": "E|NC"}))
    assert (entry["partition"], entry["drop"], list(entry["labels"])) == ("E|NC", 0.0, ["E", "NC"])
    assert entry["changed"] is not None
    # N and C are one label here.
    assert entry["changed"]["count"] == 0


def test_a_case_whose_original_was_not_asked_does_not_count(make_run: MakeRun) -> None:
    part = {name: answer for name, answer in ANSWERS.items() if name != "p3"}
    entry = only(make_run({"x": CASES}, [Asked("m", part)], status="running"))
    assert entry["n"] == 11


def test_documents_follow_the_schema(make_run: MakeRun) -> None:
    new = [derived(f"{base.id}-new", base, "stress.antonymy", None, gold="C", bases=()) for base in PAIRS]
    answers = {**ANSWERS, **{case.id: "C" for case in new}}
    document = summarise(make_run({"x": [*CASES, *new]}, [Asked("m", answers), Asked("n", answers, premise="none")]))
    assert [(item["system"], item["test"]) for item in document["stress"]] == [
        (system, test) for system in "mn" for test in (TEST, "stress.antonymy")
    ]
    validate("show", document)


def test_other_runs_have_no_stress_tests(make_run: MakeRun) -> None:
    run = make_run({"x": [PAIRS[0], derived("d", PAIRS[0])]}, [Asked("m", {"p0": "E", "d": "E"})])
    assert summarise(run)["stress"] == []
    assert is_stress_test("stress.spelling?kind=keyboard")
    assert not is_stress_test("inv.names")
