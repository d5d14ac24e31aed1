"""A simulation study as plain data: what participants are shown, apart from the key that says what is right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from nliprobe.base.errors import NotFoundError, did_you_mean
from nliprobe.base.hashing import digest
from nliprobe.task.pair import Span


class Question(StrEnum):
    """What a participant is asked about an item."""

    BID = "bid"  # points on bins of accuracy
    PICK = "pick"  # one bin of accuracy
    LABEL = "label"  # the label that the system gives


class Shows(StrEnum):
    """What a stage shows about its system."""

    LABELS = "labels"  # its accuracy by label
    TEMPLATES = "templates"  # its accuracy on all templates that are not asked about
    CHOSEN = "chosen"  # the same for some templates, with descriptions
    EXAMPLES = "examples"  # examples of a few related templates, with its answers
    NEIGHBOURS = "neighbours"  # the examples nearest to the item by its own vectors, with its answers


# Of items that are templates one asks for their accuracy, of items that are examples for the label.
ABOUT_TEMPLATES = frozenset({Question.BID, Question.PICK})


class ShownExample(NamedTuple):
    """An example with the words on which the answer rests, and the answer.

    Attributes:
        premise: as the system reads it.
        hypothesis: as the system reads it.
        premise_marks: where the marked words of the premise are.
        hypothesis_marks: where those of the hypothesis are.
        label: what the system answers.
    """

    premise: str
    hypothesis: str
    premise_marks: tuple[Span, ...]
    hypothesis_marks: tuple[Span, ...]
    label: str


class Wording(NamedTuple):
    """A template as it is written: texts with placeholders in braces."""

    premise: str
    hypothesis: str


class LabelAccuracy(NamedTuple):
    """How often a system is right where one label is right, over so many examples."""

    label: str
    accuracy: float
    n: int


class TemplateAccuracy(NamedTuple):
    """A template that is not asked about: its wording, its right labels, how often the system is right, what it is."""

    wording: Wording
    label: str
    accuracy: float
    n: int
    about: str


class FeedbackQuestion(NamedTuple):
    """A question about the study itself.

    Attributes:
        id: its name in files of answers.
        ask: what participants read.
        answers: what they can choose; without any, they write a text.
        names_stages: whether answers that are ids of stages stand for these stages. Participants know them by their
            titles.
    """

    id: str
    ask: str
    answers: tuple[str, ...]
    names_stages: bool = False


class Item(NamedTuple):
    """What a question is about: an example, or a template with an example of it."""

    id: str
    premise: str
    hypothesis: str
    wording: Wording | None


class StageItem(NamedTuple):
    """An item as a stage shows it."""

    item: str
    examples: tuple[ShownExample, ...]


@dataclass(frozen=True)
class Stage:
    """One part of a study: a system under a made-up name, a question about each item, and what is shown for it.

    Attributes:
        id: the name of the stage in files of answers.
        title: what participants read above it.
        system: what participants call the system.
        question: what is asked.
        answers: what can be answered: labels or bins.
        shows: what is shown about the system.
        instructions: paragraphs to read before the stage.
        items: the items with what is shown beside each.
        labels: accuracies by label.
        templates: accuracies of templates that are not asked about.
        feedback: questions after the stage.
    """

    id: str
    title: str
    system: str
    question: Question
    answers: tuple[str, ...]
    shows: Shows
    instructions: tuple[str, ...]
    items: tuple[StageItem, ...]
    labels: tuple[LabelAccuracy, ...] = ()
    templates: tuple[TemplateAccuracy, ...] = ()
    feedback: tuple[FeedbackQuestion, ...] = ()

    @cached_property
    def by_item(self) -> Mapping[str, StageItem]:
        """The items by their ids."""
        return {entry.item: entry for entry in self.items}


class Practice(NamedTuple):
    """A question to begin with, whose solution is shown afterwards."""

    premise: str
    hypothesis: str
    examples: tuple[ShownExample, ...]
    solution: str
    because: str


@dataclass(frozen=True)
class Study:
    """Everything that participants may see.

    Attributes:
        title: of the study.
        landing: paragraphs of the first page.
        consent: what a participant agrees to.
        practice: a question to begin with, if there is one.
        points: how many points a bid may place.
        orders: orders of the stages; participants take them in turn.
        items: all items.
        stages: all stages.
        feedback: questions after the last stage.
    """

    title: str
    landing: tuple[str, ...]
    consent: str
    practice: Practice | None
    points: int
    orders: tuple[tuple[str, ...], ...]
    items: tuple[Item, ...]
    stages: tuple[Stage, ...]
    feedback: tuple[FeedbackQuestion, ...] = ()

    @cached_property
    def id(self) -> str:
        """A hash of questions and of what is shown, by which key and answers are matched.

        Titles, instructions and other texts around them may be reworded.
        """
        parts = [str(self.points), *map(repr, self.items)]
        for stage in self.stages:
            parts += [stage.id, stage.system, stage.question, *stage.answers]
            parts += map(repr, (*stage.items, *stage.labels, *stage.templates))
        return digest(*parts)

    @cached_property
    def by_item(self) -> Mapping[str, Item]:
        """The items by their ids."""
        return {item.id: item for item in self.items}

    def stage(self, name: str) -> Stage:
        """Return a stage by its id."""
        for stage in self.stages:
            if stage.id == name:
                return stage
        hint = did_you_mean(name, (stage.id for stage in self.stages))
        raise NotFoundError(f"The study has no stage '{name}'. {hint}")
