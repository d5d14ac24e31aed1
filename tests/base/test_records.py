from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.corpora.files import write, write_rows, write_saved

from nliprobe.base.errors import DataError, NotFoundError, UsageError
from nliprobe.base.records.columns import column
from nliprobe.base.records.files import content_files, guess_format, record_files
from nliprobe.base.records.read import Format, Quotes, RecordFile
from nliprobe.base.records.text import read_lines

ROWS = [
    {"premise": "A man, a plan.", "hypothesis": 'He said "yes".', "label": "entailment"},
    {"premise": "Été\u2028à\x85la mer", "hypothesis": "\u201cx\u201d", "label": "neutral"},
]


def read(path: Path, **options: str) -> list[tuple[int, dict[str, object]]]:
    return [item for file in record_files(path, **options) for item in file.records()]  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["x.csv", "x.tsv", "x.txt", "x.jsonl", "x.jsonl.gz", "x.csv.gz", "x.tsv.gz"])
def test_text_formats_give_the_same_records_with_their_lines(tmp_path: Path, name: str) -> None:
    path = write_rows(tmp_path / name, ROWS)
    first = 1 if "json" in name else 2
    assert read(path) == [(first, ROWS[0]), (first + 1, ROWS[1])]


@pytest.mark.parametrize("name", ["x.json", "x.json.gz", "x.parquet", "x.pq", "x.arrow"])
def test_other_formats_give_the_same_records_with_their_numbers(tmp_path: Path, name: str) -> None:
    assert read(write_rows(tmp_path / name, ROWS)) == [(1, ROWS[0]), (2, ROWS[1])]


def test_windows_lines_and_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    path = write(tmp_path / "x.csv", "\ufeffa,b\r\n1,2\r\n\r\n3,4")
    assert read(path) == [(2, {"a": "1", "b": "2"}), (4, {"a": "3", "b": "4"})]


def test_tsv_quotes_are_plain_text(tmp_path: Path) -> None:
    path = write(tmp_path / "x.tsv", 'a\tb\n"open\t1\nclose"\t2\n')
    assert read(path) == [(2, {"a": '"open', "b": "1"}), (3, {"a": 'close"', "b": "2"})]


def test_a_json_name_with_an_object_a_line_is_jsonl(tmp_path: Path) -> None:
    path = write(tmp_path / "x.json", '{"a": 1}\n\n{"a": 2}\n')
    assert guess_format(path) is Format.JSONL
    assert read(path) == [(1, {"a": 1}), (3, {"a": 2})]


def test_json_may_hold_its_array_under_a_name(tmp_path: Path) -> None:
    path = write(tmp_path / "x.json", '{"version": 1, "data": [{"a": 1}]}')
    assert read(path) == [(1, {"a": 1})]


def test_a_stray_quote_in_csv_is_an_error_and_never_merges_lines(tmp_path: Path) -> None:
    path = write(tmp_path / "x.csv", 'a,b\n"one,1\ntwo,2\nthree",3\n')
    with pytest.raises(
        DataError, match=r"x\.csv, line 2: a quote opens here and closes 2 lines below.*quoting=0.*quoting=1"
    ):
        read(path)
    plain = RecordFile(path, Format.CSV, quotes=Quotes.OFF)
    assert [record["a"] for _, record in plain.records()] == ['"one', "two", 'three"']


def test_fields_span_lines_when_asked(tmp_path: Path) -> None:
    path = write(tmp_path / "x.csv", 'a,b\n"one\ntwo",1\nthree,3\n')
    file = RecordFile(path, Format.CSV, quotes=Quotes.SPAN)
    assert list(file.records()) == [(2, {"a": "one\ntwo", "b": "1"}), (4, {"a": "three", "b": "3"})]


def test_an_unclosed_quote_at_the_end_is_an_error(tmp_path: Path) -> None:
    path = write(tmp_path / "x.csv", 'a,b\n"one,1\n')
    for quotes in (Quotes.CHECKED, Quotes.SPAN):
        with pytest.raises(DataError, match=r"line 2: the quotes do not match"):
            list(RecordFile(path, Format.CSV, quotes=quotes).records())


