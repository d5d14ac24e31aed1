"""Texts and names from data: shown without being obeyed, guarded in cells, kept inside their folder."""

from __future__ import annotations

import csv
import errno
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.base.cells import GUARDED, guard, may_run, restore, restore_named
from nliprobe.base.errors import StoreError
from nliprobe.base.files import member, require_writable, write_atomic, writing
from nliprobe.base.records.read import Quotes, read_delimited
from nliprobe.base.visible import visible, visible_json

# Texts as attackers make them: any characters, often after apostrophes and the signs that start a formula.
cells = st.builds(
    lambda marks, sign, rest: marks + sign + rest,
    st.text("'", max_size=3),
    st.sampled_from(["", *"=+-@\t\r\n＝＋－＠ '0"]),
    st.text(max_size=12),
)
OBEYED = [chr(code) for code in (*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A))]


@given(cells)
def test_a_guarded_cell_is_no_formula_and_comes_back_exactly(text: str) -> None:
    cell = guard(text)
    assert restore(cell) == text
    assert guard(cell) != cell or not may_run([text])
    if cell[:1] in set("=+-@\t\r\n＝＋－＠"):
        float(cell.replace(",", ""))  # only plain numbers are left as they are


@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=4))
def test_guarded_cells_survive_a_csv_file(rows: list[tuple[str, str]]) -> None:
    stream = io.StringIO(newline="")
    csv.writer(stream).writerows([(guard(one), guard(two)) for one, two in rows])
    read = csv.reader(io.StringIO(stream.getvalue(), newline=""))
    assert [tuple(map(restore, row)) for row in read] == rows


@pytest.mark.parametrize("number", ["-1", "+2.5", "-1,000", "-3e-7", "-0.5", "0"])
def test_numbers_are_not_touched(number: str) -> None:
    assert guard(number) == number == restore(number)


@pytest.mark.parametrize("text", ["-1+cmd|' /C calc'!A0", "+1-555-0100", "-1\n", "--1", "-x", "-", "-1e5x", "- 1"])
def test_what_only_begins_like_a_number_is_guarded(text: str) -> None:
    assert guard(text) == f"'{text}"


def test_only_named_cells_of_a_file_for_programs_are_restored(tmp_path: Path) -> None:
    assert restore_named({"a": "'=1", "b": "'=1", GUARDED: "a"}) == {"a": "=1", "b": "'=1", GUARDED: "a"}
    path = tmp_path / "x.csv"
    path.write_text(f"premise,hypothesis,{GUARDED}\n'=1,'-ing' is an ending.,premise\n'=1,x,\n", encoding="utf-8")
    records = [record for _, record in read_delimited(path, ",", Quotes.CHECKED)]
    assert [(record["premise"], record["hypothesis"]) for record in records] == [
        ("=1", "'-ing' is an ending."),
        ("'=1", "x"),
    ]


@given(st.text(st.characters(codec=None), max_size=40))
def test_nothing_that_steers_a_terminal_is_left(text: str) -> None:
    shown = visible(text)
    assert len(shown) == len(text)
    assert not set(shown) & set(OBEYED) - {"\t", "\n"}
    shown.encode("utf-8")


@given(st.recursive(st.text(max_size=8), lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=4), inner)))
def test_json_keeps_its_value_without_what_steers_a_terminal(value: object) -> None:
    text = visible_json(json.dumps(value, ensure_ascii=False, indent=1))
    assert json.loads(text) == value
    assert not set(text) & set(OBEYED) - {"\n"}


@pytest.mark.parametrize(
    "name",
    ["", ".", "..", "../secret", "a/../../secret", "/etc/passwd", "..\\secret", "\\\\host\\x", "C:\\x", "C:x", "a\0b",
     "a//b", "x" * 256, "é" * 200, "a/", "./x"],
)  # fmt: skip
def test_a_name_cannot_leave_its_folder(name: str) -> None:
    assert member(Path("tables"), name) is None


@given(st.text(max_size=20))
def test_a_name_inside_stays_inside(name: str) -> None:
    path = member(Path("/tables"), name)
    assert path is None or Path("/tables") in path.parents
    assert path is None or ".." not in path.parts


@pytest.mark.parametrize("code", [errno.EROFS, errno.ENOSPC, errno.EACCES, errno.EDQUOT, errno.EIO])
def test_every_refusal_of_the_file_system_is_a_sentence(
    code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(b"old")

    def refuse(*_: object, **__: object) -> None:
        raise OSError(code, "refused")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", refuse)
        with pytest.raises(StoreError, match=r"x\.txt"):
            write_atomic(path, b"new")
    assert path.read_bytes() == b"old"


def test_an_error_in_the_middle_leaves_the_old_content(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(b"old")

    def stopped() -> None:
        with writing(path) as stream:
            stream.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped()
    assert [item.name for item in tmp_path.iterdir()] == ["x.txt"]
    assert path.read_bytes() == b"old"


@pytest.mark.parametrize("name", ["a\0b", "x" * 300, ""])
def test_names_that_no_file_can_have_are_a_sentence(name: str, tmp_path: Path) -> None:
    path = Path(f"{tmp_path}/{name}")
    with pytest.raises(StoreError, match="Cannot write"):
        write_atomic(path, b"x")
    if name:
        with pytest.raises(StoreError, match="Cannot write"):
            require_writable(path / "x")
    assert list(tmp_path.iterdir()) == []
