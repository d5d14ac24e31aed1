"""Generate pairs from table templates: each with its label, its evidence and its program.

What is drawn for a table and a template depends on the seed and their names alone: the same seed gives the same pairs
in any order, and a part of a suite has the pairs of the whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random

from nliprobe.base.errors import DataError
from nliprobe.base.seeds import draws
from nliprobe.task.evidence import Evidence
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Facet, Pair
from nliprobe.templates.place import TemplateError
from nliprobe.templates.tables.draw import Drawn, World
from nliprobe.templates.tables.execute import label_of
from nliprobe.templates.tables.phrasing import TITLE, SlotValue
from nliprobe.templates.tables.plan import Plan, PlannedForm, make_plan, slot_value
from nliprobe.templates.tables.readings import ProgramError, read_items
from nliprobe.templates.tables.records import Draw, FromRow, Options, Schema, Span, TableTemplate
from nliprobe.templates.tables.values import folded

# Pairs per table: a table is asked about by several templates, by some of them more than once.
PAIRS_PER_TABLE = 10
# A template is tried on so many tables per example that it should give, and on so many more at least.
TRIED, TRIED_AT_LEAST = 12, 60
# Draws of members that a table does not list before all of them are looked through.
_TRIES = 12
_LABELS = ("E", "C", "N")


@dataclass
class TableTally:
    """The counts of one template: examples asked for and given, their labels, and why there are fewer."""

    template: str
    capability: str
    asked: int
    given: int = 0
    tables: int = 0
    labels: dict[str, int] = field(default_factory=dict)
    lacking: str = ""


@dataclass(frozen=True)
class Candidate:
    """A pair that a template gives on a table, before it is counted."""

    label: str
    pairs: tuple[Pair, ...]


def plan_suite(library: Sequence[TableTemplate], chosen: Sequence[TableTemplate]) -> dict[str, list[Turn]]:
    """Return the plans of the chosen templates by schema; when each is used depends on the whole library."""
    by_schema: dict[str, list[TableTemplate]] = {}
    for template in library:
        by_schema.setdefault(template.schema.name, []).append(template)
    wanted = {template.id for template in chosen}
    turns: dict[str, list[Turn]] = {}
    for name, templates in by_schema.items():
        per = max(1, round(PAIRS_PER_TABLE / len(templates)))
        stride = max(1, round(len(templates) / PAIRS_PER_TABLE))
        for place, template in enumerate(templates):
            if template.id in wanted:
                turns.setdefault(name, []).append(Turn(make_plan(template), per, stride, place % stride))
    return turns


@dataclass(frozen=True)
class Turn:
    """When a template is used: on every ``stride``-th table, ``per`` times."""

    plan: Plan
    per: int
    stride: int
    offset: int


def generate_pairs(
    turns: Mapping[str, Sequence[Turn]], world: World, seed: int, wanted: Mapping[str, int]
) -> Iterator[tuple[Pair, TableTally]]:
    """Yield the pairs of templates with the tally of their template, table by table; all tallies end complete.

    Args:
        turns: the plans by schema.
        world: where tables come from.
        seed: the seed of all draws.
        wanted: how many examples each template should give, by its id.
    """
    maker = PairMaker(world, seed)
    counters = {
        name: [Counter(turn, wanted[turn.plan.template.id]) for turn in several] for name, several in turns.items()
    }
    number = 0
    while True:
        busy = False
        for counting in counters.values():
            active = [one for one in counting if one.active(number)]
            busy = busy or any(one.unfinished(number) for one in counting)
            if not active:
                continue
            table = world.table(active[0].turn.plan.template.schema, number)
            if table is None:
                for one in counting:
                    one.end()
                continue
            for one in active:
                for pair in one.accepted(maker.candidates(one.turn, table)):
                    yield pair, one.tally
        if not busy:
            return
        number += 1


class Counter:
    """Counts what a template gives, and takes no more of a label than its share."""

    def __init__(self, turn: Turn, asked: int) -> None:
        template = turn.plan.template
        self.turn = turn
        self.tally = TableTally(template.id, template.capability, asked)
        labels = [label for label in _LABELS if any(form.label == label for form in template.forms)]
        # The shares of labels differ by one at most: 100 examples are 34, 33 and 33.
        self.shares = {
            label: asked // len(labels) + (place < asked % len(labels)) for place, label in enumerate(labels)
        }
        self.last = TRIED_AT_LEAST + TRIED * asked // turn.per * turn.stride
        self._seen: set[tuple[str, str]] = set()

    def unfinished(self, number: int) -> bool:
        """Tell whether examples are still wanted and there are tables left to try."""
        return self.tally.given < self.tally.asked and number <= self.last

    def active(self, number: int) -> bool:
        """Tell whether the template is to be tried on the table of this number."""
        return self.unfinished(number) and number % self.turn.stride == self.turn.offset

    def end(self) -> None:
        """Note that there are no more tables."""
        self.last = -1

    def accepted(self, candidates: Iterator[Candidate]) -> Iterator[Pair]:
        """Yield the pairs that are taken."""
        tally = self.tally
        tally.tables += 1
        for candidate in candidates:
            label = candidate.label
            first = candidate.pairs[0]
            key = (first.group, first.hypothesis)
            if tally.labels.get(label, 0) >= self.shares.get(label, 0) or key in self._seen:
                continue
            self._seen.add(key)
            tally.labels[label] = tally.labels.get(label, 0) + 1
            tally.given += 1
            yield from candidate.pairs


class PairMaker:
    """Makes the pairs of templates on tables."""

    def __init__(self, world: World, seed: int) -> None:
        self.world, self.seed = world, seed
        self._facets: dict[tuple[str, str, str, int], tuple[Facet, ...]] = {}

    def candidates(self, turn: Turn, table: Drawn) -> Iterator[Candidate]:
        """Yield what a template gives on a table; each draw depends on the seed, the template and the table only."""
        plan = turn.plan
        if any(name not in table.rows for name in plan.fields):
            return
        hidden = sum([name not in table.places for name in plan.read])
        if hidden > 1 or (hidden and not plan.missing):
            return
        random = draws(self.seed, plan.template.id, str(table.number))
        for turn_number in range(turn.per):
            number = table.number * turn.per + turn_number
            candidate = self._candidate(plan, table, number, random, hidden=bool(hidden))
            if candidate is not None:
                yield candidate

    def _candidate(self, plan: Plan, table: Drawn, number: int, random: Random, *, hidden: bool) -> Candidate | None:
        layout: list[object] = [table.title, *[table.rows[name] for name in plan.fields], *[None] * len(plan.names)]
        # All draws come first and are as many whatever the table holds.
        phrasing = random.randrange(len(plan.writers))
        rotation = random.randrange(6)
        if not self._draw(plan, table, layout, random):
            return None
        labels = ("E", "C") if hidden else tuple([label for label in _LABELS if label in plan.forms])
        start = (number + rotation) if hidden else number
        for turn in range(len(labels)):
            label = labels[(start + turn) % len(labels)]
            forms = plan.forms[label]
            for choice in range(len(forms)):
                planned = forms[(rotation + choice) % len(forms)]
                filled = self._filled(plan, planned, table, list(layout), hidden=hidden)
                if filled is not None:
                    return self._made(plan, planned, table, filled, number, phrasing, hidden=hidden)
        return None

    def _draw(self, plan: Plan, table: Drawn, layout: list[object], random: Random) -> bool:
        """Fill in the draws; False if one of them cannot be made."""
        possible = True
        for place, draw in plan.draws:
            layout[place] = self._drawn(draw, plan.template.schema, table, random)
            possible = possible and layout[place] is not None
        return possible

    def _drawn(self, draw: Draw, schema: Schema, table: Drawn, random: Random) -> SlotValue | None:
        if isinstance(draw, Span):
            return random.randint(draw.low, draw.high)
        if isinstance(draw, Options):
            return random.choice(draw.values)
        row = table.rows[draw.field]
        try:
            listed = read_items(row)
        except ProgramError:
            return None
        if draw.others:
            members = self._others(draw, schema, listed, random)
        else:
            distinct = list({folded(item): item for item in listed}.values())
            places = sorted(random.sample(range(len(distinct)), draw.size)) if draw.size <= len(distinct) else []
            members = [distinct[place] for place in places]
        if len(members) < draw.size:
            return None
        return members[0] if draw.single else tuple(members)

    def _others(self, draw: FromRow, schema: Schema, listed: Sequence[str], random: Random) -> list[str]:
        """Draw members that this row does not list, as often as they are in other tables."""
        pool = self.world.members(schema, draw.field)
        taken = {folded(item) for item in listed}
        members: list[str] = []
        for _ in range(_TRIES * draw.size if pool else 0):
            row = random.choice(pool)
            member = random.choice(row) if row else ""
            if member and folded(member) not in taken:
                taken.add(folded(member))
                members.append(member)
                if len(members) == draw.size:
                    return members
        rest = {folded(item): item for row in pool for item in row if folded(item) not in taken}
        return [*members, *random.sample(sorted(rest.values()), min(len(rest), draw.size - len(members)))]

    def _filled(
        self, plan: Plan, planned: PlannedForm, table: Drawn, layout: list[object], *, hidden: bool
    ) -> list[object] | None:
        """Compute the slots of a form on the whole table, and check the label on the shown one."""
        try:
            for place, compute in planned.steps:
                value = slot_value(compute(layout))
                if value is None:
                    return None
                layout[place] = value
            label = label_of(plan.run(layout))
            if label != planned.form.label:
                self._check_label(plan, planned, table, label)
                return None
            if not hidden:
                return layout
            shown = list(layout)
            for place, name in enumerate(plan.fields):
                if name not in table.places:
                    shown[1 + place] = None
            return layout if plan.run(shown) is None else None
        except DataError as error:
            # A real cell may be of the right type and still not say what the program needs.
            if table.world == "real" and isinstance(error, ProgramError):
                return None
            raise TemplateError(plan.template.place, f"on the table {table.name} ({table.title}): {error}") from None

    def _check_label(self, plan: Plan, planned: PlannedForm, table: Drawn, label: str) -> None:
        """Refuse a form that gives another label than its own.

        A form without slots, or one for what a table leaves open, just does not fit every table.
        """
        if not planned.steps or planned.form.label == "N":
            return
        cells = "; ".join(f"{table.keys[name]}: {', '.join(table.rows[name].values)}" for name in plan.read)
        problem = f"the form {planned.form.label} came out as {label} on the table {table.name} ({cells})."
        raise TemplateError(plan.template.place, problem)

    def _made(
        self, plan: Plan, planned: PlannedForm, table: Drawn, layout: list[object], number: int, phrasing: int, *,
        hidden: bool,
    ) -> Candidate:  # fmt: skip
        form = "N-missing" if hidden else planned.form.name
        label = "N" if hidden else planned.form.label
        values: dict[str, SlotValue] = dict(zip(plan.names, layout[plan.first_value :], strict=True))  # type: ignore[arg-type]
        one = self._pair(plan, table, values, number, phrasing, label, form)
        return Candidate(label, (one,))

    def _pair(
        self, plan: Plan, table: Drawn, values: dict[str, SlotValue], number: int, phrasing: int, label: str, form: str
    ) -> Pair:
        values[TITLE] = table.title
        template, places = plan.template, table.places
        return Pair(
            f"tables/{template.id}/{table.world[0]}{number}",
            table.shown,
            plan.writers[phrasing](values),
            _gold(label),
            table.name,
            _evidence(tuple(sorted([places[name] for name in plan.read if name in places]))),
            plan.program_text(table.keys, values),
            self._same_facets(plan, table.world, form, phrasing),
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


@lru_cache(maxsize=3)
def _gold(label: str) -> LabelSet:
    return LabelSet.of(label)


@lru_cache(maxsize=65_536)
def _evidence(units: tuple[int, ...]) -> Evidence:
    return Evidence(units)
