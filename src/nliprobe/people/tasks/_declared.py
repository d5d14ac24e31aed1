"""Tasks that declare the fields of their items: only these are taken, checked and shown."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import ClassVar, NamedTuple

from nliprobe.base.errors import DataError, UsageError, did_you_mean
from nliprobe.base.fields import Fields
from nliprobe.people.records import Content, Item, Json
from nliprobe.people.tasks._task import Task

Check = Callable[[Fields, str], object]


class Field(NamedTuple):
    """A field of an item's content.

    Attributes:
        name: its key.
        check: raises an error for a value that it cannot have.
        needed: whether every item has it.
    """

    name: str
    check: Check
    needed: bool = True


class DeclaredTask(Task):
    """A task whose items have declared fields, and whose options have declared names."""

    fields: ClassVar[tuple[Field, ...]]
    # The options that a project may give.
    option_names: ClassVar[tuple[str, ...]] = ()

    def __init__(self, options: Content) -> None:
        super().__init__(options)
        for name in options:
            if name not in self.option_names:
                known = did_you_mean(name, self.option_names) if self.option_names else "It has none."
                raise UsageError(f"This task has no option '{name}'. {known}")

    def check_item(self, item: Item) -> None:
        """Raise a DataError if an item lacks a field, has another one, or its expected answer is no answer."""
        content = fields_of(item.content, f"The item '{item.name:.60}'", [field.name for field in self.fields])
        for field in self.fields:
            if field.needed or field.name in item.content:
                field.check(content, field.name)
        self.check_content(item)
        if item.expected is None:
            return
        try:
            canonical = self.checked(item, item.expected)
        except DataError as error:
            raise DataError(f"The expected answer of the item '{item.name:.60}' is none: {error}") from error
        if canonical != dict(item.expected):
            raise DataError(
                f"The expected answer of the item '{item.name:.60}' is not written as answers are kept, and so nobody "
                f"would ever give it: expected {canonical!r:.200}."
            )

    def check_content(self, item: Item) -> None:
        """Raise a DataError if fields of an item do not fit each other; by default, all do."""
        return

    def shown(self, item: Item) -> dict[str, Json]:
        """Return the declared fields of an item, and what can be answered."""
        own = {field.name: item.content[field.name] for field in self.fields if field.name in item.content}
        return own | self.choices()

    def choices(self) -> dict[str, Json]:
        """Return what a client needs to know besides the item, such as the labels to choose from."""
        return {}


def answer_of(answer: object, *names: str) -> Fields:
    """Return the values of an answer, which is an object with these keys and no others."""
    return fields_of(answer, "The answer", names)


def fields_of(values: object, place: str, names: Collection[str]) -> Fields:
    """Return the values of an object that has no other keys than these; errors name the place."""
    if not isinstance(values, Mapping):
        raise DataError(f"{place} should be an object with the keys {', '.join(names)}, not {type(values).__name__}.")
    for name in values:
        if not isinstance(name, str) or name not in names:
            raise DataError(f"{place} has the key {name!r:.60}, which means nothing here. {_known(name, names)}")
    return Fields(place, values, error=DataError)


def read_yes(text: str) -> Json:
    """Return whether a cell says yes; an empty one says no, and any other text is left for the check to refuse."""
    plain = text.strip().casefold()
    if plain in ("1", "true", "yes", "x"):
        return True
    return False if plain in ("", "0", "false", "no") else text


def _known(name: object, names: Collection[str]) -> str:
    return did_you_mean(name, names) if isinstance(name, str) else f"Available: {', '.join(names)}."
