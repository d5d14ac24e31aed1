"""What the other tables of a split can give: rows with other keys, values of the same key, records of the same columns.

All of it is indexed once per pool, in an order that does not depend on the order of the files.
"""

from __future__ import annotations

import html
import re
from functools import lru_cache
from typing import NamedTuple

from nliprobe.base.identity import kept_by_identity
from nliprobe.language.values import ValuePlace, is_single, value_places
from nliprobe.task.source import Pool
from nliprobe.task.table import Row, Table
from nliprobe.task.units import row_text

# Pairs come table by table; a few tables are enough.
_KEPT = 64
_PLURAL = re.compile(r"\(e?s\)")
_PARENTHESES = re.compile(r"\([^()]*\)")
_NOT_ALPHANUMERIC = re.compile(r"[\W_]+")


class DonorRow(NamedTuple):
    """A row of another table: its group, its key as keys are compared, the row, and the row as an edit writes it."""

    group: str
    key: str
    row: Row
    text: str


class DonorValues(NamedTuple):
    """The single values that another table has under a key."""

    group: str
    values: tuple[str, ...]


class ManyValues(NamedTuple):
    """A row with several values: its place, its key as keys are compared, its values and where they are."""

    at: int
    key: str
    places: tuple[ValuePlace, ...]
    plain: frozenset[str]


class Offer(NamedTuple):
    """A row with several values, and what other tables have under its key."""

    row: ManyValues
    donors: list[DonorValues]


class Donors:
    """The rows and values of all tables of a pool.

    Attributes:
        rows: rows of infoboxes by category, without tables whose category is unknown.
        records: rows of many-column tables by their columns.
    """

    def __init__(self) -> None:
        self.rows: dict[str, list[DonorRow]] = {}
        self.records: dict[tuple[str, ...], list[DonorRow]] = {}
        self._keyed: dict[tuple[str, str], list[DonorRow]] = {}
        self._values: dict[tuple[str, str], list[DonorValues]] = {}
        self._offers: dict[int, tuple[Table, str, list[Offer]]] = {}

    def values(self, category: str, key: str) -> list[DonorValues]:
        """Return the single values of a key in the tables of a category; they are looked for once."""
        if (category, key) not in self._values:
            rows = self.keyed(category, key)
            given = [DonorValues(donor.group, single_values(donor.row)) for donor in rows]
            self._values[category, key] = [donor for donor in given if donor.values]
        return self._values[category, key]

    def keyed(self, category: str, key: str) -> list[DonorRow]:
        """Return the rows with a key in the tables of a category."""
        return self._keyed.get((category, key), [])

    def offers(self, table: Table, group: str) -> list[Offer]:
        """Return the rows of a table with several values for which tables of other groups have values."""
        kept = self._offers.get(id(table))
        if kept is not None and kept[1] == group:
            return kept[2]
        category = category_key(table)
        given = [Offer(row, self.values(category, row.key)) for row in rows_of_many_values(table)]
        offers = [offer for offer in given if any(donor.group != group for donor in offer.donors)]
        if len(self._offers) >= _KEPT:
            self._offers.clear()
        # The table is held, too, so that its identity is not that of another table.
        self._offers[id(table)] = (table, group, offers)
        return offers

    def add(self, group: str, table: Table) -> None:
        """Index the rows of one table."""
        if table.columns:
            records = self.records.setdefault(columns_key(table), [])
            records += [DonorRow(group, "", row, row_text(row)) for row in table.rows]
            return
        category = category_key(table)
        rows = [DonorRow(group, row_key(row.key), row, row_text(row)) for row in table.rows]
        for donor in rows:
            self._keyed.setdefault((category, donor.key), []).append(donor)
        if category:
            self.rows.setdefault(category, []).extend(rows)


@kept_by_identity(2)  # a suite works through its corpora one after the other
def donors_of(pool: Pool) -> Donors:
    """Index the tables of a pool, once."""
    donors = Donors()
    for group, table in sorted(pool.tables.items()):
        donors.add(group, table)
    return donors


@lru_cache(maxsize=4096)
def row_key(key: str) -> str:
    """Return a key as keys are compared: without case, spaces, marks and the s of a plural.

    >>> row_key("Spouse(s)") == row_key(" spouses ") == row_key("SPOUSE")
    True
    """
    plain = _NOT_ALPHANUMERIC.sub("", _PLURAL.sub("", key.casefold()))
    return plain[:-1] if len(plain) > 3 and plain.endswith("s") and not plain.endswith("ss") else plain


@lru_cache(maxsize=65_536)
def plain_value(value: str) -> str:
    """Return a value as values are compared: without case, marks, entities and what parentheses add.

    >>> plain_value("Isles &amp;  Glaciers (band) ") == plain_value("isles & glaciers")
    True
    """
    text = html.unescape(value).casefold()
    words = _NOT_ALPHANUMERIC.sub(" ", _PARENTHESES.sub(" ", text)).split()
    return " ".join(words or _NOT_ALPHANUMERIC.sub(" ", text).split())


@kept_by_identity(_KEPT)
def category_key(table: Table) -> str:
    """Return a category as categories are compared; empty where it is unknown."""
    category = " ".join(table.category.casefold().split())
    return "" if category in ("none", "unknown") else category


def columns_key(table: Table) -> tuple[str, ...]:
    """Return the columns of a table as they are compared."""
    return tuple([" ".join(column.casefold().split()) for column in table.columns])


def single_values(row: Row) -> tuple[str, ...]:
    """Return the values of a row as another row may take them; none if it is unclear what its single values are."""
    places = places_of(row)
    if len(places) < 2 <= len(row.values):
        return ()
    return tuple([value for cell, start, stop in places if is_single(value := row.values[cell][start:stop])])


@lru_cache(maxsize=8192)  # a row gives values and takes them
def places_of(row: Row) -> tuple[ValuePlace, ...]:
    """Return where the values of a row are."""
    return value_places(row.key, row.values)


@kept_by_identity(_KEPT)
def rows_of_many_values(table: Table) -> tuple[ManyValues, ...]:
    """Return the rows of an infobox that have several values."""
    rows = []
    for index, row in enumerate(table.rows):
        places = places_of(row)
        if len(places) > 1:
            plain = frozenset(plain_value(row.values[cell][start:stop]) for cell, start, stop in places)
            rows.append(ManyValues(index, row_key(row.key), places, plain))
    return tuple(rows)


@kept_by_identity(_KEPT)
def keys_of(table: Table) -> frozenset[str]:
    """Return the keys of a table as keys are compared."""
    return frozenset([row_key(row.key) for row in table.rows])