def test_text_after_a_closing_quote_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"line 3: the quotes do not match"):
        read(write(tmp_path / "x.csv", 'a,b\n1,2\n"one" two,3\n'))


def test_a_very_long_field_is_read(tmp_path: Path) -> None:
    path = write(tmp_path / "x.csv", "a,b\n" + "w" * 200_000 + ",1\n")
    assert len(str(read(path)[0][1]["a"])) == 200_000


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.tsv", "a\tb\n1\n", r"x\.tsv, line 2: 1 field where the header has 2 \(a, b\)\."),
        ("x.tsv", "a\tb\n1\t2\t3\n", r"x\.tsv, line 2: 3 fields where the header has 2"),
        ("x.csv", "a,b\n1,2\n1,2,3\n", r"x\.csv, line 3: 3 fields where the header has 2"),
        ("x.csv", "a,a\n1,2\n", r"x\.csv, line 1: the header has the column 'a' twice\."),
        ("x.jsonl", '{"a": 1}\n{"a": \n', r"x\.jsonl, line 2: this is not JSON"),
        ("x.jsonl", '{"a": 1}\n[1]\n', r"x\.jsonl, line 2: expected a JSON object, but found an array\."),
        ("x.jsonl", '{"a": 1, "a": 2}\n', r"x\.jsonl, line 1: the key 'a' is given twice\."),
        ("x.json", '"a"', r"x\.json: expected a JSON array of objects, but found a string\."),
        ("x.json", "[1]", r"x\.json, item 1: expected a JSON object, but found a number\."),
        ("x.json", "[{]", r"x\.json: this is not JSON"),
        ("x.csv", "", r"x\.csv is empty"),
        ("x.csv", "a,b\n", r"x\.csv is empty"),
        ("x.jsonl", "\n", r"x\.jsonl is empty"),
        ("x.json", "[]", r"x\.json is empty"),
        ("x.jsonl", b'{"a": 1}\n{"a": "caf\xe9"}\n', r"x\.jsonl, line 2: byte 0xe9 is not UTF-8\."),
        ("x.tsv", b"a\tb\nok\tok\nok\t\xff\n", r"x\.tsv, line 3: byte 0xff is not UTF-8\."),
        ("x.csv", b"a,b\n\xe9,1\n", r"x\.csv, line 2: byte 0xe9"),
        ("x.json", b'[\n{"a": "\xe9"}]', r"x\.json, line 2: byte 0xe9"),
        ("x.parquet", "no", r"x\.parquet cannot be read as Parquet or Arrow"),
    ],
)
def test_bad_files_are_refused_with_their_place(tmp_path: Path, name: str, content: str | bytes, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read(write(tmp_path / name, content))


def test_json_nested_too_deeply_is_refused_with_its_place(tmp_path: Path) -> None:
    path = write(tmp_path / "x.jsonl", '{"a": 1}\n{"a": ' + "[" * 200_000 + "\n")
    with pytest.raises(DataError, match=r"x\.jsonl, line 2: .*nested too deeply"):
        read(path)


@pytest.mark.parametrize("name", ["x.jsonl.gz", "x.json.gz"])
def test_a_torn_gzip_file_is_refused(tmp_path: Path, name: str) -> None:
    path = write_rows(tmp_path / name, ROWS)
    path.write_bytes(path.read_bytes()[:-12])
    with pytest.raises(DataError, match="is not a whole gzip file"):
        list(RecordFile(path, Format.JSONL if "jsonl" in name else Format.JSON).records())


def test_a_missing_file_names_its_neighbour(tmp_path: Path) -> None:
    write(tmp_path / "pairs.csv", "a\n1\n")
    with pytest.raises(NotFoundError, match=r"There is no file .*pears\.csv\. Did you mean 'pairs\.csv'\?"):
        record_files(tmp_path / "pears.csv")
    with pytest.raises(NotFoundError, match="No file matches"):
        record_files(tmp_path / "*.tsv")


def test_unknown_formats_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "x.xlsx", "")
    with pytest.raises(UsageError, match="does not say its format"):
        record_files(path)
    with pytest.raises(UsageError, match=r"'cvs' is not a format\. Did you mean 'csv'"):
        record_files(path, format="cvs")
    with pytest.raises(UsageError, match="is a folder"):
        record_files(tmp_path, format="csv")
    with pytest.raises(NotFoundError, match="neither a saved dataset nor Parquet"):
        record_files(tmp_path)


