"""Units: edits of rows and of sentences are the same kind of data, and what they leave alone stays byte for byte."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nliprobe.task.edits import (
    apply_edits,
    delete_unit,
    edits_from_json,
    edits_to_json,
    insert_unit,
    keep_unit,
    permute_units,
    update_unit,
)
from nliprobe.task.table import Row
from nliprobe.task.units import Rows, Sentences, Units, row_text
from nliprobe.testing.strategies import tables

PIECES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
GAPS = st.sampled_from(["", " ", "  ", "\n", "\n\n", "\t"])


@st.composite
def passages(draw: st.DrawFn, min_size: int = 1) -> Sentences:
    text = draw(GAPS)
    spans = []
    for piece in draw(st.lists(PIECES, min_size=min_size, max_size=6)):
        spans.append((len(text), len(text) + len(piece)))
        text += piece + draw(GAPS)
    return Sentences(text, tuple(spans))


def texts(units: Units) -> list[str]:
    return [units.text(index) for index in range(len(units))]


@given(passages())
def test_sentences_and_what_is_between_them_join_to_the_passage(passage: Sentences) -> None:
    joined, done = "", 0
    for index, (start, stop) in enumerate(passage.spans):
        joined += passage.premise[done:start] + passage.text(index)
        done = stop
    assert joined + passage.premise[done:] == passage.premise
    assert passage.permute(range(len(passage))) == passage


@given(passages(), st.data())
def test_edits_of_sentences_need_only_their_spans(passage: Sentences, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(passage) - 1))
    order = data.draw(st.permutations(range(len(passage))))
    text = data.draw(PIECES)
    before = texts(passage)
    made = [
        (delete_unit(passage, index), passage.delete(index), before[:index] + before[index + 1 :]),
        (keep_unit(passage, index), passage.keep(index), [before[index]]),
        (insert_unit(passage, index, text), passage.insert(index, text), [*before[:index], text, *before[index:]]),
        (insert_unit(passage, len(passage), text), passage.insert(len(passage), text), [*before, text]),
        (update_unit(passage, index, text), passage.update(index, text), [*before[:index], text, *before[index + 1 :]]),
        (permute_units(passage, order), passage.permute(order), [before[place] for place in order]),
    ]
    for edit, edited, expected in made:
        assert texts(edited) == expected
        assert apply_edits(passage.premise, "h", (edit,)) == (edited.premise, "h")
        assert edits_from_json(edits_to_json((edit,))) == (edit,)


@given(passages(min_size=2), st.data())
def test_an_inserted_sentence_that_is_taken_out_again_leaves_no_trace(passage: Sentences, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(passage)))
    assert passage.insert(index, data.draw(PIECES)).delete(index) == passage


@given(tables(), st.data())
def test_rows_are_edited_by_the_same_calls(table: object, data: st.DataObject) -> None:
    rows = Rows(table)  # type: ignore[arg-type]
    index = data.draw(st.integers(0, len(rows) - 1))
    order = data.draw(st.permutations(range(len(rows))))
    row = row_text(Row("key", ("value",)))
    for edit, edited in (
        (delete_unit(rows, index), rows.delete(index)),
        (keep_unit(rows, index), rows.keep(index)),
        (insert_unit(rows, index, row), rows.insert(index, row)),
        (update_unit(rows, index, row), rows.update(index, row)),
        (permute_units(rows, order), rows.permute(order)),
    ):
        assert apply_edits(rows.premise, "h", (edit,)) == (edited.premise, "h")
