"""Numbers, times and answers as the owner reads them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime

from nliprobe.analysis.agreement import RateDocument
from nliprobe.analysis.checklist.bins import BINS
from nliprobe.people.records import Content, Item, Json, Judgement
from nliprobe.people.tasks import Task
from nliprobe.people.tasks.evidence import units_of
from nliprobe.people.tasks.premises import premise_of
from nliprobe.task.labels import NAMES
from nliprobe.task.table import Row, Table
from nliprobe.task.table_diff import table_diff

_LONGEST_ABOUT = 200


def when(seconds: float | None) -> str:
    """Write a time in UTC."""
    return "" if seconds is None else datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")


def share(value: float | None) -> str:
    """Write a share in percent."""
    return "–" if value is None else f"{100 * value:.0f} %"


def rate_cell(rate: RateDocument, *notes: str) -> dict[str, object] | str:
    """Write a rate with its interval and the number it is from, for a cell of a table; notes come first."""
    if rate["value"] is None:
        return "–"
    ends = rate["ci95"]
    interval = [] if ends is None else [f"{100 * ends[0]:.0f} to {100 * ends[1]:.0f}"]
    return {"text": f"{100 * rate['value']:.0f} %", "notes": [*notes, *interval, f"n = {rate['n']:,}"]}


def label_words(label: str) -> str:
    """Write a label with its name: ``E entailment``, ``NC neutral or contradiction``."""
    return f"{label} {' or '.join(NAMES[letter] for letter in label)}" if set(label) <= set(NAMES) and label else label


def about(content: Content) -> str:
    """Say what an item is about: its hypothesis, its template, or the beginning of its premise."""
    for name in ("hypothesis", "template"):
        if text := str(content.get(name, "")):
            return _beginning(text)
    premise = premise_of(content.get("premise", ""))
    return _beginning(premise if isinstance(premise, str) else ": ".join(filter(None, (premise.title, _keys(premise)))))


def _keys(table: Table) -> str:
    return ", ".join(table.columns or table.keys)


def _beginning(text: str) -> str:
    return text if len(text) <= _LONGEST_ABOUT else f"{text[:_LONGEST_ABOUT].rstrip()}…"


def answer_lines(item: Item, answer: Content) -> list[str]:
    """Write an answer of any task in a few lines."""
    if "units" in answer:
        return [_marked(item, answer)]
    if "verdict" in answer:
        return [" ".join(filter(None, [str(answer["verdict"]), label_words(str(answer["label"]))]))]
    if "label" in answer:
        return [label_words(str(answer["label"])) + (", odd" if answer.get("odd") else "")]
    if "table" in answer:
        return _edited(item, answer["table"])
    if "bin" in answer:
        return [f"{BINS[int(str(answer['bin'])) - 1]} %"]
    if isinstance(points := answer.get("points"), list):
        return [", ".join(f"{point} on {name} %" for name, point in zip(BINS, points, strict=True) if point)]
    return [f"{name}: {value}" for name, value in answer.items()]


def votes_words(task: Task, item: Item, said: Iterable[Judgement]) -> str:
    """Write how many raters said what: ``3 × E, 2 × C``."""
    votes = Counter(task.vote(one.answer) or "; ".join(answer_lines(item, one.answer)) for one in said)
    # Numbers of rows have commas between them.
    between = "; " if any("," in vote for vote in votes) else ", "
    return between.join(f"{number} × {vote}" for vote, number in votes.most_common())


def unit_votes(item: Item, said: Iterable[Judgement]) -> list[int]:
    """Return how many raters marked each row or sentence."""
    counts = [0] * units_of(item.content)[0]
    for one in said:
        units = one.answer["units"]
        assert isinstance(units, list)
        for unit in units:
            counts[int(str(unit))] += 1
    return counts


def _marked(item: Item, answer: Content) -> str:
    units = answer["units"]
    assert isinstance(units, list)
    kind = units_of(item.content)[1]
    numbers = ", ".join(str(int(str(unit)) + 1) for unit in units)
    marked = f"{kind}{'' if len(units) == 1 else 's'} {numbers}" if units else "nothing"
    return f"{marked}{', and knowledge from outside' if answer['outside'] else ''}"


def _edited(item: Item, value: Json) -> list[str]:
    """Write what a person changed in a table, row by row."""
    before, after = premise_of(item.content["premise"]), premise_of(value)
    if not isinstance(before, Table) or not isinstance(after, Table):
        return ["a table"]
    lines = []
    for row in table_diff(before, after).rows:
        if not row.changed:
            continue
        old = None if row.before is None else _row(before.rows[row.before])
        new = None if row.after is None else _row(after.rows[row.after])
        lines.append(f"removed: {old}" if new is None else f"added: {new}" if old is None else f"{old} → {new}")
    return lines or ["nothing changed"]


def _row(row: Row) -> str:
    values = ", ".join(row.values)
    return f"{row.key}: {values}" if row.key else values
