"""Draw the tables that hypotheses are about: made ones, real ones, and real ones with fictional names.

A table is drawn whole, and some of its rows are not shown. A hypothesis about a row that is not shown is neutral, one
about shown rows is not, so neither the number of rows nor which of them there are tells the label of a pair.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from random import Random
from typing import NamedTuple, Protocol

from nliprobe.base.seeds import draws
from nliprobe.task.table import Row, Table
from nliprobe.templates.tables.makers import make
from nliprobe.templates.tables.records import Schema

# Tables that are made together: what other tables list is taken from those of the same block. So a name that only
# other tables list comes as often as one that the table lists, and how often it comes tells nothing about the label.
BLOCK = 64
REAL, FICTIONAL = "real", "fictional"


class Drawn(NamedTuple):
    """A table to be asked about.

    Attributes:
        name: its name, the group of its pairs.
        number: the number in the ids of its pairs.
        world: real or fictional.
        mark: what tells its pairs from those of other suites in their ids: a letter, the seed, the corpus.
        title: its title.
        rows: its rows by field, shown or not.
        shown: the table that pairs show.
        places: the places of the shown rows, by field.
        keys: how its rows spell the keys, by field.
        twin: the same table with fictional names, or None.
    """

    name: str
    number: int
    world: str
    mark: str
    title: str
    rows: Mapping[str, Row]
    shown: Table
    places: Mapping[str, int]
    keys: Mapping[str, str]
    twin: Twin | None = None


class Twin(NamedTuple):
    """The fictional twin of a real table, and the names by which its own are replaced."""

    table: Drawn
    renamed: Renaming


class Renaming(Protocol):
    """Replaces the names of a real table by fictional ones, each the same way everywhere."""

    def extended(self, drawn: Sequence[tuple[str, object]]) -> Renaming:
        """Return a renaming that also knows what was drawn from fields."""
        ...

    def value(self, value: object) -> object:
        """Return a value of a slot with fictional names in the place of real ones; what is no name stays."""
        ...


class World(Protocol):
    """Where tables come from; an endless one has a table for every number."""

    endless: bool

    def table(self, schema: Schema, number: int) -> Drawn | None:
        """Return a table of a schema by its number; None if there is none."""
        ...

    def others(self, schema: Schema, number: int, field: str) -> Sequence[Row]:
        """Return the rows of a field in tables of which some members may be said of the table of this number."""
        ...


class Fictional:
    """Made tables; there is one for every number."""

    endless = True

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._blocks: dict[str, tuple[int, list[Drawn]]] = {}
        self._keys: dict[str, dict[str, str]] = {}
        self._rows: dict[tuple[str, int, str], list[Row]] = {}

    def table(self, schema: Schema, number: int) -> Drawn:
        """Make a table; the same number gives the same table, whatever was made before."""
        return self._block(schema, number // BLOCK)[number % BLOCK]

    def others(self, schema: Schema, number: int, field: str) -> list[Row]:
        """Return the rows of a field in the tables of the same block."""
        key = (schema.name, number // BLOCK, field)
        rows = self._rows.get(key)
        if rows is None:
            rows = self._rows[key] = [table.rows[field] for table in self._block(schema, number // BLOCK)]
        return rows

    def _block(self, schema: Schema, block: int) -> list[Drawn]:
        known = self._blocks.get(schema.name)
        if known is None or known[0] != block:
            # Tables are asked for in order, so that one block per schema is enough.
            for key in [key for key in self._rows if key[0] == schema.name]:
                del self._rows[key]
            numbers = range(block * BLOCK, (block + 1) * BLOCK)
            known = self._blocks[schema.name] = (block, [self._made(schema, number) for number in numbers])
        return known[1]

    def _made(self, schema: Schema, number: int) -> Drawn:
        random = draws(self.seed, "tables", schema.name, str(number))
        title = make(schema.title, random)[0]
        made = make_rows(schema, random)
        keys = self._keys.get(schema.name)
        if keys is None:
            keys = self._keys[schema.name] = {name: field.keys[0] for name, field in schema.fields.items()}
        rows = {name: Row(key, made[name]) for name, key in keys.items()}
        hidden = hide(list(rows), random)
        mark, category = f"f{self.seed}", schema.categories[0]
        return show(f"{schema.name}/{mark}-{number}", number, FICTIONAL, mark, title, category, rows, keys, hidden)


def make_rows(schema: Schema, random: Random) -> dict[str, tuple[str, ...]]:
    """Make the values of all fields, in order, because some refer to others before them."""
    made: dict[str, tuple[str, ...]] = {}
    for name, field in schema.fields.items():
        made[name] = make(field.make, random, made)
    return made


def hide(fields: Sequence[str], random: Random) -> frozenset[str]:
    """Draw the fields whose rows are not shown: always a third of them, so that their number tells nothing."""
    return frozenset(random.sample(fields, (len(fields) + 1) // 3))


def show(
    name: str, number: int, world: str, mark: str, title: str, category: str, rows: Mapping[str, Row],
    keys: Mapping[str, str], hidden: Container[str], twin: Twin | None = None,
) -> Drawn:  # fmt: skip
    """Return a table of which some rows are not shown."""
    visible = [field for field in rows if field not in hidden]
    shown = Table(title, tuple([rows[field] for field in visible]), category)
    places = {field: place for place, field in enumerate(visible)}
    return Drawn(name, number, world, mark, title, rows, shown, places, keys, twin)
