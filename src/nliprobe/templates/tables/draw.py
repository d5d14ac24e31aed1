"""Draw the tables that hypotheses are about: made ones, real ones, and real ones with fictional names.

A table is drawn whole, and some of its rows are not shown. A hypothesis about a row that is not shown is neutral, one
about shown rows is not, so neither the number of rows nor which of them there are tells the label of a pair.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple, Protocol

from nliprobe.base.seeds import draws
from nliprobe.task.table import Row, Table
from nliprobe.templates.tables.makers import make
from nliprobe.templates.tables.readings import read_items
from nliprobe.templates.tables.records import Schema

# Tables whose rows are asked for members that a table does not list.
POOL = 200


class Drawn(NamedTuple):
    """A table to be asked about.

    Attributes:
        name: its name, the group of its pairs.
        number: the number in the ids of its pairs.
        world: real or fictional.
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

    def slot(self, field: str, value: str) -> str:
        """Return the fictional name of a member of a field; what is no name stays."""
        ...


class World(Protocol):
    """Where tables come from."""

    letter: str

    def table(self, schema: Schema, number: int) -> Drawn | None:
        """Return a table of a schema by its number; None if there is none."""
        ...

    def members(self, schema: Schema, field: str) -> Sequence[tuple[str, ...]]:
        """Return the members that the rows of a field list in many tables."""
        ...


class Fictional:
    """Made tables; there is one for every number."""

    letter = "f"

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._members: dict[tuple[str, str], list[tuple[str, ...]]] = {}

    def table(self, schema: Schema, number: int) -> Drawn:
        """Make a table; the same number gives the same table, whatever was made before."""
        random = draws(self.seed, "tables", schema.name, str(number))
        title = make(schema.title, random)[0]
        made = make_rows(schema, random)
        rows = {name: Row(field.keys[0], made[name]) for name, field in schema.fields.items()}
        return show(f"{schema.name}/f{number}", number, "fictional", title, schema.categories[0], rows, (), random)

    def members(self, schema: Schema, field: str) -> list[tuple[str, ...]]:
        """Return what the rows of a field list in some two hundred tables of this seed."""
        known = self._members.get((schema.name, field))
        if known is None:
            tables = [make_rows(schema, draws(self.seed, "pool", schema.name, str(number))) for number in range(POOL)]
            for name, spec in schema.fields.items():
                self._members[schema.name, name] = [read_items(Row(spec.keys[0], made[name])) for made in tables]
            known = self._members[schema.name, field]
        return known


def make_rows(schema: Schema, random: Random) -> dict[str, tuple[str, ...]]:
    """Make the values of all fields, in order, because some refer to others before them."""
    made: dict[str, tuple[str, ...]] = {}
    for name, field in schema.fields.items():
        made[name] = make(field.make, random, made)
    return made


def show(
    name: str, number: int, world: str, title: str, category: str, rows: Mapping[str, Row], others: Sequence[Row],
    random: Random,
) -> Drawn:  # fmt: skip
    """Leave some rows of a table out, from one of them to half of them.

    Args:
        name: the table's name.
        number: its number.
        world: real or fictional.
        title: its title.
        category: its category.
        rows: the rows by field, in order.
        others: rows that are no fields, which come after them.
        random: draws how many rows are left out, and which.
    """
    names = list(rows)
    hidden = set(random.sample(names, random.randint(1, max(1, len(names) // 2)))) if len(names) > 1 else set()
    visible = [field for field in names if field not in hidden]
    shown = Table(title, (*[rows[field] for field in visible], *others), category)
    places = {field: place for place, field in enumerate(visible)}
    return Drawn(name, number, world, title, rows, shown, places, {field: row.key for field, row in rows.items()})
