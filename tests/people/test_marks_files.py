"""Cleaned evidence is written so that corpora read it back exactly."""

from __future__ import annotations

import csv
import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.people.marked import crowd

from nliprobe.base.errors import NotFoundError, UsageError
from nliprobe.base.files import data_roots
from nliprobe.corpora.held import HeldPairs
from nliprobe.corpora.marks import open_marks
from nliprobe.people.clean_marks import CleaningRule, clean_marks
from nliprobe.people.marks_files import write_evidence, write_wanting
from nliprobe.task.evidence import Evidence
from nliprobe.task.evidenced import attach_evidence
from nliprobe.task.marks import Mark, MarkedPair
from nliprobe.task.pair import Pair
from nliprobe.task.sources import open_source
from nliprobe.task.table import Row, Table

# What people write, but no control characters, which CSV files of raters do not hold either.
TEXT = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=12)
MARKS = st.lists(st.text("01", min_size=4, max_size=4), min_size=3, max_size=3)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(TEXT, MARKS, min_size=1, max_size=5), st.sampled_from(["csv", "jsonl"]))
def test_exported_evidence_comes_back(votes: dict[str, list[str]], ending: str) -> None:
    keys = ("Born", "Died", "Spouse; Partner")
    marked = [
        MarkedPair("", "T1", hypothesis, tuple(Mark(str(place), bits) for place, bits in enumerate(marks)), keys, "E")
        for hypothesis, marks in votes.items()
    ]
    settled = clean_marks(marked).settled
    expected = {item.pair.hypothesis: item.evidence for item in settled}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"evidence.{ending}"
        write_evidence(path, settled)
        table = Table("X", tuple(Row(key, ("1",)) for key in keys))
        own = [Pair("", table, hypothesis, group="T1") for hypothesis in votes]
        attached = attach_evidence(HeldPairs.of_pairs("own", own), f"file:{path}", [])
        assert {pair.hypothesis: pair.evidence for pair in attached.pairs()} == expected
        tables = Path(folder) / "tables"
        tables.mkdir()
        (tables / "T1.json").write_text(json.dumps({"title": ["X"], **{key: ["1"] for key in keys}}), encoding="utf-8")
        for form in ("evidence=evidence&units=from0", "evidence=keys&units=keys"):
            corpus = open_source(f"file:{path}?tables={tables}&{form}&grade=gold&outside=outside")
            assert {pair.hypothesis: pair.evidence for pair in corpus.pairs()} == expected


def test_the_cleaned_sample_comes_back_as_a_corpus(data: Path, tmp_path: Path) -> None:
    try:
        pairs = open_marks("infotabs/train-sample", data_roots(data)).pairs
    except NotFoundError as error:
        pytest.skip(str(error))
    cleaned = clean_marks(pairs, CleaningRule(below=0.8))
    assert (len(cleaned.settled), len(cleaned.wanting)) == (113, 27)
    write_evidence(tmp_path / "evidence.csv", cleaned.settled)
    expected = {(item.pair.table, item.pair.hypothesis): item.evidence for item in cleaned.settled}
    attached = open_source(f"infotabs/train-sample?evidence=file:{tmp_path / 'evidence.csv'}", data)
    given = {(pair.group, pair.hypothesis): pair.evidence for pair in attached.pairs() if pair.evidence is not None}
    assert given == expected
    spec = f"file:{tmp_path / 'evidence.csv'}?tables={data / 'infotabs/tables/json'}&evidence=evidence&units=from0"
    corpus = list(open_source(f"{spec}&grade=gold&outside=outside").pairs())
    assert {(pair.group, pair.hypothesis): pair.evidence for pair in corpus} == expected
    assert all(pair.gold is not None for pair in corpus)


def test_pairs_that_need_marks_are_listed_without_the_marks(tmp_path: Path) -> None:
    pairs, _ = crowd(0, tables=5)
    cleaned = clean_marks(pairs, CleaningRule(below=0.6, least=5))
    assert cleaned.wanting
    write_wanting(tmp_path / "again.csv", cleaned.wanting)
    with (tmp_path / "again.csv").open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert list(rows[0]) == ["table_id", "hypothesis", "ratings", "reason"]
    assert [(row["table_id"], row["hypothesis"]) for row in rows] == [
        (item.pair.table, item.pair.hypothesis) for item in cleaned.wanting
    ]


def test_ids_are_written_where_pairs_have_them(tmp_path: Path) -> None:
    marked = MarkedPair("own/1", "", "", (Mark("a", "100"), Mark("b", "100"), Mark("c", "101")))
    write_evidence(tmp_path / "e.jsonl", clean_marks([marked]).settled)
    line = json.loads((tmp_path / "e.jsonl").read_text(encoding="utf-8"))
    assert line == {
        "pair_id": "own/1", "evidence": [0], "units": "from0", "keys": ["row 1"], "outside": 0, "grade": "gold",
        "ratings": 3,
    }  # fmt: skip
    table = Table("X", (Row("Born", ("1",)), Row("Died", ("2",))))
    source = HeldPairs.of_pairs("own", [Pair("own/1", table, "h")])
    [pair] = attach_evidence(source, f"file:{tmp_path / 'e.jsonl'}", []).pairs()
    assert pair.evidence == Evidence((0,))


def test_only_known_endings_are_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"should end in .csv or .jsonl"):
        write_evidence(tmp_path / "e.xlsx", [])
