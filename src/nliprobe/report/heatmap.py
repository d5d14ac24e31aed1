"""Heat maps as tables: the stronger the colour, the higher the share; where there is no room, a block per row."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from nliprobe.report.names import short_names

# Longer names would make columns wider than their numbers.
_LONGEST = 26
# A cell has one of this many colours; a page may not set colours cell by cell.
STEPS = 20


class HeatCell(NamedTuple):
    """One cell: a share from 0 to 1 or None, the text in it, and the text shown when the mouse rests on it."""

    share: float | None
    text: str
    about: str = ""


class HeatRow(NamedTuple):
    """One line of a heat map; consecutive lines with the same group are shown under its name."""

    name: str
    cells: tuple[HeatCell, ...]
    group: str = ""


def heat_map(columns: Sequence[str], rows: Sequence[HeatRow], title: str) -> str:
    """Draw shares as coloured cells with their numbers in them, columns above and lines at the left."""
    short = short_names(columns, _LONGEST)
    heads = "".join(
        f'<th scope="col" role="columnheader"{_full(name, short[name])}><bdi>{escape(short[name])}</bdi></th>'
        for name in columns
    )
    lines, group = [], ""
    for row in rows:
        if row.group != group:
            group = row.group
            lines.append(
                f'<tr role="row" class="group"><th role="rowheader" scope="colgroup" colspan="{len(columns) + 1}">'
                f"{escape(group)}</th></tr>"
            )
        cells = "".join(_drawn(cell, short[name]) for name, cell in zip(columns, row.cells, strict=True))
        lines.append(f'<tr role="row"><th scope="row" role="rowheader">{escape(row.name)}</th>{cells}</tr>')
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{escape(title)}"><table class="heat" role="table">'
        f'<thead role="rowgroup"><tr role="row"><td role="cell"></td>{heads}</tr></thead>'
        f'<tbody role="rowgroup">{"".join(lines)}</tbody></table></div>'
    )


def _full(name: str, short: str) -> str:
    return "" if name == short else f' title="{escape(name)}"'


def _drawn(cell: HeatCell, column: str) -> str:
    colour = "" if cell.share is None else f' class="h{round(min(max(cell.share, 0.0), 1.0) * STEPS)}"'
    about = f' title="{escape(cell.about)}"' if cell.about else ""
    return f'<td role="cell"{colour}{about} data-label="{escape(column)}">{escape(cell.text)}</td>'
