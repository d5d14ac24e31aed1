"""``counterfactual.flip``: change one value of a table so that the label turns, by executing the pair's program.

People made such tables for the seed (evidence-probes §8, tables.md T7); here the program of an executable hypothesis
says which change turns it. The hypothesis stays as it is, so a system that does not read the table cannot follow.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import ClassVar, NamedTuple

from nliprobe.base.errors import UsageError
from nliprobe.language.cells import cells_version
from nliprobe.probes import PROBES, Probe
from nliprobe.probes._exact import (
    GOLDS,
    computed,
    named_texts,
    named_times,
    nearly_named,
    program_keys,
    refusal,
)
from nliprobe.probes._flip_rows import Changed, borrowed, hints_of, other_rows, worked_out
from nliprobe.probes._row_donors import Donors, donors_of
from nliprobe.probes._row_draws import below
from nliprobe.probes._rows import A_TEXT
from nliprobe.task.about import About
from nliprobe.task.case import Case, Skip
from nliprobe.task.edits import Edit, insert_unit, update_unit
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.source import Pool
from nliprobe.task.table import Row, Table
from nliprobe.task.units import Rows, row_text

NO_PROGRAM = "the pair carries no program, so the label after an edit is not known"
NOTHING_TURNS = "no single value turns the label"
_TARGETS = {"E": "C", "C": "E", "N": "EC"}
# So many rows of other tables are tried in the place of a missing one, and so many of them with another value.
_TRIED, _CHANGED = 48, 4
_OTHER_TABLE, _COMPUTED = "another table", "computed"


class Turn(NamedTuple):
    """An edit after which the program gives another label: a row in the place of another, or a new one.

    Attributes:
        place: where the row is put.
        row: the row.
        inserted: whether it is a new row.
        value: where its value comes from.
    """

    place: int
    row: Row
    inserted: bool
    value: str

    def apply(self, table: Table) -> Table:
        """Return the table after the edit."""
        return table.insert(self.place, self.row) if self.inserted else table.update(self.place, self.row)

    def edit(self, table: Table) -> Edit:
        """Return the edit as the case records it."""
        written = row_text(self.row)
        make = insert_unit if self.inserted else update_unit
        return make(Rows(table), self.place, written)


@PROBES.register("counterfactual.flip")
@dataclass(frozen=True)
class CounterfactualFlip(Probe):
    """Change one value of a row that the program reads so that the label turns; ``n`` edits per label.

    A pair labelled E turns to C and the other way round; a neutral pair turns to both, by a row that it lacks.
    """

    n: int = 1

    about: ClassVar[About] = About(
        "One value of the table is changed so that the label turns, and the hypothesis stays. Neutral pairs get the "
        "row that they lack.",
        "The answer does not follow what the table says now: it comes from the hypothesis or from knowledge.",
    )
    needs_pool: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.n < 1:
            raise UsageError(f"'{self.name}?n' should be at least 1, not {self.n}.")

    @property
    def reads(self) -> str:  # type: ignore[override]  # read-only like every attribute of a frozen dataclass
        """A hash of what decides how the values of a cell are read and written."""
        return cells_version()

    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        """Yield the pair with the ``n`` smallest changes per label that it can turn to, or a reason for none."""
        assert pool is not None
        table = pair.premise
        if pair.program is None or not isinstance(table, Table):
            yield self.skip(NO_PROGRAM if isinstance(table, Table) else A_TEXT)
            return
        if reason := refusal(pair):
            yield self.skip(reason)
            return
        random, donors = self.draws(pair), donors_of(pool)
        made = False
        for label in _TARGETS[computed(pair.program, table).label]:
            for turn in self._turns(pair, table, label, donors, random):
                made = True
                yield self.case(
                    pair,
                    (turn.edit(table),),
                    gold=GOLDS[label],
                    edited=turn.apply(table),
                    facets=(Facet("value", turn.value), Facet("edit", "insert" if turn.inserted else "update")),
                )
        if not made:
            yield self.skip(NOTHING_TURNS)

    def _turns(self, pair: Pair, table: Table, label: str, donors: Donors, random: Random) -> list[Turn]:
        """Return the ``n`` edits with the smallest changes that give a label, no two of them alike."""
        assert pair.program is not None
        turns: dict[tuple[bool, Row], Turn] = {}
        for turn in _candidates(pair, pair.program, table, label, donors, random):
            if len(turns) == self.n:
                break
            turns.setdefault((turn.inserted, turn.row), turn)
            if len(turns) == self.n and not turn.inserted:
                break  # nothing is drawn after the first row that is changed, so no other draw depends on the rest
        return list(turns.values())


def _candidates(pair: Pair, program: str, table: Table, label: str, donors: Donors, random: Random) -> Iterator[Turn]:
    """Yield the edits that give a label: missing rows first, then values of other tables, then computed ones."""
    group = pair.group or pair.id
    keys = program_keys(program)
    for key in keys:
        if key not in table.keys:
            yield from _inserted(program, table, key, label, group, donors, random)
    places = [place for place, row in enumerate(table.rows) if row.key in keys]
    near = [(size, place, row) for place in places for size, row in borrowed(table, place, group, donors, random)]
    # Few of them are asked for, so the program is executed only on those that come before.
    for _, place, row in sorted(near):
        if _gives(program, table, table.update(place, row), label):
            yield Turn(place, row, False, _OTHER_TABLE)
    far = [(size, place, row) for place in places for size, row in _computed(program, table, place, label)]
    yield from (Turn(place, row, False, _COMPUTED) for _, place, row in sorted(far))


def _inserted(
    program: str, table: Table, key: str, label: str, group: str, donors: Donors, random: Random
) -> Iterator[Turn]:
    """Yield rows of other tables for a key that the table lacks; if none gives the label, some with another value."""
    place = below(len(table.rows) + 1, random)
    rows = other_rows(table, key, group, donors, random, _TRIED)
    decided = False
    for row in rows:
        if _gives(program, table, table.insert(place, row), label):
            decided = True
            yield Turn(place, row, True, _OTHER_TABLE)
    for row in [] if decided else rows[:_CHANGED]:
        changed = _computed(program, table.insert(place, row), place, label)
        yield from (Turn(place, item.row, True, _COMPUTED) for item in changed[:1])


def _computed(program: str, table: Table, place: int, label: str) -> list[Changed]:
    """Return a row of a table with the computed values that give a label."""
    others = [row for at, row in enumerate(table.rows) if at != place and row.key in program_keys(program)]
    hints = [*named_times(program), *(hint for row in others for hint in hints_of(row))]
    return worked_out(
        table.rows[place],
        named_texts(program),
        hints,
        lambda row: _gives(program, table, table.update(place, row), label),
    )


def _gives(program: str, before: Table, after: Table, label: str) -> bool:
    return computed(program, after).label == label and not nearly_named(program, before, after)
