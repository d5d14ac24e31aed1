"""Probabilities of labels, from the log probabilities of the token with which a label begins.

At the place in the answer where the label begins, a server names the tokens it might have written instead
(``top_logprobs``). A token belongs to a label if it is the beginning of that label's word and of no other, or if it is
the word and more; case, and spaces and quotes before it, do not matter. The probability of a label is the sum over its
tokens, divided by the sum over all labels. If that sum is smaller than ``min_mass``, too much went to other tokens, or
was not named by the server, for the shares to mean anything: then there are none.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from nliprobe.task.case import Shares
from nliprobe.task.labels import LETTERS, LabelSet

# What a token may have before the first letter of a label.
_BEFORE = " \t\n\r\"'`*“‘▁Ġ"
# Services write such a number for a token that is out of question.
_LOWEST = -9999


class Token(NamedTuple):
    """A token of an answer, and the tokens that might have stood there with their log probabilities."""

    text: str
    others: Mapping[str, float]


def read_tokens(logprobs: object) -> list[Token]:
    """Read the ``logprobs`` of a choice; an empty list if they are missing or not as the protocol says."""
    content = logprobs.get("content") if isinstance(logprobs, Mapping) else None
    tokens: list[Token] = []
    for item in content if isinstance(content, list) else ():
        named = _named(item)
        if named is None:
            return []
        likely = item.get("top_logprobs")
        others = [_named(other) for other in likely] if isinstance(likely, list) else []
        every: dict[str, float] = {}
        # Two tokens may have the same text; the token itself is usually among the others.
        for text, value in dict.fromkeys(other for other in (*others, named) if other is not None):
            every[text] = max(every.get(text, -math.inf), value)
        tokens.append(Token(named[0], every))
    return tokens


def _named(item: object) -> tuple[str, float] | None:
    if not isinstance(item, Mapping):
        return None
    text, value = item.get("token"), item.get("logprob")
    if not isinstance(text, str) or isinstance(value, bool) or not isinstance(value, int | float) or value != value:
        return None
    # Bounded before it is converted: JSON may hold whole numbers that no float can.
    return text, float(max(_LOWEST, min(0, value)))


class Weighed(NamedTuple):
    """The probabilities of E, N and C, or none; and how much of the probability the labels have together."""

    shares: Shares | None
    mass: float


def weigh(tokens: Sequence[Token], answer: str, start: int, labels: Mapping[LabelSet, str], min_mass: float) -> Weighed:
    """Return the probabilities of labels.

    Args:
        tokens: those of the answer.
        answer: the text of the answer.
        start: where in it the label begins.
        labels: the word for each label.
        min_mass: how much of the probability the labels must have together.
    """
    token = _token_at(tokens, answer, start)
    if token is None:
        return Weighed(None, 0.0)
    sums = dict.fromkeys(labels, 0.0)
    for text, value in token.others.items():
        label = _label_of(text, labels)
        if label is not None:
            sums[label] += math.exp(value)
    mass = sum(sums.values())
    if mass < min_mass or mass <= 0.0:
        return Weighed(None, mass)
    by_letter = {str(label): value / mass for label, value in sums.items()}
    e, n, c = (by_letter.get(letter) for letter in LETTERS)
    return Weighed((e, n, c), mass)


def _token_at(tokens: Sequence[Token], answer: str, start: int) -> Token | None:
    """Return the token in which the character at a place of the answer is, if the label begins with it."""
    written = "".join(token.text for token in tokens)
    # Reasoning and marks of the chat format may come before the answer, and marks after it.
    before = written.rfind(answer)
    if start < 0 or not answer or before < 0:
        return None
    place, end = before + start, 0
    for token in tokens:
        begin, end = end, end + len(token.text)
        if end > place:
            return token if not written[begin:place].strip(_BEFORE) else None
    return None


def _label_of(token: str, labels: Mapping[LabelSet, str]) -> LabelSet | None:
    text = token.lstrip(_BEFORE).casefold().rstrip()
    if not text:
        return None
    begun = [label for label, word in labels.items() if word.casefold().startswith(text)]
    if begun:
        return begun[0] if len(begun) == 1 else None
    whole = [label for label, word in labels.items() if _continues(text, word.casefold())]
    return whole[0] if len(whole) == 1 else None


def _continues(text: str, word: str) -> bool:
    """Tell whether a token is a word and something after it that is no letter, such as a quote."""
    return text.startswith(word) and not text[len(word)].isalnum()
