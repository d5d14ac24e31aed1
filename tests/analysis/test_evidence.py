"""Model evidence of whole runs: models whose use of evidence is known, and what cannot be measured."""

from __future__ import annotations

from dataclasses import replace
from typing import get_type_hints

import pytest
from tests.analysis.evidence_runs import (
    asked,
    cases_of,
    first_row_reader,
    ignorer,
    passage_pair,
    perfect,
    table_pair,
)
from tests.analysis.runs import Asked, MakeRun
from tests.analysis.schemas import load_schema, validate

from nliprobe.analysis.cases import read_run
from nliprobe.analysis.evidence import documents
from nliprobe.analysis.evidence.documents import EvidenceEntry
from nliprobe.analysis.evidence.entries import evidence_entries
from nliprobe.analysis.summary import summarise
from nliprobe.store.run import RunFolder
from nliprobe.task.case import Case
from nliprobe.task.evidence import Evidence, Grade
from nliprobe.task.pair import Pair

TABLES = [
    table_pair("a", "E", [0], group="t1"),
    table_pair("b", "C", [1, 3], group="t1"),
    table_pair("c", "E", [0, 1, 2], rows=3, group="t2"),
    table_pair("d", "C", [2], group="t3"),
    # Neutral pairs, and pairs that need no row, are not in the protocol.
    table_pair("e", "N", [2], group="t4"),
    table_pair("f", "E", [], group="t4"),
]
PASSAGES = [passage_pair("p", "E", [0]), passage_pair("q", "C", [1, 4]), passage_pair("r", "E", [3])]
EACH_ALONE = [
    passage_pair("s", "E", [0, 1, 3], alone=True),
    passage_pair("t", "C", [2, 4], alone=True),
    passage_pair("u", "E", [2], alone=True, size=3),
]


def cases(pairs: list[Pair], *, keep: bool = False) -> list[Case]:
    return [
        case
        for pair in pairs
        for case in cases_of(pair, keep=range(len(pair.sentences)) if keep else (), probe="rows.delete")
    ]


def entries(run: RunFolder) -> list[EvidenceEntry]:
    document = summarise(run)
    validate("show", document)
    return document["evidence"]


def hundred(entry: EvidenceEntry) -> bool:
    """Whether every measure of the evidence is 100 %."""
    means = [entry["precision"], entry["precision_where_some"], entry["recall"]]
    rates = [entry["exact"], entry["kinds"]["all"], entry["accuracy"], entry["right"]["all"]]
    rates += [entry["without_all"], entry["grounded"]]
    return all(item["mean"] == 1.0 for item in means) and all(item["rate"] == 1.0 for item in rates)


def test_a_perfect_user_of_tables_scores_100_on_every_measure(make_run: MakeRun) -> None:
    every = cases(TABLES)
    [entry] = entries(make_run({"x/dev": every}, [asked("perfect", perfect, every)]))
    assert (entry["corpus"], entry["grade"], entry["unit"], entry["method"]) == ("x/dev", "gold", "row", "delete")
    assert (entry["pairs"], entry["n"], entry["groups"], entry["left_out"]) == (4, 4, 3, [])
    assert hundred(entry)
    # Where every row is relevant, nothing would be left: "without all" is about three pairs.
    assert entry["without_all"]["n"] == 3
    assert {label: item["n"] for label, item in entry["labels"].items()} == {"E": 2, "C": 2}


def test_a_perfect_user_of_passages_scores_100_on_every_measure(make_run: MakeRun) -> None:
    every = cases(PASSAGES)
    [entry] = entries(make_run({"x/dev": every}, [asked("perfect", perfect, every)]))
    assert (entry["unit"], entry["method"], entry["n"]) == ("sentence", "delete", 3)
    assert hundred(entry)
    assert entry["keys"]["keys"] == []


def test_where_each_sentence_suffices_alone_keeping_one_tells(make_run: MakeRun) -> None:
    every = cases(EACH_ALONE, keep=True)
    deleted, kept = entries(make_run({"x/dev": every}, [asked("perfect", perfect, every)]))
    assert (deleted["method"], kept["method"]) == ("delete", "keep")
    assert hundred(kept)
    assert kept["n"] == 3
    assert (deleted["n"], deleted["left_out"]) == (
        1,
        [{"reason": "each of several sentences suffices alone, so that deleting one says nothing", "n": 2}],
    )
    assert hundred(deleted)


