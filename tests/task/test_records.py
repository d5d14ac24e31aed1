from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.base.errors import DataError
from nliprobe.task.case import CaseIds, InputIds, identity_case, identity_id, input_id
from nliprobe.task.edits import (
    Edit,
    apply_edits,
    delete_unit,
    edits_from_json,
    edits_to_json,
    insert_unit,
    permute_units,
    swap_texts,
    update_unit,
)
from nliprobe.task.pair import Pair
from nliprobe.task.table import Row, Table, table_from_mapping
from nliprobe.task.units import Rows, row_text
from nliprobe.testing.strategies import pairs, rows, tables, words


@given(tables())
def test_table_json_round_trip(table: Table) -> None:
    assert Table.from_json(table.to_json()) == table


@given(st.data(), tables(min_rows=2))
def test_table_edits_return_new_tables(data: st.DataObject, table: Table) -> None:
    index = data.draw(st.integers(0, len(table.rows) - 1))
    row = data.draw(rows)
    deleted = table.delete(index)
    assert deleted.rows == tuple(r for i, r in enumerate(table.rows) if i != index)
    assert deleted.insert(index, table.rows[index]) == table
    assert table.update(index, row).rows[index] == row
    order = data.draw(st.permutations(range(len(table.rows))))
    permuted = table.permute(order)
    back = [order.index(place) for place in range(len(order))]
    assert permuted.permute(back) == table
    assert table.retitle("x").title == "x"


def test_table_edits_check_their_places() -> None:
    table = Table("t", (Row("a", ("1",)),))
    with pytest.raises(IndexError):
        table.delete(1)
    with pytest.raises(IndexError):
        table.update(-1, table.rows[0])
    with pytest.raises(IndexError):
        table.insert(2, table.rows[0])
    with pytest.raises(ValueError, match="not an order"):
        table.permute([0, 0])


@given(st.data(), tables(min_rows=2), words)
def test_edits_are_data_that_can_be_applied_again(data: st.DataObject, table: Table, hypothesis: str) -> None:
    index = data.draw(st.integers(0, len(table.rows) - 1))
    row = data.draw(rows)
    order = data.draw(st.permutations(range(len(table.rows))))
    for edit, expected in [
        (delete_unit(Rows(table), index), table.delete(index)),
        (insert_unit(Rows(table), index, row_text(row)), table.insert(index, row)),
        (update_unit(Rows(table), index, row_text(row)), table.update(index, row)),
        (permute_units(Rows(table), order), table.permute(order)),
    ]:
        stored = edits_from_json(edits_to_json((edit,)))
        assert stored == (edit,)
        assert apply_edits(table, hypothesis, stored) == (expected, hypothesis)


def test_edits_on_texts() -> None:
    assert apply_edits("p", "h", (swap_texts(),)) == ("h", "p")
    replace = Edit("hypothesis.replace", span=(0, 3), before="Two", after="Six")
    assert apply_edits("p", "Two dogs.", (replace,)) == ("p", "Six dogs.")
    with pytest.raises(ValueError, match="needs a table"):
        apply_edits("p", "h", (Edit("row.delete", unit=0),))
    with pytest.raises(ValueError, match="cannot be swapped"):
        apply_edits(Table("t", (Row("k", ("v",)),)), "h", (swap_texts(),))
    with pytest.raises(ValueError, match="unknown edit"):
        apply_edits(Table("t", (Row("k", ("v",)),)), "h", (Edit("row.burn", unit=0),))


@given(pairs(), pairs())
def test_identity_ids_depend_on_the_pair_alone(left: Pair, right: Pair) -> None:
    assert (identity_id(left.id) == identity_id(right.id)) == (left.id == right.id)
    assert identity_case(left).gold == left.gold


def test_case_ids_depend_on_probe_version_parameters_bases_and_edits() -> None:
    edits = (swap_texts(),)
    found = {
        CaseIds("swap", 1).of(("b",), edits),
        CaseIds("swap", 2).of(("b",), edits),
        CaseIds("swop", 1).of(("b",), edits),
        CaseIds("swap", 1, "n=2").of(("b",), edits),
        CaseIds("swap", 1).of(("c",), edits),
        CaseIds("swap", 1).of(("b", "c"), edits),
        CaseIds("swap", 1).of(("b",), ()),
    }
    assert len(found) == 7


@given(words, words, words, words)
def test_input_ids_keep_premise_and_hypothesis_apart(p: str, h: str, q: str, g: str) -> None:
    assert (input_id(p, h) == input_id(q, g)) == ((p, h) == (q, g))
    assert input_id(p, h) == InputIds(p).of(h)


def test_table_from_mapping_reads_the_public_form() -> None:
    table = table_from_mapping({"title": ["Brooklyn"], "Born ": ["1950"], "Films": ["a", "b"]}, category="Film")
    assert table == Table("Brooklyn", (Row("Born", ("1950",)), Row("Films", ("a", "b"))), "Film")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"title": ["t"], "a": ["1"], "a ": ["2"]}, "the key 'a' twice"),
        ({"title": ["t"]}, "no rows"),
        ({"a": ["1"]}, "no title"),
        ({"title": "t", "a": {"b": 1}}, "values of 'a'"),
    ],
)
def test_table_from_mapping_says_what_is_wrong(content: dict[str, object], message: str) -> None:
    with pytest.raises(DataError, match=message):
        table_from_mapping(content)


def test_a_row_named_title_is_not_the_title() -> None:
    table = table_from_mapping({"title": ["Jeff"], "Title": ["Chairman"]})
    assert (table.title, table.keys) == ("Jeff", ("Title",))
    assert table_from_mapping({"Title": "Chairman"}, title="Jeff") == table
    assert table_from_mapping({"Title": "Jeff", "Born": "1964"}).title == "Jeff"


def test_a_one_row_table_loads() -> None:
    assert len(table_from_mapping({"title": "t", "a": "1"}).rows) == 1
