"""The transition algebra of tables.md, T4."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.task.case import Prediction
from nliprobe.task.labels import ANY, LETTERS, LabelSet, Partition
from nliprobe.task.outcomes import outcome
from nliprobe.task.relations import (
    BLIND_EDITS,
    DELETE,
    DELETE_IRRELEVANT,
    DELETE_RELEVANT,
    INSERT,
    PERMUTE,
    SAME,
    UNCONSTRAINED,
    UNIT_EDITS,
    UPDATE,
    UPDATE_IRRELEVANT,
    Relation,
    UnitEdit,
    canonical_order,
    in_order,
    relations_of_sets,
    together,
)
from nliprobe.testing.strategies import label_sets, relations

PRINTED = [
    (DELETE, "EN", "N", "CN"),
    (DELETE_RELEVANT, "N", "N", "N"),
    (DELETE_IRRELEVANT, "E", "N", "C"),
    (INSERT, "E", "ENC", "C"),
    (UPDATE, "EC", "NC", "C"),
    (UPDATE_IRRELEVANT, "E", "N", "C"),
    (PERMUTE, "E", "N", "C"),
]


@pytest.mark.parametrize(
    ("edit", "after_e", "after_n", "after_c"), PRINTED, ids=lambda item: getattr(item, "name", item)
)
def test_single_edits_are_the_printed_table(edit: UnitEdit, after_e: str, after_n: str, after_c: str) -> None:
    assert [edit.relation(letter) for letter in LETTERS] == [LabelSet.of(x) for x in (after_e, after_n, after_c)]


@given(relations)
def test_relation_text_round_trip(relation: Relation) -> None:
    if all(relation.allowed):
        assert Relation.parse(str(relation)) == relation


@given(relations, relations, relations)
def test_composition_is_associative_with_identity(a: Relation, b: Relation, c: Relation) -> None:
    assert a.then(b).then(c) == a.then(b.then(c))
    assert SAME.then(a) == a == a.then(SAME)


@given(relations, relations, relations)
def test_intersection_is_a_lattice_meet(a: Relation, b: Relation, c: Relation) -> None:
    assert a & b <= a
    assert (a & b) & c == a & (b & c)
    assert a & UNCONSTRAINED == a
    assert a | a == a
    # More allowed before or after means more allowed in the composition.
    assert (a & b).then(c) <= a.then(c)
    assert c.then(a & b) <= c.then(a)


@given(relations, label_sets)
def test_block_answers_allow_what_one_reading_allows(relation: Relation, block: LabelSet) -> None:
    expected = LabelSet.of("")
    for letter in block:
        expected = expected | relation(letter)
    assert relation(block) == expected


def test_delete_and_insert_together_is_table_18() -> None:
    assert together([DELETE, INSERT]) == Relation.of({"E": "EN", "N": "ENC", "C": "CN"})


def test_delete_relevant_and_insert_lets_the_new_row_decide_alone() -> None:
    assert together([DELETE_RELEVANT, INSERT]) == Relation.of({"E": "N", "N": "ENC", "C": "N"})


def test_edits_do_not_commute_as_such() -> None:
    assert in_order([DELETE, INSERT]) != in_order([INSERT, DELETE])


# With the evidence unknown, and known for some of the edited units.
unknown = st.lists(st.sampled_from(BLIND_EDITS), min_size=1, max_size=6)
known = st.lists(st.sampled_from(UNIT_EDITS), min_size=1, max_size=6)


@given(unknown)
def test_intersection_over_orders_is_the_canonical_order(edits: list[UnitEdit]) -> None:
    assert together(edits) == in_order(canonical_order(edits))


@given(known)
def test_with_evidence_the_intersection_is_inside_the_canonical_order(edits: list[UnitEdit]) -> None:
    assert together(edits) <= in_order(canonical_order(edits))


@given(known)
def test_evidence_never_allows_more_than_is_allowed_without_it(edits: list[UnitEdit]) -> None:
    blind = {DELETE_RELEVANT: DELETE, DELETE_IRRELEVANT: DELETE, UPDATE_IRRELEVANT: UPDATE}
    assert together(edits) <= together([blind.get(edit, edit) for edit in edits])


@given(unknown, unknown)
def test_repeating_edits_of_a_kind_in_any_order_stays_inside(edits: list[UnitEdit], more: list[UnitEdit]) -> None:
    again = [edit for edit in more if edit in edits]
    assert together(edits + again) == together(edits)
    assert together(edits) <= in_order(canonical_order(edits) + canonical_order(again))


def test_every_set_of_edits_has_a_relation() -> None:
    sets = relations_of_sets()
    assert len(sets) == 2 ** len(BLIND_EDITS) - 1
    assert list(sets)[:4] == [(INSERT,), (UPDATE,), (DELETE,), (PERMUTE,)]
    assert str(sets[INSERT, DELETE]) == "E>EN N>ENC C>NC"
    assert str(sets[INSERT, UPDATE]) == "E>EC N>ENC C>C"
    assert str(sets[UPDATE, DELETE]) == "E>ENC N>NC C>NC"
    assert str(sets[INSERT, UPDATE, DELETE]) == "E>ENC N>ENC C>NC"
    # Another order of the rows adds nothing.
    assert all(sets[(*edits, PERMUTE)] == relation for edits, relation in sets.items() if PERMUTE not in edits)
    assert all(list(edits) == canonical_order(edits) for edits in sets)


@given(st.lists(st.sampled_from(UNIT_EDITS), min_size=1, max_size=4))
def test_repetition_changes_nothing(edits: list[UnitEdit]) -> None:
    assert together(edits) == together(edits + edits[:1])


@given(st.lists(st.sampled_from(UNIT_EDITS), min_size=1, max_size=4, unique=True))
def test_together_is_inside_every_order(edits: list[UnitEdit]) -> None:
    combined = together(edits)
    orders = [in_order(order) for order in itertools.permutations(edits)]
    assert all(combined <= order for order in orders)
    assert all(combined.allowed)
    for letter in LETTERS:
        shared = ANY
        for order in orders:
            shared = shared & order(letter)
        assert combined(letter) == shared


def test_delete_of_several_rows_is_delete() -> None:
    assert in_order([DELETE, DELETE]) == DELETE.relation


def test_nothing_done_changes_nothing() -> None:
    assert together([]) == SAME


def test_a_system_that_never_says_neutral_is_not_expected_to() -> None:
    two_way = Partition.parse("E|C")

    def judged(relation: Relation, before: str, after: str) -> str:
        base, answer = Prediction(LabelSet.of(before)), Prediction(LabelSet.of(after))
        return outcome(relation, [base], answer, two_way).value

    assert [judged(DELETE_RELEVANT.relation, "E", after) for after in "EC"] == ["not applicable"] * 2
    assert [judged(DELETE.relation, "E", after) for after in "EC"] == ["holds", "broken"]
    assert [judged(UNCONSTRAINED, "E", after) for after in "EC"] == ["holds"] * 2
    assert outcome(DELETE_RELEVANT.relation, [Prediction(LabelSet.of("E"))], Prediction(LabelSet.of("E"))) == "broken"


def test_two_bases() -> None:
    transitive = Relation.of({"EE": "E"}, arity=2)
    assert transitive.arity == 2
    assert transitive("E", "E") == LabelSet.of("E")
    assert transitive("E", "N") == ANY
    assert Relation.parse(str(transitive)) == transitive
    with pytest.raises(ValueError, match="2 bases"):
        transitive("E")


def test_relation_rejects_nonsense() -> None:
    with pytest.raises(ValueError):
        Relation((ANY,))
    with pytest.raises(ValueError):
        Relation.of({"X": "E"})
