"""The records of table templates: schemas of tables, and hypotheses with a program and the ways to fill it in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from nliprobe.language.cells.records import CellType
from nliprobe.task.program import Program
from nliprobe.templates.place import Place
from nliprobe.templates.tables.phrasing import Phrasing


class Field(NamedTuple):
    """A row that tables of a schema have.

    Attributes:
        name: its name in templates.
        type: what its values are.
        of: what the members of a list are.
        keys: how real tables spell its key; made tables get the first.
        make: the maker of its values.
        unit: the unit of a number, the currency of a sum of money, or nothing.
    """

    name: str
    type: CellType
    of: CellType | None
    keys: tuple[str, ...]
    make: str
    unit: str = ""


@dataclass(frozen=True)
class Schema:
    """What tables of one category hold.

    Attributes:
        name: its name in templates.
        place: where it is written.
        title: the maker of titles.
        categories: the names of the category in real corpora; made tables get the first.
        fields: the rows, in order, by their names.
    """

    name: str
    place: Place
    title: str
    categories: tuple[str, ...]
    fields: dict[str, Field]


class Span(NamedTuple):
    """Whole numbers to draw from, both ends included."""

    low: int
    high: int


class Options(NamedTuple):
    """Numbers or texts to draw from."""

    values: tuple[int | str, ...]


class FromRow(NamedTuple):
    """Members of a row to draw: of this table's, or of those that only other tables list.

    Attributes:
        field: the row.
        size: how many; they come as a list, unless ``single``.
        others: whether they are members that rows of other tables list and this one does not.
        single: whether one member is drawn, which is a text.
    """

    field: str
    size: int
    others: bool
    single: bool


Draw: TypeAlias = Span | Options | FromRow


class Form(NamedTuple):
    """A way to fill in a template so that its label is known.

    Attributes:
        label: E, N or C.
        slots: how slots are computed, in order; expressions over the whole table, the draws and the slots before.
        missing: whether a row that the program reads is left out; the slots are those of E or C then.
    """

    label: str
    slots: tuple[tuple[str, Program], ...]
    missing: bool = False

    @property
    def name(self) -> str:
        """The name in facets: E, C, N-missing or N-open."""
        return self.label if self.label != "N" else "N-missing" if self.missing else "N-open"


@dataclass(frozen=True)
class TableTemplate:
    """A hypothesis about tables of a schema, with its program.

    Attributes:
        id: its name.
        place: where it is written.
        schema: the tables it is about.
        program: what it says; readings name fields, and what is no field is a slot.
        draws: what is drawn for every example.
        forms: how it is filled in.
        phrasings: how it is said.
        reasoning: the types of reasoning that it needs (infotabs, App. B).
        capability: what it tests, one of the checklist's capabilities.
        because: why the label follows.
    """

    id: str
    place: Place
    schema: Schema
    program: Program
    draws: dict[str, Draw]
    forms: tuple[Form, ...]
    phrasings: tuple[Phrasing, ...]
    reasoning: tuple[str, ...]
    capability: str
    because: str
