"""Outcomes against a slow oracle written with plain sets of letters."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.analysis.runs import Asked, MakeRun, derived, pair

from nliprobe.analysis.outcomes import case_outcomes
from nliprobe.task.case import Prediction
from nliprobe.task.labels import LabelSet, Partition
from nliprobe.task.outcomes import OUTCOMES, gold_table, outcome
from nliprobe.task.relations import Relation

PARTITIONS = ["E|N|C", "E|NC", "EN|C", "EC|N", "E|C", "ENC"]
LABELS = ["".join(letters) for size in (1, 2, 3) for letters in itertools.combinations("ENC", size)]
labels = st.none() | st.sampled_from(LABELS)
allowed = st.sets(st.sampled_from("ENC")).map(lambda letters: "".join(x for x in "ENC" if x in letters))
relations = st.tuples(allowed, allowed, allowed).map(lambda sets: f"E>{sets[0]} N>{sets[1]} C>{sets[2]}")


def coarse(letters: str, blocks: list[set[str]]) -> set[str]:
    found = set(letters)
    for block in blocks:
        if block & set(letters):
            found |= block
    return found


def joined(one: str, other: str) -> list[set[str]]:
    blocks = [set(block) for block in one.split("|") + other.split("|")]
    while True:
        touching = next(((a, b) for a, b in itertools.combinations(blocks, 2) if a & b), None)
        if touching is None:
            return blocks
        blocks = [block for block in blocks if block is not touching[0] and block is not touching[1]]
        blocks.append(touching[0] | touching[1])


def gold_oracle(gold: str | None, answer: str | None, blocks: list[set[str]]) -> str:
    if gold is None:
        return "not applicable"
    if answer is None:
        return "unanswered"
    return "holds" if coarse(answer, blocks) <= coarse(gold, blocks) else "broken"


def relation_oracle(relation: str, base: str | None, answer: str | None, blocks: list[set[str]]) -> str:
    if base is None or answer is None:
        return "unanswered"
    rule = dict(entry.split(">") for entry in relation.split())
    reachable = {letter for before in coarse(base, blocks) for letter in rule[before]}
    if reachable & coarse(answer, blocks):
        return "holds"
    # What a system cannot say is not expected of it.
    return "not applicable" if reachable and not reachable & set().union(*blocks) else "broken"


def mask(letters: str | None) -> int:
    return 0 if letters is None else LabelSet.of(letters).mask


def said(letters: str | None) -> Prediction:
    return Prediction(None if letters is None else LabelSet.of(letters))


@given(labels, labels, st.sampled_from(PARTITIONS), st.sampled_from(PARTITIONS))
def test_gold_outcomes_equal_the_oracle(gold: str | None, answer: str | None, corpus: str, system: str) -> None:
    table = gold_table(Partition.parse(corpus).join(Partition.parse(system)))
    assert OUTCOMES[table[mask(gold), mask(answer)]] == gold_oracle(gold, answer, joined(corpus, system))


@given(relations, labels, labels, st.sampled_from(PARTITIONS))
def test_outcomes_of_relations_equal_the_oracle(
    relation: str, base: str | None, answer: str | None, partition: str
) -> None:
    judged = outcome(Relation.parse(relation), [said(base)], said(answer), Partition.parse(partition))
    assert judged == relation_oracle(relation, base, answer, [set(block) for block in partition.split("|")])


@pytest.mark.parametrize(
    ("gold", "answer", "partition", "expected"),
    [
        ("N", "C", "E|N|C", "broken"),
        ("N", "NC", "E|NC", "holds"),
        ("EN", "N", "E|N|C", "holds"),
        ("N", "NC", "E|N|C", "broken"),
        ("E", None, "E|N|C", "unanswered"),
    ],
)
def test_gold_outcomes_by_hand(gold: str, answer: str | None, partition: str, expected: str) -> None:
    assert OUTCOMES[gold_table(Partition.parse(partition))[mask(gold), mask(answer)]] == expected


def test_relations_over_two_bases_need_two() -> None:
    two = Relation.parse("EE>E EN>ENC EC>ENC NE>ENC NN>ENC NC>ENC CE>ENC CN>ENC CC>ENC")
    for bases in ([], [said("E")], [said("E"), said("E"), said("E")]):
        assert outcome(two, bases, said("C")) == "not applicable"
    assert outcome(two, [said("E"), said("N")], said("C")) == "holds"
    assert outcome(two, [said("E"), said("E")], said("C")) == "broken"
    assert outcome(two, [said("E"), Prediction(None)], said("C")) == "unanswered"


def test_case_outcomes_lists_every_case_asked(make_run: MakeRun) -> None:
    a, b = pair("a", "E"), pair("b", "C")
    cases = {"x/dev": [a, derived("a1", a), derived("a2", a)], "hans/dev": [b, derived("b1", b), pair("c")]}
    answers = {"a": "E", "a1": "C", "a2": None, "b": "N", "b1": "N"}
    run = make_run(cases, [Asked("m", answers)], partitions={"hans/dev": "E|NC"})
    assert case_outcomes(run, "m").rows() == [
        ("a", "x/dev", "gold", "holds", "not applicable", None, "E"),
        ("a1", "x/dev", "rows.delete", "not applicable", "broken", "E", "C"),
        ("a2", "x/dev", "rows.delete", "not applicable", "unanswered", "E", None),
        ("b", "hans/dev", "gold", "holds", "not applicable", None, "N"),
        ("b1", "hans/dev", "rows.delete", "not applicable", "holds", "N", "N"),
    ]
