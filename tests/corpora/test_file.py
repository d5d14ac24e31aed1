from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.corpora.files import INFOBOX, write, write_rows, write_saved

from nliprobe.api.sources import open_source
from nliprobe.base.errors import DataError, NotFoundError, UsageError
from nliprobe.corpora.file import FileCorpus, FileOptions
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.table import Row, Table

ROW = {"premise": "It rains.", "hypothesis": "It is wet.", "label": "entailment"}
TABLE = Table("Ada", (Row("Born", ("1815",)), Row("Fields", ("mathematics", "computing"))))


def pairs_of(path: Path, query: str = "") -> list[Pair]:
    return list(open_source(f"file:{path}{'?' + query if query else ''}").pairs())


@pytest.mark.parametrize("name", ["my.csv", "my.tsv", "my.jsonl", "my.jsonl.gz", "my.json", "my.parquet", "my.txt"])
def test_every_format_gives_the_same_pair(tmp_path: Path, name: str) -> None:
    corpus = open_source(f"file:{write_rows(tmp_path / name, [ROW])}")
    (pair,) = corpus.pairs()
    (other,) = open_source(f"file:{write_rows(tmp_path / 'my.jsonl', [ROW])}").pairs()
    assert corpus.name == "my"
    assert pair == other
    assert pair.id.startswith("my/")
    assert str(pair.gold) == "E"


@pytest.mark.parametrize(
    ("premise", "hypothesis", "label"),
    [
        ("sentence1", "sentence2", "gold_label"),
        ("context", "claim", "gold"),
        ("text", "hypothesis", "y"),
        ("Premise", "Hypothesis", "Label"),
    ],
)
def test_common_column_names_are_guessed(tmp_path: Path, premise: str, hypothesis: str, label: str) -> None:
    path = write_rows(tmp_path / "x.csv", [{premise: "p", hypothesis: "h", label: "neutral"}])
    (pair,) = pairs_of(path)
    assert (pair.premise, pair.hypothesis, str(pair.gold)) == ("p", "h", "N")


def test_columns_labels_ids_groups_and_facets_are_chosen(tmp_path: Path) -> None:
    row = {"q": "p", "a": "h", "mark": 1, "key": 7, "story": "s1", "domain": ["law", "tax"], "Source": "web"}
    path = write_rows(tmp_path / "x.jsonl", [row])
    query = "premise=q&hypothesis=a&label=mark&id=key&group=story&facets=domain;source&labels=1:E;0:NC&partition=E|NC"
    corpus = open_source(f"file:{path}?{query}&name=mine")
    (pair,) = corpus.pairs()
    assert pair.id == "mine/7"
    assert (str(pair.gold), pair.group, str(corpus.partition)) == ("E", "s1", "E|NC")
    assert pair.facets == (Facet("domain", "law"), Facet("domain", "tax"), Facet("Source", "web"))


def test_labels_without_a_column_are_none(tmp_path: Path) -> None:
    (pair,) = pairs_of(write_rows(tmp_path / "x.csv", [{"premise": "p", "hypothesis": "h"}]))
    assert pair.gold is None


def test_a_named_label_column_must_be_there(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "x.csv", [ROW])
    with pytest.raises(DataError, match=r"x\.csv, line 2: there is no column 'lable'; .* Did you mean 'label'\?"):
        pairs_of(path, "label=lable")


def test_equal_premises_share_a_group_and_equal_contents_get_numbers(tmp_path: Path) -> None:
    rows = [ROW, ROW | {"hypothesis": "It is dry."}, ROW]
    first, second, third = pairs_of(write_rows(tmp_path / "x.csv", rows))
    assert first.group == second.group == third.group != ""
    assert third.id == f"{first.id}#2"


def test_ids_do_not_depend_on_the_order_of_lines(tmp_path: Path) -> None:
    rows = [ROW, ROW | {"hypothesis": "It is dry."}]
    forward = {pair.hypothesis: pair.id for pair in pairs_of(write_rows(tmp_path / "x.csv", rows))}
    backward = {pair.hypothesis: pair.id for pair in pairs_of(write_rows(tmp_path / "x.csv", rows[::-1]))}
    assert forward == backward


def test_paths_count_from_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_rows(tmp_path / "sub" / "x.csv", [ROW])
    monkeypatch.chdir(tmp_path)
    assert len(pairs_of(Path("sub/x.csv"))) == 1


def test_saved_dataset_with_splits(tmp_path: Path) -> None:
    folder = tmp_path / "mydata"
    write(folder / "dataset_dict.json", '{"splits": ["train", "test"]}')
    rows = [ROW | {"label": 0}]
    for split in ("train", "test"):
        write_saved(folder / split, rows, ["contradiction", "entailment"])
    corpus = open_source(f"file:{folder}?split=test")
    (pair,) = corpus.pairs()
    assert (corpus.name, str(pair.gold)) == ("mydata/test", "C")
    (pair,) = pairs_of(folder, "split=test&labels=entailment,neutral,contradiction")
    assert str(pair.gold) == "E", "codes declared by the user win over the names in the dataset"


