"""Where the nodes, arrows and labels of a transition graph stand: no label touches an arrow, a node or another label.

Places follow from how large the largest label is, not from which arrows are drawn, so that the graphs of one page can
be compared by eye. Arrows are straight, in pairs; each label stands on the side of its own arrow, with room between.
"""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

RADIUS = 22
# Half the widest thing on an arrow, its head; how far an arrow is from the line between its nodes; and the least room
# around a label.
HALF, ASIDE, ROOM = 5, 8, 5
# Loops end this far from their node's centre, half as wide as this, and reach this far.
_LOOP_WIDE, _LOOP_REACH = 26, 52
# How much wider a triangle is than high, and the shortest arrow that can be seen between its ends.
_SLOPE, _SHORTEST = 0.8, 60


class Point(NamedTuple):
    """A place, y downwards."""

    x: float
    y: float


class Size(NamedTuple):
    """How large a label is."""

    width: float
    height: float


class Box(NamedTuple):
    """A rectangle."""

    left: float
    top: float
    right: float
    bottom: float


class Arrow(NamedTuple):
    """The points of an arrow (two of a straight line, four of a cubic curve) and where its label stands.

    Attributes:
        points: of the line or curve.
        label: the centre of the room for its label.
        towards: to which end of that room a smaller label moves, to be near its arrow: -1, 0 or 1 for x and y.
    """

    points: tuple[Point, ...]
    label: Point
    towards: Point


class Layout(NamedTuple):
    """A drawing of ``count`` nodes: its size, nodes, the arrow of each ordered two, and a place for a note per node."""

    size: Size
    nodes: tuple[Point, ...]
    arrows: dict[tuple[int, int], Arrow]
    notes: tuple[Point, ...]


MOST = 3


@cache
def graph_layout(count: int, label: Size) -> Layout:
    """Lay out a complete graph of up to three nodes whose labels are at most as large as ``label``.

    Args:
        count: how many nodes there are; the first is at the upper left, the second at the upper right.
        label: the size of the largest label.
    """
    if not 1 <= count <= MOST:
        raise ValueError(f"a transition graph has 1 to {MOST} labels, not {count}")
    if count == 3:
        nodes = next(nodes for wide in range(160, 4000, 4) if _fits(nodes := _triangle(wide), label))
    else:
        nodes = (Point(0, 0), Point(_flat(label), 0))[:count]
    arrows = {(place, place): _loop(node, label, up=place < 2) for place, node in enumerate(nodes)}
    for start in range(count):
        for end in range(count):
            if start != end:
                arrows[start, end] = _straight(nodes, start, end, label)
    # Loops that nobody takes leave their room to a note of up to two lines.
    note = RADIUS + ROOM + label.height / 2
    notes = tuple(Point(node.x, node.y + (note if place == 2 else -note)) for place, node in enumerate(nodes))
    return _framed(nodes, arrows, notes, label)


def label_box(centre: Point, label: Size) -> Box:
    """Return the rectangle of a label."""
    return Box(
        centre.x - label.width / 2,
        centre.y - label.height / 2,
        centre.x + label.width / 2,
        centre.y + label.height / 2,
    )


def _flat(label: Size) -> float:
    """Return how far apart two nodes are whose loops and arrows have their labels above and below."""
    return max(2 * label.width + 2 * ROOM, label.width + 2 * (ROOM + _LOOP_WIDE), 2 * RADIUS + _SHORTEST)


def _triangle(wide: int) -> tuple[Point, ...]:
    return Point(-wide / 2, 0), Point(wide / 2, 0), Point(0, _SLOPE * wide)


def _fits(nodes: tuple[Point, ...], label: Size) -> bool:
    """Tell whether a triangle holds its three inner labels: one under the upper arrows, two below it side by side."""
    if nodes[1].x - nodes[0].x < _flat(label):
        return False
    upper, inner = _straight(nodes, 1, 0, label).label, _straight(nodes, 0, 2, label).label
    line = _Line(nodes[0], nodes[2])
    corner = Point(upper.x - label.width / 2, upper.y + label.height / 2)
    # From E to N the inside is on the left.
    free = line.aside(corner) >= ASIDE + HALF + ROOM
    return free and inner.x + label.width / 2 + ROOM / 2 <= 0 and line.along(inner) < 0.75 * line.length