def test_a_model_that_ignores_the_premise_uses_nothing(make_run: MakeRun) -> None:
    every = cases(TABLES)
    [entry] = entries(make_run({"x/dev": every}, [asked("ignorer", ignorer, every)]))
    assert entry["precision"]["mean"] == entry["recall"]["mean"] == 0.0
    assert entry["precision_where_some"]["n"] == 0
    assert entry["kinds"]["nothing"]["rate"] == entry["nothing_of_wrong"]["rate"] == 1.0
    assert entry["right"]["nothing"]["count"] == entry["accuracy"]["count"] == 2
    assert entry["without_all"]["rate"] == entry["grounded"]["rate"] == 0.0
    assert entry["used_counts"] == {"0": 4}
    assert {item["name"]: item["nothing"] for item in entry["baselines"]}["no unit"] == 1.0


def test_keeping_one_cannot_tell_an_ignorer_from_a_model_that_uses_every_unit_but_deleting_all_can(
    make_run: MakeRun,
) -> None:
    every = cases(EACH_ALONE[:2], keep=True)
    kept = entries(make_run({"x/dev": every}, [asked("ignorer", ignorer, every)]))[-1]
    assert kept["recall"]["mean"] == 1.0
    assert kept["precision"]["mean"] == next(
        item["precision"] for item in kept["baselines"] if item["name"] == "every unit"
    )
    assert (kept["without_all"]["count"], kept["grounded"]["count"]) == (0, 0)


def test_a_model_that_reads_only_the_first_row(make_run: MakeRun) -> None:
    pairs = [table_pair("a", "E", [0]), table_pair("b", "C", [2]), table_pair("c", "C", [0])]
    every = cases(pairs)
    [entry] = entries(make_run({"x/dev": every}, [asked("first", first_row_reader, every)]))
    first, middle, last = entry["positions"]
    assert (first["used"]["count"], middle["used"]["count"], last["used"]["count"]) == (2, 0, 0)
    assert first["used_of_marked"]["rate"] == 1.0
    assert (entry["exact"]["count"], entry["kinds"]["nothing"]["count"]) == (2, 1)


def test_relevant_and_irrelevant_rows_may_be_deleted_by_two_probes(make_run: MakeRun) -> None:
    every = []
    for pair in TABLES[:2]:
        marked = pair.evidence.units if pair.evidence else ()
        every += cases_of(pair, delete=marked, whole=False, probe="rows.delete?which=relevant")
        others = [place for place in range(4) if place not in marked]
        every += cases_of(pair, delete=others, whole=False, probe="rows.delete?which=irrelevant")[1:]
    [entry] = entries(make_run({"x/dev": every}, [asked("perfect", perfect, every)]))
    assert (entry["n"], entry["exact"]["count"]) == (2, 2)


def test_grades_and_corpora_are_never_mixed(make_run: MakeRun) -> None:
    pairs = [
        table_pair("a", "E", [0]),
        table_pair("b", "E", [1], grade=Grade.EDIT),
        table_pair("c", "E", [1], grade=Grade.SILVER),
    ]
    other = cases([table_pair("d", "C", [0])])
    every = cases(pairs)
    run = make_run({"x/dev": every, "y/dev": other}, [asked("perfect", perfect, [*every, *other])])
    assert [(entry["corpus"], entry["grade"], entry["n"]) for entry in entries(run)] == [
        ("x/dev", "gold", 1),
        ("x/dev", "edit", 1),
        ("x/dev", "silver", 1),
        ("y/dev", "gold", 1),
    ]


def test_what_cannot_be_measured_is_left_out_and_counted(make_run: MakeRun) -> None:
    whole = table_pair("whole", "E", [0])
    beyond = replace(table_pair("beyond", "E", [0]), evidence=Evidence((0, 9)))
    short = table_pair("short", "E", [0], rows=1)
    partly = table_pair("partly", "E", [0])
    silent, mute = table_pair("silent", "E", [0]), table_pair("mute", "E", [0])
    every = [*cases([whole, beyond, silent, mute]), *cases_of(short, delete=()), *cases_of(partly, delete=[0, 2])]
    answers = dict(asked("m", perfect, every).answers)
    answers["silent without 2"] = None
    answers["mute"] = None
    [entry] = entries(make_run({"x/dev": every}, [Asked("m", answers)]))
    assert (entry["pairs"], entry["n"]) == (6, 1)
    assert hundred(entry)
    assert {item["reason"]: item["n"] for item in entry["left_out"]} == {
        "the evidence names a row that is not there": 1,
        "there is one row only": 1,
        "not every row was taken out": 1,
        "not all of its cases were answered": 1,
        "the pair itself was not answered": 1,
    }


