"""Dots with whiskers, for the HTML pages: a line of HTML per estimate, with a strip of SVG as wide as there is room."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from itertools import count
from typing import NamedTuple

from nliprobe.report.names import short_names
from nliprobe.report.words import between, minus, percent, signed

# Longer names would take the room of the picture.
_LONGEST = 38
_HEIGHT = 20


class Dot(NamedTuple):
    """One line of a dot plot: an estimate with its interval."""

    name: str
    value: float
    low: float
    high: float
    control: bool = False


class Scale(NamedTuple):
    """An axis from ``low`` to ``high``, in shares."""

    low: float
    high: float

    def at(self, value: float) -> str:
        """Return where a value lies, as a length of SVG; values beyond the ends lie at the ends."""
        inside = min(max(value, self.low), self.high)
        return f"{100 * (inside - self.low) / (self.high - self.low):.2f}%"


def dot_plot(dots: Sequence[Dot], *, low: float, high: float, unit: str, longest: int = _LONGEST) -> str:
    """Draw estimates with their intervals on a common axis from ``low`` to ``high``; longer names are shortened."""
    scale = Scale(low, high)
    short = short_names((dot.name for dot in dots), longest)
    signs = unit == "points"
    write = signed if signs else percent
    lines = [
        plot_line(
            "control" if dot.control else "system",
            (dot.name, short[dot.name]),
            (_HEIGHT, grid(scale) + _drawn(dot, scale)),
            write(dot.value),
            "" if dot.low == dot.high else f"({minus(between([dot.low, dot.high], sign=signs))})",
        )
        for dot in dots
    ]
    return plot(f"In {unit}", [*lines, axis(scale)])


def plot(label: str, lines: Sequence[str]) -> str:
    """Put the lines of a picture together; where it cannot be seen, it is read as a table."""
    return f'<div class="plot" role="table" aria-label="{escape(label)}">{"".join(lines)}</div>'


def plot_line(style: str, names: tuple[str, str], strip: tuple[int, str], value: str, heard: str = "") -> str:
    """Write one line of a picture: its name, the strip that is drawn, and its value.

    Args:
        style: its class.
        names: the full name and the one that is shown; the full one is at hand if it is shortened.
        strip: how high the drawing is, and the drawing.
        value: the value as text.
        heard: what the drawing shows besides, for those who do not see it.
    """
    name, short = names
    height, drawn = strip
    full = "" if name == short else f' title="{escape(name)}"'
    unseen = f'<span class="unseen"> {escape(heard)}</span>' if heard else ""
    return (
        f'<div class="line {style}" role="row"><span class="name" role="rowheader"{full}><bdi>{escape(short)}</bdi>'
        f'</span><svg class="strip" height="{height}" aria-hidden="true">{drawn}</svg>'
        f'<span class="value" role="cell">{escape(minus(value))}{unseen}</span></div>'
    )


def grid(scale: Scale) -> str:
    """Draw the lines of the ticks in a strip; zero is emphasised where an axis crosses it."""
    return "".join(
        f'<line class="{"zero" if tick == 0 and scale.low < 0 else "axis"}" x1="{scale.at(tick)}" '
        f'x2="{scale.at(tick)}" y1="0" y2="100%"/>'
        for tick in _ticks(scale)
    )


def axis(scale: Scale, *, times: float = 100) -> str:
    """Draw the numbers below a picture: by default shares in percent."""
    texts = "".join(
        f'<text class="soft" x="{scale.at(tick)}" y="13" text-anchor="{_anchor(scale, tick)}">'
        f"{minus(f'{times * tick:g}')}</text>"
        for tick in _ticks(scale)
    )
    foot = f'<span class="name"></span><svg class="strip" height="16">{texts}</svg>'
    return f'<div class="line foot" aria-hidden="true">{foot}</div>'


def _anchor(scale: Scale, tick: float) -> str:
    """Return how a number is set, so that none hangs over the ends."""
    room = (scale.high - scale.low) / 20
    return "start" if tick < scale.low + room else "end" if tick > scale.high - room else "middle"


def _drawn(dot: Dot, scale: Scale) -> str:
    middle = _HEIGHT // 2
    return (
        f'<line class="whisker" x1="{scale.at(dot.low)}" x2="{scale.at(dot.high)}" y1="{middle}" y2="{middle}"/>'
        f'<circle class="dot" cx="{scale.at(dot.value)}" cy="{middle}" r="5"/>'
    )


def _ticks(scale: Scale) -> list[float]:
    low, high = scale
    sizes = (first * 10.0**power for power in count(-2) for first in (1, 2, 5))
    step = next(size for size in sizes if (high - low) / size <= 8)
    first = math.ceil(low / step - 1e-9)
    return [round(number * step, 6) for number in range(first, math.floor(high / step + 1e-9) + 1)]
