"""Outcomes against a slow oracle written with plain sets of letters."""

from __future__ import annotations

import itertools

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.analysis.runs import Asked, MakeRun, derived, pair

from nliprobe.analysis.outcomes import case_outcomes, gold_outcomes, relation_outcomes
from nliprobe.task.partitions import Partition

PARTITIONS = ["E|N|C", "E|NC", "EN|C", "EC|N", "E|C", "ENC"]
LABELS = ["".join(letters) for size in (1, 2, 3) for letters in itertools.combinations("ENC", size)]
labels = st.none() | st.sampled_from(LABELS)
allowed = st.sets(st.sampled_from("ENC")).map(lambda letters: "".join(x for x in "ENC" if x in letters))
relations = st.none() | st.tuples(allowed, allowed, allowed).map(lambda sets: f"E>{sets[0]} N>{sets[1]} C>{sets[2]}")


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


def relation_oracle(relation: str | None, base: str | None, answer: str | None, blocks: list[set[str]]) -> str:
    if relation is None:
        return "not applicable"
    if base is None or answer is None:
        return "unanswered"
    rule = dict(entry.split(">") for entry in relation.split())
    reachable = {letter for before in coarse(base, blocks) for letter in rule[before]}
    return "holds" if reachable & coarse(answer, blocks) else "broken"


@given(st.lists(st.tuples(labels, labels), max_size=40), st.sampled_from(PARTITIONS), st.sampled_from(PARTITIONS))
def test_gold_outcomes_equal_the_oracle(rows: list[tuple[str | None, str | None]], corpus: str, system: str) -> None:
    gold, answer = (pl.Series([row[place] for row in rows], dtype=pl.String) for place in (0, 1))
    found = gold_outcomes(gold, answer, Partition.parse(corpus).join(Partition.parse(system)))
    assert found.to_list() == [gold_oracle(*row, joined(corpus, system)) for row in rows]


@given(st.lists(st.tuples(relations, labels, labels), max_size=40), st.sampled_from(PARTITIONS))
def test_relation_outcomes_equal_the_oracle(
    rows: list[tuple[str | None, str | None, str | None]], partition: str
) -> None:
    relation, base, answer = (pl.Series([row[place] for row in rows], dtype=pl.String) for place in (0, 1, 2))
    found = relation_outcomes(relation, base, answer, Partition.parse(partition))
    blocks = [set(block) for block in partition.split("|")]
    assert found.to_list() == [relation_oracle(*row, blocks) for row in rows]


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
    found = gold_outcomes(pl.Series([gold]), pl.Series([answer], dtype=pl.String), Partition.parse(partition))
    assert found.to_list() == [expected]


def test_relations_over_two_bases_are_not_applicable() -> None:
    two = "EE>E EN>ENC EC>ENC NE>ENC NN>ENC NC>ENC CE>ENC CN>ENC CC>ENC"
    assert relation_outcomes(pl.Series([two]), pl.Series(["E"]), pl.Series(["C"])).to_list() == ["not applicable"]


def test_case_outcomes_lists_every_case_asked(make_run: MakeRun) -> None:
    a, b = pair("a", "E"), pair("b", "C")
    cases = {"x/dev": [a, derived("a1", a), derived("a2", a)], "hans/dev": [b, derived("b1", b), pair("c")]}
    answers = {"a": "E", "a1": "C", "a2": None, "b": "N", "b1": "N"}
    run = make_run(cases, [Asked("m", answers)], partitions={"hans/dev": "E|NC"})
    assert case_outcomes(run, "m").rows() == [
        ("a", "x/dev", "gold", "holds", "not applicable", "not applicable", None, "E"),
        ("a1", "x/dev", "rows.delete", "not applicable", "broken", "not applicable", "E", "C"),
        ("a2", "x/dev", "rows.delete", "not applicable", "unanswered", "not applicable", "E", None),
        ("b", "hans/dev", "gold", "holds", "not applicable", "not applicable", None, "N"),
        ("b1", "hans/dev", "rows.delete", "not applicable", "holds", "not applicable", "N", "N"),
    ]
