"""What the cells of a row say, and how what they say is put together: three-valued, None for what is left open."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias, TypeVar

from tests.oracle.amounts import read_amount, read_seconds
from tests.oracle.sayings import Said
from tests.oracle.times import Stretch, When, read_date, read_stretch

ValueT = TypeVar("ValueT")
_COMMA = re.compile(r"\s*,\s*(?:and\s+)?")
Truth: TypeAlias = bool | None
Keys: TypeAlias = tuple[str, ...]


def both(*claims: Truth) -> Truth:
    """All of them hold: false if one is, else open if one is."""
    return False if False in claims else None if None in claims else True


def either(*claims: Truth) -> Truth:
    """One of them holds: true if one is, else open if one is."""
    return True if True in claims else None if None in claims else False


def deny(claim: Truth) -> Truth:
    """It does not hold."""
    return None if claim is None else not claim


def folded(text: str) -> str:
    """A text as it is compared: case, spaces and a stop at the end say nothing."""
    return " ".join(text.split()).rstrip(".").casefold()


def values(said: Said, keys: Keys) -> list[str] | None:
    """The values of a row, as they are compared, or None: the row is missing. Commas within a cell list values, too."""
    row = said.premise.row(*keys)
    return None if row is None else [folded(part) for value in row for part in _parts(value)]


def _parts(value: str) -> list[str]:
    parts = [part for part in _COMMA.split(value) if part]
    if len(parts) > 1 and parts[-1].count(" and ") == 1 and not any(" and " in part for part in parts[:-1]):
        return [*parts[:-1], *parts[-1].split(" and ")]
    return parts


def has(said: Said, keys: Keys, *texts: str) -> Truth:
    """A row lists each of these texts; a row that is there is complete."""
    row = values(said, keys)
    return None if row is None else all(folded(text) in row for text in texts)


def any_of(said: Said, keys: Keys, *texts: str) -> Truth:
    """A row lists one of these texts at least."""
    row = values(said, keys)
    return None if row is None else any(folded(text) in row for text in texts)


def most_of(said: Said, keys: Keys, *texts: str) -> Truth:
    """A row lists more than half of these texts."""
    row = values(said, keys)
    return None if row is None else 2 * sum(folded(text) in row for text in texts) > len(texts)


def is_(said: Said, keys: Keys, text: str) -> Truth:
    """A row says this and nothing else."""
    row = said.premise.row(*keys)
    return None if row is None else folded(" , ".join(row)) == folded(text)


def yes(said: Said, keys: Keys) -> Truth:
    """A row says yes."""
    row = values(said, keys)
    return {"yes": True, "no": False}[row[0]] if row else None


def place_of(said: Said, keys: Keys, text: str, place: int) -> Truth:
    """A text is first (0) or last (-1) in a row."""
    row = values(said, keys)
    return None if row is None else row[place] == folded(text)


def in_order(said: Said, keys: Keys, first: str, second: str) -> Truth:
    """A row lists both texts, one before the other."""
    row = values(said, keys)
    if row is None:
        return None
    one, other = folded(first), folded(second)
    return one in row and other in row and row.index(one) < row.index(other)


def size(said: Said, keys: Keys) -> int | None:
    """How many values a row lists."""
    row = values(said, keys)
    return None if row is None else len(row)


def common(said: Said, keys: Keys, others: Keys) -> tuple[int, int] | None:
    """How many values of a row another row lists, too, and how many it has."""
    row, other = values(said, keys), values(said, others)
    return None if row is None or other is None else (sum(value in other for value in row), len(row))


def amount(said: Said, keys: Keys) -> Fraction | None:
    """The number or the sum of money that a row says."""
    return _read(said, keys, read_amount)


def seconds(said: Said, keys: Keys) -> int | None:
    """The length of time that a row says."""
    return _read(said, keys, read_seconds)


def when(said: Said, keys: Keys) -> When | None:
    """The date that a row says."""
    return _read(said, keys, read_date)


def year(said: Said, keys: Keys) -> int | None:
    """The year of the date that a row says."""
    date = when(said, keys)
    return None if date is None else date.year


def stretch(said: Said, keys: Keys) -> Stretch | None:
    """The stretch of time that a row says."""
    return _read(said, keys, read_stretch)


def more(value: Fraction | int | None, than: Fraction | int | None) -> Truth:
    """A number is greater than another one; open if one of them is."""
    return None if value is None or than is None else value > than


def same(value: Fraction | int | None, other: Fraction | int | None) -> Truth:
    """A number is another one; open if one of them is."""
    return None if value is None or other is None else value == other


def plus(value: Fraction | int | None, other: Fraction | int | None) -> Fraction | int | None:
    """A sum; open if one part is."""
    return None if value is None or other is None else value + other


def minus(value: Fraction | int | None, other: Fraction | int | None) -> Fraction | int | None:
    """A difference; open if one part is."""
    return None if value is None or other is None else value - other


def times(factor: int, value: Fraction | int | None) -> Fraction | int | None:
    """A multiple; open if the number is."""
    return None if value is None else factor * value


def _read(said: Said, keys: Keys, read: Callable[[str], ValueT | None]) -> ValueT | None:
    row = said.premise.row(*keys)
    if row is None:
        return None
    value = read(" , ".join(row))
    if value is None:
        raise ValueError(f"The row {keys[0]} of {said.premise.title} says '{row}', which cannot be read.")
    return value
