"""Real tables as a source of executable hypotheses, alone or with twins whose names are fictional.

A row of a real table is used only if its key is one of a field's and its cell certainly has the field's type; only such
rows are shown, because another row might say what a hidden one says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from nliprobe.base.errors import DataError
from nliprobe.base.seeds import draws
from nliprobe.language.cells import read_cell
from nliprobe.language.cells.records import CellType, Date, Dates, Duration, Quantity, Value
from nliprobe.language.values import is_single
from nliprobe.task.source import PairSource
from nliprobe.task.table import Row, Table
from nliprobe.templates.tables.draw import FICTIONAL, REAL, Drawn, Twin, hide, show
from nliprobe.templates.tables.fictional import is_invented, stock_name, stock_names
from nliprobe.templates.tables.makers import make, read_maker
from nliprobe.templates.tables.records import Field, Schema
from nliprobe.templates.tables.values import folded

_NAMES = (CellType.PERSON, CellType.PLACE, CellType.ORGANISATION)
# A table with fewer rows of its schema says too little to hide one of them.
_FEWEST_ROWS = 3
# Markup, additions, double spaces, and words that were written together when a cell was copied.
_ODD = re.compile(r"[()\[\]{};:|/\n<>]|&\w+;|\s\s|[a-z]{2}[A-Z][a-z]{2}|\s,")
# What a cell says in the place of what it should say.
_STAND_IN = re.compile(
    r"(?:full |see |complete )?list\b|see\b|various|several|many\b|none\b|unknown|n/?a$|tb[ac]$", re.IGNORECASE
)
# "rock and roll and soul" could be two members or three.
_AND = re.compile(r"\s(?:and|or|&)\s", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
# Shorter words of a title ("the", "of") are also words of terms.
_TITLE_WORD = 4

# What a part of an id is not made of.
_NO_NAME = re.compile(r"[^A-Za-z0-9]+")


class Known(NamedTuple):
    """A real table, as far as its schema knows it."""

    name: str
    table: Table
    rows: Mapping[str, Row]


class Real:
    """Real tables, in their order; after the last one they come again with other rows hidden.

    Args:
        source: the corpus.
        schemas: the schemas whose tables are wanted.
        seed: the seed of draws.
        twins: whether each table comes with its fictional twin.
    """

    endless = False

    def __init__(self, source: PairSource, schemas: Iterable[Schema], seed: int, *, twins: bool) -> None:
        self.seed, self.twins = seed, twins
        self._mark = f"{seed}-{_NO_NAME.sub('-', source.name).strip('-')}"
        self._known: dict[str, list[Known]] = {}
        self._rows: dict[tuple[str, str], list[Row]] = {}
        wanted = {category.casefold(): schema for schema in schemas for category in schema.categories}
        seen: set[str] = set()
        for pair in source.pairs():
            name, table = pair.group or pair.id, pair.premise
            if not isinstance(table, Table) or name in seen:
                continue
            seen.add(name)
            schema = wanted.get(table.category.casefold())
            usable = schema is not None and not table.columns and is_plain(table.title, digits=True)
            rows = typed_rows(table, schema) if schema is not None and usable else {}
            if schema is not None and twins:
                rows = {field: row for field, row in rows.items() if _renamable(schema.fields[field], row, table.title)}
            if schema is not None and len(rows) >= _FEWEST_ROWS:
                self._known.setdefault(schema.name, []).append(Known(name, table, rows))
        if not self._known:
            raise DataError(
                f"{source.name} has no table that a schema knows: a table's category should be one of a schema's, and "
                f"at least {_FEWEST_ROWS} of its rows should have the keys and types of the schema's fields."
            )

    def table(self, schema: Schema, number: int) -> Drawn | None:
        """Return a real table with some rows hidden, and its twin."""
        tables = self._known.get(schema.name)
        if not tables:
            return None
        known = tables[number % len(tables)]
        random = draws(self.seed, "real", schema.name, str(number))
        hidden = hide(list(known.rows), random)
        keys = {field: row.key for field, row in known.rows.items()}
        title, category = known.table.title, known.table.category
        drawn = show(known.name, number, REAL, f"r{self._mark}", title, category, known.rows, keys, hidden)
        if not self.twins:
            return drawn
        names = Names(schema, self.seed)
        names.add_title(title)
        rows = {field: names.row(field, row) for field, row in known.rows.items()}
        new_title = str(names.value(title))
        fictional = show(known.name, number, FICTIONAL, f"t{self._mark}", new_title, category, rows, keys, hidden)
        return drawn._replace(twin=Twin(fictional, names))

    def others(self, schema: Schema, number: int, field: str) -> list[Row]:
        """Return the rows of a field in all real tables of the schema."""
        rows = self._rows.get((schema.name, field))
        if rows is None:
            known = self._known.get(schema.name, [])
            rows = self._rows[schema.name, field] = [one.rows[field] for one in known if field in one.rows]
        return rows


class Names:
    """Fictional names for those of a real table: each is replaced the same way everywhere."""

    def __init__(self, schema: Schema, seed: int, names: Mapping[str, str] | None = None) -> None:
        self._schema, self._seed = schema, seed
        self._names = dict(names or {})

    def add_title(self, title: str) -> None:
        """Give the table another title."""
        self._names[folded(title)] = self._made(self._schema.title, title)

    def row(self, field: str, row: Row) -> Row:
        """Return a row with fictional names; a row of terms, numbers or dates stays as it is."""
        kind = name_kind(self._schema.fields[field])
        if kind is None:
            return row
        return Row(row.key, tuple([self._name(kind, name) for name in names_in(row)]))

    def extended(self, drawn: Sequence[tuple[str, object]]) -> Names:
        """Return names that also replace what was drawn from fields."""
        more = Names(self._schema, self._seed, self._names)
        for field, value in drawn:
            kind = name_kind(self._schema.fields[field])
            for name in value if isinstance(value, tuple) else (value,):
                if kind is not None and isinstance(name, str):
                    more._name(kind, name)
        return more

    def value(self, value: object) -> object:
        """Return the value of a slot with fictional names; what is no name stays."""
        if isinstance(value, str):
            return self._names.get(folded(value), value)
        return tuple([self.value(item) for item in value]) if isinstance(value, tuple) else value

    def _name(self, kind: str, name: str) -> str:
        known = self._names.get(folded(name))
        if known is None:
            known = self._names[folded(name)] = self._made(kind, name)
        return known

    def _made(self, kind: str, name: str) -> str:
        """Return the fictional name of a real one; another real name of the table never has the same."""
        taken = {folded(other) for other in self._names.values()}
        for attempt in range(100):
            random = draws(self._seed, "twin", kind, folded(name), str(attempt))
            made = stock_name(kind, random) if kind in stock_names() else make(kind, random)[0]
            if folded(made) not in taken:
                return made
        raise DataError(f"The maker {kind} has too few different names for the names of one table.")


def typed_rows(table: Table, schema: Schema) -> dict[str, Row]:
    """Return the rows of a real table that are fields of a schema, in the table's order."""
    keys = {key.casefold(): field for field in schema.fields.values() for key in field.keys}
    rows: dict[str, Row] = {}
    for row in table.rows:
        field = keys.get(row.key.casefold())
        if field is not None and field.name not in rows and fits(field, row):
            rows[field.name] = row
    return rows


