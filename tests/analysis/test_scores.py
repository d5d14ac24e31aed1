"""Scores and gains, with numbers worked out by hand."""

from __future__ import annotations

import pytest
from tests.analysis.runs import Asked, MakeRun, derived, pair

from nliprobe.analysis.cases import read_run
from nliprobe.analysis.scores import accuracy_gain, scores
from nliprobe.stats.intervals import wilson
from nliprobe.task.case import Certainty

GOLD = {"a": "E", "b": "E", "c": "N", "d": "C", "e": "C", "f": None}
PAIRS = [pair(name, gold, group="t1" if name in "abc" else "t2") for name, gold in GOLD.items()]


def test_scores_by_hand(make_run: MakeRun) -> None:
    answers = {"a": "E", "b": "N", "c": "N", "d": None, "e": "E", "f": "E"}
    (entry,) = scores(read_run(make_run({"x/dev": PAIRS}, [Asked("m", answers)])))
    assert (entry["system"], entry["corpus"], entry["probe"], entry["partition"]) == ("m", "x/dev", "gold", "E|N|C")
    assert (entry["n"], entry["answered"], entry["unanswered"], entry["unlabelled"]) == (5, 4, 1, 1)
    assert (entry["correct"], entry["accuracy"], entry["groups"]) == (2, 2 / 5, 2)
    assert entry["ci95"] == list(wilson(2, 5) or ())
    assert entry["ci95_clustered"] is not None
    assert entry["confusion"] == {
        "E": {"E": 1, "N": 1, "C": 0, "unanswered": 0},
        "N": {"E": 0, "N": 1, "C": 0, "unanswered": 0},
        "C": {"E": 1, "N": 0, "C": 0, "unanswered": 1},
    }
    assert entry["labels"] == {
        "E": {"precision": 1 / 2, "recall": 1 / 2, "f1": 1 / 2, "support": 2, "predicted": 2},
        "N": {"precision": 1 / 2, "recall": 1.0, "f1": 2 / 3, "support": 1, "predicted": 2},
        "C": {"precision": None, "recall": 0.0, "f1": 0.0, "support": 2, "predicted": 0},
    }
    assert entry["macro_f1"] == pytest.approx((1 / 2 + 2 / 3 + 0) / 3)
    assert entry["macro_f1_ci95"] is not None
    assert (entry["ambiguous"], entry["uncertain"]) == (0, 0)


def test_groups_of_one_need_no_clustering(make_run: MakeRun) -> None:
    (entry,) = scores(
        read_run(make_run({"x/dev": [pair("a", "E"), pair("b", "N")]}, [Asked("m", {"a": "E", "b": "E"})]))
    )
    assert (entry["groups"], entry["n"], entry["ci95_clustered"]) == (2, 2, None)


def test_a_two_way_corpus_is_scored_in_two_labels(make_run: MakeRun) -> None:
    hans = [pair("a", "E"), pair("b", "NC"), pair("c", "NC")]
    answers = {"a": "E", "b": "N", "c": "C"}
    run = make_run({"hans/dev": hans}, [Asked("m", answers)], partitions={"hans/dev": "E|NC"})
    (entry,) = scores(read_run(run))
    assert (entry["partition"], entry["accuracy"], entry["macro_f1"]) == ("E|NC", 1.0, 1.0)
    assert entry["confusion"] == {"E": {"E": 1, "NC": 0, "unanswered": 0}, "NC": {"E": 0, "NC": 2, "unanswered": 0}}


def test_a_two_way_system_is_scored_in_two_labels(make_run: MakeRun) -> None:
    run = make_run({"x/dev": PAIRS[:5]}, [Asked("m", {"a": "E", "b": "NC", "c": "NC", "d": "NC", "e": "E"}, "E|NC")])
    (entry,) = scores(read_run(run))
    assert (entry["partition"], entry["correct"]) == ("E|NC", 3)


def test_a_two_label_corpus_keeps_the_third_answer_apart(make_run: MakeRun) -> None:
    tabfact = [pair("a", "E"), pair("b", "C"), pair("c", "C")]
    run = make_run({"t/dev": tabfact}, [Asked("m", {"a": "E", "b": "N", "c": "C"})], partitions={"t/dev": "E|C"})
    (entry,) = scores(read_run(run))
    assert (entry["partition"], entry["correct"]) == ("E|N|C", 2)
    assert entry["macro_f1"] == pytest.approx((1 + 2 / 3) / 2)  # N is no gold label here
    assert entry["confusion"]["C"] == {"E": 0, "N": 1, "C": 1, "unanswered": 0}


