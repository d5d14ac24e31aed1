"""Generate a suite from table templates: as many pairs per template as asked, with even labels.

What is drawn for a table and a template depends on the seed and their names alone: the same seed gives the same pairs
in any order, and a part of a suite has the pairs of the whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from nliprobe.base.errors import DataError, UsageError
from nliprobe.task.pair import Pair
from nliprobe.templates.limits import MOST_EXAMPLES
from nliprobe.templates.tables.draw import Drawn, World
from nliprobe.templates.tables.pairs import LABELS, PairMaker
from nliprobe.templates.tables.plan import Plan, make_plan
from nliprobe.templates.tables.records import TableTemplate

# Pairs that templates try per table. About ten remain: rows are hidden, and labels are kept even.
TRIED_PER_TABLE = 26
# How often one template is tried on a table at most: more would say the same again.
MOST_PER_TABLE = 4
# A template is tried on so many tables per example that it should give, and on so many more at least.
TABLES_PER_EXAMPLE, TABLES_AT_LEAST = 4, 100
# Examples per template if the user does not say how many.
DEFAULT_EXAMPLES = 50


@dataclass
class TableTally:
    """The counts of one template: examples asked for and given, how often it was tried on a table, and the labels."""

    template: str
    capability: str
    asked: int
    distinct: int = 0
    tried: int = 0
    labels: dict[str, int] = field(default_factory=dict)


class Turn(NamedTuple):
    """When a template is used: on every ``stride``-th table from ``offset`` on, ``per`` times."""

    plan: Plan
    per: int
    stride: int
    offset: int


def wanted(templates: Sequence[TableTemplate], n: int | None, total: int | None) -> dict[str, int]:
    """Return how many examples each template should give: ``n`` each, or ``total`` spread evenly."""
    if n is not None and total is not None:
        raise UsageError("n is examples per template and total is all of them: give one of the two.")
    for name, number in (("n", n), ("total", total)):
        most = MOST_EXAMPLES if name == "n" else MOST_EXAMPLES * max(1, len(templates))
        if number is not None and not 1 <= number <= most:
            raise UsageError(f"{name} should be from 1 to {most:,}, not {number:,}.")
    if total is None:
        return {template.id: n or DEFAULT_EXAMPLES for template in templates}
    each, rest = divmod(total, len(templates))
    return {template.id: each + (place < rest) for place, template in enumerate(templates)}


def plan_suite(library: Sequence[TableTemplate], chosen: Sequence[TableTemplate]) -> dict[str, list[Turn]]:
    """Return the plans of the chosen templates by schema; when each is used depends on the whole library."""
    by_schema: dict[str, list[TableTemplate]] = {}
    for template in library:
        by_schema.setdefault(template.schema.name, []).append(template)
    ids = {template.id for template in chosen}
    turns: dict[str, list[Turn]] = {}
    for name, templates in by_schema.items():
        per = min(MOST_PER_TABLE, max(1, round(TRIED_PER_TABLE / len(templates))))
        stride = max(1, round(len(templates) / TRIED_PER_TABLE))
        for place, template in enumerate(templates):
            if template.id in ids:
                turns.setdefault(name, []).append(Turn(make_plan(template), per, stride, place % stride))
    return turns


class Suite:
    """The pairs of some templates, generated table by table.

    Args:
        turns: the plans by schema.
        world: where tables come from.
        seed: the seed of all draws.
        numbers: how many examples each template should give, by its id.
    """

    def __init__(
        self, turns: Mapping[str, Sequence[Turn]], world: World, seed: int, numbers: Mapping[str, int]
    ) -> None:
        self._world = world
        self._maker = PairMaker(world, seed)
        self._counters = {
            name: [_Counter(turn, numbers[turn.plan.template.id]) for turn in several]
            for name, several in turns.items()
        }

    @property
    def tallies(self) -> list[TableTally]:
        """The counts per template so far."""
        return [one.tally for several in self._counters.values() for one in several]

    def pairs(self) -> Iterator[Pair]:
        """Yield the pairs; the tables of all schemas take turns."""
        number = 0
        busy = True
        while busy:
            for counters in self._counters.values():
                active = [one for one in counters if one.missing and one.active(number)]
                if not active:
                    continue
                table = self._world.table(active[0].turn.plan.template.schema, number)
                if table is None:
                    for one in counters:
                        one.end()
                    continue
                for one in active:
                    yield from one.taken(self._maker, table)
            number += 1
            busy = any(one.missing and number <= one.last for counters in self._counters.values() for one in counters)
        if self._world.endless:
            self._require_some()

    def _require_some(self) -> None:
        """Refuse templates that give nothing on made tables because the makers know too few different names."""
        for several in self._counters.values():
            for one in several:
                lacking = self._maker.lacking.get(one.tally.template, "")
                if not one.tally.distinct and one.tally.asked and lacking:
                    raise DataError(f"{one.turn.plan.template.place}: {lacking}")


class _Counter:
    """Counts what a template gives, and takes no more of a label than its share.

    Attributes:
        missing: how many examples are still wanted.
        last: the number of the last table to try.
    """

    def __init__(self, turn: Turn, asked: int) -> None:
        template = turn.plan.template
        self.turn = turn
        self.tally = TableTally(template.id, template.capability, asked)
        labels = [label for label in LABELS if any(form.label == label for form in template.forms)]
        each, rest = divmod(asked, len(labels))
        # Shares differ by one at most. Which label gets one more differs by template, so that a suite is even as well.
        first = sum(map(ord, template.id))
        self.left = {
            label: each + ((place + first) % len(labels) < rest) for place, label in enumerate(labels)
        }  # fmt: skip
        self.last = (TABLES_AT_LEAST + TABLES_PER_EXAMPLE * asked) * turn.stride
        self.missing = asked
        self._seen: set[int] = set()

    def active(self, number: int) -> bool:
        """Tell whether the template, if examples are missing, is to be tried on the table of this number."""
        _, _, stride, offset = self.turn
        return number % stride == offset and number <= self.last

    def end(self) -> None:
        """Note that there are no more tables."""
        self.last = -1

    def taken(self, maker: PairMaker, table: Drawn) -> list[Pair]:
        """Return the pairs on a table that are taken: those that are new, as long as their label is wanted."""
        tally, turn = self.tally, self.turn
        tally.tried += turn.per
        taken: list[Pair] = []
        for label, pairs in maker.taken(turn.plan, table, turn.per, self.left, self._seen):
            tally.labels[label] = tally.labels.get(label, 0) + 1
            tally.distinct += 1
            self.missing -= 1
            taken += pairs
        return taken
