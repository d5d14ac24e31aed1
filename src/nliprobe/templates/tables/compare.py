"""Comparisons of numbers, dates and texts, three-valued."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nliprobe.language.cells.records import Date
from nliprobe.templates.tables.operations import Kind
from nliprobe.templates.tables.values import (
    Truth,
    Value,
    after_stated,
    as_date,
    before_stated,
    date_equal,
    date_less,
    folded,
    in_stated,
    negated,
    number_equal,
    number_less,
)

Compare = Callable[..., Truth]
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


def comparison(
    operator: str, one: Kind, two: Kind, stated: Sequence[bool], error: Callable[[str], Exception]
) -> Compare:
    """Return what compares two values of these kinds.

    Args:
        operator: the comparison.
        one: the kind of the value on the left.
        two: the kind of the value on the right.
        stated: for both sides, whether it is a day that the program states.
        error: makes the error for kinds that cannot be compared.
    """
    kinds = {one, two} - {Kind.ANY}
    if kinds == {Kind.DATE, Kind.NUMBER}:
        raise error(f"'{operator}' compares a date with a number: write year(…), or day(…) for the date.")
    if len(kinds) > 1:
        raise error(f"'{operator}' compares {one} with {two}.")
    kind = kinds.pop() if kinds else Kind.ANY
    if kind in (Kind.LIST, Kind.TRUTH) or (kind is Kind.TEXT and operator not in ("==", "!=")):
        raise error(f"'{operator}' does not compare {kind} with another one.")
    if stated[0] and not stated[1]:
        mirrored = _dates(_MIRRORED[operator], stated=True)
        return lambda left, right: mirrored(right, left)
    if kind is Kind.DATE:
        return _dates(operator, stated=stated[1])
    if kind is Kind.TEXT:
        return _texts if operator == "==" else lambda left, right: not _texts(left, right)
    return _ordered(operator, number_less, number_equal) if kind is Kind.NUMBER else _any(operator)


def _dates(operator: str, *, stated: bool) -> Compare:
    if not stated:
        return _ordered(operator, date_less, date_equal)
    relation: Compare = {"<": before_stated, ">=": before_stated, ">": after_stated, "<=": after_stated}.get(
        operator, in_stated
    )
    if operator in ("<", ">", "=="):
        return lambda left, right: relation(as_date(left), as_date(right))
    return lambda left, right: negated(relation(as_date(left), as_date(right)))


def _ordered(operator: str, less: Compare, equal: Compare) -> Compare:
    relations: dict[str, Compare] = {
        "<": less,
        ">": lambda left, right: less(right, left),
        "<=": lambda left, right: negated(less(right, left)),
        ">=": lambda left, right: negated(less(left, right)),
        "==": equal,
        "!=": lambda left, right: negated(equal(left, right)),
    }
    return relations[operator]


def _texts(one: str, two: str) -> bool:
    return folded(one) == folded(two)


def _any(operator: str) -> Compare:
    """Return what compares values whose kinds are known only when they are there, such as those of two slots."""
    numbers, dates = _ordered(operator, number_less, number_equal), _ordered(operator, date_less, date_equal)

    def compare(one: Value, two: Value) -> Truth:
        if isinstance(one, str) and isinstance(two, str):
            return _texts(one, two) == (operator == "==")
        return (dates if isinstance(one, Date) else numbers)(one, two)

    return compare
