"""Exact whole numbers in columns: 64 bits where they suffice, Python's own numbers where they do not."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from nliprobe.templates.columns import Column, Wide, plain
from nliprobe.templates.limits import MOST_DIGITS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Whole numbers to compute with: of 64 bits, or objects that are Python's numbers.
Exact: TypeAlias = "NDArray[np.int64] | NDArray[np.object_]"
_LOWEST, _HIGHEST = -(2**63), 2**63 - 1
_LIMIT = 10**MOST_DIGITS


class ValueProblem(Exception):
    """A function or operator was given values it cannot work with; the caller adds the place."""


def numeric(column: Column, what: str) -> Exact:
    """Return the numbers of a column; fields of lexicons are texts, even if they hold numbers."""
    if isinstance(column, Wide):
        return column.numbers
    values = plain(column)
    if values.dtype != object:
        return values.astype("int64")
    try:
        return values.astype("int64")
    except (TypeError, ValueError, OverflowError):
        return _parsed(values.tolist(), what)


def exact_column(numbers: Exact) -> Column:
    """Return numbers as a column: in 64 bits if all fit."""
    import numpy as np

    if numbers.dtype != object:
        return numbers.astype(np.int64)
    if not len(numbers):
        return numbers.astype(np.int64)
    low, high = min(numbers), max(numbers)
    if low >= _LOWEST and high <= _HIGHEST:
        return numbers.astype(np.int64)
    if max(-low, high) >= _LIMIT:
        raise ValueProblem(f"a number has more than {MOST_DIGITS} digits")
    return Wide(numbers.astype(object))


def constant(value: int, rows: int) -> Column:
    """Return a column of one number."""
    import numpy as np

    if _LOWEST <= value <= _HIGHEST:
        return np.full(rows, value, dtype=np.int64)
    return Wide(np.full(rows, value, dtype=object))


def compute(operator: str, left: Exact, right: Exact) -> Column:
    """Return a sum, difference, product, quotient or remainder, exactly."""
    import numpy as np

    if operator in ("//", "%") and (right == 0).any():
        raise ValueProblem(f"'{operator}' divides by zero for some of the values")
    function = {
        "+": np.add, "-": np.subtract, "*": np.multiply, "//": np.floor_divide, "%": np.mod,
    }[operator]  # fmt: skip
    if left.dtype != object and right.dtype != object and _fits(operator, left, right):
        result: Column = function(left, right)
        return result
    return exact_column(function(left.astype(object), right.astype(object)))


def compare(operator: str, left: Exact, right: Exact) -> NDArray[np.bool_]:
    """Return where a comparison by size holds."""
    import numpy as np

    function = {"<": np.less, "<=": np.less_equal, ">=": np.greater_equal, ">": np.greater}[operator]
    holds: NDArray[np.bool_] = function(left, right).astype(bool)
    return holds


def magnitude(numbers: Exact) -> Column:
    """Return numbers without their sign."""
    if numbers.dtype != object and len(numbers) and int(numbers.min()) == _LOWEST:
        numbers = numbers.astype(object)
    import numpy as np

    sizes: Exact = np.abs(numbers)
    return exact_column(sizes)


def extreme(columns: list[Exact], *, largest: bool) -> Column:
    """Return the largest or smallest of several numbers, row by row."""
    import numpy as np

    wide = any(column.dtype == object for column in columns)
    alike = [column.astype(object) if wide else column for column in columns]
    reduced: Exact = (np.maximum if largest else np.minimum).reduce(alike)
    return exact_column(reduced)


def _fits(operator: str, left: Exact, right: Exact) -> bool:
    """Tell whether no result can leave 64 bits, from the smallest and largest values."""
    if not len(left):
        return True
    low, high = int(left.min()), int(left.max())
    if operator in ("//", "%"):
        # The smallest number divided by -1 is the one quotient that does not fit.
        return low > _LOWEST
    least, most = int(right.min()), int(right.max())
    if operator == "+":
        ends = [low + least, high + most]
    elif operator == "-":
        ends = [low - most, high - least]
    else:
        ends = [low * least, low * most, high * least, high * most]
    return min(ends) >= _LOWEST and max(ends) <= _HIGHEST


def _parsed(texts: list[str], what: str) -> NDArray[np.object_]:
    import numpy as np

    numbers = np.empty(len(texts), dtype=object)
    for row, text in enumerate(texts):
        try:
            numbers[row] = int(text)
        except (TypeError, ValueError):
            raise ValueProblem(f"{what} needs numbers, but {str(text)[:80]!r} is not one") from None
    return numbers
