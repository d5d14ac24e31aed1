"""The form of a new project: its fields, their defaults, and what is wrong with them, field by field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from nliprobe.api.run_pairs import RunChoice
from nliprobe.base.errors import NliprobeError
from nliprobe.people.items.of_pairs import Stratum
from nliprobe.people.records import RATERS_PER_ITEM, Json
from nliprobe.people.store.rows import checked_name
from nliprobe.people.tasks import TASKS
from nliprobe.studio.manage.changing import text_error
from nliprobe.studio.manage.numbers import whole_number
from nliprobe.studio.manage.offers import Kind, Offer, find_offer

# Tasks that the owner can ask; those of studies are made by nliprobe study new.
TASK_NAMES = ("verify", "judge", "evidence", "write", "counterfactual", "settle")
LABEL_TASKS = ("verify", "judge")
PARTITIONS = (
    ("E|N|C", "entailment, neutral, contradiction"),
    ("E|NC", "entailment or not"),
    ("E|C", "entailment or contradiction"),
)
CHOICES = (
    (RunChoice.DISAGREE, "pairs about which systems disagree"),
    (RunChoice.BROKEN, "edited cases that break an expectation"),
    (RunChoice.WRONG, "pairs that some system gets wrong"),
    (RunChoice.PAIRS, "all pairs"),
)
STRATA = (
    (Stratum.GROUP, "tables, templates or other groups"),
    (Stratum.LABEL, "gold labels"),
    (Stratum.CATEGORY, "categories of tables, capabilities of templates"),
    (Stratum.NONE, "nothing"),
)
# In the order of the page.
DEFAULTS: Mapping[str, str] = {
    "name": "",
    "title": "",
    "task": "verify",
    "source": "",
    "choice": RunChoice.DISAGREE.value,
    "items": "",
    "per_group": "",
    "raters": str(RATERS_PER_ITEM),
    "most": "",
    "pilot": "",
    "batch": "",
    "instructions": "",
    "attention": "",
    "attention_count": "20",
    "attention_every": "10",
    "partition": "E|N|C",
    "evenly": Stratum.GROUP.value,
    "suggest": "",
    "lease": "30",
    "seed": "0",
}
_LONGEST_TITLE = 300
_MANY = 1_000_000


class Draft(NamedTuple):
    """A form without errors: what a project is to be."""

    name: str
    title: str
    task: str
    source: Offer
    choice: RunChoice
    items: int | None
    per_group: int | None
    raters: int
    most: int | None
    pilot: int
    batch: int | None
    attention: Offer | None
    attention_count: int
    attention_every: int
    stratum: Stratum
    options: dict[str, Json]
    blind: bool
    instructions: str
    lease_seconds: int
    seed: int


@dataclass
class ProjectForm:
    """What stands in the fields, and what is wrong with it.

    Attributes:
        fields: the texts of the fields.
        errors: a sentence per field that is wrong.
    """

    fields: dict[str, str]
    errors: dict[str, str] = field(default_factory=dict)

    def read(self, offered: Sequence[Offer]) -> Draft | None:
        """Return what the project is to be, or None if something is wrong."""
        fields, errors = self.fields, self.errors
        try:
            checked_name(fields["name"].strip(), "a project")
        except NliprobeError as error:
            errors["name"] = str(error) if fields["name"].strip() else "Give the project a name."
        if len(fields["title"]) > _LONGEST_TITLE:
            errors["title"] = f"Expected at most {_LONGEST_TITLE} characters."
        task = fields["task"]
        if task not in TASK_NAMES:
            errors["task"] = "Choose one of the tasks."
        source = find_offer(offered, fields["source"])
        self._check_source(task, source)
        attention = find_offer(offered, fields["attention"]) if fields["attention"] else None
        if fields["attention"] and (attention is None or attention.kind is not Kind.CORPUS):
            errors["attention"] = "Choose one of the corpora, or none."
        elif attention is not None and task == "settle":
            errors["attention"] = "Nobody knows yet what is right about cases of a review queue: choose none."
        elif attention is not None and task in ("write", "counterfactual"):
            errors["attention"] = f"There is no known answer to the task '{task}': choose none."
        elif attention is not None and attention == source:
            errors["attention"] = "These pairs are to be judged: attention items come from another corpus."
        for name, values in _CHOSEN.items():
            if fields[name] not in values:
                errors[name] = "Choose one of these."
        if fields["instructions"].strip() and (fault := text_error(fields["instructions"])):
            errors["instructions"] = fault
        numbers = {name: self._number(name) for name in _NUMBERS}
        if errors or source is None:
            return None
        return Draft(
            name=fields["name"].strip(),
            title=fields["title"].strip(),
            task=task,
            source=source,
            choice=RunChoice(fields["choice"]),
            items=numbers["items"],
            per_group=numbers["per_group"],
            raters=numbers["raters"] or RATERS_PER_ITEM,
            most=numbers["most"],
            pilot=numbers["pilot"] or 0,
            batch=numbers["batch"],
            attention=attention,
            attention_count=numbers["attention_count"] or 0,
            attention_every=numbers["attention_every"] or 0,
            stratum=Stratum(fields["evenly"]),
            options={"partition": fields["partition"]} if task in LABEL_TASKS else {},
            blind=fields["suggest"] != "yes",
            instructions=fields["instructions"].replace("\r\n", "\n").strip(),
            lease_seconds=(numbers["lease"] or 30) * 60,
            seed=numbers["seed"] or 0,
        )

    def _check_source(self, task: str, source: Offer | None) -> None:
        if source is None:
            gone = "What was chosen is not there any more. " if self.fields["source"] else ""
            self.errors["source"] = f"{gone}Choose what the items are made from."
        elif task == "settle" and source.kind is not Kind.QUEUE:
            self.errors["source"] = (
                "The task 'settle' is about the cases of a review queue: choose one, or another task."
            )
        elif task != "settle" and source.kind is Kind.QUEUE:
            self.errors["source"] = "The cases of a review queue are for the task 'settle'."

    def _number(self, name: str) -> int | None:
        least, most, needed = _NUMBERS[name]
        return whole_number(self.fields[name], name, self.errors, least=least, most=most, needed=needed)


# The least and the largest number, and whether one is needed.
_NUMBERS = {
    "items": (1, _MANY, False),
    "per_group": (1, _MANY, False),
    "raters": (1, 1000, True),
    "most": (1, _MANY, False),
    "pilot": (0, _MANY, False),
    "batch": (1, _MANY, False),
    "attention_count": (1, 1000, True),
    "attention_every": (2, 1000, True),
    "lease": (1, 130_000, True),
    "seed": (0, 999_999_999, True),
}
_CHOSEN: Mapping[str, Sequence[str]] = {
    "choice": [choice.value for choice, _ in CHOICES],
    "evenly": [stratum.value for stratum, _ in STRATA],
    "partition": [name for name, _ in PARTITIONS],
}


def task_choices() -> list[tuple[str, str]]:
    """Return the tasks with what raters do in each."""
    return [(name, TASKS.get(name).about) for name in TASK_NAMES]
