"""Bar charts as SVG, in the colours of the page that contains them."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from nliprobe.report.words import shortened

# Right of the longest bar there is room for a count by label: "15,000 (E 5,000, N 5,000, C 5,000)".
_NAME, _RIGHT, _LINE = 190, 520, 22
# Longer names would run into their bars; the full name is in the description of the picture.
_LONGEST = 28


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
    height = _LINE * len(bars) + 8
    described = f"{title}: {'; '.join(f'{bar.name} {bar.text}' for bar in bars)}"
    parts = [f'<svg viewBox="0 0 760 {height}" role="img" aria-label="{escape(described)}">']
    for number, bar in enumerate(bars):
        y = 4 + number * _LINE
        parts.append(f'<text x="0" y="{y + 15}">{escape(shortened(bar.name, _LONGEST))}</text>')
        x = float(_NAME)
        for name, length in bar.pieces:
            width = length / longest * (_RIGHT - _NAME)
            parts.append(
                f'<rect class="bar {escape(name)}" x="{x:.1f}" y="{y + 3}" width="{width:.1f}" height="{_LINE - 6}"/>'
            )
            x += width
        if bar.ends is not None:
            low, high = (_NAME + end / longest * (_RIGHT - _NAME) for end in bar.ends)
            parts.append(
                f'<line class="ends" x1="{low:.1f}" y1="{y + _LINE / 2}" x2="{high:.1f}" y2="{y + _LINE / 2}"/>'
            )
            x = max(x, high)
        parts.append(f'<text class="soft" x="{x + 8:.1f}" y="{y + 15}">{escape(bar.text)}</text>')
    return "".join([*parts, "</svg>"])
