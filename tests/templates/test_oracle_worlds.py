"""The model finder and the reader of the oracle, by themselves."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.templates.oracle.dates import minutes
from tests.templates.oracle.oracle import THEORIES, judge
from tests.templates.oracle.reading import Context, Grammar, Said, Unread, whole
from tests.templates.oracle.worlds import (
    TRUE,
    Formula,
    Impossible,
    at_most_one,
    count,
    decide,
    every,
    fact,
    none,
    number,
    possible,
    some,
    variable,
)

from nliprobe.language.english import number_words

P, Q, R = (fact(name) for name in "PQR")
COUNTS = [number(variable((name,), tuple(range(6)))) for name in "xyz"]


def formulas() -> st.SearchStrategy[Formula]:
    leaves = st.sampled_from([P, Q, R, TRUE])

    def larger(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
        two: list[Callable[[Formula, Formula], Formula]] = [
            Formula.__and__,
            Formula.__or__,
            Formula.implies,
            Formula.same_as,
        ]
        pairs = st.tuples(st.sampled_from(two), inner, inner).map(lambda parts: parts[0](parts[1], parts[2]))
        return pairs | inner.map(Formula.__invert__)

    return st.recursive(leaves, larger, max_leaves=8)


def true_somewhere(formula: Formula) -> bool:
    """By trying every assignment."""
    worlds = itertools.product((0, 1), repeat=len(formula.variables))
    return any(formula.test(dict(zip(formula.variables, world, strict=True))) for world in worlds)


@given(formulas())
def test_the_search_finds_a_world_if_there_is_one(formula: Formula) -> None:
    assert possible(formula) == true_somewhere(formula)


@given(formulas(), formulas())
def test_a_denial_turns_the_label(premise: Formula, hypothesis: Formula) -> None:
    if not possible(premise):
        with pytest.raises(Impossible, match="no world satisfies the premise"):
            decide(premise, hypothesis)
        return
    turned = {"E": "C", "C": "E", "N": "N"}
    assert decide(premise, ~hypothesis) == turned[decide(premise, hypothesis)]
    assert decide(premise, premise) == "E"
    assert decide(premise & hypothesis, hypothesis) == "E" if possible(premise & hypothesis) else True


@given(st.integers(-6, 12), st.integers(-3, 3), st.sampled_from(list(itertools.permutations(range(3)))))
def test_equations_lose_no_world(total: int, more: int, order: tuple[int, int, int]) -> None:
    """Solving an equation for a variable finds the same as going through its values."""
    x, y, z = (COUNTS[place] for place in order)
    solved = x.equals(y.plus(more)) & z.equals(number(total).minus(x))
    tried = any(
        a == b + more and c == total - a for a, b, c in itertools.product(range(6), repeat=3)
    )  # fmt: skip
    assert possible(solved) == tried


def test_what_the_connectives_say() -> None:
    assert decide(every(P, Q), P) == "E"
    assert decide(some(P, Q), P) == "N"
    assert decide(none(P, Q), P) == "C"
    assert decide(at_most_one(P, Q, R) & P, Q | R) == "C"
    assert decide(count([P, Q, R]).equals(2) & ~P, Q & R) == "E"
    assert decide(P.implies(Q), Q, background=P) == "E"
    assert decide(P.same_as(Q), ~P & Q) == "C"


def test_numbers() -> None:
    x, y, _ = COUNTS
    assert decide(x.above(y), y.above(x)) == "C"
    assert decide(x.distance(y).equals(5), x.equals(0) | y.equals(0)) == "E"
    assert decide(x.times(2).equals(y), y.equals(3)) == "C"
    assert decide(x.minus(y).equals(2), x.below(3)) == "N"


@pytest.mark.parametrize("value", range(100))
def test_numbers_in_words_are_read(value: int) -> None:
    assert whole(number_words(value)) == whole(str(value)) == value


@pytest.mark.parametrize(
    ("text", "expected"), [("12 am", 0), ("8:05 am", 485), ("12 pm", 720), ("1 pm", 780), ("11:59 pm", 1439)]
)
def test_times_of_the_clock_are_read(text: str, expected: int) -> None:
    assert minutes(text) == expected


def test_a_pattern_keeps_to_its_sentence_and_repeats_its_words() -> None:
    grammar = Grammar()

    @grammar.says("{X} met {Y}.", "{X} and {Y} met, and {Y} met {Z}.")
    def _(said: Said) -> Formula:
        return fact(said["X"], said["Y"])

    read = grammar.read("Ana met Ben. Cleo met Dan.", Context())
    assert [one.about for one in read.variables] == [("Ana", "Ben"), ("Cleo", "Dan")]
    assert grammar.read("Ana and Ben met, and Ben met Cleo.", Context()).variables[0].about == ("Ana", "Ben")
    for text in ("Ana and Ben met, and Dan met Cleo.", "Ana met a friend.", "Ana met Ben", ""):
        with pytest.raises(Unread):
            grammar.read(text, Context())


@pytest.mark.parametrize(
    ("capability", "premise", "hypothesis", "label"),
    [
        ("boolean", "Ana or Ben is kind. Ana is not kind.", "Ben is kind.", "E"),
        ("boolean", "Ana and Ben are from Peru and Chad respectively.", "Ana is from Chad.", "C"),
        ("negation", "It is not true that Ana is not kind.", "Ana is not kind.", "C"),
        ("conditional", "If Ana is at the bank, Ben is there too.", "If Ben is at the bank, Ana is there too.", "N"),
        ("quantifier", "Most of the keys are red.", "All of the keys are red.", "N"),
        ("numerical", "Ana owns at least 7 hats.", "Ana owns exactly 5 hats.", "C"),
        ("spatial", "Alderby lies due north of Selwick.", "Selwick lies due south of Alderby.", "E"),
        ("spatial", "Ana was facing north and then made a quarter turn to the left.", "Now Ana is facing east.", "C"),
        ("temporal", "Ana was born in 1990 and Ben in 1990.", "Ana is older than Ben.", "N"),
        ("temporal", "Ana has a fitting and then a lecture.", "The lecture comes before the fitting.", "C"),
        ("relational", "Ana is Ben's mother, and Ben is Cleo's parent.", "Ana is Cleo's grandmother.", "E"),
        ("relational", "Ana is Ben's parent.", "Ben is Ana's parent.", "C"),
    ],
)  # fmt: skip
def test_verdicts_by_hand(capability: str, premise: str, hypothesis: str, label: str) -> None:
    assert judge(THEORIES[capability], premise, hypothesis, Context()) == label


def test_an_impossible_premise_is_an_error() -> None:
    with pytest.raises(Impossible):
        judge(THEORIES["boolean"], "Ana is kind. Ana is not kind.", "Ana is kind.", Context())
