"""The built-in corpus keeps its promises: balance, twins, evidence, no leak by length, every pair read twice."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from nliprobe.corpora.builtin import FOLDER, Builtin
from nliprobe.language.sentences import split_sentences
from nliprobe.task.pair import Pair
from nliprobe.task.table import Table

TABLES: list[dict[str, Any]] = [
    table for path in sorted((FOLDER / "tables").glob("*.json")) for table in json.loads(path.read_text())
]
SENTENCES: list[dict[str, Any]] = [
    json.loads(line)
    for path in sorted((FOLDER / "sentences").glob("*.jsonl"))
    for line in path.read_text().splitlines()
]
PASSAGES: list[dict[str, Any]] = [
    json.loads(line) for path in sorted((FOLDER / "passages").glob("*.jsonl")) for line in path.read_text().splitlines()
]
HYPOTHESES = [(table, item) for table in TABLES for item in table["hypotheses"]]
REASONING = {
    "simple_lookup", "multirow", "numerical", "temporal", "negation", "quantification", "coreference",
    "knowledge_common_sense", "lexical", "entity_type", "named_entity", "subjective_oot", "syntactic_alternation",
    "ellipsis",
}  # fmt: skip
REVIEW = Path(__file__).parents[2] / "docs" / "review"
NEGATION = {"not", "no", "never", "nobody", "none", "nothing", "neither"}


def all_pairs() -> list[Pair]:
    parts = [split for split in Builtin.splits if not split.endswith("-all")]
    return [pair for split in parts for pair in Builtin(split, FOLDER).pairs()]


def test_there_is_as_much_as_promised() -> None:
    assert len(TABLES) >= 40
    assert len({table["category"] for table in TABLES}) >= 10
    assert len(SENTENCES) >= 300
    assert sum(table["fictional"] for table in TABLES) * 2 == len(TABLES)
    assert {kind for _, item in HYPOTHESES for kind in item["reasoning"]} == REASONING


def test_all_tables_are_those_of_train_and_dev_and_every_category_has_another_table() -> None:
    together = list(Builtin("tables-all", FOLDER).pairs())
    apart = [pair for split in ("tables-train", "tables-dev") for pair in Builtin(split, FOLDER).pairs()]
    assert sorted((pair.group, pair.hypothesis) for pair in together) == sorted(
        (pair.group, pair.hypothesis) for pair in apart
    )
    groups = {(pair.premise.category, pair.group) for pair in together if isinstance(pair.premise, Table)}
    assert set(Counter(category for category, _ in groups).values()) == {2}


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table["id"])
def test_every_table_is_whole(table: dict[str, Any]) -> None:
    assert 5 <= len(table["rows"]) <= 14
    assert sum(len(values) > 1 for values in table["rows"].values()) >= 2
    assert all(value == value.strip() and value for values in table["rows"].values() for value in values)
    assert Counter(item["label"] for item in table["hypotheses"]) == {"E": 3, "N": 3, "C": 3}
    for item in table["hypotheses"]:
        assert item["id"].startswith(f"{table['id']}-{item['label'].lower()}")
        assert set(item["evidence"]) <= set(table["rows"]), "evidence names rows"
        assert item["evidence"] or item["label"] == "N"
        assert 1 <= len(item["reasoning"]) <= 4
        assert item["text"].endswith(".")


def test_twins_share_their_schema_and_pair_their_hypotheses() -> None:
    by_id = {table["id"]: table for table in TABLES}
    texts = {item["id"]: item for _, item in HYPOTHESES}
    differ = 0
    for table in TABLES:
        twin = by_id[table["twin"]]
        assert twin["twin"] == table["id"]
        assert twin["fictional"] != table["fictional"]
        assert list(twin["rows"]) == list(table["rows"])
        partners = [item["twin"] for item in table["hypotheses"]]
        assert sorted(partners) == sorted(item["id"] for item in twin["hypotheses"])
        differ += sum(texts[item["twin"]]["label"] != item["label"] for item in table["hypotheses"])
    # A third of the frames change their label with the table: the frame alone does not give it away.
    assert 0.25 < differ / len(HYPOTHESES) < 0.5


def test_twins_are_one_group() -> None:
    for split in ("tables-train", "tables-dev"):
        groups: dict[str, set[str]] = {}
        for item in Builtin(split, FOLDER).pairs():
            groups.setdefault(item.group, set()).update(facet.value for facet in item.facets if facet.name == "table")
        assert len(groups) == 12
        assert all(len(tables) == 2 for tables in groups.values())
        assert all({name[-1] for name in tables} == {"r", "f"} for tables in groups.values())


def test_sentences_are_balanced_and_their_twins_symmetric() -> None:
    by_id = {item["id"]: item for item in SENTENCES}
    assert len(by_id) == len(SENTENCES)
    groups: dict[str, list[dict[str, Any]]] = {}
    for item in SENTENCES:
        groups.setdefault(item["id"].rpartition("-")[0], []).append(item)
        if item["twin"]:
            assert by_id[item["twin"]]["twin"] == item["id"]
            assert by_id[item["twin"]]["premise"] == item["premise"]
    for items in groups.values():
        assert sorted(item["label"] for item in items) == ["C", "E", "N"]
        assert len({item["premise"] for item in items}) == 1
    assert len({items[0]["premise"] for items in groups.values()}) == len(groups)
    assert sum(bool(item["twin"]) for item in SENTENCES) >= 100


@pytest.mark.parametrize("passage", PASSAGES, ids=lambda passage: passage["topic"])
def test_every_passage_is_whole(passage: dict[str, Any]) -> None:
    texts = passage["sentences"]
    assert 5 <= len(texts) <= 7
    # The given sentences are also those that rules find, so that users' own copies have the same units.
    premise = passage["gap"].join(texts)
    assert [premise[start:stop] for start, stop in split_sentences(premise)] == texts
    assert Counter(item["label"] for item in passage["hypotheses"]) == {"E": 2, "N": 2, "C": 2}
    for item in passage["hypotheses"]:
        assert item["id"].startswith(f"{passage['id']}-{item['label'].lower()}")
        assert bool(item["evidence"]) == (item["label"] != "N")
        assert all(0 <= place < len(texts) for place in item["evidence"])
        assert not item["alone"] or len(item["evidence"]) > 1
        assert set(item["reasoning"]) <= REASONING
        assert item["text"].endswith(".")


def test_pairs_of_passages_say_where_their_sentences_are() -> None:
    pairs = list(Builtin("passages-dev", FOLDER).pairs())
    assert sum(pair.evidence is not None and pair.evidence.alone for pair in pairs) == 5
    for pair in pairs:
        assert isinstance(pair.premise, str)
        assert pair.sentences == split_sentences(pair.premise)


def test_no_hypothesis_occurs_twice() -> None:
    texts = Counter(pair.hypothesis.lower() for pair in all_pairs())
    assert [text for text, times in texts.items() if times > 1] == []


@pytest.mark.parametrize("kind", ["tables", "sentences", "passages"])
def test_length_and_negation_do_not_give_the_label_away(kind: str) -> None:
    pairs = [pair for pair in all_pairs() if pair.id.startswith(f"builtin/{kind}")]
    by_label = {label: [p.hypothesis for p in pairs if str(p.gold) == label] for label in "ENC"}
    lengths = {label: mean(map(len, texts)) for label, texts in by_label.items()}
    assert max(lengths.values()) / min(lengths.values()) < 1.08
    negated = {
        label: sum(bool(NEGATION & set(text.lower().strip(".").split())) for text in texts)
        for label, texts in by_label.items()
    }
    assert max(negated.values()) <= 1.35 * min(negated.values())


def test_every_pair_was_read_again() -> None:
    asked = [item for content in PASSAGES for item in content["hypotheses"]]
    expected = {item["id"]: item["label"] for _, item in HYPOTHESES}
    expected |= {item["id"]: item["label"] for item in [*SENTENCES, *asked]}
    verdicts = [
        row
        for path in sorted(REVIEW.glob("builtin_*.csv"))
        for row in csv.DictReader(path.read_text(encoding="utf-8").splitlines())
    ]
    assert {row["id"]: row["label"] for row in verdicts} == expected
    assert len(verdicts) == len(expected)
    assert {row["verdict"] for row in verdicts} <= {"ok", "fixed", "doubtful"}
    assert all(row["note"] for row in verdicts if row["verdict"] != "ok")
    assert sum(row["verdict"] == "doubtful" for row in verdicts) < 0.02 * len(verdicts)


def test_pairs_carry_evidence_and_facets() -> None:
    for pair in all_pairs():
        names = {facet.name for facet in pair.facets}
        assert "reasoning" in names
        if isinstance(pair.premise, Table):
            assert pair.evidence is not None
            assert all(0 <= row < len(pair.premise.rows) for row in pair.evidence.units)
            assert {"category", "fictional", "twin", "table"} <= names
