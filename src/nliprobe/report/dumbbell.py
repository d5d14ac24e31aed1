"""Two values per line and the way between them as SVG, each with its interval: before and after a change."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from nliprobe.report.words import shortened

# Longer names would run into the plot.
_LONGEST = 38
_LEFT, _RIGHT, _LINE = 250, 690, 30


class Estimate(NamedTuple):
    """A share with its interval."""

    value: float
    low: float
    high: float


class Dumbbell(NamedTuple):
    """One line: a share before, the same share after, and a word on the right."""

    name: str
    before: Estimate
    after: Estimate
    text: str
    control: bool = False


def dumbbell_plot(lines: Sequence[Dumbbell], names: tuple[str, str]) -> str:
    """Draw pairs of shares on a common axis from 0 to 100 %: a hollow dot before, a full one after.

    Args:
        lines: the lines, from above.
        names: what the two dots are called, before and after.
    """
    height = _LINE * len(lines) + 34
    first, second = names
    described = "; ".join(
        f"{line.name}: {first} {100 * line.before.value:.1f}, {second} {100 * line.after.value:.1f} percent"
        for line in lines
    )
    parts = [f'<svg viewBox="0 0 760 {height}" role="img" aria-label="{escape(described)}">']
    for tick in range(0, 101, 20):
        x = _x(tick / 100)
        parts.append(f'<line class="axis" x1="{x:.0f}" y1="4" x2="{x:.0f}" y2="{height - 26}"/>')
        parts.append(f'<text class="soft" x="{x:.0f}" y="{height - 8}" text-anchor="middle">{tick}</text>')
    for number, line in enumerate(lines):
        parts += _drawn(line, 20 + number * _LINE)
    return "".join([*parts, "</svg>"])


def _drawn(line: Dumbbell, y: int) -> list[str]:
    """Draw one line; both intervals are beside the way from dot to dot, so that none hides the other."""
    start, stop = _x(line.before.value), _x(line.after.value)
    parts = [
        f'<g class="{"control" if line.control else "system"}">',
        f'<text x="0" y="{y + 4}">{escape(shortened(line.name, _LONGEST))}</text>',
        f'<line class="way" x1="{start:.1f}" y1="{y}" x2="{stop:.1f}" y2="{y}"/>',
    ]
    for estimate, shift in ((line.before, -6), (line.after, 6)):
        low, high = _x(estimate.low), _x(estimate.high)
        parts.append(f'<line class="whisker" x1="{low:.1f}" y1="{y + shift}" x2="{high:.1f}" y2="{y + shift}"/>')
    parts.append(f'<circle class="before" cx="{start:.1f}" cy="{y}" r="4.5"/>')
    parts.append(f'<circle class="after" cx="{stop:.1f}" cy="{y}" r="4.5"/>')
    parts.append(f'<text x="{_RIGHT + 14}" y="{y + 4}">{escape(line.text)}</text></g>')
    return parts


def _x(share: float) -> float:
    return _LEFT + min(max(share, 0.0), 1.0) * (_RIGHT - _LEFT)
