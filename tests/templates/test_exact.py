"""Numbers are exact, whatever their size, and empty choices are drawn."""

from __future__ import annotations

import operator
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.templates.test_expression import value
from tests.templates.test_render import drawn

from nliprobe.templates.columns import Column, plain
from nliprobe.templates.evaluate import evaluate
from nliprobe.templates.expression import parse_expression, written
from nliprobe.templates.numbers import constant
from nliprobe.templates.place import Place
from nliprobe.templates.sample import select

HERE = Place("t.yaml", 1, 1)


def test_labels_of_products_near_the_end_of_64_bits_are_right() -> None:
    body = """
premise: "{N} times {M} and {K}."
hypothesis: "{N} times {M} is more than {K}."
draw: {N: 3000000000..3100000000, M: 3000000000..3100000000, K: 1..9}
label: "'E' if N * M > K else 'C'"
"""
    found = drawn(body, 200)
    assert set(found.labels["first"]) == {"E"}
    products = drawn(body.replace("{N} times {M} and {K}", "{N} times {M} is {N * M}"), 200)
    for text in products.premises:
        first, second, product = (int(word) for word in text.rstrip(".").split() if word.isdigit())
        assert first * second == product


WIDE = st.integers(-(2**66), 2**66) | st.sampled_from([-(2**63), 2**63 - 1, 2**63, -1, 0, 1])
OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv, "%": operator.mod,
    "<": operator.lt, "<=": operator.le, "==": operator.eq, "!=": operator.ne, ">=": operator.ge, ">": operator.gt,
}  # fmt: skip


def column(numbers: list[int]) -> Column:
    narrow = all(-(2**63) <= number < 2**63 for number in numbers)
    from nliprobe.templates.columns import Wide

    return np.array(numbers, dtype=np.int64) if narrow else Wide(np.array(numbers, dtype=object))


def values_of(found: Column) -> list[str]:
    return [str(item) for item in plain(found).tolist()]


@given(st.sampled_from(sorted(OPERATORS)), st.lists(st.tuples(WIDE, WIDE), min_size=1, max_size=5))
def test_arithmetic_is_that_of_python_at_any_size(name: str, pairs: list[tuple[int, int]]) -> None:
    rows = [(one, two) for one, two in pairs if two or name not in ("//", "%")] or [(7, 2)]
    columns = {"A": column([one for one, _ in rows]), "B": column([two for _, two in rows])}
    found = evaluate(parse_expression(f"A {name} B", HERE), columns, len(rows), HERE)
    assert values_of(found) == [str(OPERATORS[name](one, two)) for one, two in rows]


@given(st.lists(st.tuples(WIDE, WIDE), min_size=1, max_size=4))
def test_functions_of_numbers_at_any_size(rows: list[tuple[int, int]]) -> None:
    columns = {"A": column([one for one, _ in rows]), "B": column([two for _, two in rows])}

    def values(text: str) -> list[str]:
        return values_of(evaluate(parse_expression(text, HERE), columns, len(rows), HERE))

    assert values("min(A, B)") == [str(min(row)) for row in rows]
    assert values("max(A, B)") == [str(max(row)) for row in rows]
    assert values("abs(A)") == [str(abs(one)) for one, _ in rows]
    assert values("A if A < B else B") == [str(min(row)) for row in rows]
    assert values("A in [B, 3]") == [str(one in (two, 3)) for one, two in rows]
    assert values("agree(A, 'one', 'many')") == ["one" if one == 1 else "many" for one, _ in rows]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("99999999999999999999 - 99999999999999999998", 1),
        ("9223372036854775807 + 1", "9223372036854775808"),
        ("-9223372036854775807 - 2", "-9223372036854775809"),
        ("(0 - 9223372036854775807 - 1) // -1", "9223372036854775808"),
        ("abs(0 - 9223372036854775807 - 1)", "9223372036854775808"),
        ("3000000000 * 4000000000 > 5", True),
        ("99999999999999999999 == 99999999999999999999", True),
        ("'n' + 99999999999999999999", "n99999999999999999999"),
        ("len(99999999999999999999)", 20),
        ("'99999999999999999999' * 2", "199999999999999999998"),
        ("words(99999999999999999999)", "99,999,999,999,999,999,999"),
        ("3 if 1 < 2 else 99999999999999999999", 3),
        ("'x' if 1 > 2 else 99999999999999999999", "99999999999999999999"),
    ],
)
def test_values_beyond_64_bits(text: str, expected: object) -> None:
    assert value(text) == expected


def test_wide_columns_are_chosen_from_like_others() -> None:
    assert values_of(select(constant(2**70, 3), np.array([0, 2]))) == [str(2**70)] * 2


@pytest.mark.parametrize(
    "text",
    ["A * B + 3", "not A", "A if B else C", "X.field in ['a', 3]", "max(A, 'b')", "A and B or C"],
)
def test_expressions_are_written_as_they_were(text: str) -> None:
    assert written(parse_expression(text, HERE)) == text


def test_an_empty_choice_is_drawn_and_leaves_no_gap() -> None:
    body = """
premise: "It is {not/} so {today/}, {or/} {WHO} is {very/} {glad/}."
hypothesis: "{Surely/} they came. {really/} it is un{der/}done."
label: N
"""
    found = drawn(body, 10_000)
    assert len(found) == 2**8 * 5
    assert "It is so, Ana is." in found.premises
    assert "It is not so today, or Ana is very glad." in found.premises
    assert set(found.hypotheses) >= {"They came. It is undone.", "Surely they came. Really it is underdone."}
    for text in (*found.premises, *found.hypotheses):
        assert "  " not in text
        assert " ." not in text
        assert " ," not in text
        assert text[0].isupper()
    assert set(found.values["ALT1"]) == {"not", ""}


def test_an_empty_text_that_is_written_in_an_expression_is_drawn() -> None:
    body = """
premise: "{WHO} has {N} coin{agree(N, '', 's')} {'' if N > 2 else 'only'}."
hypothesis: "{WHO} has {END} coins."
draw: {N: 1..4}
let: {END: "'' if N == 1 else 'some'"}
label: N
"""
    found = drawn(body)
    assert len(found) == 20
    assert "Ana has 1 coin only." in found.premises
    assert "Ana has 3 coins." in found.premises
    assert "Ana has coins." in found.hypotheses


def test_a_word_that_a_lexicon_lacks_is_still_not_drawn() -> None:
    lexicons = "lexicons: {W: {fields: [text, more], entries: [[car, x], [qqqq, ''], [house, y]]}}"
    from tests.templates.test_render import one

    from nliprobe.templates.render import render

    for slot in ("{W.more}", "{cap(W.more)}", "{a(W.more)}", "{a(synonym(W))}", "{MORE}"):
        let = 'let: {MORE: "W.more"}\n' if "MORE" in slot else ""
        found = render(one(f'premise: "The {{W}} is {slot}."\nhypothesis: "The {{W}}."\nlabel: N\n{let}', lexicons), 9)
        assert "qqqq" not in found.values["W"], slot
        assert "car" in found.values["W"]
