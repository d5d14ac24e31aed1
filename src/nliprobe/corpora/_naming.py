"""Read how a file names the units that matter: by number, by the keys of rows, or by marks of 0 and 1."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from nliprobe.base.errors import DataError, did_you_mean
from nliprobe.corpora._lists import is_list, list_in
from nliprobe.task.pair import Premise
from nliprobe.task.table import Table


class Naming(StrEnum):
    """How a column names units; it must be declared, because 1 may be the first row or the second."""

    FROM0 = "from0"  # numbers of rows or sentences, where the first is 0
    FROM1 = "from1"  # numbers of rows or sentences, where the first is 1
    KEYS = "keys"  # keys of rows
    MARKS = "marks"  # one 0 or 1 per unit, and a last one for knowledge from outside


NAMINGS = ", ".join(f"units={form.value}" for form in Naming)


class Named(NamedTuple):
    """The units that a cell names; ``outside`` is None if the cell does not say."""

    units: tuple[int, ...]
    outside: bool | None = None


def named_units(value: object, naming: Naming, premise: Premise, size: int, *, name: str, place: str) -> Named | None:
    """Return the units that a cell names, or None for an empty cell: it is not known which matter.

    Args:
        value: the cell: a list, the text of one (``[0, 2]``), or numbers or keys with semicolons between them.
        naming: how it names units.
        premise: the premise, for the keys of its rows.
        size: how many units it has.
        name: the column, for messages.
        place: where the cell is, for messages.
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    kind = "row" if isinstance(premise, Table) else "sentence"
    if naming is Naming.MARKS:
        return _marked(value, size, kind, name, place)
    if naming is Naming.KEYS:
        units = _by_key(value, premise, name, place)
    else:
        units = _by_number(value, naming, size, kind, name, place)
    if len(set(units)) < len(units):
        raise DataError(f"{place}: column '{name}' names a {kind} twice: {value!r:.60}.")
    return Named(tuple(sorted(units)))


def _marked(value: object, size: int, kind: str, name: str, place: str) -> Named:
    bits = value.strip() if isinstance(value, str) else ""
    if not bits or set(bits) - {"0", "1"}:
        raise DataError(f"{place}: column '{name}' should hold marks such as 0100, not {value!r:.60}.")
    if len(bits) != size + 1:
        raise DataError(
            f"{place}: the marks in column '{name}' have {len(bits)} characters, but the premise has {size} {kind}s: "
            f"expected {size + 1}, one per {kind} and a last one for knowledge from outside."
        )
    return Named(tuple(unit for unit in range(size) if bits[unit] == "1"), bits[size] == "1")


def _by_number(value: object, naming: Naming, size: int, kind: str, name: str, place: str) -> list[int]:
    items: Sequence[object]
    if isinstance(value, int) and not isinstance(value, bool):
        items = [value]
    elif is_list(value):
        items = list_in(value, name, place)
    else:
        items = [piece for piece in re.split(r"[;,\s]+", str(value).strip()) if piece]
    first = 0 if naming is Naming.FROM0 else 1
    units: list[int] = []
    for item in items:
        text = str(item).strip()
        if isinstance(item, bool) or not text.isascii() or not text.isdecimal():
            raise DataError(f"{place}: column '{name}' should hold numbers of {kind}s, not {item!r:.60}.")
        if not first <= int(text) < size + first:
            raise DataError(
                f"{place}: column '{name}' names {kind} {text}, but the premise has {size} {kind}s, numbered "
                f"{first} to {size + first - 1} ({naming.value})."
            )
        units.append(int(text) - first)
    return units


def _by_key(value: object, premise: Premise, name: str, place: str) -> list[int]:
    if not isinstance(premise, Table) or premise.columns:
        what = "rows without keys" if isinstance(premise, Table) else "sentences, not rows"
        raise DataError(f"{place}: column '{name}' names keys, but the premise has {what}: number them (units=from0).")
    keys = [key.strip() for key in premise.keys]
    if is_list(value):
        wanted = [str(item).strip() for item in list_in(value, name, place)]
    else:
        # A key may hold a semicolon itself.
        text = str(value).strip()
        wanted = [text] if text in keys else [piece.strip() for piece in text.split(";") if piece.strip()]
    for key in wanted:
        if key not in keys:
            raise DataError(
                f"{place}: column '{name}' names the row '{key:.60}', which the table '{premise.title:.60}' does not "
                f"have. {did_you_mean(key, keys)}"
            )
        if keys.count(key) > 1:
            raise DataError(f"{place}: the table has several rows '{key:.60}': number them (units=from0).")
    return [keys.index(key) for key in wanted]
