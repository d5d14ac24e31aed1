"""Labels, and what is wrong with an answer, in words that raters understand without having read a paper or code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
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
# How tasks refuse an answer: programs, which send one as JSON, want to know under which key it is wrong.
_REFUSED = re.compile(r"The answer has .* under '([\w.\[\]]+)': expected (.*)", re.DOTALL)


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


def plain_refusal(sentence: str, names: Mapping[str, str]) -> str:
    """Return why an answer is refused to somebody who has a form before them, and not the JSON that it becomes.

    Args:
        sentence: what the task says.
        names: what the keys of an answer are called on the page; a task with one field needs none.

    >>> plain_refusal("The answer has [0, 9] under 'points': expected 5 points in all.", {})
    'Expected 5 points in all.'
    >>> plain_refusal("The answer has \"\" under 'true': expected a text.", {"true": "One that is true"})
    '"One that is true": expected a text.'
    """
    found = _REFUSED.fullmatch(sentence)
    if found is None:
        return sentence
    key, wanted = found.groups()
    for name, words in names.items():
        wanted = wanted.replace(f"'{name}'", f'"{words}"')
    return f'"{names[key]}": expected {wanted}' if key in names else f"Expected {wanted}"