def test_gold_of_several_labels_counts_in_accuracy_only(make_run: MakeRun) -> None:
    cases = [pair("a", "EN"), pair("b", "EN"), pair("c", "E")]
    (entry,) = scores(read_run(make_run({"x/dev": cases}, [Asked("m", {"a": "N", "b": "C", "c": "NC"})])))
    assert (entry["correct"], entry["n"], entry["ambiguous"]) == (1, 3, 2)
    assert entry["labels"]["E"]["support"] == 1
    assert entry["confusion"]["EN"] == {"E": 0, "N": 1, "C": 1, "NC": 0, "unanswered": 0}
    assert entry["confusion"]["E"] == {"E": 0, "N": 0, "C": 0, "NC": 1, "unanswered": 0}


def test_only_certain_cases_count_unless_asked(make_run: MakeRun) -> None:
    a, b = pair("a", "N"), pair("b", "C")
    swapped = [
        derived("a1", a, "swap", None, "N"),
        derived("b1", b, "swap", None, "C", Certainty.LIKELY),
        derived("b2", b, "swap", None, None, Certainty.LIKELY),
    ]
    answers = dict.fromkeys(["a", "b", "a1", "b1", "b2"], "N")
    data = read_run(make_run({"x/dev": [a, b, *swapped]}, [Asked("m", answers)]))
    plain, swap = scores(data)
    assert (plain["probe"], plain["accuracy"]) == ("gold", 0.5)
    assert (swap["probe"], swap["n"], swap["uncertain"], swap["unlabelled"]) == ("swap", 1, 1, 1)
    everything = scores(data, certainty=list(Certainty))[1]
    assert (everything["n"], everything["correct"], everything["uncertain"]) == (2, 1, 0)


def test_probes_without_gold_and_systems_not_asked_have_no_score(make_run: MakeRun) -> None:
    a = pair("a", "N")
    run = make_run({"x/dev": [a, derived("a1", a)]}, [Asked("m", {"a": "N", "a1": "N"}), Asked("late", {})])
    assert [(entry["system"], entry["probe"]) for entry in scores(read_run(run))] == [("m", "gold")]


def test_gain_over_the_best_control(make_run: MakeRun) -> None:
    cases = [pair(f"p{number}", "ENC"[number % 3], group=f"t{number // 2}") for number in range(8)]
    right = {case.id: str(case.gold) for case in cases}
    worse = {**right, "p0": "C", "p1": "C"}
    systems = [
        Asked("full", {**right, "p0": "C"}),
        Asked("weak", dict.fromkeys(right, "E"), premise="none"),
        Asked("strong", worse, premise="dummy"),
    ]
    (gain,) = accuracy_gain(read_run(make_run({"x/dev": cases}, systems)))
    assert (gain["system"], gain["control"], gain["n"], gain["groups"]) == ("full", "strong", 8, 4)
    assert (gain["accuracy"], gain["control_accuracy"], gain["gain"]) == (7 / 8, 6 / 8, 1 / 8)
    # The pair where they differ is in one of four tables: sometimes never drawn, sometimes more than once.
    assert gain["ci95"] is not None
    assert gain["ci95"][0] == 0
    assert 0.25 <= gain["ci95"][1] <= 0.5


def test_gain_compares_in_labels_both_tell_apart(make_run: MakeRun) -> None:
    cases = [pair("a", "E"), pair("b", "N"), pair("c", "C")]
    systems = [
        Asked("full", {"a": "E", "b": "C", "c": "C"}),
        Asked("two-way", {"a": "NC", "b": "NC", "c": "NC"}, "E|NC", "none"),
    ]
    (gain,) = accuracy_gain(read_run(make_run({"x/dev": cases}, systems)))
    assert (gain["partition"], gain["accuracy"], gain["control_accuracy"]) == ("E|NC", 1.0, 2 / 3)


def test_no_control_no_gain(make_run: MakeRun) -> None:
    assert accuracy_gain(read_run(make_run({"x/dev": PAIRS}, [Asked("m", GOLD)]))) == []
