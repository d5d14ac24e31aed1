"""The words that grade a number, and the shares at which they begin: the one place where they are defined.

A word such as "often" is given by the bounds of a number, not by the number itself, so that chance cannot earn it.
Every word has a tone, and every tone a sign: whoever does not see colours reads the same. docs/reference/statistics.md
lists the same rules.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

# A gain that is surely above MUCH is a clear use of the premise; one that is surely below is little, if any.
MUCH: Final = 0.05
# Prohibited changes are mentioned if they are surely above this share of cases, and called frequent above OFTEN.
BREAKS: Final = 0.02
OFTEN: Final = 0.10
# A system keeps a probe's rules "in nearly all cases" only if prohibited changes are surely below this share.
NEARLY_NONE: Final = 0.05
# "Mostly" is more than this share of the points above a constant answer; "most" and "few" templates likewise.
HALF: Final = 0.5


class Tone(StrEnum):
    """How a number is to be taken; the values are classes of the page."""

    GOOD = "good"
    BAD = "bad"
    OPEN = "open"
    PLAIN = "plain"


SIGNS: Final = {Tone.GOOD: "▲", Tone.BAD: "▼", Tone.OPEN: "◆", Tone.PLAIN: "●"}


class Grade(NamedTuple):
    """A word for a number and its tone."""

    tone: Tone
    word: str

    @property
    def sign(self) -> str:
        """The shape that says the same as the colour."""
        return SIGNS[self.tone]


FOR_COMPARISON: Final = Grade(Tone.PLAIN, "for comparison")


def prohibited_grade(low: float, high: float) -> Grade:
    """Grade a share of prohibited changes by its bounds."""
    if low > OFTEN:
        return Grade(Tone.BAD, "often")
    if low > BREAKS:
        return Grade(Tone.BAD, "sometimes")
    if high < NEARLY_NONE:
        return Grade(Tone.GOOD, "hardly ever")
    return Grade(Tone.OPEN, "cannot be told")


def passed_grade(low: float, high: float) -> Grade:
    """Grade the share of templates that are passed by its bounds."""
    if low > HALF:
        return Grade(Tone.GOOD, "most")
    if high < HALF:
        return Grade(Tone.BAD, "few")
    return Grade(Tone.OPEN, "about half, or cannot be told")


def accuracy_grade(*, above: bool) -> Grade:
    """Grade an accuracy by whether it is surely above what the best constant answer gets."""
    return Grade(Tone.GOOD, "above a constant answer") if above else Grade(Tone.BAD, "not shown above a constant")
