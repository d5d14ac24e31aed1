"""Answers of participants: each counts once, the newest of an item counts, and all can be read as a file is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import Connection, func, insert, select

from nliprobe.base.errors import DataError
from nliprobe.people.store.database import Database
from nliprobe.people.store.rows import checked_name, checked_text
from nliprobe.people.store.studies import (
    Participant,
    ParticipantState,
    require_participant,
    require_study,
)
from nliprobe.people.store.study_schema import participants, study_answers, study_feedback
from nliprobe.people.study.answers import Collected, Feedback, Given, answer_text, read_answer
from nliprobe.people.study.records import Study
from nliprobe.people.study.shown import PRACTICE
from nliprobe.task.labels import NAMES

# Characters that a participant may write into one field of a feedback form.
LONGEST_FEEDBACK = 5_000


class Standing(NamedTuple):
    """How far a participant is.

    Attributes:
        participant: who it is.
        answers: what counts of what they answered, by stage and item.
        feedback: what they said about stages and the study, by stage and question.
        revisions: how often they have answered, by stage and item.
    """

    participant: Participant
    answers: Mapping[tuple[str, str], str]
    feedback: Mapping[tuple[str, str], str]
    revisions: Mapping[tuple[str, str], int]


class AnsweredMeanwhileError(DataError):
    """A participant answers a question that they have answered in another window since it was shown here."""


def answer_item(
    database: Database,
    name: str,
    study: Study,
    number: int,
    stage: str,
    item: str,
    answer: str,
    *,
    request: str,
    seconds: float | None = None,
    seen: int | None = None,
) -> str:
    """Keep what a participant answers; when this returns it is on the disk.

    Args:
        database: the store.
        name: the study.
        study: what is shown.
        number: the participant.
        stage: the stage, or ``practice``.
        item: the item.
        answer: as files of answers have it: a label, a bin, points with blanks between, or nothing.
        request: a key of this answer, made by the client: the same request again changes nothing.
        seconds: how long the participant had the question, if it is known.
        seen: how often they had answered it when it was shown to them; None if that does not matter.

    Returns:
        The answer in its one form.

    Raises:
        AnsweredMeanwhileError: they have answered it since it was shown.
        DataError: it is no answer, the participant has not agreed or has withdrawn, or the study was changed.
    """
    checked_name(request, "a request")
    if stage == PRACTICE:
        if study.practice is None or answer not in ("", *NAMES):
            raise DataError("This is no answer to the practice question.")
        said = answer
    else:
        said = answer_text(read_answer(study, f"participant-{number}", stage, item, answer))

    def keep(connection: Connection) -> str:
        require_study(connection, name, study)
        _require_active(require_participant(connection, name, number, lock=True))
        mine = (study_answers.c.study == name, study_answers.c.participant == number)
        known = connection.execute(select(study_answers).where(*mine, study_answers.c.request == request)).one_or_none()
        if known is not None:
            if (known.stage, known.item) != (stage, item):
                raise DataError(f"The request '{request}' was about '{known.item}', not about '{item}'.")
            return str(known.answer)
        about = (*mine, study_answers.c.stage == stage, study_answers.c.item == item)
        revision = connection.scalar(select(func.count()).where(*about)) or 0
        if seen is not None and revision != seen:
            raise AnsweredMeanwhileError(
                "You have answered this question in another window meanwhile. That answer is kept, this one is not."
            )
        row = {
            "study": name,
            "participant": number,
            "stage": stage,
            "item": item,
            "revision": revision,
            "answer": said,
            "given": database.clock(),
            "seconds": seconds,
            "request": request,
        }
        connection.execute(insert(study_answers), [row])
        return said

    return database.write(keep)


def give_feedback(
    database: Database,
    name: str,
    study: Study,
    number: int,
    stage: str,
    said: Mapping[str, str],
    *,
    request: str,
    once: bool = False,
) -> None:
    """Keep what a participant says about a stage, or about the whole study if ``stage`` is empty.

    Args:
        database: the store.
        name: the study.
        study: what is asked.
        number: the participant.
        stage: the stage, or nothing.
        said: the answer to each question by its id; what is not there was left empty.
        request: a key of this form, made by the client: the same request again changes nothing.
        once: whether what was said before stays as it is; otherwise the newest counts.

    Raises:
        AnsweredMeanwhileError: they have answered all of it before, and that stays.
        DataError: it is no answer, the participant has not agreed or has withdrawn, or the study was changed.
    """
    checked_name(request, "a request")
    questions = study.stage(stage).feedback if stage else study.feedback
    answers = {
        one.id: answer_text(
            read_answer(study, f"participant-{number}", stage, one.id, checked_text(said.get(one.id, ""), "The answer"))
        )
        for one in questions
    }
    longest = max(map(len, answers.values()), default=0)
    if longest > LONGEST_FEEDBACK:
        raise DataError(f"An answer has {longest:,} characters: expected at most {LONGEST_FEEDBACK:,}.")

    def keep(connection: Connection) -> None:
        require_study(connection, name, study)
        _require_active(require_participant(connection, name, number, lock=True))
        mine = (study_feedback.c.study == name, study_feedback.c.participant == number)
        if connection.scalar(select(func.count()).where(*mine, study_feedback.c.request == request)):
            return
        about = (*mine, study_feedback.c.stage == stage)
        last = connection.scalar(select(func.max(study_feedback.c.revision)).where(*about))
        before = set(connection.scalars(select(study_feedback.c.question).where(*about))) if once else set()
        new = {question: answer for question, answer in answers.items() if question not in before}
        if answers and not new:
            raise AnsweredMeanwhileError(
                "You have sent this form in another window meanwhile. What you said there is kept, this is not."
            )
        row = {"study": name, "participant": number, "stage": stage, "revision": 0 if last is None else last + 1}
        row |= {"given": database.clock(), "request": request}
        if new:
            rows = [{**row, "question": question, "answer": answer} for question, answer in new.items()]
            connection.execute(insert(study_feedback), rows)

    database.write(keep)


def read_standing(database: Database, name: str, number: int) -> Standing:
    """Return how far a participant is."""

    def read(connection: Connection) -> Standing:
        known = require_participant(connection, name, number)
        return Standing(known, *_said(connection, name, number))

    return database.read(read)


def read_standings(database: Database, name: str) -> list[Standing]:
    """Return how far all participants are who have not withdrawn."""

    def read(connection: Connection) -> list[Standing]:
        require_study(connection, name)
        here = select(participants.c.number).where(
            participants.c.study == name, participants.c.state != ParticipantState.WITHDRAWN.value
        )
        numbers = connection.scalars(here.order_by(participants.c.number)).all()
        return [
            Standing(require_participant(connection, name, number), *_said(connection, name, number))
            for number in numbers
        ]

    return database.read(read)


def collect_answers(database: Database, name: str, study: Study, *, externals: bool = False) -> Collected:
    """Return what all participants answered, as :func:`nliprobe.people.study.answers.read_answers` reads it from files.

    Args:
        database: the store.
        name: the study.
        study: what was shown.
        externals: whether participants are named by the ids that a crowd platform has for them, where it has one.

    Raises:
        DataError: the study was changed since.
    """
    database.read(lambda connection: require_study(connection, name, study))
    collected, gone = Collected(), Counter[str]()
    for standing in read_standings(database, name):
        who = standing.participant
        shown = who.external if externals and who.external else who.name
        places = {stage: place for place, stage in enumerate(who.stages, 1)}
        for (stage, item), answer in standing.answers.items():
            if stage == PRACTICE:
                continue
            one = read_answer(study, shown, stage, item, answer)
            if isinstance(one, Given):
                collected.given.append(one._replace(position=places[stage]))
        for (stage, question), answer in standing.feedback.items():
            if _is_asked(study, stage, question, answer):
                collected.feedback.append(Feedback(shown, stage, question, answer))
            elif answer:
                gone[f"'{question}'" if not stage else f"'{question}' of stage {stage}"] += 1
    if gone:
        counts = ", ".join(f"{count:,} to {asked}" for asked, count in sorted(gone.items()))
        collected.notes.append(
            "What participants said about the study is left out where the study has the question, or the answer, no "
            f"longer: {counts}. Put the old words back to count it."
        )
    return collected


def _is_asked(study: Study, stage: str, question: str, answer: str) -> bool:
    """Tell whether a question about the study still has an answer: such questions may be reworded at any time."""
    asked = study.stage(stage).feedback if stage else study.feedback
    offered = next((one.answers for one in asked if one.id == question), None)
    return offered is not None and (not answer or not offered or answer in offered)


def _said(
    connection: Connection, name: str, number: int
) -> tuple[dict[tuple[str, str], str], dict[tuple[str, str], str], dict[tuple[str, str], int]]:
    """Return the answers and the feedback of a participant that count, and how often they have answered."""
    answers, feedback = study_answers.c, study_feedback.c
    given = select(answers.stage, answers.item, answers.answer).where(
        answers.study == name, answers.participant == number
    )
    said = select(feedback.stage, feedback.question, feedback.answer).where(
        feedback.study == name, feedback.participant == number
    )
    # The clock of a machine may be put back: which answer is the newest is told by its number.
    given = given.order_by(answers.revision, answers.given)
    said = said.order_by(feedback.revision, feedback.given, feedback.question)
    rows = connection.execute(given).all()
    return (
        {(stage, item): answer for stage, item, answer in rows},
        {(stage, question): answer for stage, question, answer in connection.execute(said)},
        dict(Counter((stage, item) for stage, item, _ in rows)),
    )


def _require_active(participant: Participant) -> None:
    if participant.state is ParticipantState.WITHDRAWN:
        raise DataError("You have withdrawn from this study, and what you said was deleted.")
    if participant.state is ParticipantState.INVITED:
        raise DataError("Please agree to take part first.")
