"""Values of rows as a sentence can say them, true ones of a table and wrong ones that other tables give."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, cached_property
from random import Random
from typing import NamedTuple

from nliprobe.base.identity import kept_by_identity
from nliprobe.language.lexicon import lower_column
from nliprobe.language.row_phrases import ValueKind
from nliprobe.probes._table_names import (
    KEPT_TABLES,
    Name,
    RowNames,
    Shape,
    TableNames,
    country_names,
    is_name,
    is_of_person,
    row_names,
)
from nliprobe.task.source import Pool
from nliprobe.task.table import Row, Table

_MINUTES = re.compile(r"(\d{1,3}) ?min(?:ute)?s?\.?", re.IGNORECASE)
_CLOCK = re.compile(r"(\d{1,2}) ?: ?([0-5]\d)")
_MONEY = re.compile(r"(?:US)?(\$\d[\d.,]*(?: (?:million|billion))?)")
_SINCE = re.compile(r"(\d{4})\s*[-–]\s*present", re.IGNORECASE)
_TERM = re.compile(r"[A-Za-z][a-z]+(?:[ -][a-z]+){0,2}", re.IGNORECASE)
# Words for somebody who does something: "has worked as a singer".
_DOER = re.compile(r"(?:[eo]r|ist|ian|man|woman|ress|model|host|poet|chef|pilot|nurse|architect|entrepreneur)$")
# What rows say instead of a name.
_NO_NAME = re.compile(r"(?:self|independent|various|none|unknown|official|see|list|n/a|tba|vacant)\b", re.IGNORECASE)
_WORDS = re.compile(r"\w+")
# Countries that take an article.
_WITH_ARTICLE = frozenset(
    [
        "united states",
        "united kingdom",
        "netherlands",
        "philippines",
        "czech republic",
        "bahamas",
        "dominican republic",
        "maldives",
        "gambia",
        "soviet union",
        "united arab emirates",
    ]
)
# Terms that keep their capital letters.
_PROPER = frozenset(["latin", "christian", "celtic", "gothic", "caribbean", "african", "european", "asian"])
_NAMED_TERMS = frozenset(["language", "official language", "nationality", "demonym"])
# Wrong years and measures are this far from the true ones, so that nobody takes them for rounded.
_YEARS_APART = 2
_SHARE_APART = 0.2
_TRIES = 12


def sayable(fact: RowNames, row: Row) -> tuple[str, ...]:
    """Return the values of a row that can stand in its phrase."""
    kind, phrase = fact.phrase.kind, fact.phrase.phrase
    if not phrase:
        return ()
    if kind is ValueKind.DATE:
        return tuple(fact.years) if len(fact.years) == 1 else ()
    if kind in (ValueKind.SINCE, ValueKind.DURATION, ValueKind.MONEY):
        return _measured(kind, row)
    if not fact.sure or (phrase.startswith("whose ") and " include " not in phrase and len(fact.texts) != 1):
        return ()
    if kind is ValueKind.TERM:
        terms = [text for name in fact.texts if (text := term_text(name, fact.phrase.name))]
        return tuple([term for term in terms if "{a}" not in phrase or _DOER.search(term)])
    if kind is ValueKind.COUNTRY:
        return tuple([with_article(name) for name in fact.texts if _is_country(name)])
    if kind is ValueKind.PLACE:
        return tuple([name.text for name in fact.names if name.shape is Shape.CITY and is_name(name.text)])
    return tuple([name for name in fact.texts if is_name(name) and not _NO_NAME.match(name)])


class Sayable(NamedTuple):
    """A row, and its values that can stand in its phrase; there is at least one."""

    row: RowNames
    values: tuple[str, ...]


@kept_by_identity(KEPT_TABLES)  # tables are read as donors first, then pair by pair
def sayable_rows(table: Table) -> tuple[Sayable, ...]:
    """Return the rows of a table of which something can be said about its title."""
    rows = [Sayable(row, sayable(row, table.rows[row.at])) for row in row_names(table)]
    person = is_of_person(table)
    return tuple([item for item in rows if item.values and (item.row.phrase.of_persons or not person)])


def _measured(kind: ValueKind, row: Row) -> tuple[str, ...]:
    if len(row.values) != 1:
        return ()
    text = row.values[0].strip()
    if kind is ValueKind.SINCE:
        years = _SINCE.fullmatch(text)
        return (years[1],) if years else ()
    if kind is ValueKind.MONEY:
        money = _MONEY.fullmatch(text)
        return (money[1],) if money else ()
    if minutes := _MINUTES.fullmatch(text):
        return (f"{minutes[1]} minutes",)
    clock = _CLOCK.fullmatch(text)
    return (f"{clock[1]}:{clock[2]}",) if clock else ()


def term_text(name: str, relation: str) -> str:
    """Return a term as a sentence writes it, in lower case if it has no name in it; empty for what is no plain term."""
    if not _TERM.fullmatch(name) or " and " in name:
        return ""
    words = name.split(" ")
    if relation in _NAMED_TERMS:
        return name if name[0].isupper() else ""
    proper = any(word.lower() in _PROPER or word.lower() in _adjectives() for word in words)
    return name if proper else name.lower()


def _is_country(name: str) -> bool:
    # The United Kingdom is left out: what comes from England comes from there, too.
    return name.lower() in country_names() or name == "United States"


def with_article(country: str) -> str:
    """Put *the* before the names of countries that take it."""
    return f"the {country}" if country.lower() in _WITH_ARTICLE else country


class Wrong:
    """The values that other tables of a pool have for what a row says; what nobody draws from is not read."""

    def __init__(self, pool: Pool) -> None:
        self._tables = [(group, table) for group, table in sorted(pool.tables.items()) if not table.columns]

    @cached_property
    def values(self) -> dict[str, list[tuple[str, str]]]:
        """Per relation, the groups of the tables and their sayable values."""
        values: dict[str, list[tuple[str, str]]] = {}
        for group, table in self._tables:
            for row, said in sayable_rows(table):
                values.setdefault(row.phrase.name, []).extend([(group, value) for value in said])
        return values

    @cached_property
    def names(self) -> dict[tuple[str, Shape], list[tuple[str, str]]]:
        """Per relation and shape, the groups of the tables and the names in their rows."""
        names: dict[tuple[str, Shape], list[tuple[str, str]]] = {}
        for group, table in self._tables:
            for row in row_names(table):
                for name, shape in row.names:
                    text = name.replace(", ", " ")
                    if shape is not Shape.OTHER and is_name(text) and not _NO_NAME.match(text):
                        names.setdefault((row.phrase.name, shape), []).append((group, name))
        return names

    def draw(self, facts: TableNames, item: Sayable, group: str, random: Random) -> str:
        """Draw a value that is certainly wrong for a row; empty if the draws give none."""
        row, true = item
        listed = self.values.get(row.phrase.name, ())
        if not listed or not row.phrase.closed:
            return ""
        place = int(random.random() * len(listed))
        for other, value in listed[place : place + _TRIES]:
            if other != group and _contradicts(facts, row.phrase.kind, true, value):
                return value
        return ""

    def draw_name(self, facts: TableNames, fact: RowNames, name: Name, group: str, random: Random) -> str:
        """Draw a name of the same shape that a table does not have anywhere; empty if the draws give none."""
        listed = self.names.get((fact.phrase.name, name.shape), ())
        place = int(random.random() * len(listed))
        for other, text in listed[place : place + _TRIES]:
            if other != group and unknown(facts, text):
                return text
        return ""


@kept_by_identity(2)  # a suite works through its corpora one after the other
def wrong_values(pool: Pool) -> Wrong:
    """Index the values of all tables of a pool, once."""
    return Wrong(pool)


def _contradicts(facts: TableNames, kind: ValueKind, true: Sequence[str], value: str) -> bool:
    """Tell whether a row with some true values excludes another one."""
    if kind is ValueKind.SINCE:
        # Who has been active since 1980 has been so since 1990, too.
        return int(true[0]) - int(value) >= _YEARS_APART
    if kind is ValueKind.DATE:
        return abs(int(value) - int(true[0])) >= _YEARS_APART
    if kind in (ValueKind.DURATION, ValueKind.MONEY):
        return _apart(value, true[0])
    return unknown(facts, value)


def unknown(facts: TableNames, name: str) -> bool:
    """Tell whether no word of a name that counts occurs anywhere in a table."""
    return facts.words.isdisjoint([word for word in _WORDS.findall(name.lower()) if len(word) > 2 and word != "the"])


def _apart(one: str, other: str) -> bool:
    first, second = _size(one), _size(other)
    return abs(first - second) > _SHARE_APART * max(first, second)


def _size(text: str) -> float:
    if clock := _CLOCK.fullmatch(text):
        return int(clock[1]) + int(clock[2]) / 60
    number = float(re.sub(r"[^\d.]", "", text.replace(",", "")).strip(".") or 0)
    return number * (1000 if "billion" in text else 1 if "million" in text or "$" not in text else 1e-6)


@cache
def _adjectives() -> frozenset[str]:
    return frozenset([*lower_column("COUNTRY", "adjective"), *lower_column("LANGUAGE")])
