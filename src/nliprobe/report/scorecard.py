"""The scorecard: a row per question, a column per system, and in each cell a number on a scale that the row shares."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.analysis.artifacts.run_documents import ArtifactsDocument
from nliprobe.analysis.checklist.documents import ChecklistDocument
from nliprobe.analysis.documents import ShowDocument
from nliprobe.analysis.rates import Ends
from nliprobe.report.names import short_names
from nliprobe.report.points import spread_words
from nliprobe.report.score_rows import BROKEN, SHARE, Family, Measure, measures
from nliprobe.report.subjects import Estimate, Subject, estimate, subjects
from nliprobe.report.svg import Scale
from nliprobe.report.words import percent, signed

if TYPE_CHECKING:
    from markupsafe import Markup

# With more columns than this, columns are lettered and intervals are only drawn: the numbers below have them.
_NAMED_COLUMNS = 4
_LONGEST = 22
_HEIGHT = 18
# A scale is never so short that a small number looks large.
_LEAST = 0.1


class Column(NamedTuple):
    """A column: a letter where there are many, the short and the full name, and why it is a control, if it is one."""

    letter: str
    short: str
    name: str
    control: str


class Cell(NamedTuple):
    """A number of one system, written and drawn; empty if there is none."""

    text: str
    ends: str
    drawing: Markup


class Row(NamedTuple):
    """One question, and the cell of each column."""

    name: str
    title: str
    cells: list[Cell | None]


class Block(NamedTuple):
    """One family: its rows, and the ends of their common scale."""

    family: Family
    about: str
    low: str
    high: str
    rows: list[Row]


class Scorecard(NamedTuple):
    """The scorecard of a run; ``narrow`` if it has so many columns that they are lettered."""

    columns: list[Column]
    blocks: list[Block]
    narrow: bool


def scorecard(
    document: ShowDocument, checklist: ChecklistDocument | None = None, artifacts: ArtifactsDocument | None = None
) -> Scorecard | None:
    """Make the scorecard of a run; None if it has no number to show."""
    listed = list(measures(document, checklist, artifacts))
    if not listed:
        return None
    asked = subjects(document["run"])
    narrow = len(asked) > _NAMED_COLUMNS
    short = short_names((subject.label for subject in asked), _LONGEST)
    columns = [
        Column(letters(place) if narrow else "", short[subject.label], subject.label, subject.control)
        for place, subject in enumerate(asked)
    ]
    families = dict.fromkeys(item.family for item in listed)
    blocks = [_block(family, [item for item in listed if item.family == family], asked) for family in families]
    return Scorecard(columns, blocks, narrow)


def letters(place: int) -> str:
    """Name a column as spreadsheets do.

    >>> letters(0), letters(25), letters(26), letters(27)
    ('A', 'Z', 'AA', 'AB')
    """
    name = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        name = chr(ord("A") + rest) + name
    return name


def _block(family: Family, listed: Sequence[Measure], asked: Sequence[Subject]) -> Block:
    scale = _scale(family, listed)
    names = list(dict.fromkeys(item.row for item in listed))
    short = short_names(names, 34)
    rows = []
    for name in names:
        own = [item for item in listed if item.row == name]
        rows.append(Row(short[name], name, [_cell(own, subject, family, scale) for subject in asked]))
    corpora = {item.corpus for item in listed if item.corpus}
    averaged = len(corpora) > 1 and any(item.row != item.corpus for item in listed)
    about = f"{family.about} Mean of {len(corpora)} corpora." if averaged else family.about
    return Block(family, about, _end(family, scale.low), _end(family, scale.high), rows)


def _scale(family: Family, listed: Iterable[Measure]) -> Scale:
    if family.kind == SHARE:
        return Scale(0.0, 1.0)
    reach = max(abs(end) for item in listed for end in (item.value, *(item.ci95 or ())))
    # Rounded up to whole tens, so that the ends can be written.
    high = min(1.0, max(_LEAST, -(-round(1000 * reach) // 100) / 10))
    return Scale(0.0, high) if family.kind == BROKEN else Scale(-high, high)


def _end(family: Family, value: float) -> str:
    return f"{100 * value:.0f}" if family.kind in (SHARE, BROKEN) else signed(value).replace(".0", "")


def _cell(own: Sequence[Measure], subject: Subject, family: Family, scale: Scale) -> Cell | None:
    from markupsafe import Markup

    values = [_average([item for item in own if item.system == system]) for system in subject.systems]
    found = estimate([value for value in values if value is not None])
    if found is None:
        return None
    beside = [item for item in own if item.system in subject.systems]
    text = percent(found.value) if family.kind in (SHARE, BROKEN) else signed(found.value)
    ends = spread_words(found, sign=family.kind not in (SHARE, BROKEN))
    drawing = Markup(_strip(found, scale, _mean(item.base for item in beside), _mean(item.rival for item in beside)))
    return Cell(text, ends, drawing)


def _average(same: Sequence[Measure]) -> tuple[float, Ends] | None:
    """Average the numbers of a system over corpora, each with the same weight."""
    from nliprobe.stats.intervals import Interval, mean_interval

    if not same:
        return None
    values = [item.value for item in same]
    ends = mean_interval(values, [None if item.ci95 is None else Interval(*item.ci95) for item in same])
    return sum(values) / len(values), None if ends is None else list(ends)


def _mean(values: Iterable[float | None]) -> float | None:
    known = list(values)
    numbers = [value for value in known if value is not None]
    return sum(numbers) / len(numbers) if numbers and len(numbers) == len(known) else None


def _strip(found: Estimate, scale: Scale, base: float | None, rival: float | None) -> str:
    """Draw a number on its scale: zero, a constant answer dashed, the best control as a tick, seeds as small dots."""
    middle = _HEIGHT // 2
    parts = [f'<line class="rail" x1="0" x2="100%" y1="{middle}" y2="{middle}"/>']
    if scale.low <= 0 and not (scale.low == 0 and scale.high == 1):
        parts.append(_tick("zero", scale.at(0.0), 0))
    if base is not None:
        parts.append(_tick("base", scale.at(base), 0))
    if rival is not None:
        parts.append(_tick("rival", scale.at(rival), 3))
    if found.ci95 is not None:
        low, high = (scale.at(end) for end in found.ci95)
        parts.append(f'<line class="whisker" x1="{low}" x2="{high}" y1="{middle}" y2="{middle}"/>')
    parts += [f'<circle class="seed" cx="{scale.at(seed)}" cy="{middle}" r="2.5"/>' for seed in found.seeds]
    parts.append(f'<circle class="dot" cx="{scale.at(found.value)}" cy="{middle}" r="4.5"/>')
    return f'<svg class="strip" height="{_HEIGHT}" aria-hidden="true">{"".join(parts)}</svg>'


def _tick(name: str, x: str, short: int) -> str:
    return f'<line class="{name}" x1="{x}" x2="{x}" y1="{short}" y2="{_HEIGHT - short}"/>'
