from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path

import pytest
from tests.corpora.files import INFOBOX, write, write_infotabs

from nliprobe.api.sources import open_source
from nliprobe.base.errors import DataError
from nliprobe.task.pair import Facet
from nliprobe.task.table import Row, Table

# ---- InfoTabS


@pytest.mark.parametrize("folder", ["infotabs", "infotabs/data", "data", "."])
def test_infotabs_repository(tmp_path: Path, folder: str) -> None:
    write_infotabs(tmp_path / folder, ['GW0\tT1\tAda was "born" in 1815.\tE', 'GW1\tT1\t"Ada" was not.\tC'])
    corpus = open_source("infotabs/dev", tmp_path)
    first, second = corpus.pairs()
    table = Table("Ada", (Row("Born", ("1815",)), Row("Fields", ("mathematics", "computing"))), "Person")
    assert first.premise == table
    assert first.premise is second.premise
    assert (first.id, second.id) == ("infotabs/dev/0", "infotabs/dev/1")
    assert (first.hypothesis, str(first.gold), first.group) == ('Ada was "born" in 1815.', "E", "T1")
    assert first.facets == (Facet("author", "GW0"), Facet("category", "Person"), Facet("table", "T1"))


def test_infotabs_row_named_title_is_a_row(tmp_path: Path) -> None:
    content = {"title": ["Ada"], "Born": ["1815"], "Title": ["Countess"], "Died": ["1852"]}
    write_infotabs(tmp_path, ["G\tT1\tAda was a countess.\tE"], {"T1": content})
    (pair,) = open_source("infotabs/dev", tmp_path).pairs()
    assert isinstance(pair.premise, Table)
    assert (pair.premise.title, pair.premise.keys) == ("Ada", ("Born", "Title", "Died"))


def test_infotabs_key_given_twice_keeps_the_values_of_both(tmp_path: Path) -> None:
    text = '{"title": ["Ada"], "Years": ["1", "2"], "Born": ["x"], "Years": ["2", "3"]}'
    write_infotabs(tmp_path, ["G\tT1\tx\tE"], {"T1": text})
    (pair,) = open_source("infotabs/dev", tmp_path).pairs()
    assert isinstance(pair.premise, Table)
    assert pair.premise.rows == (Row("Years", ("1", "2", "3")), Row("Born", ("x",)))


def test_infotabs_table_of_one_row_loads(tmp_path: Path) -> None:
    write_infotabs(tmp_path, ["G\tT1\tx\tE"], {"T1": {"title": ["Ada"], "Born": ["1815"]}})
    (pair,) = open_source("infotabs/dev", tmp_path).pairs()
    assert isinstance(pair.premise, Table)
    assert len(pair.premise.rows) == 1


@pytest.mark.parametrize(
    ("line", "table", "message"),
    [
        ("G\tT1\tx\tQ", INFOBOX, r"infotabs_dev\.tsv, line 2: unknown label 'Q'"),
        ("G\tT1\t \tE", INFOBOX, r"infotabs_dev\.tsv, line 2: the hypothesis in column 'hypothesis' is empty\."),
        ("G\tT9\tx\tE", INFOBOX, r"infotabs_dev\.tsv, line 2: the table 'T9' is missing: there is no .*T9\.json\."),
        ("G\tT1\tx\tE", {"title": ["Ada"]}, r"infotabs_dev\.tsv, line 2: .*T1\.json: the table has no rows\."),
        ("G\tT1\tx\tE", {"Born": ["1815"]}, r"infotabs_dev\.tsv, line 2: .*T1\.json: the table has no title\."),
        ("G\tT1\tx\tE", '{"title": ', r"infotabs_dev\.tsv, line 2: .*T1\.json: this is not JSON"),
        ("G\tT1\tx\tE", "[]", r"infotabs_dev\.tsv, line 2: .*T1\.json: the table should be a JSON object"),
        ("G\tT1\tx\tE", {"title": ["A"], "B": [{}]}, r"line 2: .*T1\.json: the values of 'B' should be strings"),
    ],
)
def test_infotabs_bad_input_is_refused_with_its_place(tmp_path: Path, line: str, table: object, message: str) -> None:
    write_infotabs(tmp_path, [line], {"T1": table})
    with pytest.raises(DataError, match=message):
        list(open_source("infotabs/dev", tmp_path).pairs())


def test_infotabs_without_a_column_names_the_others(tmp_path: Path) -> None:
    write_infotabs(tmp_path, [])
    write(tmp_path / "maindata" / "infotabs_dev.tsv", "annotater_id\ttable_id\thypotheses\tlabel\nG\tT1\tx\tE\n")
    with pytest.raises(DataError, match=r"line 2: there is no column 'hypothesis'; .* Did you mean 'hypotheses'\?"):
        list(open_source("infotabs/dev", tmp_path).pairs())


