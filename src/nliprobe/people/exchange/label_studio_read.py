"""Read what people said in Label Studio: its JSON export, and the short form JSON_MIN."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from nliprobe.base.errors import DataError, did_you_mean
from nliprobe.base.halves import whole_json
from nliprobe.base.hashing import digest
from nliprobe.base.limited import read_limited
from nliprobe.people.exchange.controls import Form, chosen, form_of
from nliprobe.people.exchange.label_studio import RATER, REMARK
from nliprobe.people.records import Item, Judgement
from nliprobe.people.tasks import Task
from nliprobe.people.texts import require_remark

# Bytes: 100,000 tasks with the tables of InfoTabS and five annotations each have about 400 MB; Label Studio itself
# advises at most as many per project.
_LARGEST = 500_000_000
# Why annotations are no judgements.
SKIPPED, EMPTY = "skipped in Label Studio", "empty in Label Studio"
# What JSON_MIN has of a task that nobody has said anything about: our own data, and what Label Studio adds.
_WITHOUT_ANSWER = frozenset(
    ("item", "shown", "units", "id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time")
)


class Annotated(NamedTuple):
    """What a file holds: judgements, and how many annotations are none, by reason."""

    judgements: tuple[Judgement, ...]
    left_out: dict[str, int]


class _Found(NamedTuple):
    """An annotation in either form: where it is, its item, who made it, when, and what was chosen."""

    place: str
    item: str
    rater: str
    given: float
    seconds: float | None
    values: Mapping[str, list[str]]


def read_label_studio(path: Path, task: Task, name: str, items: Sequence[Item], *, given: float) -> Annotated:
    """Read the judgements in a file that Label Studio exported, as JSON or JSON_MIN.

    Args:
        path: the file.
        task: the task of the project.
        name: the name of the task.
        items: the items of the project; the file names them as ``data.item``.
        given: when judgements were given that do not say it themselves.

    Raises:
        DataError: the file is no such export, or an annotation is no answer; the sentence says which.
    """
    text = read_limited(path, _LARGEST, "Export the tasks in parts.")
    return parse_label_studio(text, str(path), task, name, items, given=given)


def parse_label_studio(
    text: str, place: str, task: Task, name: str, items: Sequence[Item], *, given: float
) -> Annotated:
    """Read the same from a text; errors name the place that it comes from."""
    form = form_of(task, name)
    known = {item.name: item for item in items}
    judgements: list[Judgement] = []
    left_out: dict[str, int] = {}
    for one in _annotations(_tasks(text, place), place, form, left_out, given):
        item = known.get(one.item)
        if item is None:
            hint = did_you_mean(one.item, known)
            told = hint if hint.startswith("Did") else "It may be one of another project."
            raise DataError(f"{one.place}: '{one.item:.80}' is no item of this project. {told}")
        try:
            answer = task.checked(item, form.answer(chosen(form, one.values)))
            remark = require_remark(" ".join(one.values.get(REMARK, ())))
        except DataError as error:
            raise DataError(f"{one.place}: {error}") from error
        judgements.append(Judgement(item.name, one.rater, answer, one.given, one.seconds, remark))
    return Annotated(tuple(judgements), left_out)


def _tasks(text: str, place: str) -> list[Mapping[str, object]]:
    try:
        content = json.loads(whole_json(text))
    except (ValueError, RecursionError) as error:
        raise DataError(f"{place} is no JSON: {str(error)[:100]}.") from None
    tasks = content if isinstance(content, list) else [content]
    if not tasks or not all(isinstance(one, dict) for one in tasks):
        raise DataError(f"{place} holds no tasks of Label Studio: expected a list of objects.")
    return tasks


def _annotations(
    tasks: Iterable[Mapping[str, object]], place: str, form: Form, left_out: dict[str, int], given: float
) -> Iterator[_Found]:
    for number, one in enumerate(tasks, 1):
        here = f"{place}, task {number}{_known_there_as(one)}"
        data = one.get("data")
        if not isinstance(data, dict):
            if not _is_unlabelled(one):
                found = _short(one, here, form, given)
                if set(one) - _WITHOUT_ANSWER:
                    yield found
                else:
                    _count(left_out, EMPTY)
            continue
        name = _item(data, here)
        # Until version 1.0 annotations were called completions.
        every = one.get("annotations", one.get("completions", []))
        if not isinstance(every, list) or not all(isinstance(each, dict) for each in every):
            raise DataError(f"{here}: 'annotations' should be a list of objects.")
        for place_in_task, each in enumerate(every, 1):
            if each.get("was_cancelled"):
                _count(left_out, SKIPPED)
                continue
            if each.get("result") == []:
                _count(left_out, EMPTY)
                continue
            where = f"{here}, annotation {place_in_task}" if len(every) > 1 else here
            values = _values(each.get("result"), where)
            rater = _rater(values, each.get("completed_by"), where)
            yield _Found(where, name, rater, _when(each, given), _seconds(each.get("lead_time")), values)


def _is_unlabelled(one: Mapping[str, object]) -> bool:
    """Tell whether a record of JSON_MIN is a task that nobody has labelled, which an export of all tasks has, too."""
    says_so = all(name in one and one[name] is None for name in ("annotator", "annotation_id"))
    return says_so and isinstance(one.get("item"), str) and not set(one) - _WITHOUT_ANSWER


def _known_there_as(one: Mapping[str, object]) -> str:
    """Return the number that a task has in Label Studio, which is not its place in the file."""
    number = one.get("id")
    return f" (#{number} in Label Studio)" if type(number) is int else ""


def _count(left_out: dict[str, int], reason: str) -> None:
    left_out[reason] = left_out.get(reason, 0) + 1


def _short(one: Mapping[str, object], place: str, form: Form, given: float) -> _Found:
    """Read a record of JSON_MIN: one annotation, whose values stand beside the fields of the task."""
    names = [*(control.name for control in form.controls), RATER, REMARK]
    values = {name: _plain(one[name]) for name in names if name in one}
    rater = _rater(values, one.get("annotator"), place)
    return _Found(place, _item(one, place), rater, _when(one, given), _seconds(one.get("lead_time")), values)


def _plain(value: object) -> list[str]:
    """Return the texts of a value of JSON_MIN: a text, an object with ``choices`` or ``text``, or a list of these."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, list):
        return [text for each in value for text in _plain(each)]
    if isinstance(value, dict):
        return _plain(value.get("choices", value.get("text", [])))
    return []


