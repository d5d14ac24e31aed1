"""Labels and bins in words that raters understand without having read a paper."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from nliprobe.task.labels import NAMES

# What each label means for the hypothesis, as the instructions of InfoTabS put it (appendix F).
# Of several labels in one it says what they have in common: "may be true or false or must be false" nobody understands.
_MEANS = {
    "E": "must be true",
    "N": "may be true or false",
    "C": "must be false",
    "EN": "need not be false",
    "NC": "need not be true",
    "EC": "must be true, or must be false",
}


class Choice(NamedTuple):
    """Something to choose: what is sent, its name, what it means, and the key for it."""

    value: str
    name: str
    hint: str
    key: str


def label_name(letters: str) -> str:
    """Return a label in words.

    >>> label_name("E"), label_name("NC")
    ('Entailment', 'Neutral or contradiction')
    """
    return " or ".join(NAMES.get(letter, letter) for letter in letters).capitalize()


def label_choices(labels: Iterable[object]) -> list[Choice]:
    """Return the labels of a task as buttons, with the keys 1, 2, 3.

    >>> [choice.hint for choice in label_choices(["E", "NC"])]
    ['must be true', 'need not be true']
    """
    return [
        Choice(label, label_name(label), _MEANS.get(label, ""), str(number))
        for number, label in enumerate(map(str, labels), 1)
    ]
