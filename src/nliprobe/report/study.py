"""The results of a simulation study on the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from nliprobe.base.visible import revealed
from nliprobe.report._tables import new_table
from nliprobe.report.study_tables import (
    SIMULATED,
    StudyTable,
    bid_table,
    difference_table,
    said_lines,
    stage_table,
)
from nliprobe.report.words import plural
from nliprobe.task.study_results import StudyResults

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.table import Table

# The width of the first column before it is folded, and the space between columns.
_FIRST, _GAP = 32, 2


def render_study(document: StudyResults) -> RenderableType:
    """Turn the results of a study into something Rich can print."""
    from rich.console import Group
    from rich.text import Text

    head = f"{revealed(document['title'])}  {plural(document['participants'], 'participant')}"
    parts: list[RenderableType] = [Text(head, style="bold")]
    if document["simulated"]:
        parts.append(Text(SIMULATED, style="bold yellow"))
    for table in (stage_table(document["stages"]), bid_table(document["stages"]), difference_table(document)):
        if table.rows:
            parts += ["", _Drawn(table)]
            parts += [Text(table.legend, style="dim")] if table.legend else []
    lines = said_lines(document)
    parts += ["", *(Text(revealed(line)) for line in lines)] if lines else []
    if document["notes"]:
        parts.append("")
        parts += [Text(revealed(note), style="yellow") for note in document["notes"]]
    return Group(*parts)


class _Drawn:
    """Shows a table in as many parts as the width requires; the first column stands in each of them."""

    def __init__(self, table: StudyTable) -> None:
        self._table = table
        self._cells = [[revealed(cell) for cell in row] for row in table.rows]
        lines = [table.columns, *self._cells]
        self._widths = [max(len(line[place]) for line in lines) for place in range(len(table.columns))]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """Put as many columns beside one another as fit."""
        first = min(_FIRST, self._widths[0])
        parts: list[list[int]] = []
        left = 0
        for place, width in enumerate(self._widths[1:], 1):
            if not parts or left < _GAP + width:
                parts.append([])
                left = options.max_width - first
            parts[-1].append(place)
            left -= _GAP + width
        for number, places in enumerate(parts):
            if number:
                yield ""
            yield self._part(places)

    def _part(self, places: Sequence[int]) -> Table:
        from rich.text import Text

        drawn = new_table()
        drawn.add_column(self._table.columns[0], overflow="fold", max_width=_FIRST)
        for place in places:
            name = self._table.columns[place]
            numbers = name in self._table.numbers or name in self._table.rules
            drawn.add_column(name, justify="right" if numbers else "left", overflow="fold")
        for row in self._cells:
            drawn.add_row(*(Text(row[place]) for place in (0, *places)))
        return drawn