def test_digest_depends_on_content_and_options_and_not_on_the_place(tmp_path: Path) -> None:
    first = write_rows(tmp_path / "a" / "x.csv", [ROW])
    second = write_rows(tmp_path / "b" / "x.csv", [ROW])
    assert open_source(f"file:{first}").digest() == open_source(f"file:{second}").digest()
    assert open_source(f"file:{first}?group=label").digest() != open_source(f"file:{first}").digest()
    write_rows(second, [ROW, ROW])
    assert open_source(f"file:{first}").digest() != open_source(f"file:{second}").digest()


def test_quoting_and_delimiter(tmp_path: Path) -> None:
    path = write(tmp_path / "x.csv", 'premise;hypothesis;label\n"a;b;E\n')
    (pair,) = pairs_of(path, "quoting=0&delimiter=semicolon")
    assert pair.premise == '"a'
    path = write(tmp_path / "x.csv", 'premise,hypothesis,label\n"a\nb",h,E\n')
    (pair,) = pairs_of(path, "quoting=1")
    assert pair.premise == "a\nb"
    with pytest.raises(UsageError, match="should be one character"):
        pairs_of(path, "delimiter=;;")


# ---- tables as premises


@pytest.mark.parametrize("premise", [INFOBOX, json.dumps(INFOBOX), json.loads(TABLE.to_json()), TABLE.to_json()])
def test_a_premise_may_be_a_table(tmp_path: Path, premise: object) -> None:
    rows = [{"premise": premise, "hypothesis": f"h{index}", "label": "E"} for index in range(2)]
    first, second = pairs_of(write_rows(tmp_path / "x.jsonl", rows))
    assert first.premise == TABLE
    assert first.premise is second.premise
    assert first.group == second.group


def test_a_table_in_a_csv_cell(tmp_path: Path) -> None:
    row = {"premise": json.dumps(INFOBOX), "hypothesis": "h", "label": "E"}
    (pair,) = pairs_of(write_rows(tmp_path / "x.csv", [row]))
    assert pair.premise == TABLE


def test_columnar_infoboxes_leave_out_empty_keys(tmp_path: Path) -> None:
    rows = [{"premise": INFOBOX | {"Died": None}, "hypothesis": "h", "label": "E"}]
    rows.append({"premise": INFOBOX | {"Died": ["1852"]}, "hypothesis": "h", "label": "E"})
    first, second = pairs_of(write_rows(tmp_path / "x.parquet", rows))
    assert isinstance(second.premise, Table)
    assert first.premise == TABLE
    assert second.premise.keys == ("Born", "Fields", "Died")


def test_braces_in_a_text_do_not_make_a_table(tmp_path: Path) -> None:
    (pair,) = pairs_of(write_rows(tmp_path / "x.jsonl", [ROW | {"premise": "{laughs} Yes."}]))
    assert pair.premise == "{laughs} Yes."


def test_tables_in_a_folder(tmp_path: Path) -> None:
    write(tmp_path / "tables" / "T1.json", json.dumps(INFOBOX))
    rows = [{"table_id": "T1", "hypothesis": f"h{index}", "label": "E"} for index in range(2)]
    path = write_rows(tmp_path / "x.csv", rows)
    for query in ("table=table_id&", ""):
        first, second = pairs_of(path, f"{query}tables={tmp_path / 'tables'}")
        assert first.premise is second.premise
        assert (first.premise, first.group) == (TABLE, "T1")
    before = open_source(f"file:{path}?tables={tmp_path / 'tables'}").digest()
    write(tmp_path / "tables" / "T1.json", json.dumps(INFOBOX | {"Died": ["1852"]}))
    assert open_source(f"file:{path}?tables={tmp_path / 'tables'}").digest() != before


def test_a_table_column_needs_a_folder(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="table=t needs the folder of the tables: add tables=FOLDER"):
        pairs_of(write_rows(tmp_path / "x.csv", [ROW]), "table=t")


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (None, r"x\.csv, line 2: the table 'T1' is missing: there is no .*T1\.json\."),
        ('{"title": "Ada"}', r"x\.csv, line 2: .*T1\.json: the table has no rows\."),
        ('{"title": "Ada", "Born": "1", "Born": "2"}', r"x\.csv, line 2: .*T1\.json: the key 'Born' is given twice\."),
        (
            '{"title": "Ada", "Born": "1", "Born ": "2"}',
            r"x\.csv, line 2: .*T1\.json: the table has the key 'Born' twice",
        ),
    ],
)
def test_bad_tables_in_a_folder_are_refused(tmp_path: Path, table: str | None, message: str) -> None:
    (tmp_path / "tables").mkdir()
    if table is not None:
        write(tmp_path / "tables" / "T1.json", table)
    path = write_rows(tmp_path / "x.csv", [{"table": "T1", "hypothesis": "h", "label": "E"}])
    with pytest.raises(DataError, match=message):
        pairs_of(path, f"table=table&tables={tmp_path / 'tables'}")


