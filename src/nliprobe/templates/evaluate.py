"""Evaluate expressions on columns of drawn values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from nliprobe.base.errors import NotFoundError, did_you_mean
from nliprobe.templates.columns import Column, Entries, Wide, as_texts, is_text, is_truth, plain, texts_of
from nliprobe.templates.expression import Call, Const, Expression, Items, Name, written
from nliprobe.templates.functions import FUNCTIONS
from nliprobe.templates.numbers import ValueProblem, compare, compute, constant, exact_column, numeric
from nliprobe.templates.place import Place, TemplateError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ARITHMETIC = frozenset({"+", "-", "*", "//", "%"})
OPERATORS = ARITHMETIC | frozenset({"<", "<=", "==", "!=", ">=", ">", "in", "and", "or", "not", "if"})


def evaluate(expression: Expression, values: Mapping[str, Column], rows: int, place: Place) -> Column:
    """Return the value of an expression for every example."""
    if isinstance(expression, Const):
        value = expression.value
        return texts_of([value] * rows) if isinstance(value, str) else constant(value, rows)
    if isinstance(expression, Name):
        return _named(expression, values, place)
    if isinstance(expression, Items):
        raise TemplateError(place.moved(expression.at), "a list is only allowed after 'in'.")
    arguments = expression.arguments
    if expression.function == "in":
        return _member(expression, values, rows, place)
    columns = [evaluate(argument, values, rows, place) for argument in arguments]
    try:
        if expression.function in OPERATORS:
            return _operate(expression.function, columns)
        return FUNCTIONS[expression.function].apply(*columns)
    except ValueProblem as problem:
        raise TemplateError(place.moved(expression.at), f"in '{written(expression)}': {problem}.") from problem


def check_calls(expression: Expression, place: Place) -> None:
    """Check that every function exists and gets as many arguments as it takes."""
    if isinstance(expression, Items):
        for item in expression.items:
            check_calls(item, place)
    if not isinstance(expression, Call):
        return
    for argument in expression.arguments:
        check_calls(argument, place)
    if expression.function in OPERATORS:
        return
    function = FUNCTIONS.get(expression.function)
    at = place.moved(expression.at)
    if function is None:
        hint = did_you_mean(expression.function, FUNCTIONS)
        raise TemplateError(at, f"there is no function '{expression.function}'. {hint}")
    given = len(expression.arguments)
    if given < function.least or (function.most is not None and given > function.most):
        wanted = str(function.least) if function.most == function.least else f"at least {function.least}"
        raise TemplateError(at, f"'{expression.function}' takes {wanted} values, but was given {given}.")


def _named(expression: Name, values: Mapping[str, Column], place: Place) -> Column:
    column = values.get(expression.name)
    at = place.moved(expression.at)
    if column is None:
        raise TemplateError(at, f"there is no value {expression.name}. {did_you_mean(expression.name, values)}")
    if not expression.field:
        return column
    if not isinstance(column, Entries):
        raise TemplateError(
            at, f"{expression.name} is not an entry of a lexicon, so it has no field '{expression.field}'."
        )
    try:
        return column.field(expression.field)
    except NotFoundError as error:
        raise TemplateError(at, str(error)) from error


def _member(expression: Call, values: Mapping[str, Column], rows: int, place: Place) -> NDArray[np.bool_]:
    import numpy as np

    left, right = expression.arguments
    value = evaluate(left, values, rows, place)
    if not isinstance(right, Items):
        raise TemplateError(place.moved(expression.at), "'in' needs a list, as in X in ['a', 'b'].")
    members = np.zeros(rows, dtype=np.bool_)
    for item in right.items:
        members |= _equal(value, evaluate(item, values, rows, place))
    return members


def _operate(operator: str, columns: list[Column]) -> Column:
    if operator == "if":
        return _chosen(*columns)
    if operator in ("and", "or"):
        one, two = map(_truth, columns)
        return one & two if operator == "and" else one | two
    if operator == "not":
        return ~_truth(columns[0])
    if operator in ("==", "!="):
        same = _equal(*columns)
        return same if operator == "==" else ~same
    if operator == "+" and any(map(is_text, columns)):
        pairs = zip(*(as_texts(column).tolist() for column in columns), strict=True)
        return texts_of(["".join(pair) for pair in pairs])
    left, right = (numeric(column, f"'{operator}'") for column in columns)
    return compute(operator, left, right) if operator in ARITHMETIC else compare(operator, left, right)


def _chosen(yes: Column, condition: Column, no: Column) -> Column:
    import numpy as np

    chosen = _truth(condition)
    if is_text(yes) or is_text(no):
        return np.where(chosen, as_texts(yes), as_texts(no)).astype(object)
    if isinstance(yes, Wide) or isinstance(no, Wide):
        either = (numeric(column, "'if'").astype(object) for column in (yes, no))
        return exact_column(np.where(chosen, *either))
    return np.where(chosen, plain(yes), plain(no))


def _equal(one: Column, two: Column) -> NDArray[np.bool_]:
    left, right = plain(one), plain(two)
    if left.dtype == object or right.dtype == object:
        left, right = as_texts(one), as_texts(two)
    same: NDArray[np.bool_] = (left == right).astype(bool)
    return same


def _truth(column: Column) -> NDArray[np.bool_]:
    if not is_truth(column):
        raise ValueProblem("a condition was expected, such as N1 < N2")
    return plain(column).astype(bool)
