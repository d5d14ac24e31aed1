"""Make the pairs that a template gives on a table: draws, slots, label, evidence, program and hypothesis."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple, TypeAlias

from nliprobe.base.errors import DataError
from nliprobe.base.seeds import draws
from nliprobe.task.evidence import Evidence
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Facet, Pair
from nliprobe.templates.place import TemplateError
from nliprobe.templates.tables.draw import REAL, Drawn, Twin, World
from nliprobe.templates.tables.execute import label_of
from nliprobe.templates.tables.phrasing import SlotValue
from nliprobe.templates.tables.plan import Plan, PlannedForm, ProgramText, slot_value
from nliprobe.templates.tables.readings import ProgramError, kept_reading, read_items
from nliprobe.templates.tables.records import FromRow, Schema, TableTemplate
from nliprobe.templates.tables.values import folded

LABELS = ("E", "C", "N")
# The name of the form in which a row that the program reads is not shown.
N_MISSING = "N-missing"
# Draws of members that a table does not list before all of them are looked through.
_TRIES = 12
_GOLD = {label: LabelSet.of(label) for label in LABELS}
_items = kept_reading(read_items)
# Draws a number from 0 to below 1. ``int(draw() * size)`` is faster than ``randrange``, and as even for small sizes.
Draws: TypeAlias = Callable[[], float]


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


class Frame(NamedTuple):
    """What the pairs of a template on one table share.

    Attributes:
        table: the table.
        ids: how their ids begin.
        program: the program's text, with the keys of this table.
        evidence: the rows that the program reads.
        facets: their facets, by form and phrasing.
    """

    table: Drawn
    ids: str
    program: ProgramText
    evidence: Evidence
    facets: dict[tuple[str, int], tuple[Facet, ...]]


class PairMaker:
    """Makes the pairs of templates on the tables of a world.

    Attributes:
        lacking: for templates whose draws could not be made, what was missing last.
    """

    def __init__(self, world: World, seed: int) -> None:
        self.world, self.seed = world, seed
        self.lacking: dict[str, str] = {}
        self._facets: dict[tuple[str, str], dict[tuple[str, int], tuple[Facet, ...]]] = {}

    def taken(self, plan: Plan, table: Drawn, times: int, left: dict[str, int], seen: set[int]) -> list[Candidate]:
        """Return what a template gives on a table that is new and wanted; draws depend on the seed and the two only.

        Args:
            plan: the template.
            table: the table.
            times: how many pairs are tried.
            left: how many pairs of each label are still wanted; what is taken is subtracted.
            seen: the hashes of what was taken; what is taken is added.
        """
        candidates: list[Candidate] = []
        rows = table.rows
        if plan.needed.difference(rows):
            return candidates
        hidden = plan.reads.difference(table.places)
        if len(hidden) > 1 or (hidden and not plan.missing):
            return candidates
        if not any(map(left.__getitem__, ("N",) if hidden else plan.labels)):
            return candidates
        random = draws(self.seed, plan.template.id, str(table.number))
        frame = self._frame(plan, table)
        base: list[object] = [table.title, *[rows[name] for name in plan.fields], *[None] * len(plan.names)]
        for turn in range(times):
            said = self._said(plan, table, list(base), table.number * times + turn, random, hidden)
            if said is None or not left[said.label]:
                continue
            hypothesis = plan.writers[said.phrasing](said.layout)
            key = hash((table.name, hypothesis))
            if key in seen:
                continue
            if table.twin is None:
                pairs: tuple[Pair, ...] = (_pair(plan, frame, said, hypothesis),)
            else:
                pairs = self._twins(plan, frame, table.twin, said, hypothesis)
            if pairs:
                seen.add(key)
                left[said.label] -= 1
                candidates.append(Candidate(said.label, pairs))
        return candidates

    def _said(
        self, plan: Plan, table: Drawn, layout: list[object], number: int, random: Random, hidden: Collection[str]
    ) -> Said | None:
        # All draws come first and are as many whatever the table holds.
        draw = random.random
        phrasing = int(draw() * len(plan.writers))
        choice = int(draw() * 12)
        possible = True
        for place, choices in plan.draws:
            if isinstance(choices, FromRow):
                layout[place] = value = self._drawn(choices, plan, table, draw)
                possible = possible and value is not None
            else:
                layout[place] = choices[int(draw() * len(choices))]
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
                    label, form = ("N", N_MISSING) if hidden else (planned.form.label, planned.name)
                    return Said(filled, number, phrasing, label, form)
        return None

    def _drawn(self, draw: FromRow, plan: Plan, table: Drawn, random: Draws) -> SlotValue | None:
        try:
            listed = _items(table.rows[draw.field])
        except ProgramError as error:
            if table.world != REAL:
                raise self._error(plan, table, str(error)) from None
            return None
        if draw.others:
            members = self._others(draw, plan.template.schema, table, listed, random)
        else:
            members = list({folded(item): item for item in listed}.values())
            while len(members) > draw.size:
                del members[int(random() * len(members))]
        if len(members) < draw.size:
            maker = plan.template.schema.fields[draw.field].make
            whose = "that only other tables list" if draw.others else "that a table lists"
            self.lacking[plan.template.id] = (
                f"too few members of {draw.field} {whose} to draw {draw.size}. Ask for fewer, or give the maker "
                f"'{maker}' more to choose from."
            )
            return None
        return members[0] if draw.single else tuple(members)

    def _others(self, draw: FromRow, schema: Schema, table: Drawn, listed: Sequence[str], random: Draws) -> list[str]:
        """Draw members that this row does not list, as often as they are in other tables."""
        pool = self.world.others(schema, table.number, draw.field)
        taken = {folded(item) for item in listed}
        members: list[str] = []
        for _ in range(_TRIES * draw.size if pool else 0):
            items = _items(pool[int(random() * len(pool))])
            member = items[int(random() * len(items))]
            key = folded(member)
            if key not in taken:
                members.append(member)
                if len(members) == draw.size:
                    return members
                taken.add(key)
        rest = {folded(item): item for row in pool for item in _items(row) if folded(item) not in taken}
        left = sorted(rest.values())
        while left and len(members) < draw.size:
            members.append(left.pop(int(random() * len(left))))
        return members

    def _filled(
        self, plan: Plan, planned: PlannedForm, table: Drawn, drawn: list[object], hidden: Collection[str]
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

    def _unknown(self, plan: Plan, layout: list[object], hidden: Collection[str]) -> bool:
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

    def _twins(self, plan: Plan, frame: Frame, twin: Twin, said: Said, hypothesis: str) -> tuple[Pair, ...]:
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
        shared = (Facet("twin", f"{plan.template.id}/{frame.table.mark}-{said.number}"),)
        fictional = said._replace(layout=layout)
        return (
            _pair(plan, frame, said, hypothesis, shared),
            _pair(plan, self._frame(plan, other), fictional, plan.writers[said.phrasing](layout), shared),
        )

    def _frame(self, plan: Plan, table: Drawn) -> Frame:
        template, world = plan.template, table.world
        return Frame(
            table,
            f"tables/{template.id}/{table.mark}-",
            plan.program_text(table.keys),
            _evidence(tuple([table.places.get(name, -1) for name in plan.read])),
            self._facets.setdefault((template.id, world), {}),
        )


def _pair(plan: Plan, frame: Frame, said: Said, hypothesis: str, more: tuple[Facet, ...] = ()) -> Pair:
    table, ids, program, evidence, known = frame
    layout, number, phrasing, label, form = said
    facets = known.get((form, phrasing))
    if facets is None:
        facets = known[form, phrasing] = _facets(plan.template, table.world, form, phrasing)
    return Pair(
        f"{ids}{number}",
        table.shown,
        hypothesis,
        _GOLD[label],
        table.name,
        evidence,
        program.closed(layout),
        facets + more,
    )


def _facets(template: TableTemplate, world: str, form: str, phrasing: int) -> tuple[Facet, ...]:
    """Return the facets that pairs of a template share."""
    return (
        Facet("template", template.id),
        Facet("category", template.schema.categories[0]),
        Facet("schema", template.schema.name),
        *[Facet("reasoning", kind) for kind in template.reasoning],
        Facet("capability", template.capability),
        Facet("world", world),
        Facet("form", form),
        Facet("phrasing", str(phrasing)),
    )


@lru_cache(maxsize=65_536)
def _evidence(places: tuple[int, ...]) -> Evidence:
    """Return evidence from the places of rows; rows that are not shown have none, -1."""
    return Evidence(tuple(sorted([place for place in places if place >= 0])))