def _item(data: Mapping[str, object], place: str) -> str:
    name = data.get("item")
    if not isinstance(name, str):
        raise DataError(f"{place} does not say which item it is about, under 'item'. {_config()}")
    return name


def _values(result: object, place: str) -> dict[str, list[str]]:
    if not isinstance(result, list):
        raise DataError(f"{place}: 'result' should be a list.")
    found: dict[str, list[str]] = {}
    for one in result:
        name, value = (one.get("from_name"), one.get("value")) if isinstance(one, dict) else (None, None)
        if isinstance(name, str) and isinstance(value, dict):
            found.setdefault(name, []).extend(_plain(value))
    return found


def _rater(values: Mapping[str, list[str]], by: object, place: str) -> str:
    """Return who said it: the pseudonym that we wrote, else the number of a user of Label Studio."""
    if named := " ".join(values.get(RATER, ())).strip():
        return named
    if isinstance(by, dict):
        # An address of a mailbox is no pseudonym.
        by = by.get("id") or (digest("label studio", str(by["email"]))[:8] if by.get("email") else None)
    if isinstance(by, bool) or not isinstance(by, int | str) or not str(by).strip():
        raise DataError(f"{place} does not say who annotated it.")
    if isinstance(by, str) and "@" in by:
        by = digest("label studio", by)[:8]
    return f"label-studio-{by}"


def _when(one: Mapping[str, object], given: float) -> float:
    said = one.get("created_at")
    try:
        return datetime.fromisoformat(said).timestamp() if isinstance(said, str) else given
    except (ValueError, OverflowError):
        return given


def _seconds(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value < 1e9 else None


def _config() -> str:
    return "Label with the configuration that nliprobe annotate export PROJECT --as label-studio writes."
