"""Files of raters' marks: their forms, and everything that can be wrong with them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.corpora.files import write, write_rows

from nliprobe.base.errors import DataError, NotFoundError, UsageError
from nliprobe.base.files import data_roots
from nliprobe.corpora.marks import is_marks, open_marks
from nliprobe.task.marks import Mark, MarkedPair, majority_of

LISTS: list[dict[str, object]] = [
    {
        "table_id": "T1",
        "hypothesis": "It is long.",
        "raters": json.dumps(["ann", "bob"]),
        "marks": json.dumps(["010", "011"]),
        "rows": json.dumps(["Born ", "Length", "none"]),
        "label": "E",
    },
    {
        "table_id": "T1",
        "hypothesis": "It is old.",
        "raters": json.dumps(["bob"]),
        "marks": json.dumps(["000"]),
        "rows": json.dumps(["Born", "Length"]),
        "label": "N",
    },
]
LONG = [
    {"table_id": "T1", "hypothesis": "It is long.", "WorkerId": "ann", "marks": "010"},
    {"table_id": "T1", "hypothesis": "It is long.", "WorkerId": "bob", "marks": "011"},
    {"table_id": "T1", "hypothesis": "It is old.", "WorkerId": "bob", "marks": "000"},
]


def _votes(pairs: tuple[MarkedPair, ...]) -> dict[str, tuple[Mark, ...]]:
    return {pair.hypothesis: pair.marks for pair in pairs}


EXPECTED = {"It is long.": (Mark("ann", "010"), Mark("bob", "011")), "It is old.": (Mark("bob", "000"),)}


@pytest.mark.parametrize("name", ["m.csv", "m.tsv", "m.jsonl", "m.parquet", "m.csv.gz"])
@pytest.mark.parametrize("rows", [LISTS, LONG])
def test_every_form_gives_the_same_marks(tmp_path: Path, name: str, rows: list[dict[str, object]]) -> None:
    path = write_rows(tmp_path / name, rows)
    assert is_marks(str(path))
    marks = open_marks(str(path))
    assert marks.name == "m"
    assert _votes(marks.pairs) == EXPECTED
    if rows is LISTS:
        assert {pair.keys for pair in marks.pairs} == {("Born", "Length")}
        assert [pair.label for pair in marks.pairs] == ["E", "N"]


def test_columns_may_be_named(tmp_path: Path) -> None:
    path = write(tmp_path / "m.csv", "item,who,relevant\np1,ann,10\np1,bob,11\n")
    assert not is_marks(str(path))
    spec = f"file:{path}?pair=item&rater=who&marks=relevant&name=mine"
    assert is_marks(spec)
    marks = open_marks(spec)
    assert marks.name == "mine"
    [pair] = marks.pairs
    assert (pair.id, pair.name, pair.units) == ("p1", "p1", 1)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("T1,h,ann,01x", "line 2: what 'ann' marked is '01x', not a text of 0 and 1"),
        ("T1,h,ann,", "line 2: what 'ann' marked is '', not a text of 0 and 1"),
        ("T1,h,ann,1", "line 2: what 'ann' marked has a single character"),
        ("T1,h,,010", "line 2: the rater in column 'rater' is empty"),
        ("T1,h,ann,010\nT1,h,ann,010", "line 3: the rater 'ann' has marked 'T1: h' before, in .*line 2"),
        ("T1,h,ann,010\nT1,h,bob,0100", "line 3: the marks are about 3 rows, but those in .*line 2.* has 2"),
        ('T1,h,"[""a"", ""b""]","[""010""]"', "line 2: 1 marks are given by 2 raters"),
        ('T1,h,"[""a"", ""b""]","[""010"", ""01""]"', "line 2: the raters' marks have different lengths, 2 and 3"),
        ('T1,h,"[""a"", ""a""]","[""010"", ""011""]"', "line 2: the rater 'a' has marked this pair twice"),
        ("T1,h,[],[]", "line 2: no rater has marked this pair"),
        ("", "m.csv"),
    ],
)
def test_wrong_marks_say_where(tmp_path: Path, line: str, message: str) -> None:
    path = write(tmp_path / "m.csv", f"table_id,hypothesis,rater,marks\n{line}\n")
    with pytest.raises(DataError, match=message):
        open_marks(str(path))


@pytest.mark.parametrize(
    ("header", "line", "message"),
    [
        ("table_id,rater,marks", "T1,ann,010", "nothing tells which pair was marked; .* Name the column of its id"),
        ("id,marks", "1,010", "there is no column 'raters'"),
        ("id,rater", "1,ann", "there is no column 'marks'"),
        ("id,rater,marks,rows", '1,ann,010,"[""a""]"', "names 1 rows, but the marks have 3 characters"),
        ("id,rater,marks,rows", "1,ann,010,a", "column 'rows' should hold a list"),
        ("id,rater,marks,majority", "1,ann,010,01", "the majority in column 'majority' has 2 characters"),
        ("id,rater,marks,majority", "1,ann,010,o10", "the majority in column 'majority' is 'o10'"),
    ],
)
def test_columns_that_do_not_fit_are_named(tmp_path: Path, header: str, line: str, message: str) -> None:
    path = write(tmp_path / "m.csv", f"{header}\n{line}\n")
    with pytest.raises(DataError, match=message):
        open_marks(str(path))


def test_numbers_are_no_marks(tmp_path: Path) -> None:
    path = write(tmp_path / "m.jsonl", '{"id": "1", "rater": "ann", "marks": 10}\n')
    with pytest.raises(DataError, match="what 'ann' marked is 10, not a text of 0 and 1"):
        open_marks(str(path))


def test_a_rater_who_marked_nothing_counts(tmp_path: Path) -> None:
    path = write(tmp_path / "m.csv", "id,rater,marks\n1,ann,000\n1,bob,010\n1,cid,000\n")
    [pair] = open_marks(str(path)).pairs
    assert majority_of(pair.marks).units == ()


def test_the_released_sample_has_its_majority(data: Path) -> None:
    try:
        pairs = open_marks("infotabs/train-sample", data_roots(data)).pairs
    except NotFoundError as error:
        pytest.skip(str(error))
    assert (len(pairs), len({pair.table for pair in pairs}), {len(pair.marks) for pair in pairs}) == (140, 18, {5})
    for pair in pairs:
        most = majority_of(pair.marks)
        assert not most.tied
        bits = [str(int(place in most.units)) for place in range(pair.units)]
        assert "".join(bits) + str(int(most.outside)) == pair.released, pair.name
    with pytest.raises(UsageError, match="takes no parameters"):
        open_marks("infotabs/train-sample?rater=x", data_roots(data))
