"""Scores and gains, with numbers worked out by hand."""

from __future__ import annotations

import pytest
from scipy.stats import binomtest
from tests.analysis.runs import Asked, MakeRun, derived, pair

from nliprobe.analysis.cases import read_run
from nliprobe.analysis.scores import accuracy_gain, scores
from nliprobe.task.case import Certainty

GOLD = {"a": "E", "b": "E", "c": "N", "d": "C", "e": "C", "f": None}
PAIRS = [pair(name, gold, group="t1" if name in "abc" else "t2") for name, gold in GOLD.items()]


def test_scores_by_hand(make_run: MakeRun) -> None:
    answers = {"a": "E", "b": "N", "c": "N", "d": None, "e": "E", "f": "E"}
    (entry,) = scores(read_run(make_run({"x/dev": PAIRS}, [Asked("m", answers)])))
    assert (entry["system"], entry["corpus"], entry["probe"], entry["partition"]) == ("m", "x/dev", "gold", "E|N|C")
    assert (entry["n"], entry["answered"], entry["unanswered"], entry["unlabelled"]) == (5, 4, 1, 1)
    assert (entry["correct"], entry["accuracy"], entry["groups"]) == (2, 2 / 5, 2)
    # Two tables do not tell how far tables differ.
    assert (entry["ci95"], entry["ci95_clustered"]) == (None, None)
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
    assert entry["macro_f1_ci95"] is None
    assert (entry["ambiguous"], entry["uncertain"]) == (0, 0)
    # E and C are right twice each, and E comes first; half of E, all of N and none of C are answered rightly.
    assert entry["constant"] == {"label": "E", "accuracy": 2 / 5}
    assert entry["balanced"] == pytest.approx((1 / 2 + 1 + 0) / 3)


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
    assert entry["constant"] == {"label": "NC", "accuracy": 2 / 3}
    assert entry["balanced"] == 1.0


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
    cases = [pair(f"p{number}", "ENC"[number % 3], group=f"t{number // 2}") for number in range(12)]
    right = {case.id: str(case.gold) for case in cases}
    worse = {**right, "p0": "C", "p1": "C"}
    systems = [
        Asked("full", {**right, "p0": "C"}),
        Asked("weak", dict.fromkeys(right, "E"), premise="none"),
        Asked("strong", worse, premise="dummy"),
    ]
    (gain,) = accuracy_gain(read_run(make_run({"x/dev": cases}, systems)))
    assert (gain["system"], gain["control"], gain["n"], gain["groups"]) == ("full", "strong", 12, 6)
    assert (gain["accuracy"], gain["control_accuracy"], gain["gain"]) == pytest.approx((11 / 12, 10 / 12, 1 / 12))
    # They differ in one pair of one table, which may as well have gone the other way.
    assert gain["ci95"] is not None
    assert gain["ci95"][0] < 0 < 0.25 <= gain["ci95"][1]
    assert (gain["p"], gain["p_holm"]) == (1.0, 1.0)


def test_constants_are_controls(make_run: MakeRun) -> None:
    cases = [pair(f"p{number}", "ENC"[number % 3]) for number in range(30)]
    right = {case.id: str(case.gold) for case in cases}
    systems = [Asked("full", right), Asked("always", dict.fromkeys(right, "E"))]
    data = read_run(make_run({"x/dev": cases}, systems))
    assert list(data.constants.values()) == [None, "E"]
    (gain,) = accuracy_gain(data)
    assert (gain["system"], gain["control"]) == ("full", "always")
    assert gain["control_accuracy"] == pytest.approx(1 / 3)
    assert gain["p_holm"] < 1e-5
    # One gold label does not tell a constant from a system that is right, nor do few answers; a name may.
    same = read_run(
        make_run({"x/dev": [pair(f"p{n}", "E") for n in range(30)]}, [Asked("m", {f"p{n}": "E" for n in range(30)})])
    )
    assert list(same.constants.values()) == [None]
    few = read_run(
        make_run({"x/dev": cases[:6]}, [Asked(name, dict.fromkeys(list(right)[:6], "N")) for name in ("m", "majority")])
    )
    assert list(few.constants.values()) == [None, "N"]


def test_gains_are_corrected_for_how_many_there_are(make_run: MakeRun) -> None:
    corpora = {f"x{place}": [pair(f"{place}-{n}", "E" if n % 2 else "N") for n in range(40)] for place in range(4)}
    everything = [case for cases in corpora.values() for case in cases]
    # On each corpus the system is right on 12 cases that the control has wrong, and wrong on 3 that it has right.
    said = {case.id: str(case.gold) if int(case.id.split("-")[1]) >= 3 else "C" for case in everything}
    blind = {case.id: str(case.gold) if not 3 <= int(case.id.split("-")[1]) < 15 else "C" for case in everything}
    gains = accuracy_gain(
        read_run(make_run(corpora, [Asked("m", said), Asked("none", blind, premise="none")], shard=50))
    )
    assert [gain["p"] for gain in gains] == [pytest.approx(binomtest(3, 15).pvalue)] * 4
    assert [gain["p_holm"] for gain in gains] == [pytest.approx(4 * gains[0]["p"])] * 4
    assert gains[0]["p"] < 0.05 < gains[0]["p_holm"]


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
