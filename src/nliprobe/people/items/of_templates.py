"""Items of the tasks *bid* and *pick*: templates on which a system's accuracy is known."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from nliprobe.analysis.checklist.bins import BINS, bin_of
from nliprobe.base.hashing import digest
from nliprobe.people.records import Item, Json
from nliprobe.people.tasks import Task
from nliprobe.people.tasks.premises import premise_value
from nliprobe.task.pair import Pair


@dataclass(frozen=True, slots=True)
class AskedTemplate:
    """A template to ask about.

    Attributes:
        id: the id of the template, which stays hidden.
        text: its pattern or description.
        accuracy: the system's accuracy on it, from 0 to 1.
        examples: some of its pairs.
        information: what the participant is told about the system; any JSON.
        stage: the stage of the study, if there are several.
    """

    id: str
    text: str
    accuracy: float
    examples: tuple[Pair, ...] = ()
    information: Json = None
    stage: str = ""


def bin_items(task: Task, templates: Iterable[AskedTemplate]) -> list[Item]:
    """Make an item of each template; the right bin is hidden, and strata are the bins."""
    return [_item(task, template) for template in templates]


def _item(task: Task, template: AskedTemplate) -> Item:
    content: dict[str, Json] = {"template": template.text}
    if template.examples:
        content["examples"] = [
            {"premise": premise_value(pair.premise), "hypothesis": pair.hypothesis} for pair in template.examples
        ]
    if template.information is not None:
        content["information"] = template.information
    right = BINS.index(bin_of(template.accuracy))
    hidden: dict[str, Json] = {"template": template.id, "truth": str(right + 1), "stage": template.stage}
    item = Item(digest(template.stage, template.id)[:16], content, hidden, BINS[right])
    task.check_item(item)
    return item
