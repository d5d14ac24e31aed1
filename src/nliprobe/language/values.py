"""Find the single values of a row of an infobox, so that one of them can be replaced and the rest stays as it is.

Public infoboxes give several values as a list, or write them into one cell: "Rock, pop", "Actor; writer", a bullet per
line. Commas are also inside names ("Smith, Jr."), places ("Paris, France"), dates and numbers. A cell is taken for
one value unless it certainly holds more, because an edit of half a name says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from nliprobe.base.hashing import digest
from nliprobe.language.lexicon import lower_column

_US_STATES = """
Alabama Alaska Arizona Arkansas California Colorado Connecticut Delaware Florida Georgia Hawaii Idaho Illinois Indiana
Iowa Kansas Kentucky Louisiana Maine Maryland Massachusetts Michigan Minnesota Mississippi Missouri Montana Nebraska
Nevada Ohio Oklahoma Oregon Pennsylvania Tennessee Texas Utah Vermont Virginia Washington Wisconsin Wyoming Ontario
Quebec Alberta Manitoba Queensland Victoria Tasmania Bavaria Scotland England Wales Ireland Britain
"""
_OTHER_PLACES = (
    "new york", "new jersey", "new mexico", "new hampshire", "north carolina", "south carolina", "north dakota",
    "south dakota", "rhode island", "west virginia", "district of columbia", "d.c.", "dc", "british columbia",
    "nova scotia", "new south wales", "south australia", "western australia", "northern ireland", "united states",
    "united states of america", "united kingdom", "usa", "u.s.a.", "us", "u.s.", "uk", "u.k.", "czech republic",
    "soviet union", "ussr", "german empire", "russian empire", "ottoman empire", "british india", "west germany",
    "east germany", "yugoslavia", "czechoslovakia", "prussia", "hong kong", "taiwan", "california u.s.",
)  # fmt: skip

# Rows of such keys tell one fact in several parts: where and when somebody was born is one birth.
_ONE_FACT = re.compile(
    r"born|birth|died|death|buried|rest(?:ing)? place|burial|coordinates|motto|nickname meaning|pronunciation"
    r"|region or state|\bnative name|summary|government|literal meaning|address|postal|zip|time zone|web ?site|url"
    r"|isbn",
    re.IGNORECASE,
)
# Commas in rows of such keys separate a place from its country, or a name from an office.
_PARTED = re.compile(
    r"location|headquarter|residence|origin|place|home ?town|venue|studio|recorded|region|state|seat|city|town"
    r"|situated|ancestry|country of|county|district|area served|key people|governing|leader|president|chair"
    r"|director general|minister|successor|predecessor|succeeded|preceded|owner|based on|developer|date|released"
    r"|founded|established|opened|closed|alma mater|education|institution|college|school|title|name|known|museum"
    r"|collection|spouse|partner|office|athletics|conference|affiliation|nick|dimension|size|medium",
    re.IGNORECASE,
)
# Rows of such keys list their values, even two with capital letters.
_LISTED = re.compile(
    r"genre|occupation|profession|starring|cast|language|instrument|label|produce|written|writer|screenplay|music by"
    r"|editor|edited|members|acts|children|ingredient|symptom|cause|colou?r|sports|subject|field|ethnic|religion"
    r"|product|industry|characters|voices|cuisine|type",
    re.IGNORECASE,
)

# What belongs to the name before the comma.
_SUFFIX = re.compile(
    r"(?:jr|sr|esq|inc|ltd|llc|llp|plc|co|corp|gmbh|s\.?a|n\.?v|m\.?d|ph\.?d|d\.?d\.?s|r\.?n|j\.?d|obe|cbe|mbe)"
    r"\.?",
    re.IGNORECASE,
)
# What begins with such a word says more about what is before the comma.
_ADDITION = re.compile(
    r"(?:by|of|in|at|on|for|from|with|to|since|until|as|who|which|where|when|also|including|formerly|now|later|then|but"
    r"|or|nor|the|a|an|his|her|their|its|such|especially|mainly|mostly|see|near|part|based|born|aged?|may|can|etc)\b",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"[,;/|\n\r•‣◦▪·]")
_ENTITY = re.compile(r"&#?\w{1,8};")
_LINES = re.compile(r"\s*[\n\r•‣◦▪]\s*|\s+[·|]\s+")
_SEMICOLONS = re.compile(r"\s*;\s+")
_SLASHES = re.compile(r"\s+/\s+")
# The public files of InfoTabS write a line break as a comma with a space before it.
_SPACED_COMMAS = re.compile(r"\s+,\s*")
_COMMAS = re.compile(r"\s*,(?!\d)\s*")
_LAST = re.compile(r"\s+(?:and|&|&amp;)\s+")
_LEADING_AND = re.compile(r"(?:and|&|&amp;)\s+")
_SEPARATED = re.compile(r"[;\n\r•‣◦▪]|,(?!\d)")
_PARENTHESIS = re.compile(r"[(){}\[\]]")
_PARENTHESES = re.compile(r"\([^()]*\)")
_DIGIT = re.compile(r"\d")
_WORD = re.compile(r"[^\W\d_][\w'’.-]*")
_LOWER_CASE = """
of the de la del da di du van von der den and le el al bin ibn y e & for in on
"""
_PARTICLES = frozenset(_LOWER_CASE.split())
_AROUND = ",;•‣◦▪·|"
_NONE: frozenset[int] = frozenset()
_OPENING, _CLOSING = "([{", ")]}"
# A list item has a few words; more are a sentence.
_MOST_WORDS = 8


VERSION = 1  # raised when cells are cut in another way


class ValuePlace(NamedTuple):
    """Where one value of a row is: in which cell, and from where to where."""

    cell: int
    start: int
    stop: int


def value_places(key: str, cells: Sequence[str]) -> tuple[ValuePlace, ...]:
    """Return where the values of a row are; fewer than two mean that the row has no values of its own to replace.

    >>> [("Rock, pop and soul")[start:stop] for _, start, stop in value_places("Genre", ["Rock, pop and soul"])]
    ['Rock', 'pop', 'soul']
    >>> len(value_places("Origin", ["Paris, France"])), len(value_places("Stars", ["Ann Lee", "Bob Ray"]))
    (1, 2)
    """
    if len(cells) == 1:
        return tuple([ValuePlace(0, *span) for span in split_cell(cells[0], key)])
    spans = [(index, _trimmed(cell, 0, len(cell))) for index, cell in enumerate(cells)]
    places = tuple([ValuePlace(index, *span) for index, span in spans if span[0] < span[1]])
    # A parenthesis that ends in another cell shows that the list was cut in the middle of a value.
    return places if not is_one_fact(key) and all(_is_whole(cell) for cell in cells) else places[:1]


def split_cell(cell: str, key: str = "") -> tuple[tuple[int, int], ...]:
    """Return the spans of the values in one cell, in order; what is between them separates them.

    >>> split_cell("Smith, Jr."), split_cell("1,200"), split_cell("tea; rice (boiled; or fried)")
    (((0, 10),), ((0, 5),), ((0, 3), (5, 28)))
    """
    whole = _trimmed(cell, 0, len(cell))
    if whole[0] == whole[1]:
        return ()
    if _SEPARATOR.search(cell, *whole) is None:
        return (whole,)
    depths = _depths(cell)
    if depths is None or is_one_fact(key):
        return (whole,)
    for pattern, is_list in (
        (_LINES, _lines),
        (_SEMICOLONS, _clauses),
        (_SLASHES, _alternatives),
        (_SPACED_COMMAS, _spaced_list),
        (_COMMAS, _comma_list),
    ):
        spans = _pieces(cell, whole, pattern, depths) if pattern.search(cell, *whole) else ()
        if len(spans) > 1:
            return is_list(cell, spans, key) or (whole,)
    return (whole,)


@cache
def values_version() -> str:
    """Return a hash of everything that decides where cells are cut."""
    return digest(str(VERSION), *sorted(_places()), *sorted(_languages()))


@lru_cache(maxsize=8192)  # the keys of tables come again and again
def is_one_fact(key: str) -> bool:
    """Tell whether rows of a key tell one fact in several parts, as where and when somebody was born."""
    return _ONE_FACT.search(key) is not None


def is_country_or_state(text: str) -> bool:
    """Tell whether a text is the name of a country or a state.

    >>> is_country_or_state("France"), is_country_or_state("U.S."), is_country_or_state("Narnia")
    (True, True, False)
    """
    return text.lower() in _places()


def is_single(value: str) -> bool:
    """Tell whether a text is certainly one short value: no separator is outside parentheses and numbers.

    >>> is_single("Rock (UK, US)"), is_single("12,000"), is_single("Queens: Jamaica, Rosedale")
    (True, True, False)
    """
    return _short(value) and _SEPARATED.search(_PARENTHESES.sub("", value)) is None


_Spans = tuple[tuple[int, int], ...]


def _pieces(cell: str, whole: tuple[int, int], pattern: re.Pattern[str], depths: Sequence[int]) -> _Spans:
    """Cut a cell at separators that are outside parentheses and no part of an entity such as ``&amp;``."""
    entities = {place for match in _ENTITY.finditer(cell) for place in range(*match.span())} if "&" in cell else _NONE
    spans: list[tuple[int, int]] = []
    start = whole[0]
    for match in pattern.finditer(cell, *whole):
        mark = next((place for place in range(*match.span()) if not cell[place].isspace()), match.start())
        if depths[mark] or mark in entities:
            continue
        if start < match.start():
            spans.append(_trimmed(cell, start, match.start()))
        start = match.end()
    if start < whole[1]:
        spans.append(_trimmed(cell, start, whole[1]))
    return tuple([span for span in spans if span[0] < span[1]])


def _lines(cell: str, spans: _Spans, key: str) -> _Spans | None:
    return spans if all(_short(cell[slice(*span)]) for span in spans) else None


def _clauses(cell: str, spans: _Spans, key: str) -> _Spans | None:
    texts = [cell[slice(*span)] for span in spans]
    # "1980; 39 years ago" says one thing twice, "Sicily; a large area" says more about it.
    fits = (_short(text) and not _DIGIT.search(text.split("(")[0]) and not _ADDITION.match(text) for text in texts)
    return spans if all(fits) else None


def _alternatives(cell: str, spans: _Spans, key: str) -> _Spans | None:
    return _clauses(cell, spans, key) if _LISTED.search(key) else None


def _spaced_list(cell: str, spans: _Spans, key: str) -> _Spans | None:
    if _PARTED.search(key):
        return None
    texts = [cell[slice(*span)] for span in spans]
    # With both kinds of commas it is unclear which of them separate values.
    if any(_COMMAS.search(_PARENTHESES.sub("", text)) for text in texts):
        return None
    return spans if all(_item(text) for text in texts) and not _place(texts) and _alike(texts) else None


def _comma_list(cell: str, spans: _Spans, key: str) -> _Spans | None:
    if _PARTED.search(key):
        return None
    spans = _last_two(cell, _with_suffixes(cell, spans))
    texts = [cell[slice(*span)] for span in spans]
    if len(spans) < 2 or not all(_item(text) for text in texts) or _place(texts) or not _alike(texts):
        return None
    return spans if len(spans) > 2 or not _name(texts[1]) or _LISTED.search(key) or _one_class(texts) else None


def _with_suffixes(cell: str, spans: _Spans) -> _Spans:
    """Join "Smith" and "Jr." again."""
    joined: list[tuple[int, int]] = []
    for start, stop in spans:
        if joined and _SUFFIX.fullmatch(cell, start, stop):
            joined[-1] = (joined[-1][0], stop)
        else:
            joined.append((start, stop))
    return tuple(joined)


def _last_two(cell: str, spans: _Spans) -> _Spans:
    """Cut "soul and funk" or "and funk" at the end of a list, if no other item has an "and"."""
    if len(spans) < 2 or any(_LAST.search(cell, *span) for span in spans[:-1]):
        return spans
    start, stop = spans[-1]
    leading = _LEADING_AND.match(cell, start, stop)
    if leading is not None:
        return (*spans[:-1], (leading.end(), stop)) if leading.end() < stop else spans
    cuts = list(_LAST.finditer(cell, start, stop))
    if len(cuts) != 1:
        return spans
    return (*spans[:-1], (start, cuts[0].start()), (cuts[0].end(), stop))


def _short(text: str) -> bool:
    return any(character.isalnum() for character in text) and len(text.split()) <= _MOST_WORDS


def _item(text: str) -> bool:
    """Tell whether a text between commas may be an item of a list of names or terms."""
    return (
        _short(text)
        and not _DIGIT.search(text)
        and text[0] not in _OPENING
        and not _ADDITION.match(text)
        and not _LAST.match(text)
        and _WORD.search(text) is not None
    )


def _name(text: str) -> bool:
    """Tell whether all words that count are capitalised."""
    words = [word for word in _WORD.findall(text.split("(")[0]) if word.lower() not in _PARTICLES]
    return bool(words) and all(not word[0].islower() for word in words)


def _alike(texts: Sequence[str]) -> bool:
    """Tell whether all texts are names or all are terms; the first term of a list begins with a capital letter."""
    names = [_name(text) for text in texts]
    if all(names):
        return True
    plain_start = len(_WORD.findall(texts[0])) == 1 or not _name(texts[0])
    return plain_start and not any(names[1:])


def _place(texts: Sequence[str]) -> bool:
    """Tell whether the last text is a country or a state, and the others are not: "Kent, Ohio, U.S."."""
    known = [is_country_or_state(text.split("(")[0].strip()) for text in texts]
    return known[-1] and not all(known)


def _one_class(texts: Sequence[str]) -> bool:
    return all(text.lower() in _places() for text in texts) or all(text.lower() in _languages() for text in texts)


@cache
def _places() -> frozenset[str]:
    return frozenset([*lower_column("COUNTRY"), *_US_STATES.lower().split(), *_OTHER_PLACES])


@cache
def _languages() -> frozenset[str]:
    return frozenset(
        [*lower_column("LANGUAGE"), *lower_column("COUNTRY", "language"), *lower_column("COUNTRY", "adjective")]
    )


def _trimmed(cell: str, start: int, stop: int) -> tuple[int, int]:
    """Leave out spaces, bullets and separators around a value."""
    while start < stop and (cell[start].isspace() or cell[start] in _AROUND):
        start += 1
    while stop > start and (cell[stop - 1].isspace() or cell[stop - 1] in _AROUND):
        if cell[stop - 1] == ";" and _entity_ends(cell, stop):
            break
        stop -= 1
    return start, stop


def _entity_ends(cell: str, stop: int) -> bool:
    return any(match.end() == stop for match in _ENTITY.finditer(cell, max(0, stop - 10), stop))


def _is_whole(cell: str) -> bool:
    """Tell whether all parentheses of a cell match."""
    return _PARENTHESIS.search(cell) is None or _depths(cell) is not None


def _depths(cell: str) -> list[int] | None:
    """Return how deep in parentheses each character is, or None if they do not match."""
    if _PARENTHESIS.search(cell) is None:
        return [0] * len(cell)
    depths: list[int] = []
    depth = 0
    for character in cell:
        depth += character in _OPENING
        depths.append(depth)
        depth -= character in _CLOSING
        if depth < 0:
            return None
    return None if depth else depths
