"""The results of a simulation study on the terminal."""

from __future__ import annotations

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
    from rich.console import RenderableType


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
            parts += ["", _drawn(table)]
            parts += [Text(table.legend, style="dim")] if table.legend else []
    lines = said_lines(document)
    parts += ["", *(Text(revealed(line)) for line in lines)] if lines else []
    if document["notes"]:
        parts.append("")
        parts += [Text(revealed(note), style="yellow") for note in document["notes"]]
    return Group(*parts)


def _drawn(table: StudyTable) -> RenderableType:
    from rich.text import Text

    drawn = new_table()
    for name in table.columns:
        if name in table.rules:
            drawn.add_column(name, justify="right")
        else:
            drawn.add_column(name, justify="right" if name in table.numbers else "left", no_wrap=True)
    for row in table.rows:
        drawn.add_row(*(Text(revealed(cell)) for cell in row))
    return drawn
