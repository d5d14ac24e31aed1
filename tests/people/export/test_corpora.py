"""Written hypotheses and edited tables come back as corpora that runs read, and that others can verify."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.cli.helpers import nliprobe, nliprobe_json

from nliprobe.base.errors import DataError, UsageError
from nliprobe.people.export.hypotheses import write_hypotheses
from nliprobe.people.export.tables import write_counterfactual_folder, write_counterfactuals
from nliprobe.people.items.of_pairs import items_of
from nliprobe.people.records import Item, Json, Judgement
from nliprobe.people.tasks import TASKS
from nliprobe.task.evidence import Evidence, Grade
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.sources import open_source
from nliprobe.task.table import Row, Table

WRITE, EDIT = TASKS.get("write")({}), TASKS.get("counterfactual")({})
PAIRS = list(open_source("builtin/tables-dev").pairs())


def test_three_pairs_per_premise_and_author_are_a_corpus(tmp_path: Path) -> None:
    texts = list(open_source("builtin/passages-dev").pairs())[:7]
    items = list(items_of(WRITE, [*PAIRS[:20], *texts]).items)
    answer: dict[str, Json] = {"true": '=1+1 is "it"', "false": "Nein\nnie", "undecided": "Perhaps 🙂"}
    said = [
        Judgement(item.name, rater, WRITE.checked(item, answer), 0.0) for item in items[:-1] for rater in ("ann", "ben")
    ]
    exported = write_hypotheses(tmp_path / "written.jsonl", items, said)
    assert exported.written == 6 * (len(items) - 1)
    assert exported.left_out == {"nobody has written about it": 1}
    read = list(open_source(exported.spec).pairs())
    assert [str(pair.gold) for pair in read[:3]] == ["E", "C", "N"]
    assert [pair.hypothesis for pair in read[:3]] == ['=1+1 is "it"', "Nein nie", "Perhaps 🙂"]
    premises = {pair.id: pair.premise for pair in [*PAIRS, *texts]}
    assert [pair.premise for pair in read[::6]] == [premises[str(item.hidden["pair_id"])] for item in items[:-1]]
    assert {dict(pair.facets)["rater"] for pair in read} == {"ann", "ben"}
    # The groups are the tables, so that nine hypotheses of a table are not nine independent observations.
    assert len({pair.group for pair in read}) == len({item.hidden["table"] for item in items[:-1]})
    # Others verify what was written: the circle closes.
    verify = items_of(TASKS.get("verify")({}), read)
    assert len(verify.items) == len(read)


def edits(items: list[Item], *raters: str) -> list[Judgement]:
    """Let each rater change the first value of another row."""
    said = []
    for item in items:
        for place, rater in enumerate(raters):
            table = json.loads(json.dumps(item.content["premise"]))
            row = table["rows"][place % len(table["rows"])]
            row[1] = [f"edited by {rater}", *row[1][1:]]
            said.append(Judgement(item.name, rater, EDIT.checked(item, {"table": table}), 0.0))
    return said


def test_edited_tables_are_counterfactuals_of_a_run(tmp_path: Path) -> None:
    items = list(items_of(EDIT, PAIRS[:24]).items)
    exported = write_counterfactuals(tmp_path / "edited.jsonl", items, edits(items[:-1], "ann", "ben"))
    assert exported.written == 3 * (len(items) - 1)
    assert exported.left_out == {"nobody has edited it": 1}
    read = list(open_source(exported.spec).pairs())
    original, first, second = read[:3]
    assert (first.bases, second.bases, original.bases) == ((original.id,), (original.id,), ())
    assert (str(original.gold), str(first.gold)) in (("E", "C"), ("C", "E"))
    # The rows that people changed are the evidence of the edit, and all of them that of the original.
    assert [pair.evidence for pair in read[:3]] == [Evidence(rows, Grade.EDIT) for rows in ((0, 1), (0,), (1,))]
    assert Facet("rater", "ann") in first.facets
    assert original.premise == next(pair.premise for pair in PAIRS if pair.id == original.id.removeprefix("edited/"))
    system = ("--system", "majority", "--train", "builtin/tables-train")
    shown = nliprobe("run", *system, "--on", exported.spec, "--out", "run", cwd=tmp_path)
    assert "made by people: the label is flipped" in shown.stdout
    document = nliprobe_json("show", "run", cwd=tmp_path)
    assert document["counterfactuals"]


def test_what_raters_remarked_comes_along(tmp_path: Path) -> None:
    items = list(items_of(EDIT, PAIRS[:3]).items)
    first, *rest = edits(items, "ann", "ben")
    write_counterfactuals(tmp_path / "none.jsonl", items, [first, *rest])
    exported = write_counterfactuals(tmp_path / "edited.jsonl", items, [replace(first, remark="=odd 🙂"), *rest])
    rows, without = ([json.loads(line) for line in path.read_text("utf-8").splitlines()] for path in
                     (exported.path, tmp_path / "none.jsonl"))  # fmt: skip
    assert [row["remark"] for row in rows[:3]] == ["", "=odd 🙂", ""]
    assert not any("remark" in row for row in without)
    assert len(list(open_source(exported.spec).pairs())) == len(rows)
    sheets = list(items_of(WRITE, PAIRS[:1]).items)
    texts: dict[str, Json] = {"true": "Yes.", "false": "No.", "undecided": "Perhaps."}
    written = write_hypotheses(
        tmp_path / "w.jsonl", sheets, [Judgement(sheets[0].name, "ann", texts, 0.0, None, "hard")]
    )
    assert [json.loads(line)["remark"] for line in written.path.read_text("utf-8").splitlines()] == ["hard"] * 3
    assert len(list(open_source(written.spec).pairs())) == 3


def test_removed_rows_leave_no_evidence_in_the_edited_table(tmp_path: Path) -> None:
    task = TASKS.get("counterfactual")({"edits": "rows", "wanted": "N"})
    [item] = items_of(task, PAIRS[:1]).items or items_of(task, PAIRS[1:2]).items
    table = json.loads(json.dumps(item.content["premise"]))
    table["rows"] = table["rows"][1:]
    said = [Judgement(item.name, "ann", task.checked(item, {"table": table}), 0.0)]
    read = list(open_source(write_counterfactuals(tmp_path / "cf.jsonl", [item], said).spec).pairs())
    assert [pair.evidence for pair in read] == [Evidence((0,), Grade.EDIT), None]
    assert str(read[1].gold) == "N"


INFOBOX = Table("K2", (Row("Height", ("8,611 m",)), Row("Ranges", ("Karakoram", "Asia"))))
BOXES = [
    Pair(f"x/{n}", INFOBOX, text, LabelSet.of(gold), "T1")
    for n, (text, gold) in enumerate([('"High" it is, "very".', "E"), ("=1+1", "C"), ('"quoted"', "C")])
]


@pytest.mark.parametrize("split", ["alpha1", "train"])
def test_the_folder_of_the_released_counterfactuals_is_read_by_their_loader(split: str, tmp_path: Path) -> None:
    items = list(items_of(EDIT, BOXES).items)
    exported = write_counterfactual_folder(tmp_path, items, edits(items, "ann", "ben"), split=split)
    assert exported.written == 6
    read = list(open_source(exported.spec, tmp_path).pairs())
    assert len(read) == 9
    assert "\t=" not in next(tmp_path.rglob("cf_*.tsv")).read_text()
    originals = [pair for pair in read if not pair.bases]
    assert [(pair.premise, pair.hypothesis, pair.gold) for pair in originals] == [
        (pair.premise, pair.hypothesis, pair.gold) for pair in BOXES
    ]
    flipped = [pair for pair in read if pair.bases]
    assert [str(pair.gold) for pair in flipped] == ["C", "C", "E", "E", "E", "E"]
    assert [pair.evidence for pair in flipped[:2]] == [Evidence((0,), Grade.EDIT), Evidence((1,), Grade.EDIT)]
    assert isinstance(flipped[0].premise, Table)
    assert flipped[0].premise.rows[0].values == ("edited by ann",)
    assert {dict(pair.facets).get("editor") for pair in flipped} == {"ann", "ben"}


@pytest.mark.parametrize(
    ("premise", "hypothesis", "table", "sentence"),
    [
        (Table("Cup", (Row("", ("Ann", "1")),), "", ("who", "won")), "h", "T1", "no infobox"),
        (Table("Cup", (Row("title", ("Ann",)),)), "h", "T1", "no infobox"),
        (INFOBOX, "a\tb", "T1", "a tab or a line break"),
        (INFOBOX, "h", "../T1", "cannot be the name of a file"),
    ],
)
def test_what_the_folder_cannot_hold_is_a_sentence(
    premise: Table, hypothesis: str, table: str, sentence: str, tmp_path: Path
) -> None:
    items = list(items_of(EDIT, [Pair("x/1", premise, hypothesis, LabelSet.of("E"), table)]).items)
    with pytest.raises(DataError, match=sentence):
        write_counterfactual_folder(tmp_path / "out", items, edits(items, "ann"))
    assert not (tmp_path / "out").exists()
    # The file with bases holds it all the same.
    exported = write_counterfactuals(tmp_path / "cf.jsonl", items, edits(items, "ann"))
    assert len(list(open_source(exported.spec).pairs())) == 2


def test_two_tables_with_one_id_and_no_edits_are_sentences(tmp_path: Path) -> None:
    other = Pair("x/9", INFOBOX.retitle("K3"), "h", LabelSet.of("E"), "T1")
    items = list(items_of(EDIT, [*BOXES, other]).items)
    with pytest.raises(UsageError, match=r"no split 'alpha2'.*Did you mean 'alpha1'"):
        write_counterfactual_folder(tmp_path / "out", items[:1], edits(items[:1], "ann"), split="alpha2")
    with pytest.raises(DataError, match="Two tables have the id 'T1'"):
        write_counterfactual_folder(tmp_path / "out", items, edits(items, "ann"))
    for write in (write_counterfactual_folder, write_counterfactuals):
        with pytest.raises(DataError, match="no judgement counts yet"):
            write(tmp_path / "cf.jsonl", items, [])
