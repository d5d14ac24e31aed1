"""Marked keys and values."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nliprobe.represent.keyvalue import CLOSE, OPEN, unmark
from nliprobe.represent.reader import build_representation
from nliprobe.task.table import Row, Table
from nliprobe.testing.strategies import tables


def sentences(table: Table) -> list[str]:
    return list(build_representation("keyvalue").segments(table, "h"))


def test_the_sentences_of_para_with_keys_and_values_marked() -> None:
    rows = (
        Row("Born", ("1 May 1950",)),
        Row("Children", ("Ann", "Bob")),
        Row("Pets", ("No",)),
        Row("Released", ("1999",)),
    )
    table = Table("Ada", rows, "Person")
    assert sentences(table) == [
        "Ada was ⟨born⟩ on ⟨1 May 1950⟩.",
        " The ⟨children⟩ of Ada are ⟨Ann, Bob⟩.",
        " Ada does not have ⟨pets⟩.",
        " Ada was ⟨released⟩ in ⟨1999⟩.",
    ]
    marked = unmark(" The ⟨children⟩ of Ada are ⟨Ann, Bob⟩.")
    assert [marked.text[start:end] for start, end in marked.spans] == ["children", "Ann, Bob"]


def test_marks_in_cells_are_not_taken_for_ours() -> None:
    [sentence] = sentences(Table("T", (Row(f"a{OPEN}b", (f"c{CLOSE}d",)),), ""))
    marked = unmark(sentence)
    assert [marked.text[start:end] for start, end in marked.spans] == ["a<b", "c>d"]


def test_many_columns_mark_each_cell() -> None:
    table = Table("T", (Row("1", ("1990", "x")),), "", columns=("Year", "Name"))
    assert sentences(table)[-1].strip() == "The ⟨Year⟩ is ⟨1990⟩, the ⟨Name⟩ is ⟨x⟩."


@given(tables())
def test_without_marks_it_is_para(table: Table) -> None:
    plain = build_representation("para").segments(table, "h")
    if any(mark in "".join(plain) for mark in (OPEN, CLOSE)):
        return
    assert [unmark(sentence).text for sentence in sentences(table)] == list(plain)


@given(st.text(st.sampled_from("ab ⟨⟩")))
def test_unmark_never_loses_text(sentence: str) -> None:
    marked = unmark(sentence)
    if marked.spans:
        assert marked.text == sentence.replace(OPEN, "").replace(CLOSE, "")
        inside = [marked.text[start:end] for start, end in marked.spans]
        assert all(f"{OPEN}{piece}{CLOSE}" in sentence for piece in inside)
    else:
        assert marked.text == sentence
