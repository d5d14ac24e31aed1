"""Corpora with two labels: balanced accuracy, the area under the ROC curve, thresholds, and the controls beside."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score, roc_auc_score
from tests.analysis.runs import Asked, MakeRun, derived, pair
from tests.analysis.schemas import validate

from nliprobe.analysis.cases import read_run
from nliprobe.analysis.summary import Scored, score_document, summarise
from nliprobe.analysis.two_way import NO_SCORES, SAME_PAIRS, Threshold, parse_threshold, two_way
from nliprobe.analysis.two_way_documents import TwoWayEntry
from nliprobe.base.errors import UsageError
from nliprobe.store.run import RunFolder
from nliprobe.task.case import Case, Prediction
from nliprobe.task.labels import LabelSet, Partition

Shares = dict[str, tuple[float | None, float | None, float | None]]
TWO = {"x": "E|NC", "y": "E|NC"}


def draw(corpus: str, groups: int, seed: int) -> tuple[list[Case], dict[str, float], dict[str, bool]]:
    """Pairs of some groups with three cases each, and a score that tells their labels apart, but not well."""
    random = np.random.default_rng(seed)
    cases: list[Case] = []
    scores: dict[str, float] = {}
    gold: dict[str, bool] = {}
    for number in range(3 * groups):
        name = f"{corpus}{number}"
        gold[name] = bool(random.random() < 0.3)
        scores[name] = float(np.round(np.clip(0.4 + 0.2 * gold[name] + 0.2 * random.normal(), 0, 1), 3))
        cases.append(pair(name, "E" if gold[name] else "NC", group=f"{corpus}{number % groups}"))
    return cases, scores, gold


def three(score: float) -> tuple[float, float, float]:
    """The rest of the probability goes to N and C, so that E may be the most probable label below a half."""
    return score, 0.6 * (1 - score), 0.4 * (1 - score)


def own(score: float) -> str:
    return "ENC"[int(np.argmax(three(score)))]


@pytest.fixture
def run(make_run: MakeRun) -> RunFolder:
    cases, scores, _ = draw("x", 30, 1)
    others, more, _ = draw("y", 10, 2)
    both = scores | more
    shares: Shares = {name: three(score) for name, score in both.items()}
    full = Asked("m", {name: own(score) for name, score in both.items()}, shares=shares)
    blind = Asked("blind", {name: "EN"[len(name) % 2] for name in both}, premise="none")
    return make_run({"x": cases, "y": others}, [full, blind], partitions=TWO)


def entry(entries: list[TwoWayEntry], system: str, corpus: str) -> TwoWayEntry:
    [item] = [each for each in entries if (each["system"], each["corpus"]) == (system, corpus)]
    return item


def test_numbers_are_those_of_scikit_learn(run: RunFolder) -> None:
    cases, scores, gold = draw("x", 30, 1)
    names = [case.id for case in cases]
    truth, score = [gold[name] for name in names], np.array([scores[name] for name in names])
    item = entry(two_way(read_run(run)), "m", "x")
    assert item["auc"] == pytest.approx(roc_auc_score(truth, score), abs=1e-6)
    answered = [own(value) == "E" for value in score]
    assert item["balanced"] == pytest.approx(balanced_accuracy_score(truth, answered))
    assert item["threshold"]["balanced"] == pytest.approx(balanced_accuracy_score(truth, score >= 0.5))
    # Three labels share the probability, so the system's own answers are not those of the threshold.
    assert item["balanced"] != item["threshold"]["balanced"]
    assert (item["n"], item["groups"], item["scored"]) == (90, 30, 90)
    assert item["support"] == {"E": sum(truth), "NC": 90 - sum(truth)}
    assert (item["partition"], item["answers"], item["score"]) == ("E|NC", "E|N|C", "P(E)")
    for value, ends in ((item["auc"], item["auc_ci95"]), (item["balanced"], item["balanced_ci95"])):
        assert value is not None
        assert ends is not None
        assert ends[0] < value < ends[1]


def test_a_system_without_probabilities_has_no_area_and_says_why(run: RunFolder) -> None:
    item = entry(two_way(read_run(run)), "blind", "x")
    assert (item["auc"], item["auc_ci95"], item["auc_missing"], item["scored"]) == (None, None, NO_SCORES, 0)
    assert (item["threshold"]["balanced"], item["threshold"]["missing"]) == (None, NO_SCORES)
    assert item["balanced"] is not None
    assert (item["control_balanced"], item["control_auc"]) == (None, None)


def test_the_best_control_is_beside(run: RunFolder) -> None:
    entries = two_way(read_run(run))
    item = entry(entries, "m", "x")
    assert item["control_balanced"] == {"system": "blind", "value": entry(entries, "blind", "x")["balanced"]}
    assert item["control_auc"] is None


def test_a_given_threshold_is_used_everywhere(run: RunFolder) -> None:
    item = entry(two_way(read_run(run), Threshold(0.4)), "m", "y")
    _, scores, gold = draw("y", 10, 2)
    expected = balanced_accuracy_score(list(gold.values()), [score >= 0.4 for score in scores.values()])
    assert item["threshold"]["balanced"] == pytest.approx(expected)
    assert (item["threshold"]["value"], item["threshold"]["origin"]) == (0.4, "given")


def test_a_tuned_threshold_is_not_used_on_the_pairs_it_was_tuned_on(run: RunFolder) -> None:
    entries = two_way(read_run(run), Threshold(corpus="y"))
    there, elsewhere = entry(entries, "m", "y")["threshold"], entry(entries, "m", "x")["threshold"]
    assert there["value"] == elsewhere["value"]
    assert (there["balanced"], there["missing"]) == (None, SAME_PAIRS)
    assert elsewhere["balanced"] is not None
    assert (elsewhere["origin"], elsewhere["tuned_on"], elsewhere["shared_groups"]) == ("tuned", "y", 0)


def test_groups_that_two_corpora_share_are_counted(make_run: MakeRun) -> None:
    cases, scores, _ = draw("x", 10, 1)
    again = [pair(f"again {case.id}", str(case.gold), group=case.source.group) for case in cases[:12]]
    shares: Shares = {name: three(score) for name, score in scores.items()}
    shares |= {case.id: shares[case.id.removeprefix("again ")] for case in again}
    answers = dict.fromkeys(shares, "E")
    run = make_run({"x": cases, "y": again}, [Asked("m", answers, shares=shares)], partitions=TWO)
    assert entry(two_way(read_run(run), Threshold(corpus="x")), "m", "y")["threshold"]["shared_groups"] == 10


def test_a_corpus_of_other_labels_gives_no_threshold(make_run: MakeRun) -> None:
    shares: Shares = {"a": (0.7, 0.1, 0.2), "b": (0.2, 0.1, 0.7), "c": (0.7, 0.1, 0.2), "d": (0.2, 0.1, 0.7)}
    cases = {"x": [pair("a", "E"), pair("b", "NC")], "y": [pair("c", "E"), pair("d", "C")]}
    run = make_run(cases, [Asked("m", dict.fromkeys(shares, "E"), shares=shares)], partitions={"x": "E|NC", "y": "E|C"})
    threshold = entry(two_way(read_run(run), Threshold(corpus="y")), "m", "x")["threshold"]
    assert (threshold["value"], threshold["balanced"]) == (None, None)
    assert threshold["missing"] == "y tells E|C apart, not E|NC"


def test_a_system_of_three_labels_on_a_corpus_of_two(make_run: MakeRun) -> None:
    """TabFact has no neutral statements: N is a wrong answer there, and P(E) ranks the statements all the same."""
    shares: Shares = {"a": (0.4, 0.6, 0.0), "b": (0.1, 0.2, 0.7), "c": (0.5, 0.1, 0.4), "d": (0.3, 0.4, 0.3)}
    cases = [pair("a", "E"), pair("b", "C"), pair("c", "E"), pair("d", "C")]
    asked = Asked("m", {"a": "N", "b": "C", "c": "E", "d": "N"}, shares=shares)
    blind = Asked("blind", dict.fromkeys(shares, "E"), premise="none")
    [item, _] = two_way(read_run(make_run({"x": cases}, [asked, blind], partitions={"x": "E|C"})))
    assert (item["partition"], item["answers"], item["auc"], item["balanced"]) == ("E|C", "E|N|C", 1.0, 0.5)
    assert item["threshold"]["balanced"] == 0.75
    assert item["control_balanced"] == {"system": "blind", "value": 0.5}


def test_only_pairs_as_they_are_and_two_labels_count(make_run: MakeRun) -> None:
    a, b = pair("a", "E"), pair("b", "NC")
    cases = {"x": [a, b, derived("a1", a, gold="E")], "three": [pair("c", "E"), pair("d", "N")]}
    run = make_run(cases, [Asked("m", dict.fromkeys(("a", "b", "a1", "c", "d"), "E"))], partitions={"x": "E|NC"})
    assert [(item["corpus"], item["n"]) for item in two_way(read_run(run))] == [("x", 2)]


def test_a_system_of_two_labels_makes_any_corpus_two_way(make_run: MakeRun) -> None:
    shares: Shares = {"a": (0.9, None, None), "b": (0.2, None, None), "c": (0.3, None, None)}
    asked = Asked("m", {"a": "E", "b": "NC", "c": "NC"}, partition="E|NC", shares=shares)
    run = make_run({"x": [pair("a", "E"), pair("b", "N"), pair("c", "C")]}, [asked])
    [item] = two_way(read_run(run))
    assert (item["partition"], item["auc"], item["balanced"]) == ("E|NC", 1.0, 1.0)
    assert item["threshold"]["balanced"] == 1.0


def test_a_system_that_knows_contradictions_only_is_ranked_by_what_is_left(make_run: MakeRun) -> None:
    shares: Shares = {"a": (None, None, 0.1), "b": (None, None, 0.8)}
    asked = Asked("m", {"a": "EN", "b": "C"}, partition="EN|C", shares=shares)
    [item] = two_way(read_run(make_run({"x": [pair("a", "E"), pair("b", "C")]}, [asked])))
    assert (item["partition"], item["score"], item["auc"]) == ("EN|C", "P(EN)", 1.0)
    assert item["threshold"]["balanced"] == 1.0


def test_pairs_without_probabilities_are_wrong_at_a_threshold_and_left_out_of_the_area(make_run: MakeRun) -> None:
    shares: Shares = {"a": (0.9, 0.1, 0.0), "b": (0.2, 0.8, 0.0)}
    answers = {"a": "E", "b": "N", "c": None}
    cases = [pair("a", "E"), pair("b", "NC"), pair("c", "NC")]
    run = make_run({"x": cases}, [Asked("m", answers, shares=shares)], partitions=TWO)
    [item] = two_way(read_run(run))
    assert (item["auc"], item["scored"], item["n"]) == (1.0, 2, 3)
    assert item["threshold"]["balanced"] == item["balanced"] == 0.75


def test_one_label_has_no_area(make_run: MakeRun) -> None:
    run = make_run({"x": [pair("a", "E")]}, [Asked("m", {"a": "E"}, shares={"a": (1.0, 0.0, 0.0)})], partitions=TWO)
    [item] = two_way(read_run(run))
    assert (item["auc"], item["auc_missing"]) == (None, "all pairs have the same gold label")


@pytest.mark.parametrize(
    ("text", "threshold"),
    [("", Threshold()), ("0.3", Threshold(0.3)), ("1", Threshold(1.0)), ("x", Threshold(corpus="x"))],
)
def test_thresholds_are_read(text: str, threshold: Threshold) -> None:
    assert parse_threshold(text, {"x": Partition.parse("E|NC")}) == threshold


@pytest.mark.parametrize("text", ["1.1", "-0.1", "nan", "z", "summedits"])
def test_no_threshold_is_guessed(text: str) -> None:
    with pytest.raises(UsageError, match=r"should be a probability|neither a number nor a corpus"):
        parse_threshold(text, {"x": Partition.parse("E|NC")})


def test_documents_are_valid(run: RunFolder) -> None:
    for threshold in ("", "0.3", "y"):
        document = summarise(run, threshold=threshold)
        validate("show", document)
        assert len(document["two_way"]) == 4


def test_a_file_of_answers_is_scored_alike() -> None:
    _, scores, gold = draw("x", 30, 1)
    answered = [
        Scored(LabelSet.of("E" if gold[name] else "NC"), Prediction(LabelSet.of(own(score)), three(score)), name)
        for name, score in scores.items()
    ]
    document = score_document("x", "m", answered, corpus_partition=Partition.parse("E|NC"))
    validate("score", document)
    numbers = document["two_way"]
    assert numbers is not None
    assert numbers["auc"] == pytest.approx(roc_auc_score(list(gold.values()), list(scores.values())), abs=1e-6)
    assert numbers["balanced"] == document["balanced"]
    assert score_document("x", "m", answered[:3])["two_way"] is None
