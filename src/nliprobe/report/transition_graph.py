"""Transition graphs as SVG: labels as nodes, and where answers went as arrows, prohibited ones in red and with a cross.

Each arrow has its share of the answers before the edit and, where it is known, the interval of that share. Arrows that
no answer took are left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from nliprobe.analysis.documents import Transitions
from nliprobe.analysis.transitions import prohibited_table
from nliprobe.base.hashing import digest
from nliprobe.report.graph_layout import MOST, RADIUS, Arrow, Point, Size, graph_layout
from nliprobe.task.labels import NAMES, LabelSet, Partition
from nliprobe.task.relations import Relation

# Stands before every share that is prohibited, so that nobody needs the colour.
CROSS = "✗"
# The height of a line and the size of its letters, by its class in transitions.css.
_LINES = {"share": (19, 15), "span": (16, 13), "part": (16, 13)}
# How wide characters are in a bold font with wide letters, in parts of their size: labels are laid out before anybody
# knows the font.
_WIDTHS = {" ": 0.35, ".": 0.38, "–": 0.5, "%": 1.0, "<": 0.84, ">": 0.84, CROSS: 0.9}
_WIDEST = 0.7


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


class _Line(NamedTuple):
    kind: str
    text: str


_NEVER = (_Line("span", "never"), _Line("span", "answered"))


def graph_of(entry: Transitions) -> Graph:
    """Return the graph of the transitions of one system, corpus and probe."""
    forbidden = [
        prohibited_table(Relation.parse(text), Partition.parse(entry["partition"])) for text in entry["relations"]
    ]
    edges = []
    for old, shares in entry["row_percent"].items():
        total = sum(entry["counts"][old].values())
        for new, share in shares.items():
            ends = entry["row_percent_ci95"][old][new]
            bad, moved = entry["prohibited_counts"][old][new], entry["counts"][old][new]
            part = 100 * bad / total if 0 < bad < moved else None
            places = LabelSet.of(old).mask, LabelSet.of(new).mask
            # A move that nobody made is prohibited if every relation forbids it.
            never = bool(forbidden) and all(table[places] for table in forbidden)
            prohibited = bad == moved if moved else never
            edges.append(Edge(old, new, share, None if ends is None else (ends[0], ends[1]), prohibited, part))
    title = f"{entry['system']} on {entry['corpus']} after {entry['probe']}"
    return Graph(title, tuple(entry["labels"]), tuple(edges))


def transition_graph(graph: Graph) -> str:
    """Draw a graph in the colours of the page that contains it.

    More than three labels would need arrows that cross: then nothing is drawn, and the matrix says it all.
    """
    order = sorted(graph.labels, key=lambda label: ({"E": 0, "C": 1}.get(label, 2), label))
    if not 1 <= len(order) <= MOST:
        return ""
    taken = [edge for edge in graph.edges if edge.percent]
    empty = [label for label in order if all(edge.percent is None for edge in graph.edges if edge.old == label)]
    room = _largest([*map(_lines, taken), *([_NEVER] if empty or not taken else [])])
    layout = graph_layout(len(order), room)
    name = f"g{digest(graph.title, repr(graph.edges))[:10]}"
    width, height = layout.size
    parts = [
        f'<svg class="transitions" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" '
        f'role="img" aria-labelledby="{name}-title {name}-desc">',
        f'<title id="{name}-title">{escape(graph.title)}</title>',
        f'<desc id="{name}-desc">{escape(described(graph))}</desc>',
        *_heads(name),
    ]
    for edge in taken:
        kind = "prohibited" if edge.prohibited else "allowed"
        arrow = layout.arrows[order.index(edge.old), order.index(edge.new)]
        parts.append(
            f'<path class="edge {kind}" d="{_path(arrow)}" stroke-width="{1 + (edge.percent or 0) / 20:.1f}" '
            f'marker-end="url(#{name}-{kind})"/>'
        )
        parts.append(_text(_lines(edge), kind, arrow.label, arrow.towards, room))
    for place, label in enumerate(order):
        x, y = layout.nodes[place]
        kind = f"node node-{label}{' empty' if label in empty else ''}"
        parts.append(f'<circle class="{escape(kind)}" cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS}"/>')
        parts.append(f'<text class="letter" x="{x:.1f}" y="{y:.1f}">{escape(label)}</text>')
        if label in empty:
            parts.append(_text(_NEVER, "", layout.notes[place], Point(0, 0), room))
    return "".join([*parts, "</svg>"])


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
                words = f"{edge.old} to {edge.new} {percent_words(edge.percent)} %"
                if edge.ends is not None:
                    words += f", 95 % interval {_end(edge.ends[0])} to {_end(edge.ends[1])} %"
                if edge.part is not None:
                    words += f", {percent_words(edge.part)} % prohibited"
                moves.append(words + (", prohibited" if edge.prohibited else ""))
        sentences.append(f"{'; '.join(moves)}.")
    return " ".join(sentences)


def label_names(labels: Sequence[str]) -> str:
    """Return what the letters of a graph mean.

    >>> label_names(("E", "NC"))
    'E entailment, NC neutral or contradiction'
    """
    return ", ".join(f"{label} {' or '.join(NAMES[letter] for letter in label)}" for label in labels)


def _lines(edge: Edge) -> list[_Line]:
    """Write a share, its interval, and how much of it is prohibited if only some is, one line each."""
    sign = f"{CROSS} " if edge.prohibited else ""
    lines = [_Line("share", f"{sign}{percent_words(edge.percent or 0)} %")]
    if edge.ends is not None:
        lines.append(_Line("span", span_words(edge.ends)))
    if edge.part is not None:
        lines.append(_Line("part", f"{CROSS} {percent_words(edge.part)} %"))
    return lines


def _text(lines: Sequence[_Line], kind: str, centre: Point, towards: Point, room: Size) -> str:
    """Write the lines of a label at one end of its room."""
    free = room.height - _height(lines)
    x, top = centre.x + towards.x * room.width / 2, centre.y - _height(lines) / 2 + towards.y * free / 2
    side = ("middle", "right", "left")[round(towards.x)]
    parts = []
    for line in lines:
        height, _ = _LINES[line.kind]
        name = f"{line.kind} {side} {kind}".rstrip()
        parts.append(f'<text class="{name}" x="{x:.1f}" y="{top + height / 2:.1f}">{escape(line.text)}</text>')
        top += height
    return "".join(parts)


def _height(lines: Sequence[_Line]) -> int:
    return sum(_LINES[line.kind][0] for line in lines)


def _largest(labels: Sequence[Sequence[_Line]]) -> Size:
    """Return a size that holds every label of a graph; in steps, so that most graphs share a layout."""
    wide = max(_LINES[line.kind][1] * _ems(line.text) for lines in labels for line in lines)
    return Size(8 * math.ceil(wide / 8), max(map(_height, labels)))


def _ems(text: str) -> float:
    return sum(_WIDTHS.get(character, _WIDEST) for character in text)


def percent_words(percent: float) -> str:
    """Write a percentage with one decimal; what is not zero or everything does not become it.

    >>> percent_words(5.76), percent_words(0.01), percent_words(99.99), percent_words(100)
    ('5.8', '<0.1', '>99.9', '100')
    """
    if percent >= 99.95:
        return ">99.9" if percent < 100 else "100"
    return "<0.1" if 0 < percent < 0.05 else f"{percent:.1f}"


def span_words(ends: tuple[float, float]) -> str:
    """Write an interval in percent.

    >>> span_words((98.04, 100))
    '98.0–100'
    """
    return f"{_end(ends[0])}–{_end(ends[1])}"


def _end(percent: float) -> str:
    return "100" if percent >= 99.95 else f"{percent:.1f}"


def _path(arrow: Arrow) -> str:
    first, *others = (f"{point.x:.1f} {point.y:.1f}" for point in arrow.points)
    return f"M{first}{'L' if len(others) == 1 else 'C'}{' '.join(others)}"


def _heads(name: str) -> list[str]:
    colours = [("allowed", "var(--soft)"), ("prohibited", "var(--bad)")]
    return [
        f'<marker id="{name}-{kind}" viewBox="0 0 8 8" refX="4" refY="4" markerWidth="9" markerHeight="9" '
        f'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" fill="{colour}"/></marker>'
        for kind, colour in colours
    ]
