"""Write a project for Label Studio: its tasks with what raters said, and the labelling configuration beside them.

The formats are those of https://labelstud.io/guide/task_format and https://labelstud.io/tags. Label Studio knows its
own users only and refuses annotations by others, so that the pseudonym of a rater is a text of the annotation, not its
``completed_by``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from html import escape
from pathlib import Path

from nliprobe.base.errors import UsageError
from nliprobe.base.files import write_atomic
from nliprobe.base.halves import whole_json
from nliprobe.base.hashing import digest
from nliprobe.people.exchange.controls import Control, Form, form_of, unit_choices
from nliprobe.people.export.files import Exported
from nliprobe.people.records import Item, Json, Judgement, JudgementState, Project
from nliprobe.people.tasks import Task
from nliprobe.people.tasks.premises import premise_of
from nliprobe.task.pair import Premise

# The object that all controls belong to, and the texts that every annotation may have.
OBJECT, RATER, REMARK = "pair", "rater", "remark"
# What an item shows besides, in the order in which people read it.
_SHOWN = (("original", "Before the edit"), ("suggested", "Suggested label"), ("template", "Template"))
_PREMISES = (("before", "Premise before the edit"), ("premise", "Premise"))


def write_label_studio(
    path: Path, project: Project, task: Task, items: Sequence[Item], judgements: Iterable[Judgement]
) -> Exported:
    """Write all items of a project as tasks, with the judgements that count as annotations.

    The labelling configuration is written beside it, with the ending ``.xml``. Nothing that raters may not see is in
    either of them.

    Args:
        path: the file of the tasks, which ends in ``.json``.
        project: the project.
        task: its task.
        items: its items; attention items look like all others.
        judgements: its judgements.
    """
    if path.suffix != ".json":
        raise UsageError(f"'{path}' should end in .json, which is how Label Studio imports tasks.")
    form = form_of(task, project.task, items)
    said: dict[str, list[Judgement]] = {}
    for one in judgements:
        if one.state is JudgementState.COUNTS:
            said.setdefault(one.item, []).append(one)
    tasks = [_task(task, form, item, said.get(item.name, [])) for item in items]
    text = json.dumps(tasks, ensure_ascii=False, indent=1)
    write_atomic(path, whole_json(text).encode("utf-8"), b"\n")
    write_atomic(path.with_suffix(".xml"), label_config(project, form).encode("utf-8"))
    return Exported(path, len(tasks), {}, str(path.with_suffix(".xml")))


def label_config(project: Project, form: Form) -> str:
    """Return the labelling configuration of a project: what is shown, and what is asked."""
    lines = [
        "<View>",
        f'  <Header value="{_attribute(project.title or project.name)}"/>',
        f'  <HyperText name="{OBJECT}" value="$shown"/>',
        *(line for control in form.controls for line in _control_lines(control)),
        '  <Header value="Remark" size="5"/>',
        f'  <TextArea name="{REMARK}" toName="{OBJECT}" rows="2" maxSubmissions="1"/>',
        # Kept, so that what comes back still says who said it; hidden, because people would write their names there.
        '  <View style="display: none">',
        f'    <TextArea name="{RATER}" toName="{OBJECT}" rows="1" maxSubmissions="1"/>',
        "  </View>",
        "</View>",
    ]
    return "\n".join(lines) + "\n"


def _control_lines(control: Control) -> list[str]:
    required = ' required="true"' if control.needed else ""
    head = f'  <Header value="{_attribute(control.asks)}" size="5"/>'
    own = f'name="{control.name}" toName="{OBJECT}"'
    if control.from_item:
        return [head, f'  <Choices {own} choice="multiple" value="$units"{required}/>']
    if not control.choices:
        return [head, f'  <TextArea {own} rows="2" maxSubmissions="1" editable="true"{required}/>']
    many = "multiple" if len(control.choices) == 1 else "single"
    options = [
        f'    <Choice value="{_attribute(words)}" alias="{_attribute(kept)}"/>' for kept, words in control.choices
    ]
    return [head, f'  <Choices {own} choice="{many}"{required}>', *options, "  </Choices>"]


def _task(task: Task, form: Form, item: Item, said: Sequence[Judgement]) -> dict[str, object]:
    data: dict[str, object] = {"item": item.name, "shown": _shown(task.shown(item))}
    if any(control.from_item for control in form.controls):
        data["units"] = [{"value": choice} for choice in unit_choices(item)]
    made: dict[str, object] = {"data": data}
    if said:
        made["annotations"] = [_annotation(form, item, one) for one in said]
    return made


def _annotation(form: Form, item: Item, one: Judgement) -> dict[str, object]:
    values = form.values(one.answer)
    if "evidence" in values:
        texts = unit_choices(item)
        values["evidence"] = [texts[int(number) - 1] for number in values["evidence"]]
    texts_of = {control.name for control in form.controls if not control.choices and not control.from_item}
    result = [
        _result(item, one, name, "textarea" if name in texts_of else "choices", chosen)
        for name, chosen in values.items()
        if chosen
    ]
    result.append(_result(item, one, RATER, "textarea", [one.rater]))
    if one.remark:
        result.append(_result(item, one, REMARK, "textarea", [one.remark]))
    given = datetime.fromtimestamp(one.given, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    made: dict[str, object] = {"result": result, "was_cancelled": False, "created_at": given}
    if one.seconds is not None:
        made["lead_time"] = round(one.seconds, 3)
    return made


def _result(item: Item, one: Judgement, name: str, kind: str, chosen: Sequence[str]) -> dict[str, object]:
    return {
        "id": digest(item.name, one.rater, name)[:10],
        "from_name": name,
        "to_name": OBJECT,
        "type": kind,
        "value": {"text" if kind == "textarea" else "choices": list(chosen)},
    }


def _shown(shown: dict[str, Json]) -> str:
    """Write what a rater sees of an item as HTML in which every text is escaped."""
    parts: list[str] = []
    for name, title in _PREMISES:
        if name in shown:
            parts.append(f"<h4>{title}</h4>{_premise(premise_of(shown[name]))}")
    if "hypothesis" in shown:
        parts.append(f"<h4>Hypothesis</h4><p>{escape(str(shown['hypothesis']))}</p>")
    parts += [f"<h4>{title}</h4><p>{escape(str(shown[name]))}</p>" for name, title in _SHOWN if name in shown]
    for name in ("explanation", "examples", "information"):
        if name in shown:
            text = json.dumps(shown[name], ensure_ascii=False, indent=1)
            parts.append(f"<h4>{name.capitalize()}</h4><pre>{escape(text)}</pre>")
    return "".join(parts)


def _premise(premise: Premise) -> str:
    if isinstance(premise, str):
        return f"<p>{escape(premise)}</p>"
    head = "".join(f"<th>{escape(name)}</th>" for name in premise.columns)
    rows = [
        "".join(f"<td>{escape(value)}</td>" for value in row.values)
        if premise.columns
        else f"<th>{escape(row.key)}</th><td>{escape(', '.join(row.values))}</td>"
        for row in premise.rows
    ]
    lines = "".join(f"<tr>{row}</tr>" for row in ([head] if head else []) + rows)
    return f"<table><caption>{escape(premise.title)}</caption>{lines}</table>"


def _attribute(text: str) -> str:
    """Escape a text for an attribute; XML knows no control characters."""
    return escape("".join(letter for letter in text if letter.isprintable()), quote=True)
