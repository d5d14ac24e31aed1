"""Makers: values of made tables, written as infoboxes write them.

A maker is named by a text: a name in capitals chooses from the stock (``PERSON``, ``GENRE``), the others are called
with numbers, texts, names of the stock, or fields of the same table that were made before: ``date(1955, 2019)``,
``several(GENRE, 1, 4)``, ``after(Born, 20, 90)``. What a made text means is what the reader of cells reads from it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from random import Random
from typing import NamedTuple, TypeAlias

from nliprobe.base.errors import DataError, NotFoundError, did_you_mean
from nliprobe.base.seeds import below
from nliprobe.language.english import MONTHS
from nliprobe.templates.tables.fictional import is_stock, stock_name, stock_names

Made: TypeAlias = Mapping[str, tuple[str, ...]]
# Every day of a year can be drawn, for a day that no table has would tell that a hypothesis is false; 29 February alone
# is none of most years.
DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

_DIGITS = re.compile(r"\d+")


class Field(NamedTuple):
    """A field of the same table that was made before."""

    name: str


Argument: TypeAlias = int | str | Field


class Maker(NamedTuple):
    """A maker with its arguments, ready to be called."""

    name: str
    arguments: tuple[Argument, ...]


def make(text: str, random: Random, made: Made | None = None) -> tuple[str, ...]:
    """Return the values of a row that a maker makes: one, or several of a list.

    >>> make("several('rock', 1, 1)", Random(1))
    ('rock',)

    Args:
        text: the maker as schemas write it.
        random: where draws come from; the same state gives the same values.
        made: the values of the fields made before, for makers that refer to them.
    """
    maker = read_maker(text)
    function = _MAKERS.get(maker.name)
    if function is None:
        return (stock_name(maker.name, random),)
    return function(_Call(text, maker.arguments, random, made or {}))


@lru_cache(maxsize=4_096)
def read_maker(text: str) -> Maker:
    """Read a maker from its text; the error says what cannot be read and which makers there are."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise DataError(f"The maker '{text}' cannot be read: {error}.") from None
    match tree:
        case ast.Name(id=name) if name in stock_names():
            return Maker(name, ())
        case ast.Name(id=name):
            known = [*stock_names(), *_MAKERS]
            raise NotFoundError(f"There is no maker {name}. {did_you_mean(name, known)}")
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            if name not in _MAKERS:
                raise NotFoundError(f"There is no maker {name}. {did_you_mean(name, [*_MAKERS, *stock_names()])}")
            return Maker(name, tuple([_argument(item, text) for item in arguments]))
    raise DataError(f"The maker '{text}' should be a name such as PERSON or a call such as date(1955, 2019).")


def fields_needed(text: str) -> frozenset[str]:
    """Return the names of the fields that a maker refers to, which have to be made before."""
    return frozenset(item.name for item in read_maker(text).arguments if isinstance(item, Field))


def _argument(node: ast.expr, text: str) -> Argument:
    match node:
        case ast.Constant(value=int() | str() as value) if not isinstance(value, bool):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)) if not isinstance(value, bool):
            return -value
        case ast.Name(id=name):
            return name if name in stock_names() else Field(name)
    raise DataError(f"The maker '{text}' has an argument that is no whole number, text or name: {ast.unparse(node)}.")


class _Call(NamedTuple):
    text: str
    arguments: tuple[Argument, ...]
    random: Random
    made: Made

    def number(self, place: int, default: int | None = None) -> int:
        value = self.arguments[place] if place < len(self.arguments) else default
        if not isinstance(value, int):
            raise DataError(f"The maker '{self.text}' needs a whole number as argument {place + 1}.")
        return value

    def word(self, place: int, default: str | None = None) -> str:
        value = self.arguments[place] if place < len(self.arguments) else default
        if not isinstance(value, str):
            raise DataError(f"The maker '{self.text}' needs a text or a name of the stock as argument {place + 1}.")
        return value

    def before(self, place: int) -> tuple[str, ...]:
        field = self.arguments[place] if place < len(self.arguments) else None
        if not isinstance(field, Field):
            raise DataError(f"The maker '{self.text}' needs a field as argument {place + 1}.")
        if field.name not in self.made:
            raise DataError(f"The maker '{self.text}' refers to the field {field.name}, which is not made before it.")
        return self.made[field.name]

    def between(self, place: int) -> int:
        low, high = self.number(place), self.number(place + 1)
        if low > high:
            raise DataError(f"The maker '{self.text}' goes from {low} to {high}: the first should be the smaller.")
        return low + below(high - low + 1, self.random)

    def term(self, place: int) -> str:
        word = self.word(place)
        return stock_name(word, self.random) if is_stock(word) else word


def _year(call: _Call) -> tuple[str, ...]:
    return (str(call.between(0)),)


