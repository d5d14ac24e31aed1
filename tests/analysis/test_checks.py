"""Checks of a run: by hand, against the scalar evaluation, and through failing cases."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.analysis.runs import Asked, MakeRun, pair
from tests.analysis.schemas import validate
from tests.task.test_checks import partitions, predictions, rules

from nliprobe.analysis.cases import read_run
from nliprobe.analysis.check_outcomes import check_outcomes
from nliprobe.analysis.checks import checks
from nliprobe.analysis.failures import failures
from nliprobe.analysis.measures import measures
from nliprobe.analysis.outcome_codes import OUTCOMES
from nliprobe.analysis.outcomes import case_outcomes
from nliprobe.analysis.summary import summarise
from nliprobe.base.errors import StoreError
from nliprobe.store.frames import prediction_frame
from nliprobe.store.run import RunFolder
from nliprobe.task.case import Case, Certainty, Check, identity_case, identity_id
from nliprobe.task.check_forms import check_of, read_rule
from nliprobe.task.checks import Rule, outcome
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Pair
from nliprobe.task.partitions import Partition
from nliprobe.task.prediction import Prediction, Status
from nliprobe.task.relations import SAME, Relation

A, B, C = pair("a", "E", group="t1"), pair("b", "N", group="t2"), pair("c", "C", group="t3")
Said = dict[str, Prediction]


def made(
    name: str, base: Case, text: str, certainty: Certainty = Certainty.CERTAIN, relation: Relation | None = None
) -> Case:
    return Case(
        name, "inv.x", base.source, "edited", "hypothesis",
        bases=(base.id,), relation=relation, check=check_of(read_rule(text)), certainty=certainty,
    )  # fmt: skip


def said(label: str | None, *shares: float) -> Prediction:
    if label is None:
        return Prediction(None, status=Status.NO_ANSWER)
    return Prediction(LabelSet.of(label), (shares[0], shares[1], shares[2]) if shares else None)


def written(make_run: MakeRun, cases: list[Case], answers: Said) -> RunFolder:
    """A run of one shard whose answers have probabilities."""
    run = make_run({"x/dev": cases}, [Asked("m", {})], shard=100)
    ids = [case.id for case in cases if case.id in answers]
    run.write("predictions/folder-0", 0, prediction_frame(ids, ids, [answers[name] for name in ids]))
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


def test_checks_by_hand(make_run: MakeRun) -> None:
    run = written(make_run, CASES, ANSWERS)
    (entry,) = checks(read_run(run))
    assert (entry["system"], entry["corpus"], entry["probe"]) == ("m", "x/dev", "inv.x")
    counts = {key: entry[key] for key in ("n", "holds", "broken", "not_applicable", "unanswered")}
    assert counts == {"n": 6, "holds": 2, "broken": 2, "not_applicable": 1, "unanswered": 1}
    assert (entry["uncertain"], entry["groups"]) == (1, 3)
    assert (entry["rate"]["n"], entry["rate"]["count"], entry["rate"]["rate"]) == (4, 2, 0.5)
    # Two broken of three in the first group, none of one in the second: draws lie between.
    assert entry["rate"]["ci95"] == [0.0, pytest.approx(2 / 3)]
    assert entry["checks"]["same_label"] == {"n": 3, "holds": 1, "broken": 1, "not_applicable": 0, "unanswered": 1}
    assert entry["checks"]["close 0.1"]["not_applicable"] == 1
    assert measures(read_run(run), "m")["x/dev", "inv.x", "broken"].value == 0.5


def test_the_document_has_checks_and_is_valid(make_run: MakeRun) -> None:
    document = summarise(written(make_run, CASES, ANSWERS))
    validate("show", document)
    assert [entry["broken"] for entry in document["checks"]] == [2]
    assert document["transitions"] == []


def test_a_broken_off_run_counts_what_was_asked(make_run: MakeRun) -> None:
    assert checks(read_run(written(make_run, CASES, {"a": said("E")}))) == []
    (entry,) = checks(read_run(written(make_run, CASES, {"a": said("E"), "a1": said("E"), "b1": said("E")})))
    assert (entry["n"], entry["holds"], entry["rate"]["ci95"]) == (1, 1, None)


def test_case_outcomes_and_failures_tell_what_was_expected(make_run: MakeRun) -> None:
    run = written(make_run, CASES, ANSWERS)
    found = {row["case_id"]: row["check"] for row in case_outcomes(run, "m").iter_rows(named=True)}
    assert found["a1"] == found["a2"] == found["c2"] == "broken"
    assert (found["a3"], found["b2"], found["c1"], found["a"]) == (
        "holds", "not applicable", "unanswered", "not applicable",
    )  # fmt: skip
    shown = {item["case_id"]: item for item in failures(run)["shown"]}
    assert set(shown) == {"a1", "a2", "c2"}
    assert shown["a1"]["expected"] == "the same label as before"
    assert (shown["a1"]["before"], shown["a1"]["answer"], shown["a1"]["allowed"]) == ("E", "N", "")
    assert shown["a2"]["expected"] == "the same label as before and every probability within 0.1 of the one before"
    assert shown["a2"]["shares_before"] == pytest.approx([0.8, 0.1, 0.1])
    assert shown["a2"]["shares"] == pytest.approx([0.5, 0.3, 0.2])
    assert shown["a1"]["shares"] is None


def test_a_case_may_break_its_relation_and_keep_its_check(make_run: MakeRun) -> None:
    cases = [A, made("a1", A, "label_in ENC", relation=SAME)]
    (shown,) = failures(written(make_run, cases, {"a": said("E"), "a1": said("N")}))["shown"]
    assert (shown["allowed"], shown["expected"]) == ("E", "")


def test_pairs_made_from_pairs_are_compared_by_the_identity_probe(make_run: MakeRun) -> None:
    one = Pair("x/1", "p", "h", LabelSet.of("E"), "g")
    two = Pair("x/2", "q", "h", LabelSet.of("E"), "g", bases=("x/1",), check=check_of(read_rule("same_label")))
    cases = [identity_case(one), identity_case(two)]
    assert cases[1].bases == (identity_id("x/1"),)
    run = written(make_run, cases, {cases[0].id: said("E"), cases[1].id: said("N")})
    (entry,) = checks(read_run(run))
    assert (entry["probe"], entry["broken"]) == ("gold", 1)
    (shown,) = failures(run)["shown"]
    assert (shown["before"], shown["allowed"], shown["expected"]) == ("E", "E", "the same label as before")


def test_a_damaged_check_names_the_run(make_run: MakeRun) -> None:
    broken = Case("a1", "p", A.source, "e", "h", bases=("a",), check=Check("same_labl"))
    with pytest.raises(StoreError, match="Did you mean 'same_label'"):
        read_run(written(make_run, [A, broken], {"a": said("E"), "a1": said("E")}))


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(st.tuples(rules, st.one_of(st.none(), predictions), predictions), min_size=1, max_size=8), partitions)
def test_many_at_a_time_is_the_same_as_one_by_one(
    asked: list[tuple[Rule, Prediction | None, Prediction]], partition: Partition
) -> None:
    def mask(found: Prediction | None) -> int:
        return found.label.mask if found is not None and found.label is not None else 0

    def weights(found: Prediction | None) -> tuple[float, ...]:
        return found.probabilities if found is not None and found.probabilities is not None else (np.nan,) * 3

    every = [rule for rule, _, _ in asked]
    found = check_outcomes(
        every,
        np.arange(len(asked), dtype=np.int32),
        np.array([mask(base) for _, base, _ in asked], dtype=np.uint8),
        np.array([mask(answer) for _, _, answer in asked], dtype=np.uint8),
        np.array([weights(base) for _, base, _ in asked], dtype=np.float32),
        np.array([weights(answer) for _, _, answer in asked], dtype=np.float32),
        partition,
        has_base=np.array([base is not None for _, base, _ in asked]),
    )
    expected = [outcome(rule, [] if base is None else [base], answer, partition) for rule, base, answer in asked]
    assert [OUTCOMES[code] for code in found.tolist()] == expected
