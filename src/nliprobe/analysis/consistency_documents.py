"""The documents about consistency: pairs made from other pairs, and whether the answers to both fit together."""

from __future__ import annotations

from typing import TypedDict

from nliprobe.analysis.rates import Rate


class ConsistencyEntry(TypedDict):
    """The answers of one system to the pairs of a corpus that were made from other pairs under a rule over labels.

    Attributes:
        partition: the labels that the system tells apart.
        bases: how many pairs each was made from; the most, if not all have as many.
        n: the pairs made from others whose rule applies, with all answers.
        unanswered: pairs that lack their own answer or one of those before; they are in no rate.
        not_applicable: pairs whose rule says nothing about what the system answers.
        groups: the groups that the pairs come from.
        before: how often all answers before are right, where all have a gold label.
        after: how often the answer itself is right, where it has a gold label.
        broken: how often the rule is broken.
        broken_of_right: how often it is broken where all answers before are right.
        wrong_of_right: how often the answer itself is wrong where all answers before are right.
        constants: how often always the same label breaks the rule, by label.
    """

    system: str
    corpus: str
    partition: str
    bases: int
    n: int
    unanswered: int
    not_applicable: int
    groups: int
    before: Rate
    after: Rate
    broken: Rate
    broken_of_right: Rate
    wrong_of_right: Rate
    constants: dict[str, float]
