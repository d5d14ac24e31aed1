"""The documents about stress tests: accuracy before and after, and what needs no understanding beside it."""

from __future__ import annotations

from typing import TypedDict

from nliprobe.analysis.constant import ConstantAnswer
from nliprobe.analysis.rates import Ends, Rate
from nliprobe.analysis.two_way_documents import ControlValue


class StressLabel(TypedDict):
    """The pairs of one gold label.

    Attributes:
        n: how many there are.
        original: the accuracy on the pairs as they were; None for new pairs.
        stressed: the accuracy on the pairs of the test.
        ci95: its interval, with groups as the units of the sample.
    """

    n: int
    original: float | None
    stressed: float
    ci95: Ends


class StressEntry(TypedDict):
    """What one system does in one stress test of one corpus.

    Attributes:
        system: the system.
        corpus: the corpus whose pairs or sentences the test is made from.
        test: the spec of the probe, such as ``stress.overlap``.
        likely: whether these are the cases whose label is likely only; they are counted apart.
        n: the cases with a gold label.
        groups: the groups they come from.
        unanswered: how many got no answer, which counts as wrong.
        unlabelled: how many more cases have no gold label.
        original: the accuracy on the same pairs as they were; None if the test makes new pairs.
        original_ci95: its interval, with groups as the units of the sample.
        stressed: the accuracy in the test.
        stressed_ci95: its interval.
        drop: original minus stressed, pair by pair; None if the test makes new pairs.
        drop_ci95: its interval.
        changed: how often the answer differs from that to the pair as it was, of those with both answers.
        unreached: the cases that the system reads exactly like the pair as it was.
        constant: the best constant answer in the test, and the accuracy it has.
        control: the best system of the run in this test that cannot use the premise.
        labels: the same by gold label.
        partition: the labels that both corpus and system tell apart.
    """

    system: str
    corpus: str
    test: str
    likely: bool
    n: int
    groups: int
    unanswered: int
    unlabelled: int
    original: float | None
    original_ci95: Ends
    stressed: float
    stressed_ci95: Ends
    drop: float | None
    drop_ci95: Ends
    changed: Rate | None
    unreached: int
    constant: ConstantAnswer | None
    control: ControlValue | None
    labels: dict[str, StressLabel]
    partition: str
