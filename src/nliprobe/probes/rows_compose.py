"""``rows.compose``: several edits of distinct rows at once (evidence-probes App. C, Figures 12 and 13).

The relation of a set of edits is what all orders of applying them allow. A row is never deleted and inserted again
with another value: new rows have keys that the original table does not have.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import ClassVar, NamedTuple

from nliprobe.language.values import values_version
from nliprobe.probes import PROBES
from nliprobe.probes._row_donors import Donors, donors_of
from nliprobe.probes._row_draws import NO_CHANGE, Update, below, draw_update, new_rows, no_new_row, pick
from nliprobe.probes._row_expression import Expression, parse_expression
from nliprobe.probes._rows import RowProbe
from nliprobe.probes._units import NOT_MARKED, UNKNOWN, Which, deletion, names_unknown, orders, update
from nliprobe.task.about import About
from nliprobe.task.case import Case, Certainty, Skip
from nliprobe.task.edits import Edit, Edits, delete_unit, insert_unit, permute_units, update_unit
from nliprobe.task.evidence import Evidence
from nliprobe.task.pair import Pair
from nliprobe.task.relations import INSERT, PERMUTE, Relation, together
from nliprobe.task.source import Pool
from nliprobe.task.table import Table
from nliprobe.task.units import Rows, Units, row_text

# So many draws that repeat an earlier one mean that there are no others.
_TRIES = 20
_TOO_FEW = {
    Which.RELEVANT: "too few rows are relevant",
    Which.IRRELEVANT: "too few rows are irrelevant",
    Which.EACH: "there are too few rows",
}


class _Chosen(NamedTuple):
    """The rows that are edited, by their places in the original table."""

    deleted: dict[int, Which]
    updates: list[Update]


class _Variant(NamedTuple):
    edits: Edits
    premise: Table
    chosen: _Chosen


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
        "only in ways that every order of these edits allows; in a table with many columns every change is allowed.",
        "The answer changes in a way that the edits cannot explain in any order.",
    )
    needs_pool: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self.at_least("n", self.n)
        # One set of edits has one name, so that cases have the same ids however the expression is written.
        object.__setattr__(self, "ops", self.expression.text)

    @property
    def reads(self) -> str:  # type: ignore[override]  # read-only like every attribute of a frozen dataclass
        """A hash of what decides where the values of a cell are."""
        return values_version()

    @cached_property
    def expression(self) -> Expression:
        """The edits that are made together."""
        return parse_expression(self.ops)

    def unit_cases(self, pair: Pair, units: Units, pool: Pool | None) -> Iterator[Case | Skip]:
        """Yield the table with all edits made; fewer than ``n`` cases if draws repeat."""
        assert isinstance(units, Rows)
        evidence = pair.evidence
        if self.expression.marked and evidence is None:
            yield self.skip(NOT_MARKED)
            return
        if names_unknown(evidence, units):
            yield self.skip(UNKNOWN.format(units.kind))
            return
        assert pool is not None
        donors, random = donors_of(pool), self.draws(pair)
        done: set[Edits] = set()
        for _ in range(self.n):
            for _ in range(_TRIES):
                made = self._variant(pair, units, donors, random)
                if isinstance(made, str):
                    # Counted for each draw only if it depends on the draw.
                    if made == NO_CHANGE or not done:
                        yield self.skip(made)
                    if made != NO_CHANGE:
                        return
                    break
                if made.edits in done:
                    continue
                done.add(made.edits)
                relation, sure = self._relation(made.chosen, None if self.blind else evidence)
                expects = self.expected(units, relation)
                certainty = Certainty.CERTAIN if sure else Certainty.LIKELY
                yield self.case(pair, made.edits, expects=expects, certainty=certainty, edited=made.premise)
                break

    def _variant(self, pair: Pair, units: Rows, donors: Donors, random: Random) -> _Variant | str:
        """Make all edits of one draw: updates and deletions by their places, then insertions, then another order."""
        asked = self.expression
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
        if asked.inserts:
            keys: set[str] = set()
            for donor in new_rows(units.premise, group, donors, random):
                # Two new rows with one key would contradict each other.
                if (donor.key or donor.text) in keys:
                    continue
                keys.add(donor.key or donor.text)
                place = below(len(table.rows) + 1, random)
                edits.append(insert_unit(units, place, donor.text))
                table = table.insert(place, donor.row)
                if len(keys) == asked.inserts:
                    break
            if len(keys) < asked.inserts:
                return no_new_row(units.premise)
        if asked.permutes:
            order = next(orders(table.rows, 1, random), None)
            if order is None:
                return "there is one row only"
            edits.append(permute_units(Rows(table), order))
            table = table.permute(order)
        return _Variant(tuple(edits), table, chosen)

    def _chosen(
        self, table: Table, group: str, evidence: Evidence | None, donors: Donors, random: Random
    ) -> _Chosen | str:
        """Choose distinct rows for the updates and deletions, first for those that suit few rows."""
        asked = self.expression
        deleted: dict[int, Which] = {}
        updates: list[Update] = []
        if len(table.rows) <= asked.deletions:
            return "no row of the table would be left"
        marked = evidence.units if evidence is not None else ()
        for which in asked.marked:
            free = _free(table, deleted, [place in marked for place in range(len(table.rows))], which)
            if not free:
                return _TOO_FEW[which]
            deleted[pick(free, random)] = which
        taken = set(deleted)
        for _ in range(asked.updates):
            drawn = draw_update(table, group, donors, random, taken)
            if isinstance(drawn, str):
                return drawn
            updates.append(drawn)
            taken.add(drawn.at)
        for _ in range(asked.deletes):
            free = [place for place in range(len(table.rows)) if place not in taken]
            if not free:
                return _TOO_FEW[Which.EACH]
            place = pick(free, random)
            deleted[place] = Which.EACH
            taken.add(place)
        return _Chosen(deleted, updates)

    @cached_property
    def _blind_relation(self) -> Relation:
        return together(self.expression.kinds)

    def _relation(self, chosen: _Chosen, evidence: Evidence | None) -> tuple[Relation, bool]:
        """Return the relation of what the edits are according to the evidence, and whether this is certain."""
        if evidence is None:
            return self._blind_relation, True
        kinds = [update(evidence, drawn.at) for drawn in chosen.updates]
        sure = True
        for relevant in (True, False):
            places = sorted(place for place in chosen.deleted if (place in evidence.units) == relevant)
            if places:
                # A deletion that the expression calls relevant is taken at its word, as sure as the evidence is.
                named = {chosen.deleted[place] for place in places} - {Which.EACH}
                kind, known = deletion(evidence, places, min(named, default=Which.EACH))
                kinds.append(kind)
                sure = sure and known
        kinds += [INSERT] * bool(self.expression.inserts) + [PERMUTE] * self.expression.permutes
        return together(kinds), sure


def _free(table: Table, taken: Collection[int], relevant: list[bool], which: Which) -> list[int]:
    """Return the rows that a deletion by the evidence can take."""
    wanted = which is Which.RELEVANT
    return [place for place in range(len(table.rows)) if place not in taken and relevant[place] is wanted]
