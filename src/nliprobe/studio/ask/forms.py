"""What the owner sends: a pair, an edit of one, and which systems are asked."""

from __future__ import annotations

from collections import Counter

from nliprobe.api.typed import read_premise, require_askable, require_short, tidy
from nliprobe.base.errors import DataError
from nliprobe.studio.ask.asking import Asking
from nliprobe.studio.calls import Call
from nliprobe.task.labels import NAMES, LabelSet
from nliprobe.task.pair import Premise
from nliprobe.task.table import Row, Table

_FORM_NAMES = ("premise", "form", "title", "hypothesis")


def typed_pair(call: Call) -> tuple[Premise, str, str, tuple[str, ...]]:
    """Return the premise, the hypothesis, what the premise was read as, and notes."""
    read = read_premise(call.text("premise", ""), call.text("form", "auto"), title=call.text("title", ""))
    return read.premise, _hypothesis(call), read.form, read.notes


def typed_values(call: Call) -> dict[str, str]:
    """Return what stands in the form, to be shown again beside what is wrong."""
    return {name: value for name in _FORM_NAMES if isinstance(value := call.fields.get(name), str)}


def chosen_systems(call: Call, asking: Asking) -> list[int]:
    """Return the numbers of the systems that are asked.

    Raises:
        DataError: none is chosen, or something that is no number.
        NotFoundError: a system does not exist.
    """
    chosen = call.texts("system")
    if not chosen:
        raise DataError("No system is chosen: choose at least one to ask.")
    if not all(text.isdecimal() and len(text) < 6 for text in chosen):
        raise DataError("Systems are chosen by their numbers.")
    numbers = sorted({int(text) for text in chosen})
    for number in numbers:
        asking.name(number)
    return numbers


def edited_pair(call: Call, premise: Premise) -> tuple[Premise, str]:
    """Return what the owner made of a version: its premise has the same form as before."""
    hypothesis = _hypothesis(call)
    if not isinstance(premise, Table):
        text = tidy(call.text("premise", ""))
        if not text:
            raise DataError("The premise is empty: there is nothing to conclude from.")
        edited: Premise = text
    else:
        rows = _grid_rows(call, len(premise.columns)) if premise.columns else _keyed_rows(call)
        if not rows:
            raise DataError("The table has no row left: there is nothing to conclude from.")
        edited = Table(_cell(call.text("title", "")), tuple(rows), premise.category, premise.columns)
        if not edited.title and not edited.columns:
            raise DataError("The table has no title: hypotheses speak of what a table is about.")
    require_askable(edited)
    return edited, hypothesis


def chosen_label(call: Call) -> LabelSet | None:
    """Return the label that the owner holds right; none if they do not say."""
    given = call.text("label", "")
    if given and given not in NAMES:
        raise DataError(f"'{given:.20}' is not a label: expected {', '.join(NAMES)}, or none.")
    return LabelSet.of(given) if given else None


def _hypothesis(call: Call) -> str:
    text = tidy(call.text("hypothesis", ""))
    if not text:
        raise DataError("The hypothesis is empty: type the statement that is to be judged.")
    require_short("hypothesis", text)
    return text


def _keyed_rows(call: Call) -> list[Row]:
    keys, values = call.texts("key"), call.texts("values")
    if len(keys) != len(values):
        raise DataError("The form is not complete: every row has a key and values.")
    rows: list[Row] = []
    for key, lines in zip(map(_cell, keys), values, strict=True):
        filled = tuple(filter(None, map(_cell, tidy(lines).split("\n"))))
        if not key and not filled:
            continue
        if not key:
            raise DataError(f"The row with “{filled[0]:.60}” has no key: give it one, or take its values out.")
        if not filled:
            raise DataError(f"The row “{key:.60}” has no value: give it one, or take its key out.")
        rows.append(Row(key, filled))
    twice = [key for key, times in Counter(row.key for row in rows).items() if times > 1]
    if twice:
        raise DataError(f"Two rows have the key “{twice[0]:.60}”: write their values into one row, one per line.")
    return rows


def _grid_rows(call: Call, width: int) -> list[Row]:
    cells = [_cell(text) for text in call.texts("cell")]
    if len(cells) % width:
        raise DataError("The form is not complete: every row has as many cells as there are columns.")
    rows = [cells[start : start + width] for start in range(0, len(cells), width)]
    return [Row("", tuple(row)) for row in rows if any(row)]


def _cell(text: str) -> str:
    return " ".join(tidy(text).split())
