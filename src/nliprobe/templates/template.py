"""The records that make up a template after it has been read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from nliprobe.language.lexicon import Lexicon
from nliprobe.templates.expression import Expression
from nliprobe.templates.pattern import Pattern
from nliprobe.templates.place import Place


@dataclass(frozen=True)
class Range:
    """Whole numbers from low to high, both included."""

    low: int
    high: int

    def __len__(self) -> int:
        return self.high - self.low + 1


@dataclass(frozen=True)
class Choice:
    """Texts or numbers from a list, with weights if some should be drawn more often."""

    options: tuple[str, ...] | tuple[int, ...]
    weights: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.options)


@dataclass(frozen=True)
class Words:
    """Entries of a lexicon; variables with the same ``family``, the root lexicon, are drawn to differ."""

    lexicon: Lexicon
    places: tuple[int, ...]
    family: str

    def __len__(self) -> int:
        return len(self.places)


Domain: TypeAlias = Range | Choice | Words
# The names of readings.
FIRST, SECOND = "first", "second"


@dataclass(frozen=True)
class Formula:
    """An expression, as text and parsed, with its place."""

    text: str
    expression: Expression
    place: Place


@dataclass(frozen=True)
class Reading:
    """One way to judge a template: a label, the capability it then tests, and why."""

    label: Formula
    capability: str
    because: str


@dataclass(frozen=True)
class Human:
    """The label that most people gave and their confidence in it, from 0 to 1; no label if people do not agree."""

    label: str
    confidence: float


# What ``human: doubtful`` stands for.
DOUBTFUL = Human("", 0.0)
# Up to this confidence, people are divided.
_DIVIDED = 0.5


@dataclass(frozen=True)
class Variation:
    """Which template this one varies, and how."""

    of: str
    change: str


@dataclass(frozen=True)
class Template:
    """A template: patterns, variables with their domains in the order they are drawn, conditions, readings.

    ``cell`` names the part of its draws that it is confined to, if any; see :mod:`nliprobe.templates.cells`.
    """

    id: str
    place: Place
    premise: Pattern
    hypothesis: Pattern
    first: Reading
    second: Reading | None
    domains: dict[str, Domain]
    lets: dict[str, Formula]
    where: tuple[Formula, ...]
    human: Human | None
    variation: Variation | None
    tags: tuple[str, ...]
    cell: str = ""

    @property
    def capability(self) -> str:
        """The capability that its first reading tests."""
        return self.first.capability

    @property
    def label(self) -> str:
        """The label of its first reading as written: a letter, or an expression."""
        return self.first.label.text

    @property
    def doubtful(self) -> bool:
        """Whether people do not agree on its label, or are not expected to; the core has no such template."""
        return self.human is not None and self.human.confidence <= _DIVIDED

    @property
    def readings(self) -> tuple[tuple[str, Reading], ...]:
        """Its readings by name: the first gives the gold label, a second is only compared with the answers."""
        second = () if self.second is None else ((SECOND, self.second),)
        return ((FIRST, self.first), *second)
