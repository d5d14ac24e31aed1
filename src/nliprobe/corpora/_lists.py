"""Read lists that stand in the cells of a file, as JSON or in Python's notation."""

from __future__ import annotations

import ast
import json
from collections.abc import Sequence

from nliprobe.base.errors import DataError
from nliprobe.base.halves import whole_value


def is_list(value: object) -> bool:
    """Tell whether a cell holds a list, or a text that looks like one."""
    return isinstance(value, list | tuple) or (isinstance(value, str) and value.strip().startswith("["))


def list_in(value: object, name: str, place: str) -> Sequence[object]:
    """Return the list in a cell, or the list that its text gives in JSON or in Python's notation.

    Args:
        value: the cell.
        name: its column, for messages.
        place: where it is, for messages.
    """
    if isinstance(value, str):
        text = value
        for parse in (json.loads, ast.literal_eval):
            try:
                value = whole_value(parse(text))
                break
            except (ValueError, SyntaxError, MemoryError, RecursionError):
                continue
    if not isinstance(value, list | tuple):
        raise DataError(f"{place}: column '{name}' should hold a list such as [0, 1], not {value!r:.60}.")
    return value
