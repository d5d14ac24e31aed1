"""The shapes of the documents that analysis makes and reports show; they are written as JSON unchanged.

Shares are fractions from 0 to 1 unless their name says percent; an interval is a pair of them at the 95 % level;
null means that there was nothing to compute from. The published form is docs/reference/schemas.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, TypedDict

from nliprobe.analysis.consistency_documents import ConsistencyEntry
from nliprobe.analysis.constant import ConstantAnswer
from nliprobe.analysis.counterfactual.documents import CounterfactualEntry
from nliprobe.analysis.evidence.documents import EvidenceEntry
from nliprobe.analysis.facet_documents import Breakdown
from nliprobe.analysis.following_documents import FollowingEntry
from nliprobe.analysis.integrity import Integrity
from nliprobe.analysis.knowledge_documents import KnowledgeEntry
from nliprobe.analysis.perturbed.documents import PerturbationEntry
from nliprobe.analysis.rates import Ends as Ends
from nliprobe.analysis.rates import Rate as Rate
from nliprobe.analysis.stress_documents import StressEntry
from nliprobe.analysis.swap.documents import Swap
from nliprobe.analysis.two_way_documents import TwoWay, TwoWayEntry

SHOW_SCHEMA: Final = "nliprobe/show/3"
SCORE_SCHEMA: Final = "nliprobe/score/1"
# What has a p-value below this after correction is called shown: a gain, a better or a worse system.
LEVEL: Final = 0.05
# The column of a confusion for cases the system did not answer.
UNANSWERED = "unanswered"

Matrix: TypeAlias = dict[str, dict[str, int]]
Document: TypeAlias = "ShowDocument | ScoreDocument"


class LabelScore(TypedDict):
    """How well one label (or block of labels) is found."""

    precision: float | None
    recall: float | None
    f1: float | None
    support: int
    predicted: int


class Numbers(TypedDict):
    """The scores of one system on labelled cases.

    ``ci95`` takes groups into account, and is None if cases share too few groups; ``ci95_clustered`` is the same where
    cases share groups, and None where every group has one case. ``constant`` is the best constant answer, and
    ``balanced`` the accuracy with labels weighted alike (None if gold may be several labels).
    """

    n: int
    answered: int
    unanswered: int
    correct: int
    accuracy: float | None
    ci95: Ends
    ci95_clustered: Ends
    groups: int
    constant: ConstantAnswer | None
    balanced: float | None
    balanced_ci95: Ends
    macro_f1: float | None
    macro_f1_ci95: Ends
    labels: dict[str, LabelScore]
    ambiguous: int
    confusion: Matrix
    partition: str
    unlabelled: int


class LikelyScore(TypedDict):
    """The accuracy on the cases whose label is likely, not certain; they count nowhere else."""

    n: int
    unanswered: int
    correct: int
    accuracy: float | None
    ci95: Ends
    groups: int
    constant: ConstantAnswer | None


class ScoreEntry(Numbers):
    """The scores of one system on one corpus as one probe changed it."""

    system: str
    corpus: str
    probe: str
    uncertain: int
    likely: LikelyScore


class ScoreDocument(Numbers):
    """What ``nliprobe score --format json`` writes; ``two_way`` only if two labels are told apart."""

    schema: Literal["nliprobe/score/1"]
    corpus: str
    system: str
    unmatched: int
    notes: list[str]
    two_way: TwoWay | None
    breakdowns: list[Breakdown]


class Gain(TypedDict):
    """How far a system is above the best system of the run that cannot use the premise.

    ``p`` is the sign-flip test over groups, ``p_holm`` the same after Holm's correction over all gains of the run.
    """

    system: str
    corpus: str
    control: str
    n: int
    groups: int
    accuracy: float
    control_accuracy: float
    gain: float
    ci95: Ends
    p: float
    p_holm: float
    partition: str


class FamilyScore(TypedDict):
    """The accuracy of systems that differ by their seed only: mean, standard deviation over seeds, mean gain."""

    family: str
    systems: list[str]
    corpus: str
    probe: str
    accuracy: float
    sd: float | None
    gain: float | None


class LikelyTransitions(TypedDict):
    """The rates on the cases whose expectation is likely, not certain; they count nowhere else."""

    n: int
    unchanged: int
    prohibited: dict[str, Rate]
    prohibited_overall: Rate
    changed: Rate


class Transitions(TypedDict):
    """Where the answers of one system went when one probe edited one corpus.

    ``row_percent`` and its intervals are in percent of the answers before.
    ``unchanged`` counts the cases that the system reads exactly like their base; they are in no rate.
    """

    system: str
    corpus: str
    probe: str
    partition: str
    labels: list[str]
    n: int
    pairs: int
    groups: int
    unchanged: int
    unanswered: int
    uncertain: int
    relations: dict[str, int]
    counts: Matrix
    row_percent: dict[str, dict[str, float | None]]
    row_percent_ci95: dict[str, dict[str, Ends]]
    prohibited_counts: Matrix
    prohibited: dict[str, Rate]
    prohibited_overall: Rate
    changed: Rate
    likely: LikelyTransitions


class ExpectationCounts(TypedDict):
    """How often expectations had each outcome."""

    n: int
    holds: int
    broken: int
    not_applicable: int
    unanswered: int


class ExpectationEntry(ExpectationCounts):
    """What the cases of one corpus and probe expect of one system, if not only moves between labels.

    ``rate`` is the share that is broken among those that hold or are broken, ``changed`` the share whose label differs
    from that of their base. ``unchanged`` counts the cases that the system reads exactly like their base; they are in
    no rate.
    """

    system: str
    corpus: str
    probe: str
    groups: int
    unchanged: int
    uncertain: int
    rate: Rate
    changed: Rate
    rules: dict[str, ExpectationCounts]


class MeanRate(TypedDict):
    """A plain average of rates over corpora."""

    corpora: int
    rate: float | None
    ci95: Ends


class TransitionAverage(TypedDict):
    """The prohibited rates of one system and probe, averaged over corpora."""

    system: str
    probe: str
    corpora: list[str]
    prohibited: dict[str, MeanRate]
    prohibited_overall: MeanRate
    prohibited_likely: MeanRate
    changed: MeanRate


class CorpusHead(TypedDict):
    """A corpus of the run."""

    name: str
    partition: str


class SystemHead(TypedDict):
    """A system of the run.

    ``constant`` is the label that it always answers, if its answers never differ. ``doctor`` is the status of the
    doctor's verdict, if there is one: ``off`` if the user switched the doctor off.
    """

    name: str
    partition: str
    represent: str | None
    premise: str | None
    train: list[str]
    family: str | None
    constant: str | None
    doctor: str | None


class ProbeAbout(TypedDict):
    """What a probe says about itself: what is done to a pair, what a broken case shows, what is drawn."""

    line: str
    broken: str
    picture: Literal["transitions", "broken"]


class RunHead(TypedDict):
    """What is known about the run as a whole."""

    folder: str
    status: str | None
    integrity: Integrity
    nliprobe: str | None
    suite: str | None
    seed: int | None
    created: str | None
    finished: str | None
    cases: int
    corpora: list[CorpusHead]
    probes: list[str]
    about: dict[str, ProbeAbout]
    systems: list[SystemHead]


class Skipped(TypedDict):
    """Pairs to which a probe did not apply, and why."""

    corpus: str
    probe: str
    reason: str
    n: int


class ShowDocument(TypedDict):
    """What ``nliprobe show RUN --format json`` writes."""

    schema: Literal["nliprobe/show/3"]
    run: RunHead
    scores: list[ScoreEntry]
    gains: list[Gain]
    breakdowns: list[Breakdown]
    two_way: list[TwoWayEntry]
    stress: list[StressEntry]
    following: list[FollowingEntry]
    knowledge: list[KnowledgeEntry]
    swap: Swap | None
    consistency: list[ConsistencyEntry]
    families: list[FamilyScore]
    transitions: list[Transitions]
    transition_averages: list[TransitionAverage]
    expectations: list[ExpectationEntry]
    evidence: list[EvidenceEntry]
    counterfactuals: list[CounterfactualEntry]
    perturbations: list[PerturbationEntry]
    skipped: list[Skipped]
    notes: dict[str, list[str]]
