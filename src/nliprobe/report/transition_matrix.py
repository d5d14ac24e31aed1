"""Transition matrices: the answer before at the left, the answer after above, in percent of the answers before.

The large one is an HTML table with intervals. The small one is a picture for pages with many of them; the large one
must be at hand beside it. In both, staying is calm, and what the edit cannot justify is red and has a cross.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from nliprobe.report.transition_graph import CROSS, Edge, Graph, percent_words, span_words
from nliprobe.report.words import NOTHING

_CELL, _LINE, _HEAD = 38, 24, 18
# Shares from which a cell is a step darker.
_STEPS = (0.05, 5, 15, 40)


def transition_matrix(graph: Graph, sizes: Mapping[str, int] | None = None) -> str:
    """Write the moves of a graph as a table.

    Args:
        graph: the moves.
        sizes: how many answers there were before, by label, if that is known.
    """
    heads = "".join(f'<th scope="col">{escape(label)}</th>' for label in graph.labels)
    rows = []
    for old in graph.labels:
        edges = [edge for edge in graph.edges if edge.old == old]
        size = f' <span class="size">n {sizes[old]:,}</span>' if sizes is not None else ""
        cells = "".join(map(_cell, edges))
        if all(edge.percent is None for edge in edges):
            cells = f'<td class="never" colspan="{len(graph.labels)}">never answered before</td>'
        rows.append(f'<tr><th scope="row">{escape(old)}{size}</th>{cells}</tr>')
    return (
        f'<table class="matrix"><caption class="unseen">{escape(graph.title)}: percent of the answers before, with '
        f'95 % intervals</caption><thead><tr><th scope="col">before ↓<br>after →</th>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def small_matrix(graph: Graph) -> str:
    """Draw the moves of a graph as a small picture without intervals, hidden from screen readers."""
    count = len(graph.labels)
    width, height = _HEAD + _CELL * count, _HEAD + _LINE * count
    parts = [
        f'<svg class="moves" viewBox="0 0 {width} {height}" width="{width}" height="{height}" aria-hidden="true" '
        f'focusable="false">'
    ]
    for place, label in enumerate(graph.labels):
        x, y = _HEAD + _CELL * (place + 0.5), _HEAD + _LINE * (place + 0.5)
        parts.append(f'<text class="head" x="{x:.0f}" y="{_HEAD / 2:.0f}">{escape(label)}</text>')
        parts.append(f'<text class="head" x="{_HEAD / 2 - 2:.0f}" y="{y:.0f}">{escape(label)}</text>')
    places = {label: place for place, label in enumerate(graph.labels)}
    for edge in graph.edges:
        x, y = _HEAD + _CELL * places[edge.new], _HEAD + _LINE * places[edge.old]
        parts.append(
            f'<rect class="{_kind(edge)}" x="{x + 1}" y="{y + 1}" width="{_CELL - 2}" height="{_LINE - 2}" rx="3"/>'
        )
        bad = bool(edge.percent) and (edge.prohibited or edge.part is not None)
        sign = CROSS if bad else ""
        kind = ' class="prohibited"' if bad and edge.prohibited else ""
        parts.append(
            f'<text{kind} x="{x + _CELL / 2:.0f}" y="{y + _LINE / 2:.0f}">{sign}{escape(_whole(edge.percent))}</text>'
        )
    return "".join([*parts, "</svg>"])


def _cell(edge: Edge) -> str:
    share = percent_words(edge.percent or 0)
    span = f'<span class="span">{span_words(edge.ends)}</span>' if edge.ends is not None else ""
    sign = f'<span class="sign">{CROSS} prohibited</span>' if edge.prohibited else ""
    if edge.part is not None:
        sign = f'<span class="sign">{CROSS} {escape(percent_words(edge.part))} prohibited</span>'
    return f'<td class="{_kind(edge)}"><span class="share">{escape(share)}</span>{span}{sign}</td>'


def _kind(edge: Edge) -> str:
    """Return the classes of a cell: whether the answer stays, may move or must not, and how many did."""
    percent = edge.percent or 0
    name = "prohibited" if edge.prohibited else "stays" if edge.old == edge.new else "moves"
    return f"{name} step{sum(percent >= step for step in _STEPS)}"


def _whole(percent: float | None) -> str:
    """Write a percentage without decimals; what is not zero or everything does not become it.

    >>> _whole(5.6), _whole(0.5), _whole(0.2), _whole(99.8), _whole(100), _whole(0), _whole(None)
    ('6', '1', '<1', '>99', '100', '0', '–')
    """
    if percent is None:
        return NOTHING
    if 0 < percent < 0.5:
        return "<1"
    return ">99" if 99.5 <= percent < 100 else f"{percent + 1e-9:.0f}"