def test_column_finds_candidates_in_order_and_capitals_last() -> None:
    assert column({"Premise": 1, "text": 2}, ["premise", "text"], "x") == "text"
    assert column({"Premise": 1}, ["premise"], "x") == "Premise"


def test_column_says_what_there_is() -> None:
    with pytest.raises(DataError, match=r"x, line 2: there is no column 'hypotesis'; .* Did you mean 'hypothesis'\?"):
        column({"premise": "", "hypothesis": ""}, ["hypotesis"], "x, line 2")
    with pytest.raises(DataError, match=r"no column 'premise' or 'text'; the columns are a, b\. Name it with premise="):
        column({"a": "", "b": ""}, ["premise", "text"], "x, line 2", "premise")


# ---- Parquet and Hugging Face folders


def test_several_parquet_files_are_read_in_order(tmp_path: Path) -> None:
    write_rows(tmp_path / "train-00001-of-00002.parquet", ROWS[1:])
    write_rows(tmp_path / "train-00000-of-00002.parquet", ROWS[:1])
    assert [record for _, record in read(tmp_path)] == ROWS
    assert [record for _, record in read(tmp_path / "train-*.parquet")] == ROWS


def test_a_folder_with_several_splits_needs_a_choice(tmp_path: Path) -> None:
    for split in ("train", "validation"):
        write_rows(tmp_path / "data" / f"{split}-00000-of-00001.parquet", ROWS)
    with pytest.raises(UsageError, match="has the splits train, validation: choose one with split=train"):
        read(tmp_path)
    with pytest.raises(NotFoundError, match=r"no split 'trian'\. Did you mean 'train'"):
        read(tmp_path, split="trian")
    assert len(read(tmp_path, split="validation")) == 2


def test_saved_datasets_give_label_names(tmp_path: Path) -> None:
    rows = [{"premise": "p", "hypothesis": "h", "label": code} for code in (2, 0, -1, None)]
    write_saved(tmp_path, rows, ["contradiction", "neutral", "entailment"], shards=2)
    found = [record["label"] for _, record in read(tmp_path)]
    assert found == ["entailment", "contradiction", -1, None]
    raw = [record["label"] for file in record_files(tmp_path, label_names=False) for _, record in file.records()]
    assert raw == [2, 0, -1, None]


def test_a_parquet_file_from_the_hub_gives_label_names(tmp_path: Path) -> None:
    import polars

    info = {"info": {"features": {"label": {"names": ["yes", "no"], "_type": "ClassLabel"}}}}
    frame = polars.DataFrame([{"label": 1}])
    frame.write_parquet(tmp_path / "x.parquet", metadata={"huggingface": json.dumps(info)})
    assert read(tmp_path / "x.parquet") == [(1, {"label": "no"})]


def test_dataset_dicts_are_read_by_split(tmp_path: Path) -> None:
    write(tmp_path / "dataset_dict.json", '{"splits": ["train", "test"]}')
    write_saved(tmp_path / "train", ROWS[:1])
    write_saved(tmp_path / "test", ROWS[1:])
    assert read(tmp_path, split="test") == [(1, ROWS[1])]
    with pytest.raises(UsageError, match="choose one with split=train"):
        read(tmp_path)


