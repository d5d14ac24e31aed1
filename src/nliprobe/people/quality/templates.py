"""What people said about the examples of each template, as sheets tell it (spec C3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nliprobe.base.errors import UsageError
from nliprobe.people.counted import counted, ids_of
from nliprobe.people.records import Item, Judgement
from nliprobe.people.sheets import AnnotateDocument, judge
from nliprobe.people.sheets import Item as SheetItem
from nliprobe.people.tasks.labels import LabelTask
from nliprobe.task.labels import THREE_WAY


def judged_templates(task: LabelTask, items: Sequence[Item], judgements: Iterable[Judgement]) -> AnnotateDocument:
    """Return the agreement on each template, with the templates that should be looked at: the document of sheets."""
    if task.partition != THREE_WAY:
        raise UsageError(f"Templates are judged in {THREE_WAY}, not in {task.partition}.")
    ids = ids_of(items)
    asked = {
        item.name: SheetItem(
            item.name, ids[item.name], str(item.hidden.get("group", item.stratum)), str(item.hidden.get("gold", ""))
        )
        for item in items
        if item.expected is None
    }
    said: dict[str, dict[str, str]] = {}
    for one in counted(items, judgements):
        said.setdefault(one.judgement.rater, {})[one.item.name] = str(one.judgement.answer["label"])
    return judge(asked, said)
