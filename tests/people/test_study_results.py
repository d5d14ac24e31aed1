"""The results of a study, from answers whose numbers were worked out by hand."""

from __future__ import annotations

from pathlib import Path
from typing import get_type_hints

import pytest
from tests.analysis.schemas import load_schema, validate
from tests.people.studied import (
    GOLD,
    NEAR,
    SAID,
    TEMPLATE_ITEMS,
    answers_file,
    give,
    small_study,
    write_small_study,
)

from nliprobe.people.study.answers import Collected, Feedback, Given, read_answers
from nliprobe.people.study.results import results_of, study_results
from nliprobe.report.study_tables import said_lines
from nliprobe.task import study_results as documents
from nliprobe.task.study_results import StageDifference, StageResult, StudyResults

# In the order of the items: the first examples of all templates, then the second ones.
TRUTH = "".join(said[0] for said in SAID) + "".join(said[1] for said in SAID)


def results(given: list[Given], feedback: list[Feedback] | None = None) -> StudyResults:
    study, key = small_study()
    document = study_results(study, key, Collected(given, feedback or []))
    validate("study-results", document)
    return document


def only(document: StudyResults) -> StageResult:
    [stage] = document["stages"]
    return stage


def test_results_are_computed_by_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    from threadpoolctl import threadpool_info, threadpool_limits

    from nliprobe.people.study import results as module

    used: list[int] = []

    def look(*_: object) -> list[StageDifference]:
        used.extend(one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas")
        return []

    monkeypatch.setattr(module, "stage_differences", look)
    with threadpool_limits(limits=2, user_api="blas"):
        results(give("B1", "A", TRUTH))
    assert set(used) == {1}


def test_accuracy_agreement_and_what_simple_rules_get() -> None:
    # A is always right, B always says E, C is right but for two skipped questions.
    skipped = TRUTH[:10] + ".."
    stage = only(results(give("B1", "A", TRUTH) + give("B1", "B", "E" * 12) + give("B1", "C", skipped)))
    always_e = TRUTH.count("E") / 12
    assert stage["accuracy"]["value"] == pytest.approx((1 + always_e + 10 / 12) / 3, abs=1e-6)
    same = [always_e, 10 / 12, TRUTH[:10].count("E") / 12]
    assert stage["agreement"]["value"] == pytest.approx(sum(same) / 3, abs=1e-6)
    rules = {one["rule"]: one for one in stage["baselines"]}
    gold = sum(
        said == right for pair, other in zip(SAID, GOLD, strict=True) for said, right in zip(pair, other, strict=True)
    )
    near = sum(
        said == most for pair, other in zip(SAID, NEAR, strict=True) for said, most in zip(pair, other, strict=True)
    )
    assert rules["gold"]["value"] == pytest.approx(gold / 12, abs=1e-6)
    assert rules["neighbours"]["value"] == pytest.approx(near / 12, abs=1e-6)
    counts = {label: TRUTH.count(label) for label in "ENC"}
    assert rules["constant"]["answer"] == max("ENC", key=lambda label: counts[label])
    assert rules["constant"]["value"] == pytest.approx(max(counts.values()) / 12, abs=1e-6)
    assert rules["chance"]["value"] == pytest.approx(1 / 3, abs=1e-6)
    for rule in rules.values():
        above = rule["above"]["value"]
        assert above is not None
        assert above + rule["value"] == pytest.approx(stage["accuracy"]["value"], abs=3e-6)
    assert (stage["given"], stage["skipped"], stage["not_reached"]) == (34, 2, 0)
    assert [one["accuracy"] for one in stage["participants"]] == pytest.approx([1, always_e, 10 / 12], abs=1e-6)
    assert stage["system_name"] == "the-secret-system"


def test_bids() -> None:
    # Right bins are 80-100, 40-60, 40-60, 80-100, 0-20, 80-100.
    sure = [(0, 0, 0, 0, 5), (0, 0, 5, 0, 0), (0, 0, 4, 1, 0), (0, 0, 0, 2, 3), (5, 0, 0, 0, 0), (0, 0, 0, 0, 5)]
    even = [(1, 1, 1, 1, 1)] * 5 + [(0, 0, 0, 0, 0)]
    given = [
        Given(name, "bids", item, "", tuple(map(float, points)))
        for name, bids in (("A", sure), ("B", even), ("C", sure))
        for item, points in zip(TEMPLATE_ITEMS, bids, strict=True)
    ]
    stage = only(results(given))
    bids = stage["bids"]
    assert bids is not None
    assert bids["score"]["value"] == pytest.approx((2 * 27 / 6 + 5 / 6) / 3, abs=1e-6)
    # Of five equal bids the lowest bin counts, which is right once; no points at all are no bid.
    assert stage["accuracy"]["value"] == pytest.approx((1 + 1 / 6 + 1) / 3, abs=1e-6)
    assert bids["shared_accuracy"]["value"] == pytest.approx((2 + 5 * 0.2 / 6) / 3, abs=1e-6)
    assert (bids["tied"], bids["bids"]) == (5, 18)
    assert (bids["constant_bin"], bids["constant_score"], bids["even_score"]) == ("80-100", 2.5, 1.0)
    assert stage["skipped"] == 1
    assert stage["agreement"]["value"] == pytest.approx((1 / 6 + 1 + 1 / 6) / 3, abs=1e-6)
    assert bids["pearson_pairs"] == 3
    both = next(one for one in stage["pairs"] if (one["first"], one["second"]) == ("A", "C"))
    assert both["pearson"] == 1
    assert [rule["rule"] for rule in stage["baselines"]] == ["constant", "chance"]


def test_stages_are_compared_where_answers_are_the_same() -> None:
    given = [one for name in "ABCD" for one in give("B1", name, TRUTH[:6] + "EEEEEE")]
    given += [one for name in "ABCD" for one in give("R2", name, TRUTH)]
    given += [one for name in "ABCD" for one in give("picks", name, ["0-20"] * 6, TEMPLATE_ITEMS)]
    document = results(given)
    assert {(one["first"], one["second"], one["measure"]) for one in document["differences"]} == {
        ("B1", "R2", "accuracy"),
        ("B1", "R2", "agreement"),
    }
    accuracy, agreement = document["differences"]
    assert accuracy["value"] == pytest.approx(len(TRUTH[6:].replace("E", "")) / 12, abs=1e-6)
    assert agreement["value"] == 0
    assert (accuracy["participants"], accuracy["templates"]) == (4, 6)
    assert accuracy["ci95"] is not None
    assert accuracy["value"] is not None
    assert accuracy["ci95"][0] <= accuracy["value"] <= accuracy["ci95"][1]
    assert accuracy["ci95"] == accuracy["ci95_together"], "one difference is a family of its own"


def test_differences_are_of_the_same_people_and_templates() -> None:
    first = give("B1", "A", TRUTH) + give("B1", "B", TRUTH) + give("B1", "left", "." * 12)
    second = give("R2", "A", TRUTH) + give("R2", "B", TRUTH) + give("R2", "new", "N")
    [accuracy, _] = results(first + second)["differences"]
    assert (accuracy["value"], accuracy["participants"]) == (0, 2)
    assert accuracy["ci95"] is None, "two people say nothing about others"
    alone = results(give("B1", "A", TRUTH) + give("R2", "B", TRUTH))["differences"]
    assert all(one["value"] is None and one["participants"] == 0 for one in alone)


def test_who_stops_skips_or_is_alone_is_said() -> None:
    document = results(give("B1", "A", TRUTH) + give("B1", "B", TRUTH[:4]) + give("B1", "C", "." + TRUTH[1:]))
    notes = " ".join(document["notes"])
    assert "Nobody reached the stages bids, picks, R2." in notes
    assert "Stopped in stage B1: B after 4 of 12." in notes
    assert "1 of 28 questions of stage B1 were skipped" in notes
    stage = only(document)
    assert stage["not_reached"] == 8
    assert stage["participants"][1]["accuracy"] == 1, "what was not reached counts for nothing"
    [note] = [line for line in results(give("B1", "A", TRUTH))["notes"] if "no interval" in line]
    assert "1 participant and 6 templates" in note


def test_the_order_of_stages_is_recorded() -> None:
    def placed(name: str, *stages: str) -> list[Given]:
        return [
            one._replace(position=place) for place, stage in enumerate(stages, 1) for one in give(stage, name, TRUTH)
        ]

    same = results(placed("A", "B1", "R2") + placed("B", "B1", "R2"))
    assert same["orders"][0] == {"participant": "A", "stages": ["B1", "R2"]}
    assert any("in the same order (B1, R2)" in note for note in same["notes"])
    balanced = results(placed("A", "B1", "R2") + placed("B", "R2", "B1"))
    assert not any("order" in note for note in balanced["notes"])
    unknown = results(give("B1", "A", TRUTH) + give("R2", "A", TRUTH))
    assert any("was not recorded" in note for note in unknown["notes"])


def test_feedback_is_counted() -> None:
    said = [Feedback(name, "B1", "useful", answer) for name, answer in (("A", "yes"), ("B", "yes"), ("C", "no"))]
    said += [Feedback("A", "B1", "remark", "Too long."), Feedback("A", "", "easier", "R2")]
    document = results(give("B1", "A", TRUTH), said)
    useful, remark = only(document)["feedback"]
    assert useful["counts"] == {"yes": 2, "no": 1}
    assert remark["texts"] == ["Too long."]
    assert document["feedback"][0]["counts"] == {"B1": 0, "R2": 1}


def test_remarks_are_cut_on_the_console_and_whole_where_they_are_asked_for() -> None:
    said = [Feedback(f"P{number}", "B1", "remark", f"{number} {'long ' * 60}") for number in range(7)]
    document = results(give("B1", "P0", TRUTH), said)
    few, every = said_lines(document), said_lines(document, whole=True)
    assert few[0] == every[0] == "Stage B1: Anything else?"
    assert (len(few), few[-1]) == (1 + 5 + 1, "2 more remarks are in the JSON")
    assert few[1].endswith("…”")
    assert every[1:] == [f"“{one.answer}”" for one in said]


def test_what_participants_chose_is_counted_and_stages_are_named() -> None:
    said = [Feedback(name, "B1", "useful", answer) for name, answer in (("A", "yes"), ("B", "yes"), ("C", "no"))]
    said += [Feedback("A", "", "easier", "R2")]
    given = [one for stage in ("B1", "R2") for one in give(stage, "A", TRUTH)]
    assert said_lines(results(given, said)) == [
        "Stage B1: Was it useful? yes: 2, no: 1",
        "Which was easier? stage R2: 1",
    ]


def test_results_come_from_files(tmp_path: Path) -> None:
    study, _ = write_small_study(tmp_path)
    halves = [answers_file(tmp_path / f"{name}.csv", study, give("B1", name, TRUTH)) for name in ("A", "B", "C")]
    document = results_of(tmp_path, halves)[0]
    assert document["participants"] == 3
    assert only(document)["accuracy"]["value"] == 1
    ends = only(document)["accuracy"]["ci95"]
    assert ends is not None
    assert ends[0] < 0.6, "three people who are always right do not show that everybody is"
    assert read_answers(study, halves).participants == ["A", "B", "C"]


def test_numbers_do_not_depend_on_the_order_of_lines() -> None:
    given = [
        one for name, text in zip("ABC", (TRUTH, "E" * 12, "N" * 12), strict=True) for one in give("B1", name, text)
    ]
    assert results(given) == results(given[::-1])


@pytest.mark.parametrize(
    ("place", "kind"),
    [
        ("", documents.StudyResults),
        ("stage", documents.StageResult),
        ("measured", documents.Measured),
        ("baseline", documents.Baseline),
        ("bids", documents.BidMeasures),
        ("participant", documents.ParticipantEntry),
        ("pair", documents.PairEntry),
        ("feedback", documents.FeedbackCount),
        ("difference", documents.StageDifference),
        ("order", documents.OrderEntry),
    ],
)
def test_the_schema_names_the_fields_of_the_types(place: str, kind: type) -> None:
    schema = load_schema("study-results")
    part = schema["$defs"][place] if place else schema
    assert set(part["properties"]) == set(part["required"]) == set(get_type_hints(kind))
    assert all("description" in one for one in part["properties"].values())
