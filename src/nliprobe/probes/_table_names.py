"""The facts of an infobox as hypotheses speak of them: what each row says, and the names, terms and years in it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

from nliprobe.base.identity import kept_by_identity
from nliprobe.language.lexicon import lower_column
from nliprobe.language.row_phrases import RowPhrase, ValueKind, row_phrase
from nliprobe.language.values import is_country_or_state, value_places
from nliprobe.language.words import plain_words
from nliprobe.probes._titles import Title, title_of
from nliprobe.task.table import Row, Table

YEAR = re.compile(r"(?<![\d.,:/])(?:1\d{3}|20\d{2})(?![\d:/]|[.,]\d)")
_PARENTHESES = re.compile(r"\s*[(\[][^()\[\]]*[)\]]?")
_DIGITS = re.compile(r"\d+")
_PART = re.compile(r"[A-ZÀ-Ý][\w’'.-]*(?: (?:of |de |la |el |upon |the )?[A-ZÀ-Ý][\w’'.-]*)*")
_MOST_PARTS = 4
_STATES_TEXT = """
Alabama,Alaska,Arizona,Arkansas,California,Colorado,Connecticut,Delaware,Florida,Hawaii,Idaho,Illinois,Indiana,Iowa,
Kansas,Kentucky,Louisiana,Maine,Maryland,Massachusetts,Michigan,Minnesota,Mississippi,Missouri,Montana,Nebraska,Nevada,
New Hampshire,New Jersey,New Mexico,New York,North Carolina,North Dakota,Ohio,Oklahoma,Oregon,Pennsylvania,Rhode Island,
South Carolina,South Dakota,Tennessee,Texas,Utah,Vermont,Virginia,Washington,West Virginia,Wisconsin,Wyoming
"""
_STATES = frozenset(_STATES_TEXT.replace("\n", "").split(","))
# A name that can stand in a sentence: capitalised words without digits, brackets and broken letters.
_SMALL_WORDS = "of|the|and|&|de|la|van|von|der|di|da|del|du|le|for|in|bin|y"
_NAME = re.compile(rf"(?:[A-ZÀ-Ý][\w’'.-]*|{_SMALL_WORDS})(?: (?:[A-ZÀ-Ý][\w’'.-]*|{_SMALL_WORDS}))*")
# What the makers of some files joined from two lines: "Ludwig GoranssonZedd".
_JOINED = re.compile(
    r"(?!(?:Mc|Mac|De|Di|Da|Du|La|Le|Lo|Van|Fitz|O['’])[A-Z])\b\w*[a-zà-ÿ][A-ZÀ-Ý]|[?_\d]|\.[A-Za-z]{3}"
)
_MOST_WORDS = 6
# The kinds of rows that give dates.
DATED = frozenset([ValueKind.DATE, ValueKind.SINCE])
_NO_YEARS: frozenset[str] = frozenset()
# How many tables are kept as their rows were read: those of a split of InfoTabS.
KEPT_TABLES = 2048


class Shape(StrEnum):
    """What kind of name can take the place of a name."""

    VALUE = "value"  # a whole value of a row: a value of the same key
    CITY = "city"
    CITY_REGION = "city and region"
    STATE = "state"
    COUNTRY = "country"
    OTHER = "other"  # a part that nothing else replaces

    __hash__ = str.__hash__  # that of an Enum is written in Python


class Name(NamedTuple):
    """A name or term of a row, and what can replace it."""

    text: str
    shape: Shape


class RowNames(NamedTuple):
    """What one row says.

    Attributes:
        at: the place of the row.
        phrase: what rows with its key say.
        texts: the names or terms that it lists, without what parentheses add; a place also by its parts.
        shapes: what can replace each of them, if they are no whole values.
        years: the years in it, if it is a row of dates.
        sure: whether it is clear what its single values are.
    """

    at: int
    phrase: RowPhrase
    texts: tuple[str, ...]
    shapes: tuple[Shape, ...]
    years: frozenset[str]
    sure: bool

    @property
    def names(self) -> tuple[Name, ...]:
        """The names or terms with what can replace them; made when needed, because tables are kept by the thousand."""
        if not self.shapes:
            return tuple([Name(text, Shape.VALUE) for text in self.texts])
        return tuple(map(Name, self.texts, self.shapes))


class Known(NamedTuple):
    """A name of a table, as words in lower case, with the facts that list it and whether it is whole."""

    words: tuple[str, ...]
    facts: tuple[int, ...]
    whole: bool


@dataclass(frozen=True, eq=False)
class TableNames:
    """The facts of a table.

    Attributes:
        table: the table itself.
        title: its title as people say it.
        rows: one fact per row.
        names: the known names by their first word.
        said: the facts by the words that say them.
        titles: the words of the title, with its category.
        spoken: the forms of the title, as words in lower case, by their first word.
        usable: whether the title reads as the name of something.
        person: whether it is a person's.
    """

    table: Table
    title: Title
    rows: tuple[RowNames, ...]
    names: dict[str, list[Known]]
    said: dict[str, tuple[int, ...]]
    titles: frozenset[str]
    spoken: dict[str, list[tuple[str, ...]]]
    usable: bool
    person: bool

    @cached_property
    def words(self) -> frozenset[str]:
        """All words of the table in lower case."""
        values = "\n".join([value for row in self.table.rows for value in row.values])
        return self.titles.union(plain_words(values))

    def row_words(self, at: int) -> list[str]:
        """Return all words of one row in lower case."""
        return plain_words(" ".join(self.table.rows[at].values))


# Other words for what a table of a category is about.
_CATEGORIES = {
    "movie": "film movie picture feature", "album": "album record lp", "song": "song single track",
    "musician": "musician artist band group singer performer", "person": "person", "animal": "animal",
    "painting": "painting artwork work art", "city": "city town municipality", "country": "country nation state",
    "food&drink": "food drink dish", "university": "university school college", "book": "book novel series comic",
    "organization": "organization organisation company", "organisation": "organization organisation company",
    "sports & events": "event", "sports": "event", "events": "event",
}  # fmt: skip


@kept_by_identity(KEPT_TABLES)  # tables are read as donors first, then pair by pair
def row_names(table: Table) -> tuple[RowNames, ...]:
    """Return what each row of an infobox says."""
    return tuple([_fact(at, row, table.category) for at, row in enumerate(table.rows)])


def is_of_person(table: Table) -> bool:
    """Tell whether a table is about a person; animals are born and die, too."""
    return title_of(table).person and table.category.lower() != "animal"


@kept_by_identity(64)  # pairs come table by table
def table_names(table: Table) -> TableNames:
    """Read an infobox."""
    rows = row_names(table)
    title = title_of(table)
    names: dict[str, list[Known]] = {}
    said: dict[str, tuple[int, ...]] = {}
    places: dict[tuple[str, ...], tuple[int, ...]] = {}
    parts: dict[tuple[str, ...], tuple[int, ...]] = {}
    for fact in rows:
        for word in fact.phrase.words:
            said[word] = (*said.get(word, ()), fact.at)
        for text in fact.texts:
            words = words_of(text)
            if words:
                places[words] = (*places.get(words, ()), fact.at)
                if len(words) > 1 and fact.phrase.kind is ValueKind.PERSON:
                    parts[words[-1:]] = (*parts.get(words[-1:], ()), fact.at)
    for whole, listed in ((True, places), (False, parts)):
        for words, facts in listed.items():
            if whole or words not in places:
                names.setdefault(words[0], []).append(Known(words, facts, whole))
    for known in names.values():
        if len(known) > 1:
            known.sort(key=lambda item: -len(item.words))
    titles = frozenset([*words_of(table.title), *_CATEGORIES.get(table.category.casefold(), "").split()])
    spoken: dict[str, list[tuple[str, ...]]] = {}
    for form in dict.fromkeys([title.spoken, title.core, title.last]):
        if words := words_of(form):
            spoken.setdefault(words[0], []).append(words)
    return TableNames(table, title, rows, names, said, titles, spoken, title.usable, is_of_person(table))


@lru_cache(maxsize=65_536)
def words_of(text: str) -> tuple[str, ...]:
    return tuple(plain_words(text))


def is_name(text: str) -> bool:
    """Tell whether a text reads as a name in a sentence.

    >>> is_name("Ann Lee"), is_name("Ludwig GoranssonZedd"), is_name("pop"), is_name("2, including Ann")
    (True, False, False, False)
    """
    words = text.split(" ")
    return (
        len(words) <= _MOST_WORDS
        and len(text) > 2
        and words[-1][:1].isupper()
        and _NAME.fullmatch(text) is not None
        and _JOINED.search(text) is None
    )


def _fact(at: int, row: Row, category: str) -> RowNames:
    phrase = row_phrase(row.key, category)
    if phrase.kind in DATED:
        # "April 17, 1972 (age 46) Houston, Texas, U.S.": the place follows the date.
        text = " ".join(row.values)
        plain = _PARENTHESES.sub(" ", text)
        date = list(_DIGITS.finditer(plain))
        names = _places(plain[date[-1].end() :] if date else "")
        return RowNames(at, phrase, *names, frozenset(YEAR.findall(text)), sure=True)
    if phrase.kind is ValueKind.PLACE:
        names = _places(_PARENTHESES.sub(" ", ", ".join(row.values)))
        return RowNames(at, phrase, *names, _NO_YEARS, sure=bool(names[0]))
    places = value_places(row.key, row.values)
    sure = not (len(places) < 2 <= len(row.values))
    values = [_clean(row.values[cell][start:stop]) for cell, start, stop in places] if sure else []
    return RowNames(at, phrase, tuple([value for value in values if value]), (), _NO_YEARS, sure)


def _clean(value: str) -> str:
    if "(" in value or "[" in value:
        value = _PARENTHESES.sub("", value)
    return " ".join(value.split()).strip(" ,;")


def _places(text: str) -> tuple[tuple[str, ...], tuple[Shape, ...]]:
    """Return a place and its parts: "Houston, Texas, U.S.", "Houston, Texas", "Houston", "Texas" and "U.S."."""
    parts = [part for piece in text.split(",") if (part := " ".join(piece.split()).strip(" .;:-–") or "")]
    parts = [f"{part}." if part in ("U.S", "U.K") else part for part in parts]
    if not 0 < len(parts) <= _MOST_PARTS or not all(_PART.fullmatch(part) for part in parts):
        return (), ()
    city = not is_country_or_state(parts[0])
    texts = parts[1:] if city else list(parts)
    shapes = [_region(part) for part in texts]
    if city:
        texts.append(parts[0])
        shapes.append(Shape.CITY)
        if len(parts) > 1:
            texts.append(f"{parts[0]}, {parts[1]}")
            shapes.append(Shape.CITY_REGION)
        texts += [", ".join(parts[:size]) for size in range(3, len(parts) + 1)]
        shapes += [Shape.OTHER] * (len(parts) - 2)
    return tuple(texts), tuple(shapes)


def _region(part: str) -> Shape:
    # Names that may be a part of one another (England and the United Kingdom) do not replace one another.
    if part.lower() in country_names():
        return Shape.COUNTRY
    return Shape.STATE if part in _STATES else Shape.OTHER


@cache
def country_names() -> frozenset[str]:
    """Return the names of countries in lower case."""
    return frozenset(lower_column("COUNTRY"))
