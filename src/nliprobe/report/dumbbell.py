"""Two values per line and the way between them, each with its interval: before and after a change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nliprobe.report.names import short_names
from nliprobe.report.svg import Scale, axis, grid, plot, plot_line
from nliprobe.report.words import around

# Longer names would take the room of the picture.
_LONGEST = 38
_HEIGHT = 28
_SCALE = Scale(0.0, 1.0)


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
    short = short_names((line.name for line in lines), _LONGEST)
    drawn = [_drawn(line, short[line.name], names) for line in lines]
    return plot(f"{names[0]} and {names[1]}, in percent", [*drawn, axis(_SCALE)])


def _drawn(line: Dumbbell, short: str, names: tuple[str, str]) -> str:
    """Draw one line; both intervals are beside the way from dot to dot, so that none hides the other."""
    start, stop, middle = _SCALE.at(line.before.value), _SCALE.at(line.after.value), _HEIGHT // 2
    parts = [f'<line class="way" x1="{start}" x2="{stop}" y1="{middle}" y2="{middle}"/>']
    for estimate, shift in ((line.before, -6), (line.after, 6)):
        low, high, y = _SCALE.at(estimate.low), _SCALE.at(estimate.high), middle + shift
        parts.append(f'<line class="whisker" x1="{low}" x2="{high}" y1="{y}" y2="{y}"/>')
    parts.append(f'<circle class="before" cx="{start}" cy="{middle}" r="4.5"/>')
    parts.append(f'<circle class="after" cx="{stop}" cy="{middle}" r="4.5"/>')
    heard = "; ".join(
        f"{name} {around(estimate.value, [estimate.low, estimate.high])}"
        for name, estimate in zip(names, (line.before, line.after), strict=True)
    )
    style = "control" if line.control else "system"
    return plot_line(style, (line.name, short), (_HEIGHT, grid(_SCALE) + "".join(parts)), line.text, f"({heard})")
