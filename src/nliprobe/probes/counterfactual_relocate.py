"""``counterfactual.relocate``: move the relevant rows to another table of the category (evidence-probes §8).

The rows that decide about the hypothesis now stand in a table about something else, where they replace the rows with
the same keys, and the hypothesis names its title. The label stays, though the world may know better.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from nliprobe.probes import PROBES
from nliprobe.probes._counterfactual import CounterfactualProbe, Destination, moved_title
from nliprobe.probes._relocated import decide_alone, is_complete
from nliprobe.probes._titles import title_of
from nliprobe.task.about import About
from nliprobe.task.edits import Edit, delete_unit, insert_unit, replace_table, update_unit
from nliprobe.task.evidence import Grade
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.table import Row, Table
from nliprobe.task.table_diff import same_key
from nliprobe.task.units import Rows, row_text

NO_EVIDENCE = "nobody marked the evidence of the pair"
NO_ROW = "no row is relevant"
OUTSIDE = "knowledge from outside the table is needed"


@PROBES.register("counterfactual.relocate")
@dataclass(frozen=True)
class CounterfactualRelocate(CounterfactualProbe):
    """Move all relevant rows to another table of the category, and let the hypothesis name its title; ``n`` draws."""

    about: ClassVar[About] = About(
        "The relevant rows are moved to another table of the category, whose title the hypothesis names. "
        "The label stays.",
        "The answer follows what the model knows about the title, or the other rows, not the rows that decide.",
    )
    reads_evidence: ClassVar[bool] = True

    def refusal(self, pair: Pair, table: Table) -> str:
        """Refuse pairs whose evidence is not known, is empty, or is not all in the table."""
        if pair.evidence is None:
            return NO_EVIDENCE
        if pair.evidence.outside:
            return OUTSIDE
        return "" if any(place < len(table.rows) for place in pair.evidence.units) else NO_ROW

    def table_edits(self, pair: Pair, table: Table, other: Destination) -> list[Edit]:
        """Put the other table in the place of the pair's, and move the relevant rows into it.

        The first row with a key is replaced, further ones are deleted; a row whose key is not there is inserted at the
        place that it had, or at the end.
        """
        edits = [replace_table(table, other.table)]
        rows = Rows(other.table)
        moved: set[int] = set()
        for place, row in _relevant(pair, table):
            text = row_text(moved_title(row, title_of(table), other.title))
            places = [
                at
                for at, its in enumerate(rows.premise.rows)
                if same_key(its.key) == same_key(row.key) and at not in moved
            ]
            for extra in reversed(places[1:]):
                edits.append(delete_unit(rows, extra))
                rows = rows.delete(extra)
                moved = {at - (at > extra) for at in moved}
            if places:
                at = places[0]
                edits.append(update_unit(rows, at, text))
                rows = rows.update(at, text)
            else:
                at = min(place, len(rows))
                edits.append(insert_unit(rows, at, text))
                rows = rows.insert(at, text)
                moved = {its + (its >= at) for its in moved}
            moved.add(at)
        return edits

    def sure(self, pair: Pair, table: Table, other: Destination) -> bool:
        """Tell whether the moved rows, and no others, decide about the hypothesis.

        Marks of people are complete; the rows that people changed to flip a label may not be. For a neutral pair no
        row decides, so that one of the new table might.
        """
        evidence = pair.evidence
        if evidence is None or evidence.grade is Grade.SILVER or str(pair.gold) not in ("E", "C"):
            return False
        if evidence.grade is Grade.EDIT and not is_complete(pair, table, evidence):
            return False
        moved = [row.key for _, row in _relevant(pair, table)]
        return decide_alone(pair.hypothesis, table, moved, other.table)

    def facets(self, pair: Pair, other: Destination) -> tuple[Facet, ...]:
        """State the table that the rows were moved to and how their relevance is known."""
        grade = () if pair.evidence is None else (Facet("grade", pair.evidence.grade),)
        return (*super().facets(pair, other), *grade)


def _relevant(pair: Pair, table: Table) -> Iterator[tuple[int, Row]]:
    for place in () if pair.evidence is None else pair.evidence.units:
        if place < len(table.rows):
            yield place, table.rows[place]