def test_a_cache_folder_of_the_hub_is_read_by_split(tmp_path: Path) -> None:
    write(tmp_path / "dataset_info.json", "{}")
    for name, rows in (("snli-train", ROWS[:1]), ("snli-test", ROWS[1:]), ("cache-0f3a", ROWS)):
        write_rows(tmp_path / f"{name}.arrow", rows)
    assert read(tmp_path, split="test") == [(1, ROWS[1])]


def test_incomplete_saved_datasets_are_refused(tmp_path: Path) -> None:
    write_saved(tmp_path, ROWS)
    (tmp_path / "data-00000-of-00001.arrow").unlink()
    with pytest.raises(NotFoundError, match=r"is incomplete: it has no data-00000-of-00001\.arrow"):
        read(tmp_path)
    write(tmp_path / "state.json", '{"_data_files": [], "_indices_data_files": [{"filename": "i.arrow"}]}')
    with pytest.raises(DataError, match="flatten_indices"):
        read(tmp_path)
    write(tmp_path / "state.json", "{")
    with pytest.raises(DataError, match=r"state\.json is not JSON"):
        read(tmp_path)


def test_arrow_files_with_a_footer_are_read_too(tmp_path: Path) -> None:
    import polars

    polars.DataFrame(ROWS).write_ipc(tmp_path / "x.arrow")
    assert read(tmp_path / "x.arrow") == [(1, ROWS[0]), (2, ROWS[1])]


def test_a_parquet_file_is_known_by_its_content_where_its_name_says_nothing(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "x.parquet", ROWS).rename(tmp_path / "x.bin")
    assert read(path, format="parquet") == [(1, ROWS[0]), (2, ROWS[1])]


def test_the_description_of_a_saved_dataset_is_part_of_its_content(tmp_path: Path) -> None:
    saved = record_files(write_saved(tmp_path / "saved", ROWS, shards=2))
    assert [path.name for path in content_files(saved)] == [
        "data-00000-of-00002.arrow",
        "data-00001-of-00002.arrow",
        "dataset_info.json",
    ]
    alone = record_files(write_rows(tmp_path / "x.csv", ROWS))
    assert content_files(alone) == [tmp_path / "x.csv"]


def test_delimiters_have_names(tmp_path: Path) -> None:
    path = write(tmp_path / "x.csv", "a;b\n1;2\n")
    for delimiter in (";", "semicolon"):
        assert read(path, delimiter=delimiter) == [(2, {"a": "1", "b": "2"})]
    with pytest.raises(UsageError, match="'delimiter' should be one character or one of tab, comma"):
        read(path, delimiter="colon")


# ---- properties

cells = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\t\n\r"), max_size=12)


@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=6))
def test_any_text_survives_a_tsv_file(tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]]) -> None:
    path = tmp_path_factory.mktemp("tsv") / "x.tsv"
    write_rows(path, [{"a": first, "b": second} for first, second in rows])
    found = [(record["a"], record["b"]) for _, record in RecordFile(path, Format.TSV).records()]
    assert found == rows


@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=6))
def test_any_text_survives_a_csv_file(tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]]) -> None:
    path = tmp_path_factory.mktemp("csv") / "x.csv"
    write_rows(path, [{"a": first, "b": second} for first, second in rows])
    found = [(record["a"], record["b"]) for _, record in RecordFile(path, Format.CSV).records()]
    assert found == rows


@given(st.binary(max_size=60))
def test_lines_are_what_newlines_separate(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    assume(not content.startswith((b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")) and content.count(0) < 4)
    assume(b"\n" in content or b"\r" not in content)
    path = write(tmp_path_factory.mktemp("lines") / "x.txt", content)
    expected = content.split(b"\n")
    expected = expected[:-1] if expected[-1] == b"" else expected
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        with pytest.raises(DataError, match="is not UTF-8"):
            list(read_lines(path))
        return
    found = [line.encode() for _, line in read_lines(path)]
    assert found == [line.removesuffix(b"\r") for line in expected] or content.startswith(b"\xef\xbb\xbf")
