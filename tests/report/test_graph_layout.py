"""The geometry of transition graphs: whatever the size of the labels, they touch nothing."""

from __future__ import annotations

import math
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.report.graph_layout import HALF, MOST, RADIUS, Arrow, Box, Layout, Point, Size, graph_layout, label_box

SIZES = st.builds(Size, st.floats(20, 200), st.floats(12, 90))
COUNTS = st.integers(1, MOST)


def along(arrow: Arrow) -> list[Point]:
    """Points of an arrow, closer to each other than its head is wide."""
    first, *others = arrow.points
    steps = [step / 60 for step in range(61)]
    if len(others) == 1:
        return [Point(first.x + t * (others[0].x - first.x), first.y + t * (others[0].y - first.y)) for t in steps]
    a, b, c, d = arrow.points

    def cubic(p: float, q: float, r: float, s: float, t: float) -> float:
        return (1 - t) ** 3 * p + 3 * (1 - t) ** 2 * t * q + 3 * (1 - t) * t**2 * r + t**3 * s

    return [Point(cubic(a.x, b.x, c.x, d.x, t), cubic(a.y, b.y, c.y, d.y, t)) for t in steps]


def distance(box: Box, point: Point) -> float:
    return math.hypot(max(box.left - point.x, 0, point.x - box.right), max(box.top - point.y, 0, point.y - box.bottom))


def faults(layout: Layout, label: Size) -> list[str]:
    """What labels touch: every arrow of every two nodes is there at once."""
    boxes = {key: label_box(arrow.label, label) for key, arrow in layout.arrows.items()}
    found = []
    for key, box in boxes.items():
        # The widest arrow has 6 units; its head is wider.
        found += [f"{key} on arrow {other}" for other, arrow in layout.arrows.items()
                  if any(distance(box, point) < HALF for point in along(arrow))]  # fmt: skip
        found += [f"{key} on node {place}" for place, node in enumerate(layout.nodes) if distance(box, node) < RADIUS]
        if min(box.left, box.top) < 0 or box.right > layout.size.width or box.bottom > layout.size.height:
            found.append(f"{key} outside")
    for one, other in combinations(boxes, 2):
        a, b = boxes[one], boxes[other]
        if min(a.right, b.right) > max(a.left, b.left) and min(a.bottom, b.bottom) > max(a.top, b.top):
            found.append(f"{one} on {other}")
    return found


@given(COUNTS, SIZES)
def test_no_label_touches_an_arrow_a_node_or_another_label(count: int, label: Size) -> None:
    assert faults(graph_layout(count, label), label) == []


@given(COUNTS, SIZES)
def test_a_note_takes_the_room_of_the_loop_of_its_node_only(count: int, label: Size) -> None:
    layout = graph_layout(count, label)
    for place, note in enumerate(layout.notes):
        box = label_box(note, label)
        # Nobody gave the answer, so nothing starts there.
        arrows = [arrow for (start, _), arrow in layout.arrows.items() if start != place]
        assert all(distance(box, point) >= HALF for arrow in arrows for point in along(arrow))
        assert all(distance(box, node) >= RADIUS for node in layout.nodes)
        others = [label_box(arrow.label, label) for arrow in arrows]
        assert not any(
            min(box.right, other.right) > max(box.left, other.left)
            and min(box.bottom, other.bottom) > max(box.top, other.top)
            for other in others
        )
        assert min(box.left, box.top) >= 0
        assert box.right <= layout.size.width
        assert box.bottom <= layout.size.height


@given(COUNTS, SIZES)
def test_arrows_end_at_their_nodes_and_stay_inside(count: int, label: Size) -> None:
    layout = graph_layout(count, label)
    for (start, end), arrow in layout.arrows.items():
        for point, node in ((arrow.points[0], layout.nodes[start]), (arrow.points[-1], layout.nodes[end])):
            assert RADIUS - 2 <= math.hypot(point.x - node.x, point.y - node.y) <= RADIUS + 12
        assert all(0 <= x <= layout.size.width and 0 <= y <= layout.size.height for x, y in along(arrow))


def test_the_usual_labels_make_a_graph_that_fits_a_phone_at_almost_full_size() -> None:
    assert graph_layout(3, Size(72, 35)).size.width < 400


@pytest.mark.parametrize("count", [0, MOST + 1])
def test_other_numbers_of_labels_are_refused(count: int) -> None:
    with pytest.raises(ValueError, match=f"1 to {MOST} labels"):
        graph_layout(count, Size(10, 10))
