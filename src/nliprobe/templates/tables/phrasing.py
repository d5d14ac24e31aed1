"""Phrasings: hypotheses with slots in braces, such as ``{title} was released before {Y}.``"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from nliprobe.base.errors import DataError, did_you_mean
from nliprobe.language import english
from nliprobe.task.program import Call, Const, Program, Slot, parse_program, slots_of
from nliprobe.templates.place import Place, TemplateError
from nliprobe.templates.tables.operations import day

SlotValue: TypeAlias = int | str | tuple[int | str, ...]
# What hypotheses are written from: the title, the rows and the values of slots, in the order of a template's layout.
Values: TypeAlias = Sequence[object]
TITLE = "title"
_BRACES = re.compile(r"\{([^{}]*)\}")
# Python's parser knows "or" as a connective only.
_OR = re.compile(r"\bor\(")


class Function(NamedTuple):
    """How a value is written.

    Attributes:
        write: returns the text.
        takes: what the first argument is: a number, text, list or date (a text such as 1979-03-29).
        arguments: how many arguments there are.
        about: what it writes, for the reference.
    """

    write: Callable[..., str]
    takes: str
    arguments: int
    about: str


class Phrasing(NamedTuple):
    """One way to say a hypothesis.

    Attributes:
        text: as it is written in the file.
        parts: texts, and what is in braces.
        slots: the names that it uses, ``title`` among them.
    """

    text: str
    parts: tuple[str | Program, ...]
    slots: frozenset[str]


def parse_phrasing(text: str, place: Place) -> Phrasing:
    """Read a phrasing; errors name the place."""
    parts: list[str | Program] = []
    end = 0
    for match in _BRACES.finditer(text):
        parts += [text[end : match.start()]] if match.start() > end else []
        try:
            part = parse_program(_OR.sub("or_(", match[1]))
            _check(part)
        except DataError as error:
            raise TemplateError(place.moved(match.start()), str(error).replace("or_", "or")) from None
        parts.append(part)
        end = match.end()
    parts += [text[end:]] if end < len(text) else []
    if any(brace in piece for piece in parts if isinstance(piece, str) for brace in "{}"):
        raise TemplateError(place, f"a brace is not closed or not opened in '{text}'.")
    named = [slots_of(part) for part in parts if not isinstance(part, str)]
    return Phrasing(text, tuple(parts), frozenset().union(*named))


def writer(phrasing: Phrasing, places: Mapping[str, int]) -> Callable[[Values], str]:
    """Return what writes a hypothesis from values, of which ``places`` says where those of its slots are."""
    pattern = "".join([part.replace("%", "%%") if isinstance(part, str) else "%s" for part in phrasing.parts])
    writers = [_writer(part, places) for part in phrasing.parts if not isinstance(part, str)]
    first = phrasing.parts[0] if phrasing.parts else ""
    # A title is written as it is ("iPhone"); anything else that a sentence begins with gets its capital letter.
    starts_lower = not isinstance(first, str) and first != Slot(TITLE)

    def write(values: Values) -> str:
        text = pattern % tuple([part(values) for part in writers])
        if text.endswith(("..", "!.", "?.")):  # a name that ends with a mark of its own, such as "U.S."
            text = text[:-1]
        return english.capital(text) if starts_lower else text

    return write


def with_commas(number: int) -> str:
    """Write a number with commas.

    >>> with_commas(1234567)
    '1,234,567'
    """
    return f"{number:,}"


def write_date(text: str) -> str:
    """Write a date as people do.

    >>> write_date("1979-03-29"), write_date("1979-03"), write_date("1979"), write_date("-44")
    ('29 March 1979', 'March 1979', '1979', '44 BC')
    """
    date = day(text)
    year = str(date.year) if date.year > 0 else f"{-date.year} BC"
    month = [english.MONTHS[date.month - 1]] if date.month else []
    return " ".join([*([str(date.day)] if date.day else []), *month, year])


def write_month(value: int | str) -> str:
    """Write the month of a date, or of a number from 1 to 12.

    >>> write_month("1979-03-29"), write_month(3)
    ('March', 'March')
    """
    month = value if isinstance(value, int) else day(value).month
    if month is None or not 1 <= month <= 12:
        raise DataError(f"{value} has no month.")
    return english.MONTHS[month - 1]


def write_clock(seconds: int) -> str:
    """Write a duration as infoboxes do.

    >>> write_clock(2766), write_clock(3750)
    ('46:06', '1:02:30')
    """
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def write_minutes(seconds: int) -> str:
    """Write a duration in whole minutes.

    >>> write_minutes(2766), write_minutes(60)
    ('46 minutes', '1 minute')
    """
    minutes = seconds // 60
    return f"{minutes:,} {'minute' if minutes == 1 else 'minutes'}"


def write_money(dollars: int) -> str:
    """Write a sum of money; from a million on in millions, if that says it exactly.

    >>> write_money(4500000), write_money(750000), write_money(1234567), write_money(1037900000)
    ('$4.5 million', '$750,000', '$1,234,567', '$1.0379 billion')
    """
    for size, part, name in ((10**9, 10**5, "billion"), (10**6, 10**4, "million")):
        if dollars >= size and dollars % part == 0:
            whole, rest = divmod(dollars, size)
            digits = f"{rest:0{len(str(size)) - 1}}".rstrip("0")
            return f"${whole:,}{'.' + digits if digits else ''} {name}"
    return f"${dollars:,}"


def _agree(number: int, one: str, many: str) -> str:
    return one if number == 1 else many


def _join(items: tuple[int | str, ...]) -> str:
    return english.joined([str(item) for item in items])


def _join_or(items: tuple[int | str, ...]) -> str:
    return english.joined([str(item) for item in items], "or")


FUNCTIONS: dict[str, Function] = {
    "number": Function(with_commas, "number", 1, "with commas: 1,200"),
    "words": Function(english.number_words, "number", 1, "in words: twelve"),
    "ordinal": Function(english.ordinal, "number", 1, "as an ordinal: third"),
    "agree": Function(_agree, "number", 3, "the second argument for 1, else the third: child or children"),
    "join": Function(_join, "list", 1, "as a list: A, B and C"),
    "or_": Function(_join_or, "list", 1, "as a list: A, B or C"),
    "a": Function(english.with_article, "text", 1, "with its article: a painter, an actor"),
    "cap": Function(english.capital, "text", 1, "with a capital letter"),
    "place": Function(english.placed, "text", 1, "a place, with the article that some have: the United States"),
    "instrument": Function(
        english.instrument, "text", 1, "an instrument with its article, where it has one: the cello, vocals"
    ),
    "term": Function(english.termed, "text", 1, "a term without the capital that cells begin with: actor, French"),
    "plural": Function(english.plural, "text", 1, "the plural: painters"),
    "date": Function(write_date, "date", 1, "29 March 1979, March 1979 or 1979"),
    "month": Function(write_month, "date", 1, "March; of a date, or of a number from 1 to 12"),
    "clock": Function(write_clock, "number", 1, "seconds as 46:06"),
    "minutes": Function(write_minutes, "number", 1, "seconds as 46 minutes"),
    "money": Function(write_money, "number", 1, "$4.5 million, $750,000"),
}
_ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": int.__add__, "-": int.__sub__, "*": int.__mul__, "//": int.__floordiv__,
}  # fmt: skip


def _check(part: Program) -> None:
    """Refuse what no phrasing has."""
    if not isinstance(part, Call):
        return
    if part.op in _ARITHMETIC:
        if any(isinstance(item, Call) and item.op not in _ARITHMETIC for item in part.args):
            raise DataError(f"'{part.op}' computes with numbers, not with what is written.")
    elif part.op not in FUNCTIONS:
        known = [name.rstrip("_") for name in FUNCTIONS]
        raise DataError(f"Phrasings have no function '{part.op}'. {did_you_mean(part.op, known)}")
    elif len(part.args) != FUNCTIONS[part.op].arguments:
        wanted = FUNCTIONS[part.op].arguments
        raise DataError(f"'{part.op}' takes {wanted} {'argument' if wanted == 1 else 'arguments'}.")
    for item in part.args:
        _check(item)


def _writer(part: Program, places: Mapping[str, int]) -> Callable[[Values], object]:
    """Return what gives a part of a hypothesis as ``%s`` writes it: a text, a number, or a list in words."""
    value = _value(part, places)
    if isinstance(part, Call) or part == Slot(TITLE):
        return value  # functions give texts, arithmetic gives numbers

    def write(values: Values) -> object:
        given = value(values)
        return _join(given) if isinstance(given, tuple) else given

    return write


def _value(part: Program, places: Mapping[str, int]) -> Callable[[Values], object]:
    if isinstance(part, Const):
        constant = part.value
        return lambda values: constant
    if isinstance(part, Slot):
        return itemgetter(places[part.name])
    arguments = [_value(item, places) for item in part.args]
    apply: Callable[..., object] = _ARITHMETIC[part.op] if part.op in _ARITHMETIC else _kept(FUNCTIONS[part.op].write)
    if len(arguments) == 1:
        only = arguments[0]
        return lambda values: apply(only(values))
    return lambda values: apply(*[argument(values) for argument in arguments])


@lru_cache(maxsize=64)
def _kept(write: Callable[..., str]) -> Callable[..., str]:
    """Keep what was written: the same years, words and lists come again and again."""
    return lru_cache(maxsize=16_384)(write)
