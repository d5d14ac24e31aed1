"""Weights on a page: words marked in their text, and bars to the right (for) and to the left (against) of a line."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.report.names import short_names
from nliprobe.report.svg import plot, plot_line
from nliprobe.report.words import minus
from nliprobe.task.explanation import Weighed

if TYPE_CHECKING:
    from markupsafe import Markup

# Shades of a mark; words with less than the least share of the largest weight have none, and more of them in a text of
# more characters than people read.
_LEVELS, _LEAST, _LEAST_IN_LONG, _LONG = 4, 0.05, 0.25, 4000
# Characters that are shown before and after each mark of a text; the rest of a very long one is left out.
_AROUND = 600
_HEIGHT = 16
_LONGEST = 32


class Marked(NamedTuple):
    """A piece of a text: what it says, for or against the label or neither, how strongly, and whether it is named."""

    text: str
    side: str = ""
    level: int = 0
    named: bool = False
    weight: str = ""


class WeighedLine(NamedTuple):
    """One line of a picture: a name with its weight."""

    name: str
    weight: float


def marked_words(text: str, words: Sequence[Weighed], named: Sequence[Weighed], largest: float) -> Iterator[Marked]:
    """Cut a text into words that are marked by their weights, and what is between them.

    Args:
        text: the text.
        words: its words, in order.
        named: those that the explanation names; they have a sign besides.
        largest: the largest weight of both texts, for or against: that of the darkest shade.
    """
    at = 0
    least = _LEAST if len(text) <= _LONG else _LEAST_IN_LONG
    for word in words:
        share = abs(word["weight"]) / largest if largest else 0.0
        if (share < least and word not in named) or word["span"] is None or not word["weight"]:
            continue
        start, stop = word["span"]
        if start > at:
            yield Marked(_middle_out(text[at:start]))
        yield Marked(
            text[start:stop],
            "for" if word["weight"] > 0 else "against",
            max(1, math.ceil(_LEVELS * share)),
            word in named,
            weight_text(word["weight"]),
        )
        at = stop
    if at < len(text):
        yield Marked(_middle_out(text[at:]))


def _middle_out(text: str) -> str:
    return text if len(text) <= 2 * _AROUND else f"{text[:_AROUND]} … {text[-_AROUND:]}"


def weight_text(weight: float) -> str:
    """Write a weight with its sign."""
    return minus(f"{weight:+.3f}")


def weight_plot(lines: Sequence[WeighedLine], title: str) -> Markup:
    """Draw weights as bars from a common line, for the label to the right and against it to the left."""
    from markupsafe import Markup

    largest = max((abs(line.weight) for line in lines), default=0.0)
    short = short_names((line.name for line in lines), _LONGEST)
    drawn = [
        plot_line(
            "weighed",
            (line.name, short[line.name]),
            (_HEIGHT, _drawn(line.weight, largest)),
            weight_text(line.weight),
        )
        for line in lines
    ]
    return Markup(plot(title, drawn))


def weight_strip(weight: float, largest: float) -> Markup:
    """Draw one bar by itself; its number stands beside it."""
    from markupsafe import Markup

    return Markup(f'<svg class="strip" height="{_HEIGHT}" aria-hidden="true">{_drawn(weight, largest)}</svg>')


def _drawn(weight: float, largest: float) -> str:
    width = 50 * abs(weight) / largest if largest else 0.0
    start = 50.0 if weight >= 0 else 50 - width
    side = "for" if weight >= 0 else "against"
    return (
        f'<line class="axis" x1="50%" x2="50%" y1="0" y2="100%"/>'
        f'<rect class="bar {side}" x="{start:.2f}%" width="{width:.2f}%" height="{_HEIGHT - 4}" y="2"/>'
    )
