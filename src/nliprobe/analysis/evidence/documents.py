"""The shapes of what documents say about model evidence.

Shares are fractions from 0 to 1; intervals take groups (tables, claims) into account. *Marked* units are those that
the evidence of a pair names; *used* units are those of the system.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, TypedDict

from nliprobe.analysis.rates import Ends, Rate

# How a unit is shown to be used: the answer changes without it, or the unit alone gives the same answer.
Method: TypeAlias = Literal["delete", "keep"]
KindName: TypeAlias = Literal["all", "partial", "irrelevant_only", "nothing"]
KIND_NAMES: Final[tuple[KindName, ...]] = ("all", "partial", "irrelevant_only", "nothing")


class Mean(TypedDict):
    """An average over pairs with its interval; None if there is no pair."""

    n: int
    mean: float | None
    ci95: Ends


class Kinds(TypedDict):
    """How often pairs are of each kind: all marked units used, some, only others, none at all."""

    all: Rate
    partial: Rate
    irrelevant_only: Rate
    nothing: Rate


class UseMeasures(TypedDict):
    """How well the used units agree with the marked ones, over pairs that have at least one marked unit.

    Attributes:
        n: the pairs.
        groups: the groups they come from.
        precision: the share of the used units that are marked, averaged over pairs; 0 where none is used.
        precision_where_some: the same over pairs with at least one used unit.
        recall: the share of the marked units that are used, averaged over pairs.
        exact: pairs in which the used units are exactly the marked ones.
        wrong: pairs in which no marked unit is used: ``irrelevant_only`` and ``nothing`` together.
        nothing_of_wrong: the share of ``nothing`` among the wrong ones.
        kinds: shares of all pairs; they add up to 1.
        accuracy: the share of right answers to the pairs as they are.
        right: shares of all pairs that are of a kind and answered rightly; they add up to the accuracy.
        accuracy_by: the accuracy on the pairs of each kind.
        marked_per_pair: how many units are marked.
        used_per_pair: how many units are used.
        marked_counts: how many pairs have how many marked units.
        used_counts: how many pairs have how many used units.
    """

    n: int
    groups: int
    precision: Mean
    precision_where_some: Mean
    recall: Mean
    exact: Rate
    wrong: Rate
    nothing_of_wrong: Rate
    kinds: Kinds
    accuracy: Rate
    right: Kinds
    accuracy_by: Kinds
    marked_per_pair: Mean
    used_per_pair: Mean
    marked_counts: dict[str, int]
    used_counts: dict[str, int]


class Baseline(TypedDict):
    """What something without a model would get on the same pairs, so that the measures can be read."""

    name: str
    precision: float
    precision_where_some: float | None
    recall: float
    exact: float
    all: float
    partial: float
    irrelevant_only: float
    nothing: float


class LabelUse(TypedDict):
    """The measures on the pairs of one gold label."""

    n: int
    precision: Mean
    recall: Mean
    all: Rate
    nothing: Rate


class PositionUse(TypedDict):
    """How often units at one place are marked and used; ``used_of_marked`` is the recall at that place."""

    position: str
    marked: Rate
    used: Rate
    used_of_marked: Rate


class KeyUse(TypedDict):
    """How often people need the rows of a key, and how often the system uses them.

    ``label`` is that of the pairs, or ``all``; ``difference`` is ``used`` minus ``needed``. ``p`` is the sign-flip
    test over groups, ``p_holm`` the same after Holm's correction over all keys and labels of the entry.
    """

    label: str
    key: str
    n: int
    groups: int
    needed: float
    used: float
    difference: float
    ci95: Ends
    p: float
    p_holm: float


class KeysUse(TypedDict):
    """The keys that occur in at least ``least`` pairs; ``rare`` counts the others."""

    least: int
    rare: int
    keys: list[KeyUse]


class LeftOut(TypedDict):
    """Pairs with evidence that are in no measure, and why."""

    reason: str
    n: int


class Unread(TypedDict):
    """Units that never reach the system: it reads the premise without them exactly like the whole one.

    They cannot be used and count as unused. ``pairs`` counts the pairs with a marked unit among them.
    """

    units: int
    marked: int
    pairs: int


class EvidenceEntry(UseMeasures):
    """The model evidence of one system on one corpus, by one grade of evidence and one method.

    Attributes:
        unit: ``row`` or ``sentence``.
        pairs: the pairs with gold E or C and at least one marked unit; ``n`` of them are measured.
        outside: how many of the measured pairs need knowledge from outside the premise, too.
        without_all: of the answers E and C, the share that becomes N when all marked units are taken out.
        grounded: pairs in which every marked unit is used, and the answer is N without all of them.
    """

    system: str
    corpus: str
    grade: Literal["gold", "edit", "silver"]
    unit: Literal["row", "sentence"]
    method: Method
    partition: str
    pairs: int
    left_out: list[LeftOut]
    outside: int
    unread: Unread
    without_all: Rate
    grounded: Rate
    labels: dict[str, LabelUse]
    positions: list[PositionUse]
    places: list[PositionUse]
    keys: KeysUse
    baselines: list[Baseline]
