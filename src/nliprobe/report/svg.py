"""Dots with whiskers as SVG, for the HTML report."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from nliprobe.report.words import shortened

# Longer names would run into the plot.
_LONGEST = 38


class Dot(NamedTuple):
    """One line of a dot plot: an estimate with its interval."""

    name: str
    value: float
    low: float
    high: float
    control: bool = False


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


def _ticks(low: float, high: float) -> list[float]:
    step = next(size for size in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5) if (high - low) / size <= 8)
    first = math.ceil(low / step - 1e-9)
    return [round(number * step, 6) for number in range(first, math.floor(high / step + 1e-9) + 1)]
