"""The documents about following an edit: what the answer does when an edit changes the gold label, or keeps it."""

from __future__ import annotations

from typing import TypedDict

from nliprobe.analysis.rates import Ends, Rate


class Outcomes(TypedDict):
    """The four things that two answers can do, before an edit and after it; no answer counts as wrong.

    Attributes:
        both: right before and after: the answer follows an edit that changes the label, or stays where it is kept.
        before: right before only: the answer misses the edit, or is led astray by it.
        after: right after only: the answer was already wrong before the edit.
        neither: wrong before and after.
    """

    both: int
    before: int
    after: int
    neither: int


class Followed(TypedDict):
    """The edits that change the gold label, or those that keep it.

    Attributes:
        outcomes: how often each thing happened.
        rate: the share of edits with both answers right.
        of_right: the same share among the edits whose base was answered right.
        unanswered: the edits of which an answer is missing; counted as wrong.
        unreached: the edits after which the system reads exactly what it read before; they are counted, too.
        groups: the groups (documents, tables) that the edits come from.
        constant: what the best constant answer gets, which is 0 where the label changes.
        chance: what guessing gets.
        control: the best system of the run that cannot use the premise; None if there is none.
        control_rate: its rate on the same edits.
        gain: how far the system is above it.
        gain_ci95: the interval of the gain.
    """

    outcomes: Outcomes
    rate: Rate
    of_right: Rate
    unanswered: int
    unreached: int
    groups: int
    constant: float | None
    chance: float
    control: str | None
    control_rate: float | None
    gain: float | None
    gain_ci95: Ends


class FollowedFacet(TypedDict):
    """The edits with one value of a facet that only edited pairs have, such as the type of the edit."""

    facet: str
    value: str
    changes: Followed
    keeps: Followed


class FollowingEntry(TypedDict):
    """How the answers of one system to the pairs of one corpus follow the edits that people or programs made.

    Attributes:
        system: the system.
        corpus: the corpus.
        partition: the labels that both tell apart.
        n: the pairs that were made from another one, both with one gold label.
        unlabelled: the pairs that were made from another one, of which one has no gold label or several.
        changes: the edits that change the gold label.
        keeps: the edits that keep it.
        by: the same by the facets that only edited pairs have.
    """

    system: str
    corpus: str
    partition: str
    n: int
    unlabelled: int
    changes: Followed
    keeps: Followed
    by: list[FollowedFacet]