def test_infotabs_digest_covers_the_tables_of_the_split_only(tmp_path: Path) -> None:
    write_infotabs(tmp_path, ["G\tT1\tx\tE"], {"T1": INFOBOX, "T2": INFOBOX})
    before = open_source("infotabs/dev", tmp_path).digest()
    write(tmp_path / "tables" / "json" / "T2.json", json.dumps(INFOBOX | {"Died": ["1852"]}))
    assert open_source("infotabs/dev", tmp_path).digest() == before
    write(tmp_path / "tables" / "json" / "T1.json", json.dumps(INFOBOX | {"Died": ["1852"]}))
    assert open_source("infotabs/dev", tmp_path).digest() != before


# ---- TabFact

CSV = "name#height\r\nanna#1,80\r\nbert#1.75\r\n"
NAME = "2-1-1.html.csv"
STATEMENTS = [["anna is tall", "#bert;1,0# be taller than #anna;0,0#"], [1, 0], "heights"]


def write_tabfact(root: Path, statements: object = None, table: str = CSV, *, stem: str = "val") -> Path:
    write(root / f"{stem}_examples.json", json.dumps({NAME: STATEMENTS if statements is None else statements}))
    write(root / "all_csv" / NAME, table)
    return root


def test_tabfact_official_repository(tmp_path: Path) -> None:
    root = tmp_path / "Table-Fact-Checking"
    write(root / "tokenized_data" / "test_examples.json", json.dumps({NAME: STATEMENTS, "x.csv": STATEMENTS}))
    for name in (NAME, "x.csv"):
        write(root / "data" / "all_csv" / name, CSV)
    write(root / "data" / "simple_ids.json", json.dumps([NAME]))
    write(root / "data" / "complex_ids.json", json.dumps(["x.csv"]))
    write(root / "data" / "small_test_id.json", json.dumps(["x.csv"]))
    corpus = open_source("tabfact/test", tmp_path)
    pairs = list(corpus.pairs())
    assert str(corpus.partition) == "E|C"
    rows = (Row("", ("anna", "1,80")), Row("", ("bert", "1.75")))
    assert pairs[0].premise == Table("heights", rows, columns=("name", "height"))
    assert pairs[0].premise is pairs[1].premise
    assert [pair.id for pair in pairs[:2]] == [f"tabfact/test/{NAME}/0", f"tabfact/test/{NAME}/1"]
    assert [str(pair.gold) for pair in pairs] == ["E", "C", "E", "C"]
    assert pairs[1].hypothesis == "bert be taller than anna"
    assert [pair.facets for pair in pairs[1:3]] == [(Facet("complexity", "simple"),), (Facet("complexity", "complex"),)]
    assert [pair.group for pair in pairs] == [NAME, NAME, "x.csv", "x.csv"]
    assert {pair.group for pair in open_source("tabfact/test-simple", tmp_path).pairs()} == {NAME}
    assert {pair.group for pair in open_source("tabfact/test-complex", tmp_path).pairs()} == {"x.csv"}
    assert {pair.group for pair in open_source("tabfact/small-test", tmp_path).pairs()} == {"x.csv"}


def test_tabfact_prefers_statements_that_are_not_lemmatised(tmp_path: Path) -> None:
    root = write_tabfact(tmp_path / "tabfact")
    whole = [["anna was tall"], [[0, 1]], [1], "heights"]
    write(root / "gnn_val_examples.json", json.dumps({NAME: whole}))
    (pair,) = open_source("tabfact/val", tmp_path).pairs()
    assert pair.hypothesis == "anna was tall"
    assert pair.facets == ()


def test_tabfact_tables_in_an_archive(tmp_path: Path) -> None:
    root = write_tabfact(tmp_path / "tabfact")
    unpacked = list(open_source("tabfact/val", tmp_path).pairs())
    content = (root / "all_csv" / NAME).read_bytes()
    with tarfile.open(root / "all_csv.tar.gz", "w:gz") as archive:
        member = tarfile.TarInfo(f"all_csv/{NAME}")
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))
    (root / "all_csv" / NAME).unlink()
    (root / "all_csv").rmdir()
    corpus = open_source("tabfact/val", tmp_path)
    assert list(corpus.pairs()) == unpacked
    assert list(corpus.pairs()) == unpacked
    assert corpus.digest() == open_source("tabfact/val", tmp_path).digest()