def test_one_row_is_a_table(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "x.jsonl", [ROW | {"premise": {"title": "Ada", "Born": 1815}}])
    assert pairs_of(path)[0].premise == Table("Ada", (Row("Born", ("1815",)),))


# ---- bad input


@pytest.mark.parametrize(
    ("content", "query", "message"),
    [
        ('{"premise": "p", "hypothesis": "h", "label": "x"}', "", r"x\.jsonl, line 1: unknown label 'x'"),
        ('{"premise": "p", "hypothesis": "h", "label": 1}', "", r"x\.jsonl, line 1: the label 1 is a code"),
        ('{"premise": "p", "hypothesis": "h", "label": "N"}', "partition=E|C", r"line 1: .* N, which is not in E\|C"),
        ('{"premise": "p", "hypothesis": "", "label": "E"}', "", r"x\.jsonl, line 1: the hypothesis .* is empty\."),
        ('{"premise": "p", "hypothesis": null, "label": "E"}', "", r"x\.jsonl, line 1: the hypothesis .* is empty\."),
        ('{"premise": " ", "hypothesis": "h", "label": "E"}', "", r"x\.jsonl, line 1: the premise .* is empty\."),
        (
            '{"premise": 3, "hypothesis": "h", "label": "E"}',
            "",
            r"x\.jsonl, line 1: the premise .* is not a text, but 3",
        ),
        (
            '{"premise": "p", "h": "h"}',
            "",
            r"x\.jsonl, line 1: there is no column 'hypothesis' or .* hypothesis=COLUMN",
        ),
        ('{"a": "p", "hypothesis": "h"}', "", r"x\.jsonl, line 1: there is no column 'premise' or .* premise=COLUMN"),
        ('{"premise": "p", "hypothesis": "h"}', "id=n", r"x\.jsonl, line 1: there is no column 'n'"),
        ('{"premise": "p", "hypothesis": "h"}', "facets=n", r"x\.jsonl, line 1: there is no column 'n'"),
        ('{"premise": "p", "hypothesis": "h", "n": ""}', "id=n", r"x\.jsonl, line 1: the id in column 'n' is empty"),
        ('{"premise": {"title": "t"}, "hypothesis": "h"}', "", r"x\.jsonl, line 1: the table has no rows\."),
        ('{"premise": {"B": "1"}, "hypothesis": "h"}', "", r"x\.jsonl, line 1: the table has no title\."),
        ('{"premise": {"title": "t", "B": 1, "B": 2}, "hypothesis": "h"}', "", r"line 1: the key 'B' is given twice"),
        ('{"premise": "{\\"title\\": ", "hypothesis": "h"}', "", r"x\.jsonl, line 1: this is not JSON"),
        ('{"premise": {"title": "t", "rows": [1]}, "hypothesis": "h"}', "", r"line 1: the rows of the table should be"),
        ("", "", r"x\.jsonl is empty"),
    ],
)
def test_bad_input_is_refused_with_its_place(tmp_path: Path, content: str, query: str, message: str) -> None:
    path = write(tmp_path / "x.jsonl", content + "\n")
    with pytest.raises(DataError, match=message):
        pairs_of(path, query)


def test_a_repeated_id_names_both_lines(tmp_path: Path) -> None:
    rows = [ROW | {"key": key} for key in ("a", "b", "a")]
    with pytest.raises(DataError, match=r"x\.csv, line 4: the id 'a' is already that of .*x\.csv, line 2\."):
        pairs_of(write_rows(tmp_path / "x.csv", rows), "id=key")


def test_bad_requests_are_refused(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "x.csv", [ROW])
    with pytest.raises(UsageError, match=r"'file' has no parameter 'premis'\. Did you mean 'premise'\?"):
        pairs_of(path, "premis=a")
    with pytest.raises(UsageError, match="'file\\?partition' is wrong"):
        pairs_of(path, "partition=E|EN")
    with pytest.raises(UsageError, match="is not a label"):
        pairs_of(path, "labels=a,b")
    with pytest.raises(UsageError, match="does not name a file: write file:PATH"):
        open_source("file")
    with pytest.raises(NotFoundError, match=r"There is no file .*y\.csv"):
        pairs_of(tmp_path / "y.csv")


def test_a_file_corpus_can_be_made_in_code(tmp_path: Path) -> None:
    corpus = FileCorpus(write_rows(tmp_path / "x.csv", [ROW]), FileOptions(name="mine"))
    assert [pair.id.partition("/")[0] for pair in corpus.pairs()] == ["mine"]
