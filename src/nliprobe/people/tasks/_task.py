"""What a task is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from nliprobe.people.records import Content, Item, Json


class Task(ABC):
    """A kind of question to people; an instance knows the options of one project.

    A subclass is registered under its name and made with a project's options, which it checks.
    """

    # What one rater is asked to do, in a sentence for the owner's list of tasks.
    about: ClassVar[str]

    def __init__(self, options: Content) -> None:
        self.options = options

    @abstractmethod
    def check_item(self, item: Item) -> None:
        """Raise a DataError if an item does not hold what the task shows, or its expected answer is no answer."""

    @abstractmethod
    def shown(self, item: Item) -> dict[str, Json]:
        """Return the fields that a rater's client gets, and nothing else: never what is hidden or expected."""

    @abstractmethod
    def checked(self, item: Item, answer: Content) -> dict[str, Json]:
        """Return an answer in its one canonical form.

        Raises:
            DataError: it is no answer to this item; the sentence says what was expected.
        """

    def vote(self, answer: Content) -> str | None:
        """Return the category for which an answer votes, or None where answers are not categories (written texts)."""
        return None

    def agrees(self, expected: Content, answer: Content) -> bool:
        """Tell whether an answer is the known one of an attention item; both are in canonical form."""
        return dict(expected) == dict(answer)
