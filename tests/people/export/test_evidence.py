"""Marks come back: as what ``data agreement`` cleans, as evidence of the corpus, and as a corpus of their own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.cli.helpers import nliprobe, nliprobe_json

from nliprobe.base.errors import DataError
from nliprobe.people.clean_marks import CleaningRule
from nliprobe.people.counted import marked_pairs
from nliprobe.people.export.evidence import write_marked, write_marks
from nliprobe.people.items.of_pairs import items_of
from nliprobe.people.quality.raters import quality_of
from nliprobe.people.records import Item, Judgement
from nliprobe.people.tasks import TASKS
from nliprobe.people.tasks.evidence import units_of
from nliprobe.task.evidence import Evidence, Grade
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Pair
from nliprobe.task.sources import open_source
from nliprobe.task.table import Row, Table

EVIDENCE = TASKS.get("evidence")({})


def marked(items: list[Item]) -> list[Judgement]:
    """Let three raters mark the last unit of every item, and one of them the first as well."""
    return [
        Judgement(
            item.name,
            rater,
            EVIDENCE.checked(item, {"units": [units_of(item.content)[0] - 1, *more], "outside": rater != "ann"}),
            float(place),
        )
        for place, item in enumerate(items)
        for rater, more in (("ann", [0]), ("ben", []), ("cat", []))
    ]


def expected(item: Item) -> Evidence:
    return Evidence((units_of(item.content)[0] - 1,), Grade.GOLD, outside=True)


@pytest.mark.parametrize("source", ["builtin/tables-dev", "builtin/passages-dev"])
def test_marks_are_read_by_the_commands_and_as_evidence_of_the_corpus(source: str, tmp_path: Path) -> None:
    pairs = list(open_source(source).pairs())[:12]
    items = list(items_of(EVIDENCE, pairs).items)
    exported = write_marks(tmp_path / "marks.csv", items, marked(items))
    assert (exported.written, exported.left_out) == (36, {})
    by_id = {str(item.hidden["pair_id"]): item for item in items}
    for pair in open_source(f"{source}?evidence={exported.spec}").pairs():
        assert pair.evidence == (expected(by_id[pair.id]) if pair.id in by_id else None)
    # What raters remarked comes along, and is no part of what is measured.
    first, *others = marked(items)
    write_marks(exported.path, items, [replace(first, remark="=odd 🙂"), *others])
    assert exported.path.read_text("utf-8").count("'=odd 🙂") == 1
    document = nliprobe_json("data", "agreement", str(exported.path))
    quality = quality_of(EVIDENCE, items, marked(items))
    assert quality.marks is not None
    assert document["before"]["ratings"] == quality.marks.ratings == 36
    by_rater = {row["rater"]: row for row in document["before"]["by_rater"]}
    for report in quality.raters:
        assert report.marks is not None
        for name in ("precision", "recall", "f1"):
            assert by_rater[report.rater]["others"][name]["value"] == getattr(report.marks.others_pooled, name).value
            assert by_rater[report.rater]["all"][name]["value"] == getattr(report.marks.all_pooled, name).value
    said = nliprobe("data", "evidence", f"{source}?evidence={exported.spec}").stdout
    assert "12 of" in said
    assert "gold: marked by people" in said


@pytest.mark.parametrize("source", ["builtin/tables-dev", "builtin/passages-dev", "builtin/sentences-dev"])
def test_a_corpus_with_gold_evidence_holds_the_premises_that_raters_saw(source: str, tmp_path: Path) -> None:
    pairs = list(open_source(source).pairs())[:6]
    items = list(items_of(EVIDENCE, pairs).items)
    exported = write_marked(tmp_path / "marked.jsonl", items, marked(items))
    read = list(open_source(exported.spec).pairs())
    assert [pair.evidence for pair in read] == [expected(item) for item in items]
    assert [pair.gold for pair in read] == [pair.gold for pair in pairs]
    assert [pair.hypothesis for pair in read] == [pair.hypothesis for pair in pairs]
    same = [" ".join(pair.premise.split()) if isinstance(pair.premise, str) else pair.premise for pair in pairs]
    assert [pair.premise for pair in read] == same
    assert "6 of 6 pairs have evidence" in nliprobe("data", "evidence", exported.spec).stdout


def test_ties_and_few_raters_are_left_out_and_counted(tmp_path: Path) -> None:
    pairs = list(open_source("builtin/tables-dev").pairs())[:4]
    items = list(items_of(EVIDENCE, pairs).items)
    answers = {"ann": [0], "ben": [0], "cat": [1], "dan": [1]}
    said = [Judgement(items[0].name, "ann", {"units": [0], "outside": False}, 0.0)]
    for who, units in answers.items():
        said.append(Judgement(items[1].name, who, {"units": list(units), "outside": False}, 0.0))
    said += marked(items[2:3])
    exported = write_marked(tmp_path / "marked.jsonl", items, said)
    assert exported.written == 1
    assert exported.left_out == {"fewer than 3 raters": 1, "the raters are tied": 1, "nobody has marked it": 1}
    assert write_marked(tmp_path / "one.jsonl", items, said, CleaningRule(least=1)).written == 2
    # Where nothing is left, it is said why, and not that nobody has judged.
    with pytest.raises(DataError, match="3 items left out: fewer than 3 raters"):
        write_marked(tmp_path / "few.jsonl", items, [one for one in said if one.rater == said[0].rater])
    assert write_marks(tmp_path / "marks.csv", items, said).left_out == {"nobody has marked it": 1}


def test_pairs_without_labels_and_with_formulas_come_back(tmp_path: Path) -> None:
    pairs = [Pair(f"=x/{n}", "It rained. We left.", f"=1+{n}", None, f"@g{n}") for n in range(3)]
    items = list(items_of(EVIDENCE, pairs).items)
    exported = write_marked(tmp_path / "marked.jsonl", items, marked(items))
    read = list(open_source(exported.spec).pairs())
    assert [(pair.hypothesis, pair.group) for pair in read] == [(f"=1+{n}", f"@g{n}") for n in range(3)]
    assert [pair.gold for pair in read] == [None] * 3
    marks = write_marks(tmp_path / "marks.csv", items, marked(items))
    assert "\n=" not in marks.path.read_text()
    assert nliprobe_json("data", "agreement", str(marks.path))["before"]["pairs"] == 3


def test_one_id_for_two_tables_is_no_id(tmp_path: Path) -> None:
    tables = [Table("K2", tuple(Row(key, ("v",)) for key in keys)) for keys in ("ab", "abc")]
    pairs = [Pair(f"x/{n}", table, "h", LabelSet.of("E"), "T1") for n, table in enumerate(tables)]
    items = list(items_of(EVIDENCE, pairs).items)
    assert [pair.table for pair in marked_pairs(items, marked(items))] == ["", ""]
    exported = write_marks(tmp_path / "marks.csv", items, marked(items))
    assert nliprobe_json("data", "agreement", str(exported.path))["before"]["pairs"] == 2


def test_tables_and_texts_need_a_file_each(tmp_path: Path) -> None:
    pairs = [next(iter(open_source(f"builtin/{split}").pairs())) for split in ("tables-dev", "passages-dev")]
    items = list(items_of(EVIDENCE, pairs).items)
    with pytest.raises(DataError, match="cannot hold tables and texts"):
        write_marked(tmp_path / "marked.jsonl", items, marked(items))
