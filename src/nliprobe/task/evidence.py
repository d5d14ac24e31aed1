"""Evidence: the units of a premise that a judgement needs, and how we know."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Grade(StrEnum):
    """Where evidence comes from; results of different grades are never mixed."""

    GOLD = "gold"
    EDIT = "edit"
    SILVER = "silver"


GRADE_WORDS = {
    Grade.GOLD: "marked by people",
    Grade.EDIT: "the units that people changed to turn the label; there may be more",
    Grade.SILVER: "guessed by a program",
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """The units needed for the judgement of one pair.

    Attributes:
        units: the places of the rows or sentences, in order; empty where none was needed.
        grade: where the marks come from.
        outside: knowledge from outside the premise was needed, too ("out of table").
        alone: each unit suffices by itself, so that deleting one of several says nothing.
    """

    units: tuple[int, ...]
    grade: Grade = Grade.GOLD
    outside: bool = False
    alone: bool = False

    def __post_init__(self) -> None:
        if any(unit < 0 for unit in self.units):
            raise ValueError(f"{list(self.units)} holds a place before the first unit")
        if list(self.units) != sorted(set(self.units)):
            raise ValueError(f"{list(self.units)} should name each unit once, in order")
