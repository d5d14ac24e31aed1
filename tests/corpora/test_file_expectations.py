"""Rows of a user's file that name a base and a rule."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import pytest

from nliprobe.api.sources import open_source
from nliprobe.base.errors import DataError, UsageError
from nliprobe.corpora.file import _LATER, _OPTIONS, FileCorpus, FileOptions
from nliprobe.task.pair import Pair
from nliprobe.task.rule_forms import rule_text

HEAD = "id,premise,hypothesis,label,base,expects\n"
DIGEST = "2c115adfd9318e8575e15d31"
OPTIONS = "id=id&base=base&expects=expects"


def read(path: Path, text: str, options: str = OPTIONS) -> list[Pair]:
    path.write_text(text, encoding="utf-8")
    return list(open_source(f"file:{path}?{options}").pairs())


def test_bases_and_rules_are_read(tmp_path: Path) -> None:
    one, two, three = read(
        tmp_path / "m.csv",
        HEAD + "1,p one,h,E,,\n2,p two,h,,1,same_label and close 0.1\n3,p three,h,,,label_in EN\n",
    )
    assert (one.bases, one.expects) == ((), None)
    assert two.bases == (one.id,) == ("m/1",)
    assert two.expects is not None
    assert rule_text(two.expects) == "same_label and close 0.1"
    assert two.group == one.group != three.group
    assert three.bases == ()
    assert three.expects is not None


def test_json_rows_need_not_have_the_columns(tmp_path: Path) -> None:
    table = {"title": "T", "Born": "1950"}
    rule = {"name": "monotone", "label": "E", "direction": "down"}
    rows: list[dict[str, object]] = [
        {"id": 1, "premise": table, "hypothesis": "h", "label": "E"},
        {"id": 2, "premise": table, "hypothesis": "g", "label": None, "base": 1, "expects": rule},
    ]
    one, two = read(tmp_path / "m.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    assert two.bases == (one.id,)
    assert two.expects is not None
    assert rule_text(two.expects) == "monotone E down"


@pytest.mark.parametrize("options", [OPTIONS, "id=id&base=base"])
def test_a_labelled_row_with_a_base_needs_no_rule(options: str, tmp_path: Path) -> None:
    """What is compared is whether the answer follows the label."""
    one, two = read(tmp_path / "m.csv", HEAD + "1,p,h,E,,\n2,q,h,C,1,\n", options)
    assert (two.bases, two.group, two.expects) == ((one.id,), one.group, None)


def test_a_group_of_ones_own_is_kept(tmp_path: Path) -> None:
    text = "id,premise,hypothesis,g,base,expects\n1,p,h,a,,\n2,q,h,b,1,same_label\n"
    assert [pair.group for pair in read(tmp_path / "m.csv", text, OPTIONS + "&group=g")] == ["a", "b"]


def test_rows_made_from_others_may_have_labels_only(tmp_path: Path) -> None:
    rows = [
        {"id": "1", "premise": {"title": "Ada", "Born": ["1815"]}, "hypothesis": "h", "label": "E", "base": ""},
        {"id": "2", "premise": {"title": "Ada", "Born": ["1825"]}, "hypothesis": "h", "label": "C", "base": "1"},
    ]
    original, flipped = read(tmp_path / "m.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows), "id=id&base=base")
    assert flipped.bases == (original.id,)
    assert flipped.expects is None
    assert str(flipped.gold) == "C"
    assert flipped.group == original.group


def test_a_limit_never_cuts_a_base_off(tmp_path: Path) -> None:
    text = HEAD + "1,p,h,E,,\n2,q,h,E,1,same_label\n3,r,h,E,,\n"
    pairs = read(tmp_path / "m.csv", text, OPTIONS + "&limit=2")
    assert pairs[1].bases == (pairs[0].id,)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("1,p,h,E,2,same_label\n2,q,h,E,,\n", "line 2: the base '2' is not the id of an earlier row"),
        ("1,p,h,E,1,same_label\n", "is not the id of an earlier row"),
        ("apple,p,h,E,,\n2,q,h,E,aple,same_label\n", "Did you mean 'apple'"),
        ("1,p,h,E,,\n2,q,h,,1,\n", "line 3: the row has the base '1', but neither a label nor a rule"),
        ("1,p,h,E,,\n2,q,h,E,1,same_labl\n", "line 3: There is no rule named 'same_labl'. Did you mean 'same_label'"),
        ("1,p,h,E,,same_label\n", "line 2: the rule 'same_label' compares with a base, but the row names none"),
        ('1,p,h,E,,\n2,q,h,E,1,"{""name"": "\n', "not JSON"),
    ],
)
def test_wrong_rows_are_told(rows: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=message):
        read(tmp_path / "m.csv", HEAD + rows)


def test_wrong_options_are_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="base=base names rows by their ids: add id=COLUMN"):
        read(tmp_path / "m.csv", HEAD, "base=base&expects=expects")
    with pytest.raises(DataError, match="no row has the column 'bas'"):
        read(tmp_path / "m.csv", HEAD + "1,p,h,E,,label_in E\n", "id=id&base=bas&expects=expects")


def test_files_without_rules_keep_their_digest(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text("premise,hypothesis,label\np,h,E\n", encoding="utf-8")
    plain = FileCorpus(tmp_path / "m.csv")
    # Of the version before there were rules: the same files must continue the same runs.
    assert plain.digest() == DIGEST
    assert open_source(f"file:{tmp_path / 'm.csv'}?expects=expects").digest() != DIGEST


def test_every_option_is_in_the_digest() -> None:
    # All but the folder of tables: its files are in the digest, not where they are.
    assert {*_OPTIONS, *_LATER, "tables"} == {field.name for field in fields(FileOptions)}