def test_an_interrupted_run_is_measured_as_far_as_it_went(make_run: MakeRun) -> None:
    every = cases(TABLES[:2])
    answers = dict(asked("m", perfect, every).answers)
    del answers["b without 3"], answers["b without all"]
    [entry] = entries(make_run({"x/dev": every}, [Asked("m", answers)], status="running"))
    assert (entry["pairs"], entry["n"]) == (2, 1)
    assert entry["left_out"] == [{"reason": "not all of its cases were answered", "n": 1}]


def test_a_two_way_system_is_measured_on_the_label_that_it_tells_from_neutral(make_run: MakeRun) -> None:
    every = cases(TABLES)
    answers = {
        name: None if label is None else {"E": "E"}.get(label, "NC")
        for name, label in asked("m", perfect, every).answers.items()
    }
    [entry] = entries(make_run({"x/dev": every}, [Asked("m", answers, "E|NC")]))
    assert (entry["pairs"], entry["n"], entry["partition"]) == (4, 2, "E|NC")
    assert hundred(entry)
    assert entry["left_out"] == [
        {"reason": "the system does not tell C from N, so that nothing can change", "n": 2},
    ]
    never = {name: "C" if label == "N" else label for name, label in asked("m", perfect, every).answers.items()}
    [entry] = entries(make_run({"x/dev": every}, [Asked("m", never, "E|C")]))
    assert (entry["pairs"], entry["n"]) == (4, 0)
    assert entry["precision"]["mean"] is None


def test_units_that_never_reach_the_system_cannot_be_used_and_are_counted(make_run: MakeRun) -> None:
    pair = table_pair("a", "E", [1, 3])
    every = cases_of(pair)
    texts = {"a": "cut", "a without 2": "cut", "a without 3": "cut"}
    answers = {**dict.fromkeys(asked("m", perfect, every).answers, "N"), **dict.fromkeys(texts, "E")}
    [entry] = entries(make_run({"x/dev": every}, [Asked("m", answers, texts=texts)]))
    assert entry["unread"] == {"units": 2, "marked": 1, "pairs": 1}
    assert (entry["kinds"]["partial"]["count"], entry["recall"]["mean"]) == (1, 0.5)


def test_without_evidence_or_without_deletions_there_is_nothing(make_run: MakeRun) -> None:
    bare = [replace(pair, evidence=None) for pair in TABLES]
    every = cases(bare)
    assert entries(make_run({"x/dev": every}, [asked("m", ignorer, every)])) == []
    as_they_are = [case for case in cases(TABLES) if not case.edits]
    assert entries(make_run({"x/dev": as_they_are}, [asked("m", ignorer, as_they_are)])) == []


def test_the_threshold_for_keys_can_be_chosen(make_run: MakeRun) -> None:
    every = cases(TABLES)
    run = make_run({"x/dev": every}, [asked("m", perfect, every)])
    [entry] = evidence_entries(run, read_run(run), least=3)
    everywhere = [item for item in entry["keys"]["keys"] if item["label"] == "all"]
    assert {item["key"]: item["n"] for item in everywhere} == {"key 0": 4, "key 1": 4, "key 2": 4, "key 3": 3}
    assert all(item["difference"] == 0 for item in everywhere)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("evidence", documents.EvidenceEntry),
        ("mean", documents.Mean),
        ("kinds", documents.Kinds),
        ("baseline", documents.Baseline),
        ("labelUse", documents.LabelUse),
        ("positionUse", documents.PositionUse),
        ("keyUse", documents.KeyUse),
        ("keysUse", documents.KeysUse),
        ("unread", documents.Unread),
    ],
)
def test_the_schema_names_every_field(name: str, kind: type) -> None:
    part = load_schema("show")["$defs"][name]
    assert set(part["properties"]) == set(part["required"]) == set(get_type_hints(kind))
