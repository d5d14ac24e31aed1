"""Writing the responses of a study as the recipes of the paper read them; other stages than its own are left out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from nliprobe.people.study.answers import Collected
from nliprobe.people.study.key import StudyKey
from nliprobe.people.study.plan import DEFAULT, read_phases
from nliprobe.people.study.records import Question, Study
from nliprobe.people.study.responses import BIDS, POINTS, Answer, Bid, write_answers, write_bids

BIDS_FILE, ANSWERS_FILE = "responses-bids.csv", "responses-answers.csv"


class Written(NamedTuple):
    """The files that were written, and the stages that are none of the paper's."""

    files: list[Path]
    left_out: list[str]


def write_responses(folder: Path, study: Study, key: StudyKey, collected: Collected) -> Written:
    """Write what participants answered together with what is right, for ``nliprobe reproduce … --responses FILE``.

    Args:
        folder: where the files go: one with bids, and one with answers.
        study: what they were shown.
        key: what was right.
        collected: what they answered.
    """
    own = {(one.id, one.question) for stages in read_phases(DEFAULT).values() for one in stages}
    stages = {stage.id: stage for stage in study.stages}
    taken = {
        name
        for name, stage in stages.items()
        if (name, stage.question) in own and (stage.question is not Question.BID or _as_printed(study, stage.answers))
    }
    systems = {stage.stage: stage.system for stage in key.stages}
    bids: list[Bid] = []
    answers: list[Answer] = []
    for one in collected.given:
        if one.stage not in taken:
            continue
        truth, more = key.truths[one.stage][one.item].truth, (systems[one.stage], one.simulated)
        if stages[one.stage].question is Question.BID:
            right = stages[one.stage].answers.index(truth)
            template = key.by_item[one.item].template
            bids.append(Bid(one.stage, one.participant, template, one.points, right, *more))
        else:
            answers.append(Answer(one.stage, one.participant, one.item, one.answer, truth, *more))
    files: list[Path] = []
    if bids:
        write_bids(folder / BIDS_FILE, bids)
        files.append(folder / BIDS_FILE)
    if answers:
        write_answers(folder / ANSWERS_FILE, answers)
        files.append(folder / ANSWERS_FILE)
    reached = {one.stage for one in collected.given}
    return Written(files, [name for name in stages if name in reached and name not in taken])


def _as_printed(study: Study, bins: Sequence[str]) -> bool:
    return study.points == POINTS and len(bins) == len(BIDS)
