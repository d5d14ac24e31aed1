"""The learning curve of a training: a picture as SVG that stands alone, and a line for a terminal."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape
from typing import NamedTuple

# The colours of the page; a picture that stands alone brings them along.
_STYLE = """
:root { color-scheme: light dark; --ground: #ffffff; --ink: #1c2430; --soft: #566072; --line: #d9dee6;
  --accent: #2457c5; --good: #1f7a4d; }
@media (prefers-color-scheme: dark) { :root { --ground: #12161c; --ink: #e6eaf0; --soft: #a3adbd; --line: #333c49;
  --accent: #8fb2ff; --good: #58c48c; } }
.ground { fill: var(--ground); }
text { fill: var(--ink); font: 12px system-ui, sans-serif; }
text.head { font-weight: 600; }
text.soft { fill: var(--soft); }
line.axis { stroke: var(--line); }
line.constant { stroke: var(--soft); stroke-dasharray: 4 4; }
polyline { fill: none; stroke: var(--accent); stroke-width: 2; }
circle { fill: var(--accent); }
circle.best { fill: var(--ground); stroke: var(--good); stroke-width: 3; }
text.best { fill: var(--good); font-weight: 600; }
"""
_BARS = "▁▂▃▄▅▆▇█"
_HEIGHT, _TOP, _BOTTOM = 274, 60, 230
_LEFT, _APART, _WIDE = 48, 360, 290
# More dots than this would run into each other, and so would more labels of epochs.
_MOST_DOTS, _MOST_LABELS = 60, 10
# A smaller range of accuracies would make noise look like learning.
_LEAST_POINTS = 5.0


class _Axis(NamedTuple):
    low: float
    high: float
    ticks: Sequence[float]


def learning_curve(dev: Sequence[float], losses: Sequence[float], constant: float | None = None) -> str:
    """Draw the accuracy on dev and the mean training loss after each epoch; the best epoch is marked.

    Args:
        dev: the accuracies, from 0 to 1, of at least one epoch.
        losses: the losses, as many.
        constant: the accuracy of the best constant answer on dev, which is drawn as a line.
    """
    best = dev.index(max(dev))
    accuracies = [100 * value for value in dev]
    base = [] if constant is None else [100 * constant]
    described = _described(accuracies, losses, best, base)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 {_HEIGHT}" width="720" height="{_HEIGHT}" '
        f'role="img" aria-label="{escape(described)}">',
        f"<title>{escape(described)}</title><style>{_STYLE}</style>",
        f'<rect class="ground" width="720" height="{_HEIGHT}"/>',
        *_panel(_LEFT, "Accuracy on dev, percent", accuracies, _axis([*accuracies, *base], _LEAST_POINTS), best, base),
        *_panel(_LEFT + _APART, "Mean training loss", losses, _axis([*losses, 0.0], 0.001), best, []),
    ]
    return "\n".join([*parts, "</svg>"]) + "\n"


def spark_line(values: Sequence[float]) -> str:
    """Return values as a row of bars, from the lowest to the highest.

    >>> spark_line([0.5, 0.6, 0.7, 0.65])
    '▁▅█▆'
    """
    low, high = (min(values), max(values)) if values else (0.0, 0.0)
    steps = len(_BARS) - 1
    return "".join(_BARS[round(steps * (value - low) / (high - low)) if high > low else steps] for value in values)


def _described(accuracies: Sequence[float], losses: Sequence[float], best: int, base: Sequence[float]) -> str:
    constant = f", a constant answer {base[0]:.1f}" if base else ""
    return (
        f"Accuracy on dev by epoch: {', '.join(f'{value:.1f}' for value in accuracies)} percent; best in epoch "
        f"{best + 1}{constant}; the training loss went from {losses[0]:.3f} to {losses[-1]:.3f}."
    )


def _panel(left: int, head: str, values: Sequence[float], axis: _Axis, best: int, base: Sequence[float]) -> list[str]:
    right = left + _WIDE
    step = _WIDE / max(1, len(values) - 1)

    def x(epoch: int) -> float:
        return left + epoch * step if len(values) > 1 else left + _WIDE / 2

    def y(value: float) -> float:
        return _BOTTOM - (value - axis.low) / (axis.high - axis.low) * (_BOTTOM - _TOP)

    parts = [f'<text class="head" x="{left}" y="22">{escape(head)}</text>']
    for tick in axis.ticks:
        parts.append(f'<line class="axis" x1="{left}" y1="{y(tick):.1f}" x2="{right}" y2="{y(tick):.1f}"/>')
        parts.append(f'<text class="soft" x="{left - 8}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick:g}</text>')
    every = max(1, math.ceil(len(values) / _MOST_LABELS))
    parts += [
        f'<text class="soft" x="{x(epoch):.1f}" y="{_BOTTOM + 18}" text-anchor="middle">{epoch + 1}</text>'
        for epoch in range(0, len(values), every)
    ]
    parts.append(f'<text class="soft" x="{right}" y="{_BOTTOM + 36}" text-anchor="end">epoch</text>')
    for value in base:
        parts.append(f'<line class="constant" x1="{left}" y1="{y(value):.1f}" x2="{right}" y2="{y(value):.1f}"/>')
        parts.append(
            f'<text class="soft" x="{right}" y="{y(value) - 6:.1f}" text-anchor="end">'
            f"a constant answer: {value:.1f}</text>"
        )
    return [*parts, *_line(values, best, x, y)]


def _line(values: Sequence[float], best: int, x: Callable[[int], float], y: Callable[[float], float]) -> list[str]:
    points = [(x(epoch), y(value)) for epoch, value in enumerate(values)]
    parts = [f'<polyline points="{" ".join(f"{left:.1f},{top:.1f}" for left, top in points)}"/>']
    if len(points) <= _MOST_DOTS:
        parts += [f'<circle cx="{left:.1f}" cy="{top:.1f}" r="3"/>' for left, top in points]
    left, top = points[best]
    parts.append(f'<circle class="best" cx="{left:.1f}" cy="{top:.1f}" r="5"/>')
    # Beside the dot, on the side where there is room.
    anchor = "start" if best == 0 and len(points) > 1 else "end" if best > 0 and best == len(points) - 1 else "middle"
    above = top - 12 if top - 12 > _TOP - 14 else top + 22
    number = f"{values[best]:.1f}" if values[best] >= 10 else f"{values[best]:.3f}"
    parts.append(f'<text class="best" x="{left:.1f}" y="{above:.1f}" text-anchor="{anchor}">{number}</text>')
    return parts


def _axis(values: Sequence[float], least: float) -> _Axis:
    """Return an axis over some values, at least so long, that begins and ends with a tick."""
    high = max(values)
    low = min(*values, high - least)
    room = high - low
    size = 10.0 ** math.floor(math.log10(room))
    step = next(size * factor for factor in (0.2, 0.5, 1, 2, 5, 10) if room / (size * factor) <= 5)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return _Axis(first * step, last * step, [round(number * step, 9) for number in range(first, last + 1)])
