"""Files that were made, or have become, hostile: endless numbers and lines, halves of characters, packed gigabytes."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.base.errors import DataError, did_you_mean
from nliprobe.base.halves import whole, whole_json, whole_value
from nliprobe.base.records import json_text, text
from nliprobe.base.records.files import record_files
from nliprobe.base.records.json_shapes import records_in
from nliprobe.base.records.json_text import read_json_items
from nliprobe.base.records.read import Record
from nliprobe.base.records.text import parse_json

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
objects = st.dictionaries(st.text(max_size=4), values, max_size=4)


def records(path: Path, **options: str) -> list[Record]:
    return [record for file in record_files(path, **options) for _, record in file.records()]  # type: ignore[arg-type]


def written(path: Path, content: str | bytes) -> Path:
    raw = content.encode() if isinstance(content, str) else content
    path.write_bytes(gzip.compress(raw, 1) if path.suffix == ".gz" else raw)
    return path


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the longest line be short, so that tests need no gigabytes."""
    for module in (text, json_text):
        monkeypatch.setattr(module, "LONGEST", 1 << 10)
    monkeypatch.setattr(json_text, "_WINDOW", 1 << 6)
    monkeypatch.setattr(text, "_BUFFER", 1 << 6)


@pytest.mark.parametrize("number", ["9" * 5000, "-" + "9" * 5000])
@pytest.mark.parametrize(
    ("name", "around"),
    [
        ("a.jsonl", '{"a": 1}\n{"a": %s}\n'),
        ("a.json", '[{"a": 1}, {"a": %s}]'),
        ("a.json", '[{"a": %s}]'),
        ("a.json", '{"a": [%s], "b": [1]}'),
    ],
)
def test_a_number_of_thousands_of_digits_is_named(tmp_path: Path, name: str, around: str, number: str) -> None:
    with pytest.raises(DataError, match=r"a\.json.*: a number has more than 4,300 digits\. Write it as a text"):
        records(written(tmp_path / name, around % number))


def test_long_numbers_that_python_reads_are_kept(tmp_path: Path) -> None:
    assert records(written(tmp_path / "a.jsonl", '{"a": ' + "9" * 400 + "}")) == [{"a": int("9" * 400)}]


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.json", "a.json.gz"])
def test_half_a_character_is_replaced_where_it_is_read(tmp_path: Path, name: str) -> None:
    lines = [
        '{"id": "a\\ud83d", "premise": "\\ud83d\\ude00 \\uDE00", "tags": ["\\ud83d\\ud83d\\ude00", "\\\\ud83d"]}'
    ] * 2
    content = "\n".join(lines) if ".jsonl" in name else f"[{', '.join(lines)}]"
    expected = {"id": "a\ufffd", "premise": "😀 \ufffd", "tags": ["\ufffd😀", "\\ud83d"]}
    assert records(written(tmp_path / name, content)) == [expected, expected]


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.json"])
def test_half_a_character_in_bytes_is_an_error_with_its_line(tmp_path: Path, name: str) -> None:
    content = b'[{"a":\n"\xed\xa0\xbd"}]' if name == "a.json" else b'{"a": 1}\n{"a": "\xed\xa0\xbd"}'
    with pytest.raises(DataError, match=r"line 2: byte 0xed is not UTF-8"):
        records(written(tmp_path / name, content.replace(b'"a"', b"a") if name == "a.csv" else content))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_an_encoding_that_can_spell_halves(tmp_path: Path, end: str) -> None:
    path = written(tmp_path / "a.csv", f"a,b{end}+2D0-,x{end}")
    assert records(path, encoding="utf-7") == [{"a": "\ufffd", "b": "x"}]
    assert text.read_text(path, "utf-7") == f"a,b{end}\ufffd,x{end}"
    path = written(tmp_path / "a.jsonl", f'{{"a": 1}}{end}{{"a": "+2D0-"}}{end}')
    assert records(path, encoding="utf-7") == [{"a": 1}, {"a": "\ufffd"}]


@given(st.text(st.characters(), max_size=20))
def test_a_whole_text_can_be_written_and_others_keep_their_length(made: str) -> None:
    fixed = whole(made)
    assert len(fixed) == len(made)
    fixed.encode()
    assert fixed == made or any("\ud800" <= character <= "\udfff" for character in made)


@given(values)
def test_escapes_of_whole_characters_stay_as_they_are(value: object) -> None:
    written_as = json.dumps(value)
    assert whole_json(written_as) == written_as


