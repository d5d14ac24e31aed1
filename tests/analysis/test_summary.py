"""The documents: valid by their published schemas, free of NaN, the same for the same seed."""

from __future__ import annotations

import subprocess
import sys
from typing import get_type_hints

import pytest
from tests.analysis.runs import Asked, MakeRun, derived, pair
from tests.analysis.schemas import load_schema, validate

from nliprobe.analysis import documents
from nliprobe.analysis.following_documents import Followed, FollowedFacet, FollowingEntry, Outcomes
from nliprobe.analysis.knowledge_documents import KnowledgeControl, KnowledgeEntry, TwinOutcomes
from nliprobe.analysis.summary import Scored, score_document, summarise
from nliprobe.analysis.two_way_documents import AtThreshold, TwoWay, TwoWayEntry
from nliprobe.store.record import SkippedPairs
from nliprobe.task.case import Prediction, Status
from nliprobe.task.labels import LabelSet, Partition

A, B = pair("a", "E", group="t1"), pair("b", "N", group="t2")
CASES = {"x/dev": [A, B, derived("a1", A), derived("b1", B)], "y/dev": [pair("c", None)]}


def scored(*rows: tuple[str | None, str | None, str]) -> list[Scored]:
    return [
        Scored(
            None if gold is None else LabelSet.of(gold),
            Prediction(None, status=Status.FAILED) if answer is None else Prediction(LabelSet.of(answer)),
            group,
        )
        for gold, answer, group in rows
    ]


def test_summarise_makes_a_valid_document(make_run: MakeRun) -> None:
    answers = {"a": "E", "b": None, "a1": "C", "b1": "N", "c": "E"}
    run = make_run(
        CASES,
        [Asked("m", answers), Asked("control", dict.fromkeys(answers, "E"), premise="none")],
        skipped=[SkippedPairs("x/dev", "swap", "a table cannot be exchanged", 2)],
        notes={"m": ["1 input was cut"]},
    )
    document = summarise(run)
    validate("show", document)
    assert document == summarise(run)
    assert document["run"]["cases"] == 5
    assert document["run"]["probes"] == ["gold", "rows.delete"]
    assert document["run"]["systems"][1]["premise"] == "none"
    assert [entry["system"] for entry in document["scores"]] == ["m", "control"]
    assert [gain["gain"] for gain in document["gains"]] == [0.0]
    assert [entry["n"] for entry in document["transitions"]] == [1, 2]
    assert document["skipped"][0]["n"] == 2
    assert document["notes"] == {"m": ["1 input was cut"]}


def test_summarise_reads_a_run_that_was_broken_off(make_run: MakeRun) -> None:
    document = summarise(make_run(CASES, [Asked("m", {"a": "E"}), Asked("late", {})], status="running"))
    validate("show", document)
    assert document["run"]["status"] == "running"
    assert [(entry["system"], entry["n"]) for entry in document["scores"]] == [("m", 1)]


def test_score_document_by_hand() -> None:
    rows = scored(("E", "E", "t"), ("N", "C", "t"), ("C", None, "u"), (None, "E", "u"))
    document = score_document("x/dev", "file:answers.jsonl", rows, notes=["1 id is unknown"])
    validate("score", document)
    assert (document["n"], document["answered"], document["unanswered"], document["unlabelled"]) == (3, 2, 1, 1)
    assert (document["accuracy"], document["groups"]) == (1 / 3, 2)
    assert document["macro_f1"] == pytest.approx(1 / 3)
    assert document["confusion"]["C"] == {"E": 0, "N": 0, "C": 0, "unanswered": 1}
    assert document["notes"] == ["1 id is unknown"]


def test_score_document_keeps_pairs_without_a_group_apart() -> None:
    document = score_document("x", "m", scored(("E", "E", ""), ("N", "N", ""), ("N", "E", "")))
    assert (document["groups"], document["ci95_clustered"]) == (3, None)


def test_score_document_joins_the_partitions() -> None:
    rows = scored(("N", "NC", "t"), ("E", "E", "u"))
    document = score_document("x", "m", rows, system_partition=Partition.parse("E|NC"))
    validate("score", document)
    assert (document["partition"], document["accuracy"]) == ("E|NC", 1.0)


@pytest.mark.parametrize("rows", [[], [(None, "E", "t")]])
def test_score_document_of_nothing_is_full_of_nulls(rows: list[tuple[str | None, str | None, str]]) -> None:
    document = score_document("x", "m", scored(*rows))
    validate("score", document)
    assert (document["n"], document["accuracy"], document["ci95"], document["macro_f1"]) == (0, None, None, None)


@pytest.mark.parametrize(
    ("file", "place", "kind"),
    [
        ("score", "", documents.ScoreDocument),
        ("score", "labelScore", documents.LabelScore),
        ("show", "", documents.ShowDocument),
        ("show", "run", documents.RunHead),
        ("show", "score", documents.ScoreEntry),
        ("show", "gain", documents.Gain),
        ("show", "twoWayEntry", TwoWayEntry),
        ("show", "atThreshold", AtThreshold),
        ("score", "twoWay", TwoWay),
        ("score", "atThreshold", AtThreshold),
        ("show", "following", FollowingEntry),
        ("show", "followed", Followed),
        ("show", "followedFacet", FollowedFacet),
        ("show", "editOutcomes", Outcomes),
        ("show", "knowledge", KnowledgeEntry),
        ("show", "knowledgeControl", KnowledgeControl),
        ("show", "twinOutcomes", TwinOutcomes),
        ("show", "rate", documents.Rate),
        ("show", "meanRate", documents.MeanRate),
        ("show", "transitions", documents.Transitions),
        ("show", "transitionAverage", documents.TransitionAverage),
        ("show", "expectations", documents.ExpectationEntry),
        ("show", "expectationCounts", documents.ExpectationCounts),
    ],
)
def test_schemas_name_the_fields_of_the_types(file: str, place: str, kind: type) -> None:
    schema = load_schema(file)
    part = schema["$defs"][place] if place else schema
    assert set(part["properties"]) == set(part["required"]) == set(get_type_hints(kind))
    assert all("description" in field or "$ref" in field for field in part["properties"].values())


def test_importing_analysis_and_report_loads_nothing_heavy() -> None:
    code = (
        "import sys, nliprobe.analysis.summary, nliprobe.report.console; "
        "print([name for name in ('numpy', 'polars', 'rich') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
