"""What a task is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from nliprobe.people.records import Content, Item, Json
from nliprobe.task.pair import Pair


class Task(ABC):
    """A kind of question to people; an instance knows the options of one project.

    A subclass is registered under its name and made with a project's options, which it checks.
    """

    # What one rater is asked to do, in a sentence for the owner's list of tasks.
    about: ClassVar[str]
    # The columns of a sheet that a rater fills in; none if an answer does not fit into cells.
    cells: ClassVar[tuple[str, ...]] = ()
    # The hidden field that says what is right about an item, where the owner knows it.
    right: ClassVar[str] = "gold"

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

    def content_of(self, pair: Pair) -> dict[str, Json] | str:
        """Return what a rater sees of a pair, or the reason why this task cannot ask about it."""
        return "the task is not about pairs"

    def known(self, pair: Pair) -> dict[str, Json] | None:
        """Return the right answer about a pair if it is known, in canonical form."""
        return None

    def key_of(self, pair: Pair) -> str:
        """Return what tells the items of pairs apart; pairs with the same key give one item."""
        return pair.id

    def read_cells(self, cells: Mapping[str, str]) -> dict[str, Json]:
        """Return the answer in the cells that a rater filled, for :meth:`checked` to check; empty cells say nothing."""
        return {name: text for name, text in cells.items() if text}
