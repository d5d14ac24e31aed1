"""Where a rule binds nobody, against asking for every answer."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.task.case import Prediction
from nliprobe.task.labels import LETTERS, SETS, LabelSet, Partition
from nliprobe.task.outcomes import outcome
from nliprobe.task.relations import DELETE, SAME, SWAPPED, UNCONSTRAINED, Relation
from nliprobe.task.rules import And, Close, Monotone, Or, Rule
from nliprobe.task.unbound import is_unbound, unbound, unbound_by_two

PARTITIONS = [Partition.parse(text) for text in ("E|N|C", "E|NC", "EN|C", "EC|N", "E|C", "ENC")]
predictions = st.sampled_from(SETS).map(lambda labels: Prediction(labels or None))
allowed = st.sampled_from(SETS)


def says(partition: Partition) -> list[Prediction]:
    return [Prediction(labels) for labels in SETS[1:] if set(labels) <= set(partition.labels)]


@given(st.tuples(allowed, allowed, allowed), predictions, st.sampled_from(PARTITIONS))
def test_a_rule_over_one_base(kept: tuple[LabelSet, ...], base: Prediction, partition: Partition) -> None:
    rule = Relation(kept)
    expected = all(outcome(rule, [base], answer, partition) == "holds" for answer in says(partition))
    assert is_unbound(rule, [base], partition) == expected


@given(st.tuples(*[allowed] * 9), predictions, predictions, st.sampled_from(PARTITIONS))
def test_a_rule_over_two_bases(
    kept: tuple[LabelSet, ...], one: Prediction, two: Prediction, partition: Partition
) -> None:
    rule = Relation(kept)
    expected = all(outcome(rule, [one, two], answer, partition) == "holds" for answer in says(partition))
    assert is_unbound(rule, [one, two], partition) == expected


@pytest.mark.parametrize(
    ("rule", "way", "free"),
    [
        (UNCONSTRAINED, "E|N|C", "ENC"),
        (SAME, "E|N|C", ""),
        (DELETE.relation, "E|N|C", ""),
        (SWAPPED, "E|NC", "ENC"),
        (DELETE.relation, "E|NC", "E"),
    ],
)
def test_by_hand(rule: Relation, way: str, free: str) -> None:
    partition = Partition.parse(way)
    bases = [Prediction(LabelSet.of(letter)) for letter in LETTERS]
    assert "".join(str(base.label) for base in bases if is_unbound(rule, [base], partition)) == free


@pytest.mark.parametrize("rule", [Close(0.1), And((UNCONSTRAINED, Close(0.1))), Or((SAME, Monotone("E", "up")))])
def test_a_rule_about_probabilities_always_asks_for_something(rule: Rule) -> None:
    assert not any(
        is_unbound(rule, [Prediction(base)] if base else [], way) for base, way in itertools.product(SETS, PARTITIONS)
    )


def test_nothing_is_known_where_the_base_has_no_answer() -> None:
    assert not is_unbound(UNCONSTRAINED, [Prediction(None)], PARTITIONS[0])
    assert not is_unbound(UNCONSTRAINED, [Prediction(SETS[1]), Prediction(SETS[1])], PARTITIONS[0])


def test_tables_cannot_be_written_to() -> None:
    for table in (unbound(SAME, PARTITIONS[0]), unbound_by_two(SAME, PARTITIONS[0])):
        with pytest.raises(ValueError, match="read-only"):
            table[...] = True
