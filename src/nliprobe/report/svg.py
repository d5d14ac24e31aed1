"""Pictures for the HTML report, drawn as SVG: transition graphs and dots with whiskers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from nliprobe.analysis.documents import Transitions
from nliprobe.report.words import shortened

_WIDTH, _HEIGHT, _RADIUS = 300, 250, 20
# Edges with less than this share are left out, because they would hide the others. The table has them all.
_FAINT = 0.005
# Longer names would run into the plot.
_LONGEST = 38


class Dot(NamedTuple):
    """One line of a dot plot: an estimate with its interval."""

    name: str
    value: float
    low: float
    high: float
    control: bool = False


def transition_graph(entry: Transitions) -> str:
    """Draw the labels as nodes and the changes of answers as arrows, prohibited ones in red."""
    labels = entry["labels"]
    places = _places(labels)
    title = f"{entry['system']} on {entry['corpus']} after {entry['probe']}"
    parts = [
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(_described(entry, title))}">',
        *_markers(title),
    ]
    texts: list[str] = []
    for old in labels:
        for new in labels:
            share = entry["row_percent"][old][new]
            if share is None or (share < 100 * _FAINT and old != new):
                continue
            prohibited = entry["prohibited_counts"][old][new] > 0
            path, (x, y) = _loop(places, old) if old == new else _arc(places[old], places[new])
            name = "prohibited" if prohibited else "allowed"
            width = 1 + share / 25
            parts.append(
                f'<path class="edge {name}" d="{path}" stroke-width="{width:.1f}" '
                f'marker-end="url(#{_marker_id(title, name)})"/>'
            )
            texts.append(f'<text class="rate {name}" x="{x:.0f}" y="{y:.0f}">{share:.0f} %</text>')
    for label, (x, y) in places.items():
        parts.append(f'<circle class="node" cx="{x:.0f}" cy="{y:.0f}" r="{_RADIUS}"/>')
        parts.append(f'<text class="letter" x="{x:.0f}" y="{y:.0f}">{escape(label)}</text>')
    return "".join([*parts, *texts, "</svg>"])


def dot_plot(dots: Sequence[Dot], *, low: float, high: float, unit: str) -> str:
    """Draw estimates with their intervals on a common axis from ``low`` to ``high``."""
    left, right, line = 250, 690, 26
    height = line * len(dots) + 34

    def x(value: float) -> float:
        return left + (min(max(value, low), high) - low) / (high - low) * (right - left)

    described = "; ".join(f"{dot.name}: {100 * dot.value:.1f} {unit}" for dot in dots)
    parts = [f'<svg viewBox="0 0 760 {height}" role="img" aria-label="{escape(described)}">']
    for tick in _ticks(low, high):
        parts.append(f'<line class="axis" x1="{x(tick):.0f}" y1="4" x2="{x(tick):.0f}" y2="{height - 26}"/>')
        parts.append(
            f'<text class="soft" x="{x(tick):.0f}" y="{height - 8}" text-anchor="middle">{100 * tick:g}</text>'
        )
    for number, dot in enumerate(dots):
        y = 18 + number * line
        name = "control" if dot.control else "system"
        parts.append(f'<g class="{name}"><text x="0" y="{y + 4}">{escape(shortened(dot.name, _LONGEST))}</text>')
        parts.append(f'<line class="whisker" x1="{x(dot.low):.1f}" y1="{y}" x2="{x(dot.high):.1f}" y2="{y}"/>')
        parts.append(f'<circle class="dot" cx="{x(dot.value):.1f}" cy="{y}" r="5"/>')
        parts.append(f'<text x="{right + 14}" y="{y + 4}">{100 * dot.value:.1f}</text></g>')
    return "".join([*parts, "</svg>"])


def _places(labels: Sequence[str]) -> dict[str, tuple[float, float]]:
    corners = [(60.0, 70.0), (_WIDTH - 60.0, 70.0), (_WIDTH / 2, _HEIGHT - 60.0)]
    # E and C above, N below: the forbidden flips between E and C are then the line that people look at first.
    order = sorted(labels, key=lambda label: {"E": 0, "C": 1}.get(label[0], 2 if len(labels) > 2 else 1))
    return dict(zip(order, corners, strict=False))


def _arc(start: tuple[float, float], end: tuple[float, float]) -> tuple[str, tuple[float, float]]:
    """Return a bent arrow between two nodes, and the place of its text."""
    (x1, y1), (x2, y2) = start, end
    length = math.hypot(x2 - x1, y2 - y1)
    along = ((x2 - x1) / length, (y2 - y1) / length)
    across = (along[1], -along[0])
    bend = 26
    middle = ((x1 + x2) / 2 + across[0] * bend, (y1 + y2) / 2 + across[1] * bend)
    side = 7
    gap = _RADIUS + 2
    first = (x1 + along[0] * gap + across[0] * side, y1 + along[1] * gap + across[1] * side)
    last = (x2 - along[0] * (gap + 6) + across[0] * side, y2 - along[1] * (gap + 6) + across[1] * side)
    path = f"M{first[0]:.1f} {first[1]:.1f}Q{middle[0]:.1f} {middle[1]:.1f} {last[0]:.1f} {last[1]:.1f}"
    place = ((x1 + x2) / 2 + across[0] * (bend * 0.62), (y1 + y2) / 2 + across[1] * (bend * 0.62))
    return path, place


def _loop(places: dict[str, tuple[float, float]], label: str) -> tuple[str, tuple[float, float]]:
    """Return an arrow from a node to itself, on the side away from the others, and the place of its text."""
    x, y = places[label]
    up = -1 if y < _HEIGHT / 2 else 1
    start, end = (x - 9, y + up * (_RADIUS - 1)), (x + 9, y + up * (_RADIUS + 5))
    path = (
        f"M{start[0]:.1f} {start[1]:.1f}C{x - 30:.1f} {y + up * 56:.1f} "
        f"{x + 30:.1f} {y + up * 56:.1f} {end[0]:.1f} {end[1]:.1f}"
    )
    return path, (x + (-42 if x < _WIDTH / 2 else 42), y + up * 36)


def _markers(title: str) -> list[str]:
    heads = [("allowed", "var(--soft)"), ("prohibited", "var(--bad)")]
    return [
        f'<marker id="{_marker_id(title, name)}" viewBox="0 0 8 8" refX="4" refY="4" markerWidth="8" markerHeight="8" '
        f'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" fill="{colour}"/></marker>'
        for name, colour in heads
    ]


def _marker_id(title: str, name: str) -> str:
    from nliprobe.base.hashing import digest

    return f"m{digest(title, name)[:10]}"


def _described(entry: Transitions, title: str) -> str:
    moves = [
        f"{old} to {new} {share:.0f} percent" + (", prohibited" if entry["prohibited_counts"][old][new] else "")
        for old, row in entry["row_percent"].items()
        for new, share in row.items()
        if share
    ]
    return f"{title}: {'; '.join(moves)}"


def _ticks(low: float, high: float) -> list[float]:
    step = next(size for size in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5) if (high - low) / size <= 8)
    first = math.ceil(low / step - 1e-9)
    return [round(number * step, 6) for number in range(first, math.floor(high / step + 1e-9) + 1)]
