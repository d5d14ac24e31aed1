"""Bar charts for the HTML pages: a line of HTML per bar, as wide as there is room, in the colours of the page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from nliprobe.report.names import short_names
from nliprobe.report.svg import plot, plot_line

_HEIGHT = 16
# Longer names would take the room of their bars; the full name is at hand.
_LONGEST = 32


class Bar(NamedTuple):
    """One bar: pieces with a length each, drawn end to end, and the text after it.

    The name of a piece becomes its class, so that labels have the colours they have everywhere. ``ends`` are those of
    the interval of an estimate.
    """

    name: str
    pieces: tuple[tuple[str, float], ...]
    text: str
    ends: tuple[float, float] | None = None


def bar_chart(bars: Sequence[Bar], title: str, *, scale: float | None = None) -> str:
    """Draw horizontal bars on a common scale that starts at zero; ``scale`` is its end, by default the longest bar."""
    longest = scale or max((sum(length for _, length in bar.pieces) for bar in bars), default=0.0) or 1.0
    short = short_names((bar.name for bar in bars), _LONGEST)
    return plot(title, [_drawn(bar, short[bar.name], longest) for bar in bars])


def _drawn(bar: Bar, short: str, longest: float) -> str:
    parts, start = [], 0.0
    for name, length in bar.pieces:
        width = 100 * length / longest
        parts.append(
            f'<rect class="bar {escape(name)}" x="{start:.2f}%" width="{width:.2f}%" height="{_HEIGHT}" y="0"/>'
        )
        start += width
    if bar.ends is not None:
        low, high = (f"{100 * end / longest:.2f}%" for end in bar.ends)
        parts.append(f'<line class="ends" x1="{low}" x2="{high}" y1="{_HEIGHT // 2}" y2="{_HEIGHT // 2}"/>')
    return plot_line("barred", (bar.name, short), (_HEIGHT, "".join(parts)), bar.text)
