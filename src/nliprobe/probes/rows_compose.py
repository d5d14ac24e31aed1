"""``rows.compose``: several edits of distinct rows at once (evidence-probes App. C, Figures 12 and 13).

The relation of a set of edits is what all orders of applying them allow. A row is never deleted and inserted again
with another value: new rows have keys that the original table does not have.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from random import Random
from typing import ClassVar, NamedTuple

from nliprobe.base.errors import UsageError, did_you_mean
from nliprobe.language.values import values_version
from nliprobe.probes import PROBES
from nliprobe.probes._row_donors import Donors, donors_of
from nliprobe.probes._row_draws import Update, draw_update, new_rows, no_new_row
from nliprobe.probes._rows import RowProbe
from nliprobe.probes._units import NOT_MARKED, UNKNOWN, Which, deletion, names_unknown, orders, update
from nliprobe.task.about import About
from nliprobe.task.case import Case, Certainty, Skip
from nliprobe.task.edits import Edit, Edits, delete_unit, insert_unit, permute_units, update_unit
from nliprobe.task.evidence import Evidence
from nliprobe.task.pair import Pair
from nliprobe.task.relations import INSERT, PERMUTE, UnitEdit, together
from nliprobe.task.source import Pool
from nliprobe.task.table import Table
from nliprobe.task.units import Rows, Units, row_text

# So many draws that repeat an earlier one mean that there are no others.
_TRIES = 20


class Op(StrEnum):
    """One edit in an expression, in canonical order."""

    INSERT = "insert"
    UPDATE = "update"
    DELETE = "delete"
    DELETE_RELEVANT = "delete-relevant"
    DELETE_IRRELEVANT = "delete-irrelevant"
    PERMUTE = "permute"


_DELETIONS = {
    Op.DELETE_RELEVANT: Which.RELEVANT,
    Op.DELETE_IRRELEVANT: Which.IRRELEVANT,
    Op.DELETE: Which.EACH,
}
# Rows are chosen first for the edits that suit few of them.
_CHOOSING = (Op.DELETE_RELEVANT, Op.DELETE_IRRELEVANT, Op.UPDATE, Op.DELETE)


class _Chosen(NamedTuple):
    """The rows that are edited, by their places in the original table."""

    deleted: dict[int, Which]
    updates: list[Update]


class _Variant(NamedTuple):
    edits: Edits
    premise: Table
    kinds: list[UnitEdit]
    sure: bool


@PROBES.register("rows.compose")
@dataclass(frozen=True)
class RowsCompose(RowProbe):
    """Edit several rows at once, as an expression such as ``insert+delete`` says, in ``n`` seeded draws per pair.

    The order in an expression says nothing. ``blind`` judges the answers as if the evidence were unknown, as the seed
    does.
    """

    ops: str = "insert+delete"
    n: int = 1
    blind: bool = False

    about: ClassVar[About] = About(
        "Several rows are edited at once: inserted, updated, deleted, brought into another order. An answer may change "
        "only in ways that every order of these edits allows.",
        "The answer changes in a way that the edits cannot explain in any order.",
    )
    needs_pool: ClassVar[bool] = True

    @property
    def reads(self) -> str:  # type: ignore[override]  # read-only like every attribute of a frozen dataclass
        """A hash of what decides where the values of a cell are."""
        return values_version()

    def __post_init__(self) -> None:
        self.at_least("n", self.n)
        # One set of edits has one name, so that cases have the same ids however the expression is written.
        object.__setattr__(self, "ops", "+".join(self.operations))

    @cached_property
    def operations(self) -> tuple[Op, ...]:
        """The edits of the expression in canonical order."""
        known = [item.value for item in Op]
        names = [name.strip() for name in self.ops.split("+")]
        for name in names:
            if name not in known:
                what = f"'{name}' is no edit of rows" if name else "an edit is missing"
                raise UsageError(
                    f"'rows.compose?ops={self.ops}': {what}. {did_you_mean(name, known)} "
                    "Join edits by +, as in insert+delete."
                )
        if len(names) < 2:
            raise UsageError(
                f"'rows.compose?ops={self.ops}' is a single edit: use 'rows.{names[0].partition('-')[0]}' for it, "
                "or join two edits by +, as in insert+delete."
            )
        if names.count(Op.PERMUTE) > 1:
            raise UsageError(
                f"'rows.compose?ops={self.ops}' permutes the rows twice, which is one other order: write permute once."
            )
        return tuple(sorted((Op(name) for name in names), key=known.index))

    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        """Yield the table with all edits made; fewer than ``n`` cases if draws repeat."""
        table = pair.premise
        if not isinstance(table, Table):
            yield self.skip("the premise is a text, not a table")
            return
        units, evidence = Rows(table), pair.evidence
        if reason := self._not_possible(units, evidence):
            yield self.skip(reason)
            return
        assert pool is not None
        donors, random = donors_of(pool), self.draws(pair)
        done: set[Edits] = set()
        for _ in range(self.n):
            for _ in range(_TRIES):
                made = self._variant(pair, units, donors, random)
                if isinstance(made, str):
                    yield self.skip(made)
                    break
                if made.edits in done:
                    continue
                done.add(made.edits)
                expects = self.expected(units, together(made.kinds))
                certainty = Certainty.CERTAIN if made.sure else Certainty.LIKELY
                yield self.case(pair, made.edits, expects=expects, certainty=certainty, edited=made.premise)
                break

    def _not_possible(self, units: Units, evidence: Evidence | None) -> str:
        needs_marks = Op.DELETE_RELEVANT in self.operations or Op.DELETE_IRRELEVANT in self.operations
        if needs_marks and evidence is None:
            return NOT_MARKED
        return UNKNOWN.format(units.kind) if names_unknown(evidence, units) else ""

    def _variant(self, pair: Pair, units: Rows, donors: Donors, random: Random) -> _Variant | str:
        """Make all edits of one draw: updates and deletions by their places, then insertions, then another order."""
        table, group = units.premise, pair.group or pair.id
        chosen = self._chosen(table, group, pair.evidence, donors, random)
        if isinstance(chosen, str):
            return chosen
        edits: list[Edit] = []
        for index, row in chosen.updates:
            edits.append(update_unit(units, index, row_text(row)))
            table = table.update(index, row)
        for index in sorted(chosen.deleted, reverse=True):
            edits.append(delete_unit(units, index))
            table = table.delete(index)
        keys: set[str] = set()
        wanted = self.operations.count(Op.INSERT)
        if wanted:
            for donor in new_rows(units.premise, group, donors, random):
                # Two new rows with one key would contradict each other.
                if (donor.key or donor.text) in keys:
                    continue
                keys.add(donor.key or donor.text)
                place = random.randrange(len(table.rows) + 1)
                edits.append(insert_unit(units, place, donor.text))
                table = table.insert(place, donor.row)
                if len(keys) == wanted:
                    break
            if len(keys) < wanted:
                return no_new_row(units.premise)
        if Op.PERMUTE in self.operations:
            order = next(orders(table.rows, 1, random), None)
            if order is None:
                return "there is one row only"
            edits.append(permute_units(Rows(table), order))
            table = table.permute(order)
        kinds, sure = self._kinds(chosen, None if self.blind else pair.evidence)
        return _Variant(tuple(edits), table, kinds, sure)

    def _chosen(
        self, table: Table, group: str, evidence: Evidence | None, donors: Donors, random: Random
    ) -> _Chosen | str:
        """Choose distinct rows for the updates and deletions."""
        deleted: dict[int, Which] = {}
        updates: list[Update] = []
        marked = evidence.units if evidence is not None else ()
        rows = range(len(table.rows))
        if len(rows) <= sum(op in _DELETIONS for op in self.operations):
            return "no row of the table would be left"
        taken: set[int] = set()
        for op in sorted((op for op in self.operations if op in _CHOOSING), key=_CHOOSING.index):
            if op is Op.UPDATE:
                drawn = draw_update(table, group, donors, random, taken)
                if isinstance(drawn, str):
                    return drawn
                updates.append(drawn)
                taken.add(drawn.at)
            else:
                which = _DELETIONS[op]
                free = [
                    row
                    for row in rows
                    if row not in taken and (which is Which.EACH or (row in marked) == (which is Which.RELEVANT))
                ]
                if not free:
                    return _none_left(which)
                place = random.choice(free)
                deleted[place] = which
                taken.add(place)
        return _Chosen(deleted, updates)

    def _kinds(self, chosen: _Chosen, evidence: Evidence | None) -> tuple[list[UnitEdit], bool]:
        """Return what the edits are according to the evidence, and whether this is certain."""
        kinds = [update(evidence, drawn.at) for drawn in chosen.updates]
        sure = True
        marked = evidence.units if evidence is not None else ()
        for relevant in (True, False):
            places = sorted(place for place in chosen.deleted if (place in marked) == relevant)
            if places:
                # A deletion that the expression calls relevant is taken at its word, as sure as the evidence is.
                named = {chosen.deleted[place] for place in places} - {Which.EACH}
                kind, known = deletion(evidence, places, min(named, default=Which.EACH))
                kinds.append(kind)
                sure = sure and known
        kinds += [INSERT] * (Op.INSERT in self.operations) + [PERMUTE] * (Op.PERMUTE in self.operations)
        return kinds, sure


def _none_left(which: Which) -> str:
    return {
        Which.RELEVANT: "too few rows are relevant",
        Which.IRRELEVANT: "too few rows are irrelevant",
        Which.EACH: "there are too few rows",
    }[which]