class _Line:
    """The line from one node to another, and distances along it and to its left."""

    def __init__(self, start: Point, end: Point) -> None:
        self.start = start
        self.length = math.hypot(end.x - start.x, end.y - start.y)
        self.ahead = Point((end.x - start.x) / self.length, (end.y - start.y) / self.length)
        self.left = Point(self.ahead.y, -self.ahead.x)

    def at(self, along: float, aside: float) -> Point:
        return Point(
            self.start.x + self.ahead.x * along + self.left.x * aside,
            self.start.y + self.ahead.y * along + self.left.y * aside,
        )

    def along(self, point: Point) -> float:
        return (point.x - self.start.x) * self.ahead.x + (point.y - self.start.y) * self.ahead.y

    def aside(self, point: Point) -> float:
        return (point.x - self.start.x) * self.left.x + (point.y - self.start.y) * self.left.y


def _straight(nodes: tuple[Point, ...], start: int, end: int, label: Size) -> Arrow:
    """Draw an arrow left of the line between two nodes, its label farther left."""
    line = _Line(nodes[start], nodes[end])
    points = (line.at(RADIUS + 2, ASIDE), line.at(line.length - RADIUS - HALF - 2, ASIDE))
    # A rectangle reaches this far towards a line, whichever way the line runs.
    reach = label.width / 2 * abs(line.left.x) + label.height / 2 * abs(line.left.y)
    aside = ASIDE + HALF + ROOM + reach
    along = line.length / 2
    if (start, end) in ((0, 2), (2, 1)):
        # Inner labels of the sides stand right below that of the upper arrows, where the triangle is widest.
        wanted = ASIDE + HALF + ROOM + label.height + ROOM + label.height / 2
        along = (wanted - line.at(0, aside).y) / line.ahead.y
    # Right of a steep arrow a label begins at it, left of one it ends there, above a flat one it stands on it.
    flat = abs(line.left.x) < 0.5
    towards = Point(0, -round(line.left.y)) if flat else Point(-math.copysign(1, line.left.x), 0)
    return Arrow(points, line.at(along, aside), towards)


def _loop(node: Point, label: Size, *, up: bool) -> Arrow:
    """Draw an arrow from a node to itself: above it with its label on top, or below it with its label beside."""
    way = -1 if up else 1
    # The ends of a cubic curve count an eighth each, its handles three eighths.
    handle = (8 * _LOOP_REACH - 2 * RADIUS - 4) / 6
    points = (
        Point(node.x - 9, node.y + way * (RADIUS - 1)),
        Point(node.x - 32, node.y + way * handle),
        Point(node.x + 32, node.y + way * handle),
        Point(node.x + 9, node.y + way * (RADIUS + 5)),
    )
    if up:
        return Arrow(points, Point(node.x, node.y - _LOOP_REACH - HALF - ROOM - label.height / 2), Point(0, 1))
    beside = _LOOP_WIDE + ROOM + label.width / 2
    return Arrow(points, Point(node.x + beside, node.y + max(RADIUS + 14.0, label.height / 2)), Point(-1, 0))


def _framed(
    nodes: tuple[Point, ...], arrows: dict[tuple[int, int], Arrow], notes: tuple[Point, ...], label: Size
) -> Layout:
    """Move everything so that it begins at 0, 0, and measure it."""
    boxes = [label_box(arrow.label, label) for arrow in arrows.values()]
    boxes += [label_box(note, label) for note in notes]
    boxes += [Box(node.x - RADIUS, node.y - RADIUS, node.x + RADIUS, node.y + RADIUS) for node in nodes]
    # Loops: those above a node are below their label.
    boxes += [Box(node.x, node.y, node.x, node.y + _LOOP_REACH) for node in nodes[2:]]
    left, top = min(box.left for box in boxes) - ROOM, min(box.top for box in boxes) - ROOM
    right, bottom = max(box.right for box in boxes) + ROOM, max(box.bottom for box in boxes) + ROOM

    def moved(point: Point) -> Point:
        return Point(point.x - left, point.y - top)

    return Layout(
        Size(math.ceil(right - left), math.ceil(bottom - top)),
        tuple(moved(node) for node in nodes),
        {
            key: Arrow(tuple(map(moved, arrow.points)), moved(arrow.label), arrow.towards)
            for key, arrow in arrows.items()
        },
        tuple(moved(note) for note in notes),
    )
