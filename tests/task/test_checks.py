"""The algebra of rules, their forms, and what is said of wrong ones."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.analysis.outcomes import relation_outcomes
from nliprobe.base.errors import UsageError
from nliprobe.task.case import Check, Outcome
from nliprobe.task.check_forms import check_of, read_rule, rule_json, rule_of, rule_text, rule_words
from nliprobe.task.checks import (
    BASE,
    DIRECTIONS,
    And,
    BaseIn,
    Close,
    If,
    LabelIn,
    Monotone,
    Not,
    Or,
    Rule,
    SameLabel,
    needs_base,
    needs_probabilities,
    outcome,
)
from nliprobe.task.labels import SETS, LabelSet
from nliprobe.task.partitions import THREE_WAY, Partition
from nliprobe.task.prediction import Prediction, Status
from nliprobe.task.relations import SAME

HOLDS, BROKEN, NA, SILENT = Outcome.HOLDS, Outcome.BROKEN, Outcome.NOT_APPLICABLE, Outcome.UNANSWERED
tolerances = st.sampled_from([0.0, 0.05, 0.1, 0.5, 1.0])
some_labels = st.sampled_from(SETS[1:])
leaves: st.SearchStrategy[Rule] = st.one_of(
    st.just(SameLabel()),
    st.builds(LabelIn, some_labels),
    st.builds(BaseIn, some_labels),
    st.builds(Close, tolerances),
    st.builds(Monotone, st.sampled_from(["E", "N", "C", BASE]), st.sampled_from(DIRECTIONS), tolerances),
)
rules: st.SearchStrategy[Rule] = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(And, st.lists(inner, min_size=2, max_size=3).map(tuple)),
        st.builds(Or, st.lists(inner, min_size=2, max_size=3).map(tuple)),
        st.builds(Not, inner),
        st.builds(If, inner, inner),
    ),
    max_leaves=6,
)
shares = st.tuples(*[st.integers(0, 20)] * 3).filter(any).map(lambda found: tuple(x / sum(found) for x in found))
predictions = st.builds(
    Prediction,
    st.sampled_from([None, *(LabelSet.of(letter) for letter in "ENC")]),
    st.one_of(st.none(), shares),
)
partitions = st.sampled_from([THREE_WAY, Partition.parse("E|NC")])


def said(label: str | None, *found: float) -> Prediction:
    labels = None if label is None else LabelSet.of(label)
    return Prediction(labels, (found[0], found[1], found[2]) if found else None, Status.OK if label else Status.FAILED)


@given(rules, rules, predictions, predictions, partitions)
def test_de_morgan(one: Rule, two: Rule, base: Prediction, answer: Prediction, partition: Partition) -> None:
    for left, right in (
        (Not(And((one, two))), Or((Not(one), Not(two)))),
        (Not(Or((one, two))), And((Not(one), Not(two)))),
        (Not(Not(one)), one),
    ):
        assert outcome(left, [base], answer, partition) == outcome(right, [base], answer, partition)


@given(rules, predictions, predictions, st.sampled_from([And, Or]))
def test_a_part_that_does_not_apply_says_nothing(
    rule: Rule, base: Prediction, answer: Prediction, joined: type[And] | type[Or]
) -> None:
    bare, unweighed = base._replace(probabilities=None), answer._replace(probabilities=None)
    whole = outcome(joined((rule, Close(0.1))), [bare], unweighed)
    expected = outcome(rule, [bare], unweighed)
    # Close looks at the base, so with it the whole is unanswered wherever the base is.
    assert whole == (SILENT if not bare.label else expected)
    assert outcome(joined((Close(0.1), Monotone("E", "up"))), [said("E")], said("E")) == NA


@given(st.lists(rules, min_size=1, max_size=4), predictions, predictions)
def test_and_and_or_do_not_depend_on_the_order(parts: list[Rule], base: Prediction, answer: Prediction) -> None:
    for joined in (And, Or):
        assert outcome(joined(tuple(parts)), [base], answer) == outcome(joined(tuple(reversed(parts))), [base], answer)


@given(tolerances, tolerances, predictions, predictions)
def test_what_holds_with_a_tolerance_holds_with_a_greater_one(
    one: float, two: float, base: Prediction, answer: Prediction
) -> None:
    small, large = sorted([one, two])
    for loosening in (Close, lambda tolerance: Monotone("E", "not_up", tolerance)):
        if outcome(loosening(small), [base], answer) == HOLDS:
            assert outcome(loosening(large), [base], answer) == HOLDS
    if outcome(Monotone("E", "up", large), [base], answer) == HOLDS:
        assert outcome(Monotone("E", "up", small), [base], answer) == HOLDS


@given(st.sampled_from("ENC"), tolerances, predictions, predictions)
def test_not_up_is_the_opposite_of_up(label: str, tolerance: float, base: Prediction, answer: Prediction) -> None:
    for direction in ("up", "down"):
        opposite = Monotone(label, f"not_{direction}", tolerance)
        assert outcome(opposite, [base], answer) == outcome(Not(Monotone(label, direction, tolerance)), [base], answer)
    up, down = (outcome(Monotone(label, way, tolerance), [base], answer) for way in ("up", "down"))
    assert not (up == down == HOLDS)


@pytest.mark.parametrize("partition", [THREE_WAY, Partition.parse("E|NC"), Partition.parse("E|C")])
def test_same_label_is_the_identity_relation(partition: Partition) -> None:
    import polars as pl

    for base in SETS:
        for answer in SETS:
            old, new = ([str(found) if found else None] for found in (base, answer))
            (by_relation,) = relation_outcomes(
                pl.Series([str(SAME)]), pl.Series(old, dtype=pl.String), pl.Series(new, dtype=pl.String), partition
            )
            found = outcome(SameLabel(), [Prediction(base or None)], Prediction(answer or None), partition)
            assert found.value == by_relation, (base, answer)


@given(rules, predictions, predictions, partitions)
def test_a_two_way_answer_is_broken_only_if_no_reading_is_allowed(
    rule: Rule, base: Prediction, answer: Prediction, partition: Partition
) -> None:
    found = outcome(rule, [base], answer, partition)
    if answer.label and base.label:
        readings = {
            outcome(rule, [base._replace(label=LabelSet.of(old))], answer._replace(label=LabelSet.of(new)))
            for old in partition.coarsen(base.label)
            for new in partition.coarsen(answer.label)
        }
        assert found == next(each for each in (HOLDS, NA, BROKEN) if each in readings)


@pytest.mark.parametrize(
    ("text", "base", "answer", "expected"),
    [
        ("same_label", said("E"), said("E"), HOLDS),
        ("same_label", said("E"), said("N"), BROKEN),
        ("same_label", said(None), said("N"), SILENT),
        ("label_in EN", said(None), said("N"), HOLDS),
        ("label_in EN", said("E"), said(None), SILENT),
        ("close 0.1", said("E", 0.8, 0.1, 0.1), said("E", 0.7, 0.2, 0.1), HOLDS),
        ("close 0.1", said("E", 0.8, 0.1, 0.1), said("E", 0.69, 0.21, 0.1), BROKEN),
        ("close 0.1", said("E"), said("E", 0.69, 0.21, 0.1), NA),
        ("close 0", said("E", 0.8, 0.1, 0.1), said("E", 0.800001, 0.1, 0.099999), HOLDS),
        ("monotone E down", said("E", 0.8, 0.1, 0.1), said("E", 0.7, 0.2, 0.1), HOLDS),
        ("monotone E down 0.2", said("E", 0.8, 0.1, 0.1), said("E", 0.7, 0.2, 0.1), BROKEN),
        ("monotone E up", said("E", 0.8, 0.1, 0.1), said("E", 0.8, 0.1, 0.1), BROKEN),
        ("monotone base not_up", said("C", 0.1, 0.1, 0.8), said("C", 0.05, 0.05, 0.9), BROKEN),
        ("if base_in E then monotone E down", said("N", 0.1, 0.8, 0.1), said("E", 0.9, 0.0, 0.1), NA),
        ("if base_in E then label_in NC", said("E"), said("C"), HOLDS),
        ("same_label and close 0.1", said("E"), said("N"), BROKEN),
        ("same_label and close 0.1", said("E"), said("E"), HOLDS),
        ("not same_label or close 0.5", said("E"), said("E"), BROKEN),
    ],
)
def test_outcomes_by_hand(text: str, base: Prediction, answer: Prediction, expected: Outcome) -> None:
    assert outcome(read_rule(text), [base], answer) == expected


def test_what_compares_needs_exactly_one_base() -> None:
    for bases in ([], [said("E"), said("E")]):
        assert outcome(SameLabel(), bases, said("E")) == NA
        assert outcome(And((SameLabel(), LabelIn(LabelSet.of("E")))), bases, said("E")) == HOLDS
    assert needs_base(If(BaseIn(LabelSet.of("E")), LabelIn(LabelSet.of("E"))))
    assert not needs_base(Not(LabelIn(LabelSet.of("E"))))
    assert needs_probabilities(Or((SameLabel(), Close(0.1))))
    nan = float("nan")
    assert outcome(Close(1.0), [said("E", nan, nan, nan)], said("E", 1.0, 0.0, 0.0)) == NA


@given(rules)
def test_every_form_is_read_again(rule: Rule) -> None:
    assert read_rule(rule_json(rule)) == rule
    assert read_rule(json.dumps(rule_json(rule))) == rule
    assert rule_of(check_of(rule)) == rule
    assert rule_words(rule)
    again = read_rule(rule_text(rule))
    assert rule_text(again) == rule_text(rule)
    for base, answer in (("E", "N"), ("N", "N"), ("C", "E")):
        before, after = said(base, 0.2, 0.5, 0.3), said(answer, 0.3, 0.5, 0.2)
        assert outcome(again, [before], after) == outcome(rule, [before], after)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("same_labl", "Did you mean 'same_label'"),
        ({"name": "clos", "tolerance": 0.1}, "Did you mean 'close'"),
        ({"name": "close"}, "The check 'close' needs 'tolerance'"),
        ({"name": "close", "tolerence": 0.1}, "no parameter 'tolerence'. Did you mean 'tolerance'"),
        ({"name": "same_label", "label": "E"}, "It takes no parameters"),
        ({"name": "close", "tolerance": True}, "should be a number, not True"),
        ("close -0.1", "should be from 0 to 1, not -0.1"),
        ("close nan", "should be from 0 to 1"),
        ("label_in X", "should be letters such as EN"),
        ({"name": "label_in", "labels": ""}, "needs at least one of the labels"),
        ("monotone E dwn", "Did you mean 'down'"),
        ("monotone X down", "should be E, N, C or base, not 'X'"),
        ({"name": "and", "checks": []}, "needs at least one check"),
        ({"name": "or", "checks": "same_label"}, "should be a list"),
        ({"name": "not"}, "needs 'check'"),
        ("(same_label", r"lacks '\)'"),
        ("if same_label", "lacks 'then'"),
        ("same_label same_label", "was not expected"),
        ("same_label or if base_in E then label_in E", "'if' cannot stand where it does. Set brackets"),
        ("same_label and", "ends where another check was expected"),
        ("", "The check is empty"),
        ('{"name": ', "not JSON"),
        ("(" * 100_000, "nested deeper than 50"),
        ("not " * 100_000 + "same_label", "nested deeper than 50"),
        (7, "should be an object such as"),
        (None, "should be an object such as"),
    ],
)
def test_wrong_rules_are_told_in_a_sentence(wrong: object, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read_rule(wrong)


def test_deep_json_is_refused() -> None:
    deep: object = {"name": "same_label"}
    for _ in range(60):
        deep = {"name": "not", "check": deep}
    with pytest.raises(UsageError, match="nested deeper"):
        read_rule(deep)
    with pytest.raises(UsageError, match=r"not JSON|nested deeper"):
        read_rule('{"name":"not","check":' * 100_000)


@pytest.mark.parametrize("params", ["[]", "{", "3"])
def test_damaged_records_are_told(params: str) -> None:
    with pytest.raises(UsageError, match="parameters of the check 'close'"):
        rule_of(Check("close", params))
