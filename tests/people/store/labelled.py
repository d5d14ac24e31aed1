"""A small task and its items, for tests of the store."""

from __future__ import annotations

from nliprobe.base.errors import DataError
from nliprobe.people.records import Content, Item, Json, Project
from nliprobe.people.tasks import TASKS, Task


@TASKS.register("test-label")
class Label(Task):
    """One letter for each item."""

    about = "Give a letter."

    def check_item(self, item: Item) -> None:
        if "text" not in item.content:
            raise DataError(f"'{item.name}' has no text.")

    def shown(self, item: Item) -> dict[str, Json]:
        return {"text": item.content["text"]}

    def checked(self, item: Item, answer: Content) -> dict[str, Json]:
        if answer.get("label") not in ("E", "N", "C"):
            raise DataError(f"{answer.get('label')!r} is no label: expected E, N or C.")
        return {"label": answer["label"]}


def items(count: int, *, strata: int = 1, batch: int = 0, first: int = 0) -> list[Item]:
    """Items that differ in their texts."""
    return [
        Item(f"q{number:04}", {"text": f"text {number}"}, {"gold": "E"}, f"s{number % strata}", batch)
        for number in range(first, first + count)
    ]


def attention(count: int) -> list[Item]:
    """Items whose answers are known."""
    return [Item(f"a{number:03}", {"text": f"sure {number}"}, expected={"label": "C"}) for number in range(count)]


def project(**rules: int | None) -> Project:
    """A project with some rules."""
    return Project("p", "test-label", **rules)  # type: ignore[arg-type]
