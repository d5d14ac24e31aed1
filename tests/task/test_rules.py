"""The algebra of rules, their forms, and what is said of wrong ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.base.errors import UsageError
from nliprobe.task.case import Prediction, Status
from nliprobe.task.labels import LETTERS, SETS, THREE_WAY, LabelSet, Partition
from nliprobe.task.outcomes import OUTCOMES, Answers, Outcome, expected_outcomes, outcome
from nliprobe.task.relations import SAME, UNCONSTRAINED, Relation
from nliprobe.task.rule_forms import read_rule, rule_text, rule_words
from nliprobe.task.rules import (
    BASE,
    DIRECTIONS,
    NOISE,
    And,
    BaseIn,
    Close,
    If,
    LabelIn,
    Monotone,
    Not,
    Or,
    Rule,
    bases_needed,
    label_relation,
    needs_probabilities,
)
from nliprobe.testing.strategies import relations

HOLDS, BROKEN, NA, SILENT = Outcome.HOLDS, Outcome.BROKEN, Outcome.NOT_APPLICABLE, Outcome.UNANSWERED
tolerances = st.sampled_from([0.0, 0.05, 0.1, 0.5, 1.0])
some_labels = st.sampled_from(SETS[1:])
leaves: st.SearchStrategy[Rule] = st.one_of(
    st.just(SAME),
    relations,
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
weights = st.tuples(*[st.integers(0, 20)] * 3).filter(any).map(lambda found: tuple(x / sum(found) for x in found))
predictions = st.builds(
    Prediction,
    st.sampled_from([None, *(LabelSet.of(letter) for letter in "ENC")]),
    st.one_of(st.none(), weights),
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


# A slow oracle, written again from the words of the manual: one pair of labels at a time, none for "says nothing".


def holds(rule: Rule, before: str | None, after: str, moves: tuple[float, ...] | None) -> bool | None:
    match rule:
        case Relation():
            return None if before is None else after in rule(before)
        case LabelIn(labels):
            return after in labels
        case BaseIn(labels):
            return None if before is None else before in labels
        case Close(tolerance):
            return None if moves is None else all(abs(move) <= tolerance + NOISE for move in moves)
        case Monotone(label, direction, tolerance):
            letter = before if label == BASE else label
            if moves is None or letter is None:
                return None
            move = moves[LETTERS.index(letter)]
            moved = (move if direction.endswith("up") else -move) > tolerance + NOISE
            return moved != direction.startswith("not_")
        case Not(inner):
            said = holds(inner, before, after, moves)
            return None if said is None else not said
        case If(when, then):
            return holds(then, before, after, moves) if holds(when, before, after, moves) else None
    said_by_parts = [part for part in (holds(item, before, after, moves) for item in rule.rules) if part is not None]
    if not said_by_parts:
        return None
    return all(said_by_parts) if isinstance(rule, And) else any(said_by_parts)


def oracle(rule: Rule, base: Prediction | None, answer: Prediction, partition: Partition) -> Outcome:
    if not bases_needed(rule):
        base = None
    if not answer.label or (base is not None and not base.label):
        return SILENT
    moves = None
    if base is not None and base.probabilities is not None and answer.probabilities is not None:
        moves = tuple(new - old for new, old in zip(shares(answer), shares(base), strict=True))
    before = [None] if base is None or base.label is None else list(partition.coarsen(base.label))
    readings = {holds(rule, old, new, moves) for old in before for new in partition.coarsen(answer.label)}
    return HOLDS if True in readings else NA if None in readings else BROKEN


def mask(prediction: Prediction | None) -> int:
    return prediction.label.mask if prediction is not None and prediction.label is not None else 0


def shares(prediction: Prediction | None) -> tuple[float, ...]:
    given = None if prediction is None else prediction.probabilities
    return tuple(np.nan if share is None else share for share in given or (None, None, None))


@given(st.lists(st.tuples(rules, st.one_of(st.none(), predictions), predictions), min_size=1, max_size=8), partitions)
def test_many_at_a_time_equal_the_oracle_and_one_at_a_time(
    asked: list[tuple[Rule, Prediction | None, Prediction]], partition: Partition
) -> None:
    answers = Answers(
        np.array([mask(base) for _, base, _ in asked], dtype=np.uint8),
        np.array([mask(answer) for _, _, answer in asked], dtype=np.uint8),
        np.array([shares(answer) for _, _, answer in asked]) - np.array([shares(base) for _, base, _ in asked]),
        np.array([base is not None for _, base, _ in asked]),
    )
    codes = expected_outcomes([rule for rule, _, _ in asked], np.arange(len(asked), dtype=np.int32), answers, partition)
    judged = [OUTCOMES[code] for code in codes.tolist()]
    assert judged == [oracle(rule, base, answer, partition) for rule, base, answer in asked]
    one_by_one = [outcome(rule, [] if base is None else [base], answer, partition) for rule, base, answer in asked]
    assert judged == one_by_one


@given(rules, predictions, predictions)
def test_the_relation_of_a_rule_is_what_it_says_of_labels(rule: Rule, base: Prediction, answer: Prediction) -> None:
    relation = label_relation(rule)
    if bases_needed(rule) != 1:
        assert relation is None
        return
    assert relation is not None
    if base.label and answer.label:
        bare = outcome(rule, [base._replace(probabilities=None)], answer._replace(probabilities=None))
        assert (outcome(relation, [base], answer) == BROKEN) == (bare == BROKEN)


def test_relations_of_rules_by_hand() -> None:
    assert label_relation(read_rule("same_label and close 0.1")) == SAME
    assert label_relation(read_rule("monotone E down")) == UNCONSTRAINED
    assert label_relation(read_rule("E>NC and (if base_in E then monotone base not_up)")) == Relation.of({"E": "NC"})
    assert label_relation(read_rule("label_in E")) is None


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
        assert outcome(SAME, bases, said("E")) == NA
        assert outcome(And((SAME, LabelIn(LabelSet.of("E")))), bases, said("E")) == HOLDS
    assert bases_needed(If(BaseIn(LabelSet.of("E")), LabelIn(LabelSet.of("E"))))
    assert not bases_needed(Not(LabelIn(LabelSet.of("E"))))
    assert needs_probabilities(Or((SAME, Close(0.1))))
    nan = float("nan")
    assert outcome(Close(1.0), [said("E", nan, nan, nan)], said("E", 1.0, 0.0, 0.0)) == NA


@given(rules)
def test_every_form_is_read_again(rule: Rule) -> None:
    assert rule_words(rule)
    assert read_rule(rule_text(rule)) == rule


@given(st.floats(0, 1), st.sampled_from("ENC"))
def test_tolerances_are_written_exactly(tolerance: float, label: str) -> None:
    rule = And((Close(tolerance), Monotone(label, "up", tolerance)))
    assert read_rule(rule_text(rule)) == rule


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ({"name": "and", "rules": [{"name": "same_label"}, "close 0.1"]}, "same_label and close 0.1"),
        ({"name": "relation", "allowed": "E>EN"}, "E>EN N>ENC C>ENC"),
        ({"name": "not", "rule": {"name": "label_in", "labels": ["E", "N"]}}, "not label_in EN"),
        (
            {"name": "if", "when": "base_in E", "then": "E>N or C>E"},
            "if base_in E then (E>N N>ENC C>ENC or E>ENC N>ENC C>E)",
        ),
        ('{"name": "monotone", "label": "E", "direction": "down"}', "monotone E down"),
    ],
)
def test_json_is_read(content: object, text: str) -> None:
    assert rule_text(read_rule(content)) == text


def test_relations_in_words() -> None:
    assert rule_words(read_rule("E>EN N>N")) == "after entailment: entailment or neutral; after neutral: neutral"
    assert rule_words(read_rule("E>")) == "after entailment: nothing"
    assert rule_words(UNCONSTRAINED) == "any label"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("same_labl", "Did you mean 'same_label'"),
        ({"name": "clos", "tolerance": 0.1}, "Did you mean 'close'"),
        ({"name": "close"}, "The rule 'close' needs 'tolerance'"),
        ({"name": "close", "tolerence": 0.1}, "no parameter 'tolerence'. Did you mean 'tolerance'"),
        ({"name": "same_label", "label": "E"}, "It takes no parameters"),
        ({"name": "close", "tolerance": True}, "should be a number, not True"),
        ("close -0.1", "should be from 0 to 1, not -0.1"),
        ("close nan", "should be from 0 to 1"),
        ("label_in X", "should be letters such as EN"),
        ({"name": "label_in", "labels": ""}, "needs at least one of the labels"),
        ("monotone E dwn", "Did you mean 'down'"),
        ("monotone X down", "should be E, N, C or base, not 'X'"),
        ({"name": "and", "rules": []}, "needs at least one rule"),
        ({"name": "or", "rules": "same_label"}, "should be a list"),
        ({"name": "not"}, "needs 'rule'"),
        ("(same_label", r"lacks '\)'"),
        ("if same_label", "lacks 'then'"),
        ("same_label same_label", "was not expected"),
        ("same_label or if base_in E then label_in E", "'if' cannot be used there. Add brackets"),
        ("same_label and", "ends where another rule was expected"),
        ("", "The rule is empty"),
        ('{"name": ', "not JSON"),
        ("(" * 100_000, "nested deeper than 50"),
        ("not " * 100_000 + "same_label", "nested deeper than 50"),
        ("X>E", "not a relation: write the moves it allows"),
        ("E>X", "not a relation"),
        ({"name": "relation", "allowed": "nonsense"}, "not a relation"),
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
        deep = {"name": "not", "rule": deep}
    with pytest.raises(UsageError, match="nested deeper"):
        read_rule(deep)
    with pytest.raises(UsageError, match=r"not JSON|nested deeper"):
        read_rule('{"name":"not","rule":' * 100_000)
