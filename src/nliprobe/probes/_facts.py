"""What a premise says, as facts that numbers, dates and durations of a hypothesis can be compared with.

A table has ten rows, and a hypothesis speaks about one: its words are compared with the keys first, and only the rows
that it may speak about are read, once for all hypotheses of the table.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import NamedTuple

from nliprobe.language.cells.records import Value
from nliprobe.probes._claims import Stretch
from nliprobe.probes._topic import Measure, Topic
from nliprobe.probes._topics import stem

_WORD = re.compile(r"[^\W\d_]+")
_SMALL = frozenset(["the", "of", "and", "in", "a", "an", "for", "at", "on", "to", "de", "la", "von", "van"])


class Subject(NamedTuple):
    """Something that a row may say, before the row is read.

    Attributes:
        row: the row's place in the table.
        topic: what it is about, None where only the words of the key say so.
        measure: what is measured, None where only the value of the row shows that.
        words: the stems of the key's words, for rows without a topic.
    """

    row: int
    topic: Topic | None
    measure: Measure | None
    words: tuple[str, ...] = ()


class Fact(NamedTuple):
    """One thing that a premise says.

    Attributes:
        topic: what it is about, None where only the words of the key say so.
        measure: what is measured.
        values: what the value may be; several where the row gives several values.
        own: the values as the row gives them, in the same order.
        dimension: for amounts, the dimension of the unit or the currency.
        open: whether there may be more than is said: who speaks of two men may mean two of three. Rows are complete.
    """

    topic: Topic | None
    measure: Measure
    values: tuple[Stretch, ...]
    own: tuple[Value, ...] = ()
    dimension: str = ""
    open: bool = False


class Facts:
    """What a premise says; its rows are read when a hypothesis speaks about them."""

    def __init__(
        self,
        subjects: tuple[Subject, ...],
        read: Callable[[Subject], Fact | None],
        texts: Callable[[], tuple[str, ...]],
        names: tuple[str, ...] = (),
        more_names: tuple[str, ...] = (),
    ) -> None:
        """Take what there is to read.

        Args:
            subjects: what the premise may say.
            read: reads one of them.
            texts: returns all texts of the premise.
            names: how hypotheses call what a table is about; nothing for texts.
            more_names: other names of it, such as a birth name.
        """
        self.subjects = subjects
        self.names = names
        self._read = read
        self._texts = texts
        self._more_names = more_names
        self._named: tuple[str, bool] | None = None
        self._known: dict[tuple[int, str, Measure | None], Fact | None] = {}
        self._measured: dict[tuple[Measure, ...], tuple[Subject, ...]] = {}

    def measured(self, measures: tuple[Measure, ...]) -> tuple[Subject, ...]:
        """Return the subjects that are measured in one of some ways, or whose row must be read to know."""
        subjects = self._measured.get(measures)
        if subjects is None:
            subjects = tuple([one for one in self.subjects if one.measure is None or one.measure in measures])
            self._measured[measures] = subjects
        return subjects

    def fact(self, subject: Subject) -> Fact | None:
        """Return what the premise says about a subject, None if it cannot be compared with anything."""
        key = (subject.row, "" if subject.topic is None else subject.topic.name, subject.measure)
        if key not in self._known:
            self._known[key] = self._read(subject)
        return self._known[key]

    @cached_property
    def words(self) -> frozenset[str]:
        """The stems of all words of the premise."""
        words = set(_WORD.findall("\n".join(self._texts()).lower()))
        return frozenset(map(stem, words)) | self.title

    @cached_property
    def title(self) -> frozenset[str]:
        """The stems of the words that name what a table is about; empty for texts."""
        names = (*self.names, *self._more_names)
        return frozenset([stem(word) for name in names for word in words_of(name) if len(word) > 1]) - _SMALL

    def says(self, phrase: str) -> bool:
        """Tell whether the premise has a phrase, in capitals or not."""
        return any(phrase.lower() in text.lower() for text in self._texts())

    def names_it(self, text: str) -> bool:
        """Tell whether a hypothesis names what the table is about, or no other name."""
        if self._named is None or self._named[0] != text:
            names = not self.names or not self.title.isdisjoint([stem(word) for word in words_of(text)])
            names = names or (_THIS.match(text) is not None and _NAME.search(text) is None)
            self._named = (text, names)
        return self._named[1]


# "The band", "it": what the table is about, if no name says otherwise.
_THIS = re.compile(r"(?:the|this|it|he|she|they|there)\b", re.IGNORECASE)
_NAME = re.compile(r"\s[A-Z]")


@lru_cache(maxsize=8)
def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case."""
    return _WORD.findall(text.lower())
