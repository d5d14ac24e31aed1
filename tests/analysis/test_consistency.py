"""Consistency: rules over one base and over two, by hand."""

from __future__ import annotations

from itertools import product

import pytest
from tests.analysis.runs import Asked, MakeRun, pair
from tests.analysis.schemas import validate

from nliprobe.analysis.cases import read_cases, read_run
from nliprobe.analysis.consistency import consistency
from nliprobe.analysis.failures import failures
from nliprobe.analysis.summary import summarise
from nliprobe.base.errors import StoreError
from nliprobe.corpora.becel import CHAINED, NEGATED
from nliprobe.task.case import Case, Prediction
from nliprobe.task.labels import LETTERS, THREE_WAY, LabelSet, Partition
from nliprobe.task.outcomes import BROKEN, HOLDS, NOT_APPLICABLE, OUTCOMES, UNANSWERED, outcome, pair_outcomes
from nliprobe.task.relations import SAME, Relation


def made(name: str, gold: str | None, bases: tuple[str, ...], rule: Relation, group: str) -> Case:
    return pair(name, gold, group)._replace(bases=bases, expects=rule)


PARAPHRASES = [
    pair("a", "E", "g1"),
    made("a1", "E", ("a",), SAME, "g1"),
    pair("b", "N", "g2"),
    made("b1", "N", ("b",), SAME, "g2"),
    pair("c", "C", "g3"),
    made("c1", None, ("c",), SAME, "g3"),
]
CHAINS = [
    pair("p", "N", "g1"),
    pair("q", "C", "g1"),
    made("pq", "NC", ("p", "q"), CHAINED, "g1"),
    pair("r", "C", "g2"),
    pair("s", "E", "g2"),
    made("rs", "C", ("r", "s"), CHAINED, "g2"),
]


def test_broken_rules_and_accuracies_of_both_sides(make_run: MakeRun) -> None:
    answers = {"a": "E", "a1": "N", "b": "E", "b1": "E", "c": "C", "c1": "E"}
    (entry,) = consistency(read_run(make_run({"x": PARAPHRASES}, [Asked("m", answers)])))
    assert (entry["n"], entry["bases"], entry["groups"], entry["unanswered"]) == (3, 1, 3, 0)
    assert (entry["broken"]["count"], entry["broken"]["n"]) == (2, 3)
    assert (entry["before"]["count"], entry["before"]["n"]) == (2, 3)
    # c1 has no gold label.
    assert (entry["after"]["count"], entry["after"]["n"]) == (0, 2)
    assert (entry["broken_of_right"]["count"], entry["broken_of_right"]["n"]) == (2, 2)
    assert (entry["wrong_of_right"]["count"], entry["wrong_of_right"]["n"]) == (1, 1)
    assert entry["constants"] == {"E": 0.0, "N": 0.0, "C": 0.0}


def test_an_answer_that_never_came_is_in_no_rate(make_run: MakeRun) -> None:
    answers = {"a": "E", "a1": None, "b": None, "b1": "E", "c": "C", "c1": "C"}
    (entry,) = consistency(read_run(make_run({"x": PARAPHRASES}, [Asked("m", answers)])))
    assert (entry["n"], entry["unanswered"], entry["broken"]["count"]) == (1, 2, 0)


def test_a_constant_answer_breaks_what_must_change(make_run: MakeRun) -> None:
    cases = [pair("a", "E"), made("a1", "C", ("a",), NEGATED, "")]
    (entry,) = consistency(read_run(make_run({"x": cases}, [Asked("m", {"a": "E", "a1": "E"})])))
    assert entry["constants"] == {"E": 1.0, "N": 0.0, "C": 1.0}


def test_rules_over_two_bases(make_run: MakeRun) -> None:
    # N and C before: E is not allowed. C and E before: anything is, and C is the gold label.
    answers = {"p": "N", "q": "C", "pq": "E", "r": "C", "s": "E", "rs": "N"}
    run = make_run({"x": CHAINS}, [Asked("m", answers), Asked("constant", dict.fromkeys(answers, "N"))])
    entry, constant = consistency(read_run(run))
    assert (entry["n"], entry["bases"]) == (2, 2)
    assert (entry["broken"]["count"], entry["before"]["count"], entry["after"]["count"]) == (1, 2, 0)
    assert (entry["broken_of_right"]["count"], entry["wrong_of_right"]["count"]) == (1, 2)
    assert (constant["broken"]["count"], constant["before"]["count"], constant["after"]["count"]) == (0, 0, 1)
    assert constant["constants"] == {"E": 0.0, "N": 0.0, "C": 0.0}
    document = summarise(run)
    validate("show", document)
    assert [item["broken"] for item in document["expectations"]] == [1, 0]
    shown = {item["case_id"]: item for item in failures(run)["shown"] if item["system"] == "m"}
    assert (shown["pq"]["before"], shown["pq"]["allowed"], shown["pq"]["expected"]) == ("N, C", "NC", "")


def test_a_case_lacks_what_a_run_has_lost(make_run: MakeRun) -> None:
    run = make_run({"x": [CHAINS[0], CHAINS[2]]}, [Asked("m", {"p": "N", "pq": "N"})])
    with pytest.raises(StoreError, match=r"The case pq of the run .* is derived from q, which the run does not hold"):
        read_cases(run)


def test_bases_are_found_across_shards(make_run: MakeRun) -> None:
    cases = read_cases(make_run({"x": CHAINS}, [], shard=1))
    assert cases.first.tolist() == [-1, -1, 0, -1, -1, 3]
    assert cases.second.tolist() == [-1, -1, 1, -1, -1, 4]
    assert (cases.base == -1).all()


@pytest.mark.parametrize("partition", ["E|N|C", "E|NC", "E|C"])
def test_a_table_over_two_bases_agrees_with_every_reading(partition: str) -> None:
    told = Partition.parse(partition)
    table = pair_outcomes(CHAINED, told)
    blocks = told.blocks
    for one, two, last in product(blocks, repeat=3):
        readings = [c in CHAINED(a, b) for a, b, c in product(one, two, last)]
        found = table[one.mask, two.mask, last.mask]
        assert found == (HOLDS if any(readings) else found)
        if not any(readings):
            sayable = any(c in CHAINED(a, b) for a, b, block in product(one, two, blocks) for c in block)
            assert found == (BROKEN if sayable else NOT_APPLICABLE)
        answers = [Prediction(one), Prediction(two)]
        assert outcome(CHAINED, answers, Prediction(last), told) == OUTCOMES[found]
    assert (table[0] == UNANSWERED).all()
    assert (table[:, :, 0] == UNANSWERED).all()


def test_a_rule_over_two_bases_says_nothing_about_one() -> None:
    label = Prediction(LabelSet.of("E"))
    assert outcome(CHAINED, [label], label).value == "not applicable"
    assert (pair_outcomes(SAME, THREE_WAY) == NOT_APPLICABLE).all()
    assert all(letter in CHAINED("C", letter) for letter in LETTERS)
