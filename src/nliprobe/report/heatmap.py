"""Heat maps as SVG, in the colours of the page that contains them: the stronger the colour, the higher the share."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from nliprobe.report.words import shortened

_CELL, _LINE, _HEAD = 104, 30, 15
# How many letters of names are shown left of the cells and above them, and the width of a letter.
_LONGEST, _WIDEST, _LETTER = 22, 13, 7


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
    heads = [_wrapped(name) for name in columns]
    left = 24 + _LETTER * max((min(len(row.name), _LONGEST) for row in rows), default=0)
    top = _HEAD * max((len(lines) for lines in heads), default=1) + 10
    parts: list[str] = []
    for number, lines in enumerate(heads):
        x = left + number * _CELL + _CELL / 2
        for place, line in enumerate(lines):
            y = top - 10 - _HEAD * (len(lines) - 1 - place)
            parts.append(f'<text class="heat-head" x="{x:.0f}" y="{y}">{escape(line)}</text>')
    y, group = top, ""
    for row in rows:
        if row.group != group:
            group = row.group
            parts.append(f'<text class="soft" x="0" y="{y + 18}">{escape(group)}</text>')
            y += 26
        parts.append(f'<text x="{8 if row.group else 0}" y="{y + 19}">{escape(shortened(row.name, _LONGEST))}</text>')
        parts += [_drawn(cell, left + number * _CELL, y) for number, cell in enumerate(row.cells)]
        y += _LINE
    width, height = left + _CELL * len(columns), y + 4
    described = "; ".join(
        f"{row.name}: {', '.join(f'{name} {cell.text}' for name, cell in zip(columns, row.cells, strict=True))}"
        for row in rows
    )
    return (
        f'<svg class="heat" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        f'aria-label="{escape(f"{title}. {described}")}">{"".join(parts)}</svg>'
    )


def _drawn(cell: HeatCell, x: float, y: float) -> str:
    about = f"<title>{escape(cell.about)}</title>" if cell.about else ""
    box = f'x="{x + 1:.0f}" y="{y + 1}" width="{_CELL - 2}" height="{_LINE - 2}" rx="3"'
    fill = "" if cell.share is None else f'<rect class="heat-cell" opacity="{cell.share:.3f}" {box}/>'
    text = f'<text class="heat-text" x="{x + _CELL / 2:.0f}" y="{y + _LINE / 2:.0f}">{escape(cell.text)}</text>'
    return f'<g>{about}<rect class="heat-ground" {box}/>{fill}{text}</g>'


def _wrapped(name: str) -> list[str]:
    """Wrap a name into at most three lines, broken after hyphens, slashes and spaces if possible."""
    lines = [""]
    for piece in _pieces(name):
        if lines[-1] and len(lines[-1]) + len(piece) > _WIDEST:
            lines.append("")
        lines[-1] += piece
    lines = [line.strip() for line in lines]
    cut = [shortened(line, _WIDEST) for line in lines]
    return cut if len(cut) <= 3 else [*cut[:2], f"{cut[2][: _WIDEST - 1].rstrip('…')}…"]


def _pieces(name: str) -> list[str]:
    pieces, piece = [], ""
    for letter in name:
        piece += letter
        if letter in "-/ _?&,":
            pieces.append(piece)
            piece = ""
    return [*pieces, piece] if piece else pieces
