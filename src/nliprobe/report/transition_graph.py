"""Transition graphs as SVG: labels as nodes, and where answers went as arrows, prohibited ones in red.

Each arrow has its share of the answers before the edit and, where it is known, the interval of that share. Arrows that
no answer took are left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from nliprobe.analysis.documents import Transitions
from nliprobe.base.hashing import digest
from nliprobe.task.labels import NAMES

_WIDTH, _RADIUS = 552, 23
# E and C are above and N below: the flips between E and C, which most edits forbid, are what people look at first.
_CORNERS = {1: ((276, 90),), 2: ((116, 90), (436, 90)), 3: ((116, 90), (436, 90), (276, 330))}
_HEIGHTS = {1: 160, 2: 160, 3: 402}
_MANY = 440
# Arrows bend away from the line between their nodes, so that the arrow back has room.
_BEND, _LINE = 30, 16


class Edge(NamedTuple):
    """The answers that moved from one label to another (or stayed), in percent of those before.

    Attributes:
        old: the label before.
        new: the label after.
        percent: the share, or None if no answer had the label before.
        ends: the interval of the share in percent, or None.
        prohibited: whether the relation forbids the move.
        part: the share that is prohibited, where the relations of only some cases forbid the move.
    """

    old: str
    new: str
    percent: float | None
    ends: tuple[float, float] | None = None
    prohibited: bool = False
    part: float | None = None


class Graph(NamedTuple):
    """A graph to draw: what it shows, its labels, and an edge for each two labels."""

    title: str
    labels: tuple[str, ...]
    edges: tuple[Edge, ...]


class _Point(NamedTuple):
    x: float
    y: float


def graph_of(entry: Transitions) -> Graph:
    """Return the graph of the transitions of one system, corpus and probe."""
    edges = []
    for old, shares in entry["row_percent"].items():
        total = sum(entry["counts"][old].values())
        for new, share in shares.items():
            ends = entry["row_percent_ci95"][old][new]
            bad, moved = entry["prohibited_counts"][old][new], entry["counts"][old][new]
            part = 100 * bad / total if 0 < bad < moved else None
            edges.append(Edge(old, new, share, None if ends is None else (ends[0], ends[1]), 0 < bad == moved, part))
    title = f"{entry['system']} on {entry['corpus']} after {entry['probe']}"
    return Graph(title, tuple(entry["labels"]), tuple(edges))


def transition_graph(graph: Graph) -> str:
    """Draw a graph in the colours of the page that contains it."""
    places = _places(graph.labels)
    height = _HEIGHTS.get(len(places), _MANY)
    name = f"g{digest(graph.title, repr(graph.edges))[:10]}"
    parts = [
        f'<svg class="transitions" viewBox="0 0 {_WIDTH} {height}" role="img" '
        f'aria-labelledby="{name}-title {name}-desc">',
        f'<title id="{name}-title">{escape(graph.title)}</title>',
        f'<desc id="{name}-desc">{escape(described(graph))}</desc>',
        *_heads(name),
    ]
    texts: list[str] = []
    centre = _Point(sum(x for x, _ in places.values()) / len(places), sum(y for _, y in places.values()) / len(places))
    # Red arrows come last, so that no quiet one hides them.
    for edge in sorted(graph.edges, key=lambda edge: edge.prohibited):
        if not edge.percent:
            continue
        kind = "prohibited" if edge.prohibited else "allowed"
        start, end = places[edge.old], places[edge.new]
        path, place = _loop(start, centre, len(places)) if edge.old == edge.new else _arc(start, end, len(places))
        parts.append(
            f'<path class="edge {kind}" d="{path}" stroke-width="{1 + edge.percent / 20:.1f}" '
            f'marker-end="url(#{name}-{kind})"/>'
        )
        # On a circle of many labels there is no room for intervals.
        texts.append(_text(edge if len(places) in _CORNERS else edge._replace(ends=None), kind, place))
    for label, (x, y) in places.items():
        empty = all(edge.percent is None for edge in graph.edges if edge.old == label)
        kind = f"node node-{label}{' empty' if empty else ''}"
        parts.append(f'<circle class="{escape(kind)}" cx="{x:.0f}" cy="{y:.0f}" r="{_RADIUS}"/>')
        parts.append(f'<text class="letter" x="{x:.0f}" y="{y:.0f}">{escape(label)}</text>')
        if empty:
            texts.append(f'<text class="ends" x="{x:.0f}" y="{y - _RADIUS - 9:.0f}">never answered before</text>')
    return "".join([*parts, *texts, "</svg>"])


def described(graph: Graph) -> str:
    """Return what a graph shows in words, for those who do not see it.

    >>> described(Graph("", ("E", "C"), (Edge("E", "C", 5.0, (4.0, 6.0), True), Edge("C", "C", None))))
    'E to C 5.0 %, 95 % interval 4.0 to 6.0 %, prohibited. C was never answered before the edit.'
    """
    sentences = []
    for label in graph.labels:
        edges = [edge for edge in graph.edges if edge.old == label]
        if all(edge.percent is None for edge in edges):
            sentences.append(f"{label} was never answered before the edit.")
            continue
        moves = []
        for edge in edges:
            if edge.percent:
                words = f"{edge.old} to {edge.new} {_number(edge.percent)} %"
                if edge.ends is not None:
                    words += f", 95 % interval {_end(edge.ends[0])} to {_end(edge.ends[1])} %"
                if edge.part is not None:
                    words += f", {_number(edge.part)} % prohibited"
                moves.append(words + (", prohibited" if edge.prohibited else ""))
        sentences.append(f"{'; '.join(moves)}.")
    return " ".join(sentences)


def label_names(labels: Sequence[str]) -> str:
    """Return what the letters of a graph mean.

    >>> label_names(("E", "NC"))
    'E entailment, NC neutral or contradiction'
    """
    return ", ".join(f"{label} {' or '.join(NAMES[letter] for letter in label)}" for label in labels)


def _text(edge: Edge, kind: str, place: _Point) -> str:
    """Write the share, with its interval below it."""
    x, y = place
    above = y - _LINE / 2 if edge.ends is not None else y
    share = f"{escape(_number(edge.percent or 0))} %"
    if edge.part is not None:
        share += f' <tspan class="prohibited">({escape(_number(edge.part))})</tspan>'
    text = f'<text class="rate {kind}" x="{x:.0f}" y="{above:.0f}">{share}</text>'
    if edge.ends is not None:
        low, high = edge.ends
        span = f"{_end(low)}–{_end(high)}"
        text += f'<text class="ends {kind}" x="{x:.0f}" y="{above + _LINE:.0f}">{escape(span)}</text>'
    return text


def _number(percent: float) -> str:
    """Write a percentage with one decimal; what is not zero or everything does not become it."""
    if percent >= 99.95:
        return ">99.9" if percent < 100 else "100"
    return "<0.1" if 0 < percent < 0.05 else f"{percent:.1f}"


def _end(percent: float) -> str:
    return "100" if percent >= 99.95 else f"{percent:.1f}"


def _places(labels: Sequence[str]) -> dict[str, _Point]:
    order = sorted(labels, key=lambda label: ({"E": 0, "C": 1}.get(label, 2), label))
    count = len(order)
    corners = _CORNERS.get(count)
    if corners is None:
        # Answers outside the usual blocks are rare: all labels on a circle, E at the upper left.
        angles = [math.pi * (-0.75 + 2 * place / count) for place in range(count)]
        corners = tuple((round(276 + 150 * math.cos(angle)), round(220 + 150 * math.sin(angle))) for angle in angles)
    return {label: _Point(*corner) for label, corner in zip(order, corners, strict=True)}


def _arc(start: _Point, end: _Point, count: int) -> tuple[str, _Point]:
    """Return a bent arrow between two nodes, and the place of its text outside the bend."""
    length = math.hypot(end.x - start.x, end.y - start.y)
    along = _Point((end.x - start.x) / length, (end.y - start.y) / length)
    across = _Point(along.y, -along.x)
    side, gap = 7, _RADIUS + 2

    def at(forward: float, aside: float, origin: _Point) -> _Point:
        return _Point(origin.x + along.x * forward + across.x * aside, origin.y + along.y * forward + across.y * aside)

    first, last = at(gap, side, start), at(-(gap + 6), side, end)
    # Texts stand nearer to the upper node, where a triangle is wide; on a circle of many labels arrows cross in the
    # middle, so texts stand nearer to where their arrows start.
    share = 0.27 if count not in _CORNERS else 0.5 - 0.09 * along.y
    middle = at(length / 2, _BEND, start)
    path = f"M{first.x:.1f} {first.y:.1f}Q{middle.x:.1f} {middle.y:.1f} {last.x:.1f} {last.y:.1f}"
    # Texts are wider than high: beside a steep arrow they need more room than above or below a flat one.
    room = 20 + 16 * abs(across.x)
    return path, at(length * share, (_BEND + side) / 2 + room, start)


def _loop(node: _Point, centre: _Point, count: int) -> tuple[str, _Point]:
    """Return an arrow from a node to itself on the side away from the others, and the place of its text."""
    up = -1 if node.y < centre.y or count <= 2 else 1
    first, last = _Point(node.x - 9, node.y + up * (_RADIUS - 1)), _Point(node.x + 9, node.y + up * (_RADIUS + 5))
    reach = node.y + up * 66
    path = f"M{first.x:.1f} {first.y:.1f}C{node.x - 32:.1f} {reach:.1f} {node.x + 32:.1f} {reach:.1f} "
    path += f"{last.x:.1f} {last.y:.1f}"
    outward = -1 if node.x < centre.x else 1
    return path, _Point(node.x + outward * 62, node.y + up * 42)


def _heads(name: str) -> list[str]:
    colours = [("allowed", "var(--soft)"), ("prohibited", "var(--bad)")]
    return [
        f'<marker id="{name}-{kind}" viewBox="0 0 8 8" refX="4" refY="4" markerWidth="9" markerHeight="9" '
        f'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" fill="{colour}"/></marker>'
        for kind, colour in colours
    ]
