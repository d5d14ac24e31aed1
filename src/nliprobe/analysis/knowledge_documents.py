"""The documents about knowledge bias: the same question about something real and about something invented."""

from __future__ import annotations

from typing import TypedDict

from nliprobe.analysis.constant import ConstantAnswer
from nliprobe.analysis.rates import Ends, Rate


class TwinOutcomes(TypedDict):
    """The four things that two answers can do, to a real pair and to its fictional twin; no answer counts as wrong.

    Attributes:
        both: right on both.
        real: right on the real pair only, where knowledge of the world may have helped.
        fictional: right on the fictional twin only, where knowledge of the world may have misled.
        neither: wrong on both.
    """

    both: int
    real: int
    fictional: int
    neither: int


class KnowledgeControl(TypedDict):
    """What the best system that cannot use the premise gets on the same twins.

    Attributes:
        system: its name.
        real: its accuracy on the real pairs.
        fictional: its accuracy on their twins.
        bias: the first minus the second: what the wording of the hypotheses alone makes of the names.
        bias_ci95: the interval of it.
    """

    system: str
    real: float
    fictional: float
    bias: float
    bias_ci95: Ends


class KnowledgeEntry(TypedDict):
    """The answers of one system to the twins of one corpus.

    Attributes:
        system: the system.
        corpus: the corpus.
        partition: the labels that both tell apart.
        n: the twins: pairs of a real pair and a fictional one with the same label.
        groups: the real tables that they come from.
        left_out: the real or fictional pairs of twins without their other half, or with another label.
        unanswered: the twins of which an answer is missing; counted as wrong.
        real: the accuracy on the real pairs.
        fictional: the accuracy on their twins.
        bias: the accuracy on the real pairs minus that on their twins.
        bias_ci95: the interval of the bias, with tables as the units of the sample.
        p: the sign-flip test over tables of no bias.
        outcomes: how often each thing happened.
        constant: the best constant answer, which has no bias: twins have the same label.
        chance: what guessing gets on either.
        control: the best system of the run that cannot use the premise; None if there is none.
    """

    system: str
    corpus: str
    partition: str
    n: int
    groups: int
    left_out: int
    unanswered: int
    real: Rate
    fictional: Rate
    bias: float
    bias_ci95: Ends
    p: float
    outcomes: TwinOutcomes
    constant: ConstantAnswer | None
    chance: float
    control: KnowledgeControl | None
