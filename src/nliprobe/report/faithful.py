"""How faithful an explanation is, as a picture: the number that is explained while named words or units go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nliprobe.report.names import short_names
from nliprobe.report.svg import Scale, axis, grid, plot, plot_line
from nliprobe.report.words import NOTHING, minus
from nliprobe.task.explanation import Explanation, Faithfulness, Step, Weighed, supporting

if TYPE_CHECKING:
    from markupsafe import Markup

_HEIGHT = 20
_LONGEST = 40


def faithful_plot(
    faithful: Faithfulness, made: Explanation, features: Sequence[Weighed], names: Sequence[str]
) -> Markup:
    """Draw a line per step: a full dot without the named ones, a hollow one without as many at random.

    Args:
        faithful: what was measured.
        made: the explanation it belongs to.
        features: all words or units.
        names: what they are called, in the same order.
    """
    from markupsafe import Markup

    steps = faithful["named"]
    gone = [names[place] for place in supporting(features, len(steps) - 1)]
    heads = ["as it is", *(f"{'then' if place else 'without'} {name}" for place, name in enumerate(gone))]
    others: list[float | None] = [None, *faithful["random_value"]]
    changed: list[float | None] = [None, *faithful["random_changed"]]
    known = [step["value"] for step in steps] + others
    scale = _scale([value for value in known if value is not None], margin=made["scale"] == "margin")
    short = short_names(heads, _LONGEST)
    lines = [
        plot_line(
            "barred",
            (head, short[head]),
            (_HEIGHT, grid(scale) + _drawn(step["value"], other, scale)),
            _said(step, other, share),
        )
        for head, step, other, share in zip(heads, steps, others, changed, strict=True)
    ]
    drawn = plot("What is taken out, and what the system says then", [*lines, axis(scale, times=1)])
    return Markup(f'<div class="steps">{drawn}</div>')


def _scale(values: Sequence[float], *, margin: bool) -> Scale:
    if not margin:
        return Scale(0.0, 1.0)
    low, high = min([0.0, *values]), max([0.0, *values])
    return Scale(low, high) if high > low else Scale(0.0, 1.0)


def _drawn(named: float | None, other: float | None, scale: Scale) -> str:
    middle = _HEIGHT // 2
    parts = []
    if named is not None and other is not None:
        parts.append(f'<line class="way" x1="{scale.at(other)}" x2="{scale.at(named)}" y1="{middle}" y2="{middle}"/>')
    if other is not None:
        parts.append(f'<circle class="before" cx="{scale.at(other)}" cy="{middle}" r="4.5"/>')
    if named is not None:
        parts.append(f'<circle class="after" cx="{scale.at(named)}" cy="{middle}" r="4.5"/>')
    return "".join(parts)


def _said(step: Step, other: float | None, share: float | None) -> str:
    own = f"{step['label'] or 'no answer'} {_number(step['value'])}"
    if share is None:
        return own
    return f"{own}; others {_number(other)}, {100 * share:.0f} % change"


def _number(value: float | None) -> str:
    return NOTHING if value is None else minus(f"{value:.2f}")