@given(st.lists(st.sampled_from(["\\ud83d", "\\uDE00", "\\\\", "ud83d", "\\n", "x", "\\u00e9", "😀"]), max_size=8))
def test_escapes_of_halves_are_replaced_before_json_is_parsed(pieces: list[str]) -> None:
    raw = f'["{"".join(pieces)}"]'
    assert parse_json(raw, "x") == whole_value(json.loads(raw))


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl.gz", '{"a": 1}\n{"a": "' + "x" * 5000 + '"}', r"a\.jsonl\.gz, line 2: the line is longer than"),
        ("a.jsonl", '{"a": 1}\n{"a": "' + "x" * 5000 + '"}', r"a\.jsonl, line 2: the line is longer than"),
        ("a.csv.gz", "a,b\n" + "x" * 5000, r"line 2: the line is longer than"),
        ("a.csv", ("a,b\n" + "x" * 5000).encode("utf-16"), r"line 2: the line is longer than"),
        ("a.json.gz", '{"a": "' + "x" * 5000 + '"}', r"once it is unpacked, and must be held whole. Write it as JSON"),
        ("a.json.gz", '[{"a": 1}, {"a": "' + "x" * 5000 + '"}]', r"holds an item of more than"),
        ("a.json", '[{"a": 1}, {"a": "' + "x" * 5000, r"holds an item of more than"),
    ],
)
def test_what_is_too_long_for_a_record_is_not_held(
    tmp_path: Path, name: str, content: str | bytes, message: str
) -> None:
    with pytest.raises(DataError, match=message):
        records(written(tmp_path / name, content))


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("name", ["a.json", "a.json.gz", "a.jsonl.gz"])
def test_a_long_file_of_short_records_is_read(tmp_path: Path, name: str) -> None:
    rows: list[Record] = [{"a": "x" * 50, "b": number} for number in range(1000)]
    content = json.dumps(rows, indent=1) if ".jsonl" not in name else "\n".join(map(json.dumps, rows))
    assert records(written(tmp_path / name, content)) == rows


def whole_value_of(path: Path) -> tuple[list[Record], str]:
    """Read a file the plain way: parse all of it, then take the records."""
    read: list[Record] = []
    try:
        read.extend(records_in(parse_json(text.read_text(path), str(path)), str(path)))
    except DataError as error:
        return read, str(error)
    return read, ""


def streamed(path: Path) -> tuple[list[Record], str]:
    read: list[Record] = []
    try:
        for _, record in read_json_items(path):
            read.append(record)
    except DataError as error:
        return read, str(error)
    return read, ""


@given(st.lists(objects, max_size=6), st.sampled_from([None, 1]), st.integers(1, 40), st.booleans(), st.data())
def test_items_that_are_read_one_by_one_are_those_of_the_whole_value(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[Record],
    indent: int | None,
    window: int,
    ascii: bool,
    data: st.DataObject,
) -> None:
    content = json.dumps(rows, indent=indent, ensure_ascii=ascii)
    if data.draw(st.booleans()):  # spoilt: cut, or with something else in it
        place = data.draw(st.integers(0, len(content)))
        content = (
            content[:place] + data.draw(st.sampled_from(["", "]", "}", ",", "x", '"', "1"])) + content[place + 1 :]
        )
    path = written(tmp_path_factory.mktemp("json") / "a.json", content)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_text, "_WINDOW", window)
        patch.setattr(text, "_BUFFER", window)
        ours, our_error = streamed(path)
    plain, plain_error = whole_value_of(path)
    # An error in the middle comes after the records before it, and before what follows is looked at.
    assert bool(our_error) == bool(plain_error)
    assert ours == plain or our_error


@pytest.mark.parametrize("window", [1, 7, 1000])
@pytest.mark.parametrize(
    ("content", "spot"),
    [
        ('[{"a": 1},\n {"a": }]', r"Expecting value, line 2, column 8"),
        ('[{"a": 1}, {"a": 2} {"a": 3}]', r"Expecting ',' delimiter, column 21"),
        ('[{"a": 1},\n{"a": 2}]\nx', r"Extra data, line 3, column 1"),
        ('[{"a": 1},\n{"a": "', r"Unterminated string starting at, line 2, column 7"),
        ('[{"a": 1},\n{"a": 2}', r"Expecting ',' delimiter, line 2, column 9"),
        ('[{"a": 1},\n{"a": 2, "a": 3}]', r"a\.json: the key 'a' is given twice\."),
        ('[{"a": 1},\n' + "[" * 100_000, "nested too deeply"),
        ('[{"a": 1}, 12345]', r"a\.json, item 2: expected a JSON object, but found a number\."),
    ],
)
def test_errors_in_later_items_have_their_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, window: int, content: str, spot: str
) -> None:
    monkeypatch.setattr(json_text, "_WINDOW", window)
    monkeypatch.setattr(text, "_BUFFER", window)
    items = read_json_items(written(tmp_path / "a.json", content))
    assert next(items) == (1, {"a": 1})
    with pytest.raises(DataError, match=spot):
        list(items)


def test_a_mistyped_name_is_compared_with_names_not_with_paragraphs() -> None:
    assert did_you_mean("lable", ["label", "x" * 100_000]) == "Did you mean 'label'?"
    assert did_you_mean("y" * 100_000, ["x" * 100_000, "label"]).startswith("Available: label, xxx")
    assert did_you_mean("zz", [f"column {number}" for number in range(10_000)]).endswith(", ….")
