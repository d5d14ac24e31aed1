"""Changes words wherever they occur: in a text premise, in the cells of a table and in the hypothesis."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from nliprobe.task.edits import (
    Edit,
    Edits,
    replace_in_hypothesis,
    replace_in_premise,
    replace_title,
    update_unit,
)
from nliprobe.task.pair import Pair
from nliprobe.task.table import Row, Table
from nliprobe.task.units import Rows, row_text


class Change(NamedTuple):
    """Other words for a span of a text."""

    start: int
    stop: int
    after: str


Changer = Callable[[str], Sequence[Change]]


def edit_texts(pair: Pair, changes: Changer) -> Edits:
    """Make the same kind of changes in every text of a pair: premise, title, values and hypothesis, not in keys.

    No edits are returned where nothing would change.
    """
    premise, hypothesis = pair.premise, pair.hypothesis
    edits: list[Edit] = list(_table_edits(premise, changes)) if isinstance(premise, Table) else []
    if isinstance(premise, str):
        edits += [replace_in_premise(premise, item[:2], item.after) for item in _last_first(premise, changes)]
    edits += [replace_in_hypothesis(hypothesis, item[:2], item.after) for item in _last_first(hypothesis, changes)]
    return tuple(edits)


def texts_of(pair: Pair) -> list[str]:
    """List the texts of a pair that :func:`edit_texts` may change."""
    if isinstance(pair.premise, Table):
        values = [value for row in pair.premise.rows for value in row.values]
        return [pair.premise.title, *values, pair.hypothesis]
    return [pair.premise, pair.hypothesis]


def changed(text: str, changes: Sequence[Change]) -> str:
    """Return a text with the changes made."""
    for start, stop, after in sorted(changes, reverse=True):
        text = text[:start] + after + text[stop:]
    return text


def _last_first(text: str, changes: Changer) -> list[Change]:
    # From the end backwards, so that every span is a span of the original text.
    return [
        change for change in sorted(changes(text), reverse=True) if text[change.start : change.stop] != change.after
    ]


def _table_edits(table: Table, changes: Changer) -> Iterator[Edit]:
    title = changed(table.title, changes(table.title))
    if title != table.title:
        yield replace_title(table, title)
    for index, row in enumerate(table.rows):
        values = tuple(changed(value, changes(value)) for value in row.values)
        if values != row.values:
            yield update_unit(Rows(table), index, row_text(Row(row.key, values)))
