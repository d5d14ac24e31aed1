"""The contract that every representation keeps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nliprobe.represent import Representation
from nliprobe.represent.reader import build_representation
from nliprobe.task.table import Row, Table
from nliprobe.testing._rules import Promise, require

# A word that no generated table holds: a cell with it differs from one without, however spaces and case are treated.
_OTHER = "zyxother"


@dataclass(frozen=True)
class Representing:
    """A representation with one table to read; ``others`` are tables that it may have seen before."""

    spec: str
    table: Table
    hypothesis: str
    others: Sequence[Table] = ()

    def fresh(self) -> Representation:
        """Return a representation that has seen nothing yet."""
        return build_representation(self.spec)

    def text(self, table: Table) -> str:
        """Return the text that a model reads."""
        return "".join(self.fresh().segments(table, self.hypothesis))


def _segments(at: Representing) -> None:
    # The other tables, too: what cannot be written at all breaks this rule and no later one.
    for table in (at.table, *at.others):
        segments = at.fresh().segments(table, at.hypothesis)
        require(isinstance(segments, tuple), f"segments are a {type(segments).__name__}, not a tuple")
        require(all(isinstance(segment, str) for segment in segments), "a segment is not a string")
        require("".join(segments).strip(), "a table becomes an empty text")


def _warm_or_cold(at: Representing) -> None:
    cold = at.fresh().segments(at.table, at.hypothesis)
    require(cold == at.fresh().segments(at.table, at.hypothesis), "the same table becomes another text")
    warm = at.fresh()
    for other in [*at.others, *_edited(at.table)]:
        warm.segments(other, at.hypothesis)
    require(cold == warm.segments(at.table, at.hypothesis), "the text depends on the tables that came before")
    for other in _edited(at.table):
        same = warm.segments(other, at.hypothesis) == at.fresh().segments(other, at.hypothesis)
        require(same, "the text of an edited table depends on the tables that came before")


def _tells_apart(at: Representing) -> None:
    # Nothing can be left out of a table with one row.
    alone = [Table(at.table.title, (row,), at.table.category, at.table.columns) for row in at.table.rows]
    for table in alone if at.fresh().selects else [at.table]:
        whole = at.text(table)
        for edited in _edited(table):
            require(at.text(edited) != whole, f"{edited.to_json()} becomes the same text as {table.to_json()}")


def _same_for_all(at: Representing) -> None:
    representation = at.fresh()
    if not representation.reads_hypothesis:
        other = representation.segments(at.table, f"{at.hypothesis} {_OTHER}")
        same = other == at.fresh().segments(at.table, at.hypothesis)
        require(same, "the text depends on the hypothesis, but reads_hypothesis is not declared")


def _edited(table: Table) -> list[Table]:
    """Return the table without each row in turn, and with another value in each place in turn."""
    tables = [table.delete(index) for index in range(len(table.rows))] if len(table.rows) > 1 else []
    for index, row in enumerate(table.rows):
        for place, value in enumerate(row.values):
            values = (*row.values[:place], f"{value} {_OTHER}", *row.values[place + 1 :])
            tables.append(table.update(index, Row(row.key, values)))
    return tables


RULES: tuple[Promise[Representing], ...] = (
    Promise("segments are texts", _segments),
    Promise("deterministic, warm or cold", _warm_or_cold),
    Promise("declares that it reads the hypothesis", _same_for_all),
    Promise("differing rows differ", _tells_apart),
)
