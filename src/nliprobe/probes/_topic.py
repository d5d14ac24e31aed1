"""What the rows of an infobox are about, and the words by which a hypothesis speaks about the same.

A topic joins the spellings of a key ("Running time", "Length") with the words people use for it ("runtime", "runs",
"long"). Rows without a topic are recognised by the words of their key. docs/guide/perturb-hypotheses.md explains it.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple


class Measure(StrEnum):
    """What a fact measures; only facts and mentions of the same measure are compared."""

    DAY = "day"  # a point in time
    START = "start"  # the point at which a stretch of time begins
    END = "end"  # the point at which it ends
    SPAN = "span"  # both
    YEARS = "years"  # how many years something lasts or lasted
    AGO = "ago"  # how many years ago something was
    TIME = "time"  # a running time, in seconds
    COUNT = "count"  # how many items a row lists
    AMOUNT = "amount"  # a number, with or without a unit

    __hash__ = str.__hash__  # that of an Enum is written in Python


class Topic(NamedTuple):
    """What a row may be about.

    Attributes:
        name: how rules and docs call it.
        keys: the keys of such rows, as a pattern for the whole key.
        cues: per measure, the words in a hypothesis that speak about it.
        unless: words that show that the hypothesis speaks about something else as well.
    """

    name: str
    keys: re.Pattern[str]
    cues: dict[Measure, re.Pattern[str]]
    unless: re.Pattern[str] | None = None


def topic(name: str, keys: str, unless: str = "", **cues: str) -> Topic:
    """Make a topic from patterns for its key, for its words per measure, and for words that rule it out."""
    patterns = {Measure(key): re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for key, words in cues.items()}
    barred = re.compile(rf"\b(?:{unless})\b", re.IGNORECASE) if unless else None
    return Topic(name, re.compile(keys, re.IGNORECASE), patterns, barred)