def fits(field: Field, row: Row) -> bool:
    """Tell whether the cell of a row certainly has the type of a field, and can be said in a sentence as it is."""
    cell = read_cell(row.key, row.values)
    if not cell.certain or not cell.values or any(map(_is_about, cell.values)):
        return False
    if any(isinstance(value, str) and not is_plain(value) for value in cell.values):
        return False
    if field.type is not CellType.LIST and len(row.values) != 1:
        return False
    if field.type is CellType.LIST:
        return _is_kind(cell.of if cell.type is CellType.LIST else cell.type, field.of)
    if len(cell.values) != 1 or not _is_kind(cell.type, field.type):
        return False
    value = cell.values[0]
    return not isinstance(value, Quantity) or value.unit == field.unit


def is_plain(text: str, *, digits: bool = False) -> bool:
    """Tell whether a text can be said in a sentence as it is: one name or term, without additions and markup.

    >>> is_plain("Ann Lee"), is_plain("Paris, France"), is_plain("Coco (film)"), is_plain("FranceRoyaume de France")
    (True, False, False, False)
    """
    if digits:
        return _ODD.search(text) is None
    odd = _ODD.search(text) or _DIGIT.search(text) or _STAND_IN.match(text) or _AND.search(text)
    return odd is None and is_single(text)


def name_kind(field: Field) -> str | None:
    """Return which names of the stock a field holds, or None for terms, numbers and dates."""
    maker = read_maker(field.make)
    kinds = [name for name in (maker.name, *maker.arguments) if isinstance(name, str) and name in stock_names()]
    return next((kind for kind in kinds if is_invented(kind)), None)


def names_in(row: Row) -> tuple[str, ...]:
    """Return the names that a row holds, one per value."""
    cell = read_cell(row.key, row.values)
    texts = [value for value in cell.values if isinstance(value, str)]
    return tuple(texts) if len(texts) == len(cell.values) else row.values


def _renamable(field: Field, row: Row, title: str) -> bool:
    """Tell whether a row gives away nothing of a real table in its twin: it holds names, or no word of the title."""
    if name_kind(field) is not None:
        return True
    words = {word for word in folded(title).split() if len(word) >= _TITLE_WORD}
    return words.isdisjoint(word for value in row.values for word in folded(value).split())


def _is_kind(kind: CellType | None, wanted: CellType | None) -> bool:
    return kind is wanted or (wanted is CellType.TEXT and kind in _NAMES)


def _is_about(value: Value) -> bool:
    if isinstance(value, Dates):
        return value.start.about or (value.end is not None and value.end.about)
    return isinstance(value, Quantity | Date | Duration) and value.about
