"""Files as editors, spreadsheets and data frames write them: encodings, quotes, delimiters, shapes of JSON."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.corpora.files import write

from nliprobe.base.errors import DataError, UsageError
from nliprobe.base.records.encodings import likely
from nliprobe.base.records.files import guess_format, record_files
from nliprobe.base.records.read import Format

HEADER = "premise,hypothesis,label\n"
RECORD = {"premise": "A café’s door", "hypothesis": "It is open.", "label": "neutral"}


def read(
    path: Path, encoding: str = "", *, delimiter: str = "", quoting: bool | None = None
) -> list[dict[str, object]]:
    files = record_files(path, encoding=encoding, delimiter=delimiter, quoting=quoting)
    return [record for file in files for _, record in file.records()]


# ---- encodings


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "utf-32"])
@pytest.mark.parametrize("name", ["x.csv", "x.csv.gz", "x.jsonl", "x.json"])
def test_a_byte_order_mark_says_the_encoding(tmp_path: Path, name: str, encoding: str) -> None:
    lines = {"csv": HEADER + "A café’s door,It is open.,neutral\r\n", "jsonl": json.dumps(RECORD, ensure_ascii=False)}
    text = lines["csv" if "csv" in name else "jsonl"]
    mark = "\ufeff" if encoding.endswith("e") else ""
    assert read(write(tmp_path / name, (mark + text).encode(encoding))) == [RECORD]


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1252", "The man’s café is “open” – or not"),
        ("mac_roman", "The man’s café is “open” – or not"),
        ("cp850", "Le père Noël est là où il était"),
        ("cp1250", "Zażółć gęślą jaźń i łódź"),
        ("cp1251", "Мужчина сидит на скамейке"),
        ("koi8_r", "Мужчина сидит на скамейке"),
        ("shift_jis", "男の人がベンチに座って本を読んでいます"),
        ("euc_jp", "男の人がベンチに座って本を読んでいます"),
        ("euc_kr", "한 남자가 공원 벤치에 앉아 있다"),
        ("gb18030", "一个男人坐在公园的长椅上看书"),
        ("big5", "一個男人坐在公園的長椅上看書"),
        ("utf-16-le", "A man sits on a bench"),
    ],
)
def test_a_legacy_encoding_is_named_with_the_fix_and_the_fix_works(tmp_path: Path, encoding: str, text: str) -> None:
    path = write(tmp_path / "x.csv", f"{HEADER}{text},h,neutral\n".encode(encoding))
    fix = rf"is not UTF-8\. It looks like {encoding}: add encoding={encoding}, or save the file as UTF-8\."
    with pytest.raises(DataError, match=rf"x\.csv, line [12]: byte 0x.. {fix}"):
        read(path)
    assert read(path, encoding)[0]["premise"] == text


def test_bytes_that_look_like_nothing_name_no_encoding(tmp_path: Path) -> None:
    path = write(tmp_path / "x.csv", HEADER.encode() + b"\x9a\xd1\x87\x85\x86\x82,h,neutral\n")
    with pytest.raises(
        DataError, match=r"line 2: byte 0x9a is not UTF-8\. Add encoding=… with the name of its encoding"
    ):
        read(path)


def test_an_unknown_or_wrong_encoding_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "x.csv", HEADER + "café,h,neutral\n")
    with pytest.raises(UsageError, match="'klingon' is not an encoding"):
        read(path, "klingon")
    with pytest.raises(DataError, match=r"line 2: byte 0xc3 is not ascii\. Name the file's own encoding"):
        read(path, "ascii")


@given(st.lists(st.sampled_from(["café", "naïve", "man’s", "“open”", "it", "–", "über", "señor", "Été"]), min_size=1))
def test_western_words_are_called_cp1252_or_nothing(words: list[str]) -> None:
    assert likely(" ".join(words).encode("cp1252")) in ("cp1252", "")


# ---- quotes, delimiters and what spreadsheets add


def test_quoted_fields_of_a_csv_file_span_lines_by_default(tmp_path: Path) -> None:
    text = "One, two\nand three, four,\nfive"
    path = write(tmp_path / "x.csv", f'{HEADER}"{text}","She said ""no"".",neutral\nb,h,neutral\n')
    first, second = read(path)
    assert (first["premise"], first["hypothesis"], second["premise"]) == (text, 'She said "no".', "b")


cells = st.text(st.sampled_from('ab",;\n 1é'), max_size=12)


@given(st.lists(st.tuples(cells, cells, cells), min_size=1, max_size=5), st.sampled_from(",;|"))
def test_any_text_survives_quoting(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, str]], delimiter: str
) -> None:
    stream = io.StringIO(newline="")
    csv.writer(stream, delimiter=delimiter, lineterminator="\n").writerows([("a", "b", "c"), *rows])
    path = write(tmp_path_factory.mktemp("csv") / "x.csv", stream.getvalue())
    assert [tuple(record.values()) for record in read(path, quoting=True)] == rows


def test_lines_that_are_records_are_not_swallowed_by_a_stray_quote(tmp_path: Path) -> None:
    path = write(tmp_path / "x.csv", HEADER + '"He, too, left,h,neutral\nb,h,neutral\nc",h,neutral\n')
    with pytest.raises(DataError, match=r"line 2: a quote opens here and closes 2 lines below.*quoting=0.*quoting=1"):
        read(path)
    plain = write(tmp_path / "y.csv", HEADER + '"He left,h,neutral\nb,h,neutral\nc,he said yes",neutral\n')
    assert [record["premise"] for record in read(plain, quoting=False)] == ['"He left', "b", "c"]


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
@pytest.mark.parametrize("name", ["x.csv", "x.txt", "x.tsv"])
def test_the_header_shows_the_delimiter(tmp_path: Path, name: str, delimiter: str) -> None:
    rows = [["premise", "hypothesis", "label"], ["a, b", "h", "neutral"]]
    path = write(tmp_path / name, "".join(delimiter.join(row) + "\n" for row in rows))
    assert read(path) == [{"premise": "a, b", "hypothesis": "h", "label": "neutral"}]


def test_the_separator_line_of_a_spreadsheet_is_not_the_header(tmp_path: Path) -> None:
    path = write(tmp_path / "x.csv", 'sep=;\npremise;hypothesis;label\n"a;b";h;neutral\n')
    (file,) = record_files(path)
    assert list(file.records()) == [(3, {"premise": "a;b", "hypothesis": "h", "label": "neutral"})]


def test_the_unicode_text_of_a_spreadsheet_is_read_with_its_quotes(tmp_path: Path) -> None:
    text = 'premise\thypothesis\tlabel\r\n"She said ""no""\nand left"\th\tneutral\r\n'
    path = write(tmp_path / "x.txt", text.encode("utf-16"))
    assert read(path) == [{"premise": 'She said "no"\nand left', "hypothesis": "h", "label": "neutral"}]


def test_quotes_in_tab_separated_files_are_plain_and_the_error_says_how_to_change_that(tmp_path: Path) -> None:
    path = write(tmp_path / "x.tsv", 'a\tb\n"one\ntwo"\t1\n')
    with pytest.raises(DataError, match=r"line 2: 1 field where the header has 2 .* Add quoting=1 if quotes enclose"):
        read(path)
    assert read(path, quoting=True) == [{"a": "one\ntwo", "b": "1"}]


@pytest.mark.parametrize("text", ["a,b,\n1,2,\n", "a,b\n1,2,\n", "a,b,,\n1,2\n", "a,b\n1,2,,,\n"])
def test_empty_fields_after_the_last_column_are_left_out(tmp_path: Path, text: str) -> None:
    (record,) = read(write(tmp_path / "x.csv", text))
    assert {name: value for name, value in record.items() if name} == {"a": "1", "b": "2"}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "mac_roman"])
def test_lines_may_end_as_on_any_machine(tmp_path: Path, end: str, encoding: str) -> None:
    lines = ["premise,hypothesis,label", *["A café,h,neutral"] * 30, ""]
    path = write(tmp_path / "x.csv", end.join(lines).encode(encoding))
    assert [record["premise"] for record in read(path, "mac_roman" if encoding == "mac_roman" else "")] == [
        "A café"
    ] * 30


def test_several_columns_called_null_have_no_name(tmp_path: Path) -> None:
    (record,) = read(write(tmp_path / "x.tsv", "a\tnull\tnull\tb\n1\t\t\t2\n"))
    assert {name: value for name, value in record.items() if name} == {"a": "1", "b": "2"}


# ---- JSON


SPLIT = {"columns": ["a", "b"], "index": [0, 1], "data": [[1, 2], [3, 4]]}
SHAPES = [
    [{"a": 1, "b": 2}, {"a": 3, "b": 4}],
    {"data": [{"a": 1, "b": 2}, {"a": 3, "b": 4}], "version": "1.0"},
    SPLIT,
    {"a": [1, 3], "b": [2, 4]},
    {"a": {"0": 1, "1": 3}, "b": {"0": 2, "1": 4}},
    {"first": {"a": 1, "b": 2}, "second": {"a": 3, "b": 4}},
    [["a", "b"], [1, 2], [3, 4]],
]


@pytest.mark.parametrize("name", ["x.json", "x.jsonl", "x.txt", "x.csv", "x.tsv", "x", "x.data"])
@pytest.mark.parametrize("shape", [SHAPES[0], {"data": SHAPES[0]}, SHAPES[-1]])
def test_one_line_of_json_is_json_whatever_the_suffix(tmp_path: Path, name: str, shape: object) -> None:
    assert read(write(tmp_path / name, json.dumps(shape))) == SHAPES[0]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("indent", [None, 2])
def test_records_are_found_in_every_shape(tmp_path: Path, shape: object, indent: int | None) -> None:
    assert read(write(tmp_path / "x.json", json.dumps(shape, indent=indent))) == SHAPES[0]


@pytest.mark.parametrize("name", ["x.json", "x.jsonl", "x.txt", "x"])
def test_one_object_is_one_record(tmp_path: Path, name: str) -> None:
    assert read(write(tmp_path / name, '{"a": 1, "b": 2}\n')) == [{"a": 1, "b": 2}]


@pytest.mark.parametrize("name", ["x.txt", "x", "x.csv"])
def test_an_object_per_line_is_json_lines_whatever_the_suffix(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / name, '{"a": 1}\n{"a": 2}\n')
    assert guess_format(path) is Format.JSONL
    assert read(path) == [{"a": 1}, {"a": 2}]


def test_a_text_that_begins_with_a_bracket_is_not_json(tmp_path: Path) -> None:
    assert read(write(tmp_path / "x.csv", "[id],text\n1,a\n")) == [{"[id]": "1", "text": "a"}]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": [1, 2], "b": [1]}', r"x\.json: the columns have different lengths: 2, 1\."),
        ('[["a", "b"], [1]]', r"x\.json, item 1: 1 values where the header has 2 \(a, b\)\."),
        ('{"columns": ["a"], "data": [1]}', r"x\.json, item 1: a number where the header has 1"),
    ],
)
def test_shapes_that_do_not_fit_are_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read(write(tmp_path / "x.json", text))
