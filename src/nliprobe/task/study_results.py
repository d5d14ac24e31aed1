"""The results of a simulation study as plain data: how well people foresaw systems, and how far they agreed."""

from __future__ import annotations

from typing import Final, Literal, TypedDict

SCHEMA: Final = "nliprobe/study-results/1"

Ends = list[float] | None
Rule = Literal["gold", "neighbours", "constant", "chance"]
Measure = Literal["accuracy", "agreement", "score"]


class Measured(TypedDict):
    """A number with its 95 % interval over participants and templates; None where there are too few of them."""

    value: float | None
    ci95: Ends


class Baseline(TypedDict):
    """What somebody would get who follows a simple rule, and how much more the participants get.

    ``gold`` answers what is right rather than what the system says, ``neighbours`` what most of the shown examples
    have (of several the credit is shared), ``constant`` always the same, ``chance`` any answer at random.
    """

    rule: Rule
    answer: str | None
    value: float
    above: Measured


class BidMeasures(TypedDict):
    """What only bids have.

    ``score`` is the mean number of points on the right bin; always bidding everything on ``constant_bin`` would get
    ``constant_score``, and spreading the points evenly ``even_score``. ``tied`` bids have several highest bins, of
    which the lowest counts; ``shared_accuracy`` shares the credit among them instead. ``pearson`` is the correlation
    of two participants' points on the right bin, the mean over ``pearson_pairs`` pairs of participants that have one.
    """

    points: int
    score: Measured
    constant_bin: str
    constant_score: float
    even_score: float
    bids: int
    tied: int
    shared_accuracy: Measured
    pearson: Measured
    pearson_pairs: int


class ParticipantEntry(TypedDict):
    """One participant in one stage: questions answered, skipped and not reached, and what they got."""

    participant: str
    answered: int
    skipped: int
    not_reached: int
    accuracy: float | None
    score: float | None


class PairEntry(TypedDict):
    """Two participants in one stage: how often they answer the same, and the correlation of their bids."""

    first: str
    second: str
    agreement: float
    pearson: float | None


class FeedbackCount(TypedDict):
    """How often each answer was given to a question about the study; free texts are listed."""

    question: str
    ask: str
    counts: dict[str, int]
    texts: list[str]


class StageResult(TypedDict):
    """How well participants foresaw a system in one stage.

    ``system`` is what they called it and ``system_name`` its own name. Of bids, accuracy and agreement are about the
    bin with the highest bid.
    """

    stage: str
    title: str
    system: str
    system_name: str
    question: Literal["bid", "pick", "label"]
    shows: str
    pool: str
    answers: list[str]
    items: int
    templates: int
    given: int
    skipped: int
    not_reached: int
    accuracy: Measured
    accuracy_sd: float | None
    agreement: Measured
    bids: BidMeasures | None
    baselines: list[Baseline]
    participants: list[ParticipantEntry]
    pairs: list[PairEntry]
    feedback: list[FeedbackCount]


class StageDifference(TypedDict):
    """How much higher the second stage is than the first, for the same participants and templates.

    Only stages with the same answers to choose from are compared; a ``score`` is that of bids, in points. ``ci95``
    holds for this difference alone, ``ci95_together`` for all differences of this measure at once.
    """

    first: str
    second: str
    measure: Measure
    value: float | None
    ci95: Ends
    ci95_together: Ends
    participants: int
    templates: int


class OrderEntry(TypedDict):
    """The order in which a participant went through the stages, as far as it was recorded."""

    participant: str
    stages: list[str]


class StudyResults(TypedDict):
    """What ``nliprobe study results --format json`` writes; ``simulated`` says that no person answered."""

    schema: Literal["nliprobe/study-results/1"]
    study: str
    title: str
    simulated: bool
    participants: int
    stages: list[StageResult]
    differences: list[StageDifference]
    orders: list[OrderEntry]
    feedback: list[FeedbackCount]
    notes: list[str]
