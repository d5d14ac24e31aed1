"""What a face is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar, TypeAlias

from nliprobe.base.errors import DataError
from nliprobe.people.records import Content, Item, Json
from nliprobe.people.tasks import Task

# What a form holds: texts, or lists of texts where a name occurs several times.
Values: TypeAlias = Mapping[str, Json]


class Face(ABC):
    """How one task looks to raters; an instance knows the task of one project.

    Forms work without scripts, so an answer comes as the fields of a form. The same fields are kept as a draft and
    fill the form again.
    """

    # Below ``templates/work``; it fills the form of an item.
    template: ClassVar[str]
    # Below ``static/work``; what the page can do besides, if the browser runs scripts.
    script: ClassVar[str] = ""
    # Whether each button of the form is an answer, so that there is none that only saves.
    chooses: ClassVar[bool] = False
    # What the number keys do, in words for the list of keys.
    numbers: ClassVar[str]
    # What the fields of an answer are called on the page, if there are several.
    names: ClassVar[Mapping[str, str]] = {}

    def __init__(self, task: Task) -> None:
        self.task = task

    @abstractmethod
    def question(self, shown: Content) -> str:
        """Return what is asked, as the heading of the page."""

    @abstractmethod
    def answer(self, item: Item, values: Values) -> dict[str, Json]:
        """Return the answer in a form, for the task to check.

        Raises:
            DataError: something is missing that only a form can lack.
        """

    @abstractmethod
    def values(self, item: Item, answer: Content) -> dict[str, Json]:
        """Return the fields of a form that says this answer."""

    @abstractmethod
    def said(self, item: Item, answer: Content) -> str:
        """Return an answer in words."""

    def view(self, item: Item, values: Values) -> dict[str, object]:
        """Return what the template needs besides the shown fields; never what is hidden."""
        return {}

    def live(self, item: Item, values: Values) -> dict[str, object]:
        """Return what the page shows while somebody is still at work on an answer, as JSON."""
        return {}


def text_in(values: Values, name: str) -> str:
    """Return a field of a form, empty if it is not there."""
    value = values.get(name, "")
    if not isinstance(value, str):
        raise DataError(f"The field '{name}' should be one text.")
    return value


def texts_in(values: Values, name: str) -> list[str]:
    """Return a field that may be there several times."""
    value = values.get(name, [])
    several = value if isinstance(value, list) else [value]
    if not all(isinstance(each, str) for each in several):
        raise DataError(f"The field '{name}' should be texts.")
    return [str(each) for each in several]


def is_ticked(values: Values, name: str) -> bool:
    """Tell whether a box of a form is ticked."""
    return text_in(values, name) == "yes"


def ticked(*, on: bool) -> Json:
    """Return the value of a box in a form."""
    return "yes" if on else ""


def number_in(text: str) -> Json:
    """Return the number that a field says; any other text stays, for the task to refuse."""
    plain = text.strip()
    return int(plain) if plain.isascii() and plain.isdecimal() and len(plain) < 10 else plain
