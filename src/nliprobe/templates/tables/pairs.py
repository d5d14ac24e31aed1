"""Make the pairs that a template gives on a table: draws, slots, label, evidence, program and hypothesis."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

from nliprobe.base.errors import DataError
from nliprobe.base.seeds import draws
from nliprobe.task.evidence import Evidence
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Facet, Pair
from nliprobe.templates.place import TemplateError
from nliprobe.templates.tables.draw import REAL, Drawn, Twin, World
from nliprobe.templates.tables.execute import label_of
from nliprobe.templates.tables.phrasing import TITLE, SlotValue
from nliprobe.templates.tables.plan import Plan, PlannedForm, slot_value
from nliprobe.templates.tables.readings import ProgramError, kept_reading, read_items
from nliprobe.templates.tables.records import Draw, FromRow, Options, Schema, Span
from nliprobe.templates.tables.values import folded

LABELS = ("E", "C", "N")
# The name of the form in which a row that the program reads is not shown.
N_MISSING = "N-missing"
# Draws of members that a table does not list before all of them are looked through.
_TRIES = 12
_GOLD = {label: LabelSet.of(label) for label in LABELS}
_items = kept_reading(read_items)


class Candidate(NamedTuple):
    """What a template gives on a table: a pair, or the two of a twin."""

    label: str
    pairs: tuple[Pair, ...]


class Said(NamedTuple):
    """What is said about a table, before it is put into words.

    Attributes:
        layout: the title, the rows, the draws and the slots.
        number: the number in the pair's id.
        phrasing: which phrasing is used.
        label: E, N or C.
        form: the form's name.
    """

    layout: list[object]
    number: int
    phrasing: int
    label: str
    form: str


class PairMaker:
    """Makes the pairs of templates on the tables of a world.

    Attributes:
        lacking: for templates whose draws could not be made, what was missing last.
    """

    def __init__(self, world: World, seed: int) -> None:
        self.world, self.seed = world, seed
        self.lacking: dict[str, str] = {}
        self._facets: dict[tuple[str, str, str, int], tuple[Facet, ...]] = {}

    def candidates(self, plan: Plan, table: Drawn, times: int, left: Mapping[str, int]) -> Iterator[Candidate]:
        """Yield what a template gives on a table; each draw depends on the seed, the template and the table only.

        Args:
            plan: the template.
            table: the table.
            times: how many pairs are tried.
            left: how many pairs of each label are still wanted.
        """
        rows = table.rows
        if not plan.needed <= rows.keys():
            return
        hidden = [name for name in plan.read if name not in table.places]
        if len(hidden) > 1 or (hidden and not plan.missing):
            return
        if not any(map(left.__getitem__, ("N",) if hidden else plan.labels)):
            return
        random = draws(self.seed, plan.template.id, str(table.number))
        evidence = _evidence(tuple([table.places.get(name, -1) for name in plan.read]))
        base: list[object] = [table.title, *[rows[name] for name in plan.fields], *[None] * len(plan.names)]
        for turn in range(times):
            said = self._said(plan, table, list(base), table.number * times + turn, random, hidden)
            if said is not None and left[said.label]:
                if table.twin is None:
                    yield Candidate(said.label, (self._pair(plan, table, said, evidence),))
                elif pairs := self._twins(plan, table, table.twin, said, evidence):
                    yield Candidate(said.label, pairs)

    def _said(
        self, plan: Plan, table: Drawn, layout: list[object], number: int, random: Random, hidden: Sequence[str]
    ) -> Said | None:
        # All draws come first and are as many whatever the table holds.
        phrasing = _below(len(plan.writers), random)
        choice = _below(12, random)
        possible = True
        for place, draw in plan.draws:
            layout[place] = self._drawn(draw, plan, table, random)
            possible = possible and layout[place] is not None
        if not possible:
            return None
        # A neutral hypothesis about a hidden row says what is true or false of it, by chance.
        labels = ("E", "C") if hidden else plan.labels
        start = choice if hidden else number
        for turn in range(len(labels)):
            forms = plan.forms[labels[(start + turn) % len(labels)]]
            for place in range(len(forms)):
                planned = forms[(choice + place) % len(forms)]
                filled = self._filled(plan, planned, table, layout, hidden)
                if filled is not None:
                    label, form = ("N", N_MISSING) if hidden else (planned.form.label, planned.form.name)
                    return Said(filled, number, phrasing, label, form)
        return None

    def _drawn(self, draw: Draw, plan: Plan, table: Drawn, random: Random) -> SlotValue | None:
        if isinstance(draw, Span):
            return draw.low + _below(draw.high - draw.low + 1, random)
        if isinstance(draw, Options):
            return draw.values[_below(len(draw.values), random)]
        try:
            listed = _items(table.rows[draw.field])
        except ProgramError as error:
            if table.world != REAL:
                raise self._error(plan, table, str(error)) from None
            return None
        if draw.others:
            members = self._others(draw, plan.template.schema, table, listed, random)
        else:
            distinct = list({folded(item): item for item in listed}.values())
            while len(distinct) > draw.size:
                del distinct[_below(len(distinct), random)]
            members = distinct
        if len(members) < draw.size:
            maker = plan.template.schema.fields[draw.field].make
            whose = "that only other tables list" if draw.others else "that a table lists"
            self.lacking[plan.template.id] = (
                f"too few members of {draw.field} {whose} to draw {draw.size}. Ask for fewer, or give the maker "
                f"'{maker}' more to choose from."
            )
            return None
        return members[0] if draw.single else tuple(members)

    def _others(self, draw: FromRow, schema: Schema, table: Drawn, listed: Sequence[str], random: Random) -> list[str]:
        """Draw members that this row does not list, as often as they are in other tables."""
        pool = self.world.others(schema, table.number, draw.field)
        taken = {folded(item) for item in listed}
        members: list[str] = []
        for _ in range(_TRIES * draw.size if pool else 0):
            row = _items(pool[_below(len(pool), random)])
            member = row[_below(len(row), random)]
            key = folded(member)
            if key not in taken:
                taken.add(key)
                members.append(member)
                if len(members) == draw.size:
                    return members
        rest = {folded(item): item for row in pool for item in _items(row) if folded(item) not in taken}
        left = sorted(rest.values())
        while left and len(members) < draw.size:
            members.append(left.pop(_below(len(left), random)))
        return members

    def _filled(
        self, plan: Plan, planned: PlannedForm, table: Drawn, drawn: list[object], hidden: Sequence[str]
    ) -> list[object] | None:
        """Compute the slots of a form on the whole table and check the label on the shown one; None if it cannot be."""
        layout = list(drawn)
        try:
            for place, compute in planned.steps:
                layout[place] = value = slot_value(compute(layout))
                if value is None:
                    return None
            label = label_of(plan.run(layout))
            if label != planned.form.label:
                self._check_label(plan, planned, table, label)
                return None
            return layout if not hidden or self._unknown(plan, layout, hidden) else None
        except ProgramError as error:
            # A real cell may be of the right type and still not say what the program needs.
            if table.world == REAL:
                return None
            raise self._error(plan, table, str(error)) from None
        except TemplateError:
            raise
        except (DataError, TypeError, AttributeError) as error:
            # What the first member of a list is, is known only now: a text where a date is needed is the template's.
            raise self._error(plan, table, f"the form {planned.form.label} cannot be computed: {error}.") from None

    def _unknown(self, plan: Plan, layout: list[object], hidden: Sequence[str]) -> bool:
        """Tell whether the program is unknown without the hidden rows; another row may decide it alone."""
        shown = list(layout)
        for name in hidden:
            shown[1 + plan.fields.index(name)] = None
        return plan.run(shown) is None

    def _check_label(self, plan: Plan, planned: PlannedForm, table: Drawn, label: str) -> None:
        """Refuse a form that gives another label than its own.

        A form without slots, or one for what a table leaves open, just does not fit every table; and real tables hold
        what no schema foresees.
        """
        if not planned.steps or planned.form.label == "N" or table.world == REAL:
            return
        cells = "; ".join(f"{table.keys[name]}: {', '.join(table.rows[name].values)}" for name in plan.read)
        raise self._error(plan, table, f"the form {planned.form.label} came out as {label} with the cells {cells}.")

    def _error(self, plan: Plan, table: Drawn, problem: str) -> TemplateError:
        return TemplateError(plan.template.place, f"on the table {table.name} ({table.title}): {problem}")

    def _twins(self, plan: Plan, table: Drawn, twin: Twin, said: Said, evidence: Evidence) -> tuple[Pair, ...]:
        """Return the pair of a real table and that of its twin; none if the names changed what is said."""
        other, renaming = twin
        layout: list[object] = [other.title, *[other.rows[name] for name in plan.fields]]
        drawn = {place: draw.field for place, draw in plan.draws if isinstance(draw, FromRow)}
        names = renaming.extended([(drawn[place], said.layout[place]) for place in drawn])
        layout += [names.value(value) for value in said.layout[plan.first_value :]]
        shown = list(layout)
        for place, name in enumerate(plan.fields):
            shown[1 + place] = None if name not in other.places else shown[1 + place]
        try:
            same = label_of(plan.run(shown)) == said.label
        except ProgramError:
            same = False
        if not same:
            return ()
        shared = (Facet("twin", f"{plan.template.id}/{said.number}"),)
        fictional = said._replace(layout=layout)
        return (
            self._pair(plan, table, said, evidence, shared),
            self._pair(plan, other, fictional, evidence, shared),
        )

    def _pair(self, plan: Plan, table: Drawn, said: Said, evidence: Evidence, more: tuple[Facet, ...] = ()) -> Pair:
        layout, number, phrasing, label, form = said
        values: dict[str, SlotValue] = dict(zip(plan.names, layout[plan.first_value :], strict=True))  # type: ignore[arg-type]
        values[TITLE] = table.title
        return Pair(
            f"tables/{plan.template.id}/{table.world[0]}{number}",
            table.shown,
            plan.writers[phrasing](values),
            _GOLD[label],
            table.name,
            evidence,
            plan.program_text(table.keys, values),
            self._same_facets(plan, table.world, form, phrasing) + more,
        )

    def _same_facets(self, plan: Plan, world: str, form: str, phrasing: int) -> tuple[Facet, ...]:
        """Return the facets that pairs of a template share."""
        template = plan.template
        key = (template.id, world, form, phrasing)
        facets = self._facets.get(key)
        if facets is None:
            facets = self._facets[key] = (
                Facet("template", template.id),
                Facet("category", template.schema.categories[0]),
                Facet("schema", template.schema.name),
                *[Facet("reasoning", kind) for kind in template.reasoning],
                Facet("capability", template.capability),
                Facet("world", world),
                Facet("form", form),
                Facet("phrasing", str(phrasing)),
            )
        return facets


def _below(size: int, random: Random) -> int:
    """Return a number from 0 to below ``size``; faster than ``randrange``, and as even for small sizes."""
    return int(random.random() * size)


@lru_cache(maxsize=65_536)
def _evidence(places: tuple[int, ...]) -> Evidence:
    """Return evidence from the places of rows; rows that are not shown have none, -1."""
    return Evidence(tuple(sorted([place for place in places if place >= 0])))