def _month(call: _Call) -> tuple[str, ...]:
    return (f"{MONTHS[below(12, call.random)]} {call.between(0)}",)


def _date(call: _Call) -> tuple[str, ...]:
    return (_day_text(call.between(0), call.random),)


def _after(call: _Call) -> tuple[str, ...]:
    return (_day_text(_last_year(call) + call.between(1), call.random),)


def _year_after(call: _Call) -> tuple[str, ...]:
    return (str(_last_year(call) + call.between(1)),)


def _day_text(year: int, random: Random) -> str:
    month = 1 + below(12, random)
    day = 1 + below(DAYS[month - 1], random)
    name, manner = MONTHS[month - 1], below(4, random)
    if manner == 0:
        return f"{day} {name} {year}"
    if manner == 1:
        return f"{name} {day}, {year}"
    if manner == 2:
        return f"{name} {day}, {year} ({year}-{month:02}-{day:02})"
    return f"({year}-{month:02}-{day:02}) {day} {name} {year}"


def _last_year(call: _Call) -> int:
    years = [int(word) for value in call.before(0) for word in _DIGITS.findall(value) if len(word) == 4]
    if not years:
        raise DataError(f"The maker '{call.text}' finds no year in {' , '.join(call.before(0))}.")
    return years[-1]


def _years(call: _Call) -> tuple[str, ...]:
    start = call.between(0)
    return (_stretch(start, call, 2),)


def _years_after(call: _Call) -> tuple[str, ...]:
    start = _last_year(call) + call.between(1)
    return (_stretch(start, call, 3),)


def _stretch(start: int, call: _Call, place: int) -> str:
    length = call.between(place)
    going_on = below(100, call.random) < call.number(place + 2, 0)
    return f"{start}–present" if going_on else f"{start}–{start + length}"


def _months(call: _Call) -> tuple[str, ...]:
    first, last = sorted(call.random.sample(range(12), 2))
    return (f"{MONTHS[first]}–{MONTHS[last]} {call.between(0)}",)


def _days(call: _Call) -> tuple[str, ...]:
    year, month = call.between(0), below(12, call.random)
    length = 2 + below(13, call.random)
    first = 1 + below(DAYS[month] - length, call.random)
    return (f"{first}–{first + length} {MONTHS[month]} {year}",)


def _clock(call: _Call) -> tuple[str, ...]:
    return (f"{call.between(0)}:{below(60, call.random):02}",)


def _minutes(call: _Call) -> tuple[str, ...]:
    return (f"{call.between(0)} minutes",)


def _number(call: _Call) -> tuple[str, ...]:
    unit = call.word(2, "")
    return (f"{call.between(0):,}{f' {unit}' if unit else ''}",)


def _percent(call: _Call) -> tuple[str, ...]:
    return (f"{call.between(0)}%",)


def _millions(call: _Call) -> tuple[str, ...]:
    tenths = call.between(0)
    whole, rest = divmod(tenths, 10)
    return (f"${whole}.{rest} million" if rest else f"${whole} million",)


def _money(call: _Call) -> tuple[str, ...]:
    return (f"${call.between(0):,}",)


def _several(call: _Call) -> tuple[str, ...]:
    return _distinct(call, 0, call.between(1), ())


def _among(call: _Call) -> tuple[str, ...]:
    earlier = call.before(0)
    size = call.between(2)
    # None, some or all of the members are shared, each about equally often, so that every quantifier comes out.
    shared = below(min(size, len(earlier)) + 1, call.random)
    values = (*call.random.sample(earlier, shared), *_distinct(call, 1, size - shared, earlier))
    return tuple(call.random.sample(values, len(values)))


def _distinct(call: _Call, place: int, size: int, other_than: tuple[str, ...]) -> tuple[str, ...]:
    values: list[str] = []
    word = call.word(place)
    invented = is_stock(word)
    for _ in range(50 * size):
        if len(values) == size:
            break
        value = stock_name(word, call.random) if invented else word
        if value not in values and value not in other_than:
            values.append(value)
    if len(values) < size:
        raise DataError(f"The maker '{call.text}' finds no {size} distinct values of {call.word(place)}.")
    return tuple(values)


def _choose(call: _Call) -> tuple[str, ...]:
    return (call.term(below(len(call.arguments), call.random)),)


_MAKERS: dict[str, Callable[[_Call], tuple[str, ...]]] = {
    "year": _year, "month": _month, "date": _date, "after": _after, "year_after": _year_after, "years": _years,
    "years_after": _years_after, "months": _months, "days": _days, "clock": _clock, "minutes": _minutes,
    "number": _number, "percent": _percent, "millions": _millions, "money": _money,
    "several": _several, "among": _among, "choose": _choose,
}  # fmt: skip
MAKERS = tuple(_MAKERS)
