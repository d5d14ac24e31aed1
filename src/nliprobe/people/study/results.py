"""From the answers of participants to the results of a study: stage by stage, and the differences between stages."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from statistics import stdev
from typing import Literal

from nliprobe.base.one_core import on_one_core
from nliprobe.people.study.answers import Collected, Feedback
from nliprobe.people.study.baselines import baselines
from nliprobe.people.study.bids import bid_measures
from nliprobe.people.study.differences import stage_differences
from nliprobe.people.study.key import StudyKey
from nliprobe.people.study.notes import result_notes
from nliprobe.people.study.records import FeedbackQuestion, Stage, Study
from nliprobe.people.study.stage_data import StageData, rounded, stage_data
from nliprobe.task.study_results import (
    SCHEMA,
    FeedbackCount,
    OrderEntry,
    PairEntry,
    ParticipantEntry,
    StageResult,
    StudyResults,
)


def study_results(study: Study, key: StudyKey, collected: Collected) -> StudyResults:
    """Measure how well participants foresaw the systems of a study, and how far they agreed.

    Args:
        study: what they were shown.
        key: what was right.
        collected: what they answered.
    """
    with on_one_core():
        return _results(study, key, collected)


def _results(study: Study, key: StudyKey, collected: Collected) -> StudyResults:
    reached = {one.stage for one in collected.given}
    data = [stage_data(study, key, stage, collected.given) for stage in study.stages if stage.id in reached]
    stages = [_stage(key, one, collected.feedback) for one in data]
    orders = _orders(study, collected)
    return StudyResults(
        schema=SCHEMA,
        study=study.id,
        title=study.title,
        simulated=collected.simulated,
        participants=len(collected.participants),
        stages=stages,
        differences=stage_differences(data),
        orders=orders,
        feedback=[_feedback(question, "", collected.feedback) for question in study.feedback],
        notes=[*collected.notes, *result_notes(study, stages, orders)],
    )


def _stage(key: StudyKey, data: StageData, feedback: Sequence[Feedback]) -> StageResult:
    from nliprobe.stats.panel import NOT_REACHED, SKIPPED, mean_agreement

    stage, answers = data.stage, data.answers
    people = _participants(data)
    shares = [one["accuracy"] for one in people if one["accuracy"] is not None]
    hidden = next(one for one in key.stages if one.stage == stage.id)
    return StageResult(
        stage=stage.id,
        title=stage.title,
        system=stage.system,
        system_name=hidden.system,
        question=_question(stage),
        shows=str(stage.shows),
        pool=hidden.pool,
        answers=list(stage.answers),
        items=len(stage.items),
        templates=len(data.templates),
        given=int((answers >= 0).sum()),
        skipped=int((answers == SKIPPED).sum()),
        not_reached=int((answers == NOT_REACHED).sum()),
        accuracy=data.mean(data.right),
        accuracy_sd=rounded(stdev(shares)) if len(shares) > 1 else None,
        agreement=data.measured(lambda rows, items: mean_agreement(answers[rows][:, items])),
        bids=bid_measures(data),
        baselines=baselines(data, key),
        participants=people,
        pairs=_pairs(data),
        feedback=[_feedback(question, stage.id, feedback) for question in stage.feedback],
    )


def _question(stage: Stage) -> Literal["bid", "pick", "label"]:
    names: dict[str, Literal["bid", "pick", "label"]] = {"bid": "bid", "pick": "pick", "label": "label"}
    return names[stage.question.value]


def _participants(data: StageData) -> list[ParticipantEntry]:
    from nliprobe.stats.panel import NOT_REACHED, SKIPPED, bids_on_truth, row_means

    shares = row_means(data.right).tolist()
    scores: list[float | None] = [None] * len(shares)
    if data.points is not None:
        scores = [rounded(score) for score in row_means(bids_on_truth(data.points, data.truth)).tolist()]
    return [
        ParticipantEntry(
            participant=name,
            answered=int((data.answers[row] >= 0).sum()),
            skipped=int((data.answers[row] == SKIPPED).sum()),
            not_reached=int((data.answers[row] == NOT_REACHED).sum()),
            accuracy=rounded(shares[row]),
            score=scores[row],
        )
        for row, name in enumerate(data.participants)
    ]


def _pairs(data: StageData) -> list[PairEntry]:
    import math

    from nliprobe.stats.panel import bids_on_truth, pair_agreements, pair_pearsons

    shares = pair_agreements(data.answers)
    scores = None if data.points is None else pair_pearsons(bids_on_truth(data.points, data.truth))
    return [
        PairEntry(
            first=data.participants[first],
            second=data.participants[second],
            agreement=round(float(shares[first, second]), 6),
            pearson=None if scores is None or math.isnan(scores[first, second]) else rounded(scores[first, second]),
        )
        for first, second in combinations(range(len(data.participants)), 2)
        if not math.isnan(shares[first, second])
    ]


def _orders(study: Study, collected: Collected) -> list[OrderEntry]:
    places: dict[str, dict[str, int]] = {}
    for one in collected.given:
        if one.position is not None:
            places.setdefault(one.participant, {}).setdefault(one.stage, one.position)
    return [
        OrderEntry(participant=name, stages=sorted(stages, key=lambda stage: stages[stage]))
        for name, stages in sorted(places.items())
    ]


def _feedback(question: FeedbackQuestion, stage: str, said: Sequence[Feedback]) -> FeedbackCount:
    mine = [one.answer for one in said if one.stage == stage and one.question == question.id and one.answer]
    counts = {answer: mine.count(answer) for answer in question.answers}
    return FeedbackCount(question=question.id, ask=question.ask, counts=counts, texts=[] if question.answers else mine)


def results_of(path: Path, answers: Sequence[Path]) -> tuple[StudyResults, Study, StudyKey, Collected]:
    """Read a study with its key and the answers to it, and measure the results."""
    from nliprobe.people.study.answers import read_answers
    from nliprobe.people.study.files import read_key, read_study

    study = read_study(path)
    key = read_key(path, study)
    collected = read_answers(study, answers)
    return study_results(study, key, collected), study, key, collected
