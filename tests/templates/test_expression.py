"""Expressions: what they mean, and where they are wrong."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.templates.columns import Column, plain, texts_of
from nliprobe.templates.evaluate import check_calls, evaluate
from nliprobe.templates.expression import names_in, parse_expression, texts_in
from nliprobe.templates.place import Place, TemplateError

HERE = Place("t.yaml", 3, 10)


def value(text: str, **values: object) -> object:
    columns: dict[str, Column] = {
        name: texts_of([one]) if isinstance(one, str) else np.array([one]) for name, one in values.items()
    }
    expression = parse_expression(text, HERE)
    check_calls(expression, HERE)
    return plain(evaluate(expression, columns, 1, HERE)).tolist()[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("7 // 2 - 7 % 2", 2),
        ("-3 + 5", 2),
        ("2 - -3", 5),
        ("'a' + 'b'", "ab"),
        ("1 < 2 and not 2 < 1", True),
        ("1 < 2 < 3", True),
        ("1 < 3 < 2", False),
        ("1 == 2 or 'x' == 'x'", True),
        ("'E' if 1 > 2 else 'C'", "C"),
        ("'E' if 1 > 2 else 'N' if 2 > 1 else 'C'", "N"),
        ("3 in [1, 2, 3]", True),
        ("'x' not in ['a', 'b']", True),
        ("a('university')", "a university"),
        ("cap(a('engineer'))", "An engineer"),
        ("words(21)", "twenty-one"),
        ("agree(1, 'child', 'children') + agree(2, 'child', 'children')", "childchildren"),
        ("join('A', 'B', 'C')", "A, B and C"),
        ("join_or('A', 'B')", "A or B"),
        ("clock(60 * 13 + 5)", "1:05 pm"),
        ("turn('north', 'left')", "west"),
        ("opposite('east')", "west"),
        ("month(2)", "February"),
        ("ordinal(3)", "third"),
        ("max(1, 5, 2) - min(4, 3)", 2),
        ("abs(2 - 5)", 3),
        ("len('abcd')", 4),
        ("plural('box')", "boxes"),
    ],
)
def test_values(text: str, expected: object) -> None:
    assert value(text) == expected


@given(st.integers(-999, 999), st.integers(-999, 999), st.integers(1, 99))
def test_arithmetic_is_that_of_python(x: int, y: int, z: int) -> None:
    found = value("X + Y * Z - X // Z + X % Z", X=x, Y=y, Z=z)
    assert found == x + y * z - x // z + x % z
    assert value("X < Y or X == Y and Z > 0", X=x, Y=y, Z=z) == (x < y or x == y)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("1 +", 13, "the expression ends where a value was expected"),
        ("(1", 12, r"expected '\)'"),
        ("1 2", 12, "'2' was not expected here"),
        ("A $ B", 12, "cannot be part of an expression"),
        ("foo(1)", 10, "there is no function 'foo'"),
        ("agree(1, 'x')", 10, "takes 3 values, but was given 2"),
        ("'a' if 1", 18, "expected 'else'"),
        ("[1, 2", 15, "expected ',' or"),
        ("1 + B", 14, "there is no value B"),
        ("1 and 2", 12, "a condition was expected"),
        ("'x' - 1", 14, "needs numbers, but 'x' is not one"),
        ("1 // 0", 12, "divides by zero"),
        ("he('Ana')", 10, "a pronoun needs a name"),
        ("1 in 2", 12, "'in' needs a list"),
        ("turn('up', 'left')", 10, "turn needs a compass direction"),
    ],
)
def test_errors_name_line_and_column(text: str, column: int, message: str) -> None:
    with pytest.raises(TemplateError, match=message) as error:
        value(text)
    assert error.value.place.line == 3
    assert error.value.place.column == column


@given(st.text(st.sampled_from("AB12 +-*/%<>=!()[],'ifelsandort."), max_size=40))
def test_any_text_is_read_or_refused_with_its_place(text: str) -> None:
    problem = ""
    try:
        parse_expression(text, HERE)
    except TemplateError as error:
        problem = str(error)
    assert not problem or "t.yaml, line 3, column" in problem


def test_deep_nesting_is_a_sentence() -> None:
    with pytest.raises(TemplateError, match="nested more than"):
        parse_expression("(" * 5000 + "1" + ")" * 5000, HERE)


def test_names_and_texts() -> None:
    expression = parse_expression("'E' if CITY1.country == X and 'Q' == Y else 'C'", HERE)
    assert [name.name for name in names_in(expression)] == ["CITY1", "X", "Y"]
    assert set(texts_in(expression)) == {"E", "C"}