def test_tabfact_torn_archive_is_refused(tmp_path: Path) -> None:
    root = write_tabfact(tmp_path / "tabfact")
    (root / "all_csv" / NAME).rename(tmp_path / "away")
    (root / "all_csv").rmdir()
    write(root / "all_csv.tar.gz", "no")
    with pytest.raises(DataError, match="is not a whole tar archive"):
        list(open_source("tabfact/val", tmp_path).pairs())


@pytest.mark.parametrize(
    ("statements", "table", "message"),
    [
        ([["a"], [2], "t"], CSV, "unknown label 2 of statement 1 about 2-1-1"),
        ([[" "], [1], "t"], CSV, "statement 1 about 2-1-1.* is empty"),
        ([["a"], [1, 0], "t"], CSV, "1 statements, but 2 labels"),
        ([["a"], "t"], CSV, r"expected \[statements, labels, caption\]"),
        ([["a"], [1], "t"], "a#b\n", r"2-1-1\.html\.csv: the table has no rows\."),
        ([["a"], [1], "t"], "", r"2-1-1\.html\.csv: the table has no rows\."),
        ([["a"], [1], "t"], "a#b\n1#2#3\n", "row 1 of the table has 3 cells under 2 columns"),
    ],
)
def test_tabfact_bad_input_is_refused(tmp_path: Path, statements: object, table: str, message: str) -> None:
    write_tabfact(tmp_path, statements, table)
    with pytest.raises(DataError, match=message):
        list(open_source("tabfact/val", tmp_path).pairs())


def test_tabfact_missing_table_is_refused(tmp_path: Path) -> None:
    write_tabfact(tmp_path)
    write(tmp_path / "val_examples.json", json.dumps({"y.csv": STATEMENTS}))
    with pytest.raises(DataError, match=r"val_examples\.json: the table 'y\.csv' is missing from"):
        list(open_source("tabfact/val", tmp_path).pairs())


def test_tabfact_table_that_is_not_utf8_names_its_line(tmp_path: Path) -> None:
    write_tabfact(tmp_path)
    write(tmp_path / "all_csv" / NAME, b"a#b\n1#caf\xe9\n")
    with pytest.raises(DataError, match=r"2-1-1\.html\.csv, line 2: byte 0xe9 is not UTF-8"):
        list(open_source("tabfact/val", tmp_path).pairs())


# ---- SciTab

CLAIM = {
    "paper": "On Models",
    "paper_id": "1",
    "table_caption": "Table 1: <bold>Scores</bold>.",
    "table_column_names": ["[EMPTY]", "[BOLD] P", "<italic>F</italic>1"],
    "table_content_values": [["ours", "[BOLD] 0.9", "[ITALIC] 0.8"], ["theirs", "0.5", "[EMPTY]"]],
    "id": "c1",
    "claim": "[CONTINUE] Ours is better.",
    "label": "not enough info",
    "table_id": "t1",
}


def test_scitab(tmp_path: Path) -> None:
    claims = [CLAIM, CLAIM | {"id": "c2", "label": "refutes"}, CLAIM | {"id": "c3", "label": "supports"}]
    write(tmp_path / "scitab" / "sci_tab.json", json.dumps(claims))
    corpus = open_source("scitab", tmp_path)
    pairs = list(corpus.pairs())
    rows = (Row("", ("ours", "0.9", "0.8")), Row("", ("theirs", "0.5", "")))
    assert pairs[0].premise == Table("Table 1: Scores.", rows, columns=("", "P", "F1"))
    assert pairs[0].premise is pairs[2].premise
    assert [pair.id for pair in pairs] == ["scitab/all/c1", "scitab/all/c2", "scitab/all/c3"]
    assert [str(pair.gold) for pair in pairs] == ["N", "C", "E"]
    assert pairs[0].hypothesis == "Ours is better."
    assert (pairs[0].group, pairs[0].facets) == ("t1", (Facet("paper", "On Models"),))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"table_content_values": []}, "item 1: the table has no rows"),
        ({"table_content_values": [["a"]]}, "item 1: row 1 of the table has 1 cells under 3 columns"),
        ({"table_content_values": "a"}, "item 1: the table should be an array of rows"),
        ({"table_content_values": ["a"]}, "item 1: a row of the table should be an array of cells"),
        ({"label": "perhaps"}, "item 1: unknown label 'perhaps'"),
    ],
)
def test_scitab_bad_input_is_refused(tmp_path: Path, change: dict[str, object], message: str) -> None:
    write(tmp_path / "sci_tab.json", json.dumps([CLAIM | change]))
    with pytest.raises(DataError, match=message):
        list(open_source("scitab", tmp_path).pairs())
