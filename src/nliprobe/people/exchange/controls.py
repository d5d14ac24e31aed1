"""The questions of a task as controls that other programs have: one choice, several choices, or a text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from nliprobe.analysis.checklist.bins import BINS
from nliprobe.base.errors import DataError, UsageError
from nliprobe.people.records import Content, Item, Json
from nliprobe.people.tasks import Task
from nliprobe.people.tasks.evidence import Marking, sentences_of
from nliprobe.people.tasks.judge import Judge
from nliprobe.people.tasks.labels import LabelTask
from nliprobe.people.tasks.pick import Pick
from nliprobe.people.tasks.premises import premise_of
from nliprobe.people.tasks.settle import Settle
from nliprobe.people.tasks.write import WRITTEN, Write
from nliprobe.task.labels import NAMES
from nliprobe.task.table import Table

# What was chosen or written in each control, by its name.
Values: TypeAlias = Mapping[str, Sequence[str]]
# A unit is offered as its number and its text, so that the number can be read back from the choice.
_LONGEST_UNIT = 300


class Control(NamedTuple):
    """One question.

    Attributes:
        name: its name; no field of a task's data has it.
        asks: what people read above it.
        choices: what can be chosen, the kept form and the words for people; none for a text.
        needed: whether an answer without it is none.
        from_item: whether each item has choices of its own, see :func:`unit_choices`.
    """

    name: str
    asks: str
    choices: tuple[tuple[str, str], ...] = ()
    needed: bool = True
    from_item: bool = False


class Form(NamedTuple):
    """How a task is asked elsewhere: its controls, and answers as values of these and back."""

    controls: tuple[Control, ...]
    values: Callable[[Content], dict[str, list[str]]]
    answer: Callable[[Values], dict[str, Json]]


def form_of(task: Task, name: str, items: Iterable[Item] | None = None) -> Form:
    """Return how a task is asked elsewhere.

    Args:
        task: the task of a project.
        name: its name.
        items: what is asked about, so that only what is an answer to one of them can be chosen; by default everything.

    Raises:
        UsageError: its answers are neither choices nor texts.
    """
    if isinstance(task, Judge):
        return Form((_label(task), _ODD), _judge_values, lambda values: {**_label_answer(values), "odd": _yes(values)})
    if isinstance(task, LabelTask):
        return Form((_label(task),), _label_values, _label_answer)
    if isinstance(task, Marking):
        return Form(_EVIDENCE, _evidence_values, _evidence_answer)
    if isinstance(task, Settle):
        verdict = _VERDICT if items is None or any(map(_suggests_one, items)) else _blind(_VERDICT)
        return Form((verdict, _SETTLED), _settle_values, _settle_answer)
    if isinstance(task, Pick):
        return Form((_BIN,), lambda answer: {"bin": [str(answer["bin"])]}, _bin_answer)
    if isinstance(task, Write):
        return Form(_TEXTS, _texts, lambda values: {name: values[_text_name(name)][0] for name in WRITTEN})
    raise UsageError(
        f"Answers to the task '{name}' are neither choices nor texts, so Label Studio cannot ask for them."
    )


def chosen(form: Form, values: Values) -> dict[str, list[str]]:
    """Return what was chosen, in the form in which it is kept.

    Raises:
        DataError: a control that needs an answer has none, or one that takes one has several.
    """
    found: dict[str, list[str]] = {}
    for control in form.controls:
        given = [_kept(control, value) for value in values.get(control.name, ()) if value.strip()]
        if control.needed and not given:
            raise DataError(f"Nothing is chosen under '{control.name}'.")
        if len(given) > 1 and not control.from_item:
            raise DataError(f"{len(given)} values stand under '{control.name}': expected one.")
        if given:
            found[control.name] = given
    return found


def unit_choices(item: Item) -> list[str]:
    """Return the rows or sentences of an item as choices: a number from 1, and the text."""
    premise = premise_of(item.content["premise"])
    if isinstance(premise, Table):
        if premise.columns:
            texts = [" | ".join(row.values) for row in premise.rows]
        else:
            texts = [f"{row.key}: {', '.join(row.values)}" for row in premise.rows]
    else:
        texts = [premise[start:stop] for start, stop in sentences_of(item.content)]
    return [f"{number}. {' '.join(text.split())[:_LONGEST_UNIT]}" for number, text in enumerate(texts, 1)]


def _kept(control: Control, value: str) -> str:
    return next((kept for kept, words in control.choices if value in (kept, words)), value)


def _label(task: LabelTask) -> Control:
    choices = tuple((str(block), " or ".join(NAMES[letter] for letter in block)) for block in task.partition.blocks)
    return Control("label", "What does the premise say about the hypothesis?", choices)


_ODD = Control("odd", "Is a text odd?", (("odd", "nobody would write this"),), needed=False)
_EVIDENCE = (
    Control("evidence", "Which of these are needed to judge the hypothesis?", needed=False, from_item=True),
    Control("outside", "Is knowledge from outside the premise needed, too?", (("no", "no"), ("yes", "yes"))),
)
_VERDICT = Control(
    "verdict",
    "What is right about this pair?",
    (("accept", "the suggested label"), ("fix", "the label below"), ("reject", "no label: the pair makes no sense")),
)
_ACCEPT, _REJECT = "accept", "reject"
_SETTLED = Control("label", "The right label", tuple((letter, NAMES[letter]) for letter in NAMES), needed=False)
_BIN = Control(
    "bin",
    "How many examples does the system get right?",
    tuple((str(n), f"{name} %") for n, name in enumerate(BINS, 1)),
)


def _text_name(name: str) -> str:
    # Label Studio takes a control that is called "true" for a boolean and refuses the configuration.
    return f"hypothesis_{name}"


_TEXTS = tuple(Control(_text_name(name), f"A hypothesis that is {name}") for name in WRITTEN)


def _label_values(answer: Content) -> dict[str, list[str]]:
    return {"label": [str(answer["label"])]}


def _label_answer(values: Values) -> dict[str, Json]:
    return {"label": values["label"][0]}


def _judge_values(answer: Content) -> dict[str, list[str]]:
    return _label_values(answer) | ({"odd": ["odd"]} if answer.get("odd") else {})


def _yes(values: Values) -> bool:
    return bool(values.get("odd"))


def _evidence_values(answer: Content) -> dict[str, list[str]]:
    units = answer["units"]
    assert isinstance(units, list)
    # The numbers only; whoever writes them adds the texts of the item.
    return {
        "evidence": [str(int(str(unit)) + 1) for unit in units],
        "outside": ["yes" if answer["outside"] else "no"],
    }


def _evidence_answer(values: Values) -> dict[str, Json]:
    units: list[Json] = []
    for choice in values.get("evidence", ()):
        number = choice.partition(".")[0]
        if not (number.isascii() and number.isdecimal()) or len(number) > 9:
            raise DataError(f"'{choice:.60}' is no row or sentence: expected a number and a point first, such as '2.'.")
        units.append(int(number) - 1)
    return {"units": units, "outside": values["outside"][0] == "yes"}


def _suggests_one(item: Item) -> bool:
    return len(str(item.content.get("suggested", ""))) == 1


def _blind(verdict: Control) -> Control:
    """Return the question about a verdict where no label is suggested, so that none can be accepted."""
    return verdict._replace(choices=tuple(choice for choice in verdict.choices if choice[0] != _ACCEPT))


def _settle_values(answer: Content) -> dict[str, list[str]]:
    return {"verdict": [str(answer["verdict"])]} | ({"label": [str(answer["label"])]} if answer["label"] else {})


def _settle_answer(values: Values) -> dict[str, Json]:
    verdict, label = values["verdict"][0], values.get("label")
    # A choice cannot be taken back everywhere: a label that was chosen before the pair was rejected says nothing.
    return {"verdict": verdict, **({"label": label[0]} if label and verdict != _REJECT else {})}


def _texts(answer: Content) -> dict[str, list[str]]:
    return {_text_name(name): [str(answer[name])] for name in WRITTEN}


def _bin_answer(values: Values) -> dict[str, Json]:
    text = values["bin"][0]
    return {"bin": int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else text}
