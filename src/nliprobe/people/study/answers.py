"""The answers of participants: a line per answer, in CSV, TSV or JSON, as any front end can write them.

The columns are participant, stage, item and answer. An answer is a label (``E``, ``neutral`` …), a bin (``20-40``, or
its number from 1), or for a bid the points on each bin with blanks between (``0 3 2 0 0``); an empty one was skipped.
Feedback is an answer, too: its item is the id of the question, and its stage is empty where the question belongs to the
whole study. Three more columns may be there: ``position``, the place of the stage in this participant's order from 1,
``panel``, which is ``simulated`` where no person answered, and ``study``, the id of the study.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from nliprobe.base.cells import guard, restore
from nliprobe.base.errors import DataError, did_you_mean
from nliprobe.base.files import write_atomic
from nliprobe.base.records.files import record_files
from nliprobe.base.records.json_shapes import Record
from nliprobe.people.study.records import FeedbackQuestion, Question, Stage, Study
from nliprobe.people.study.responses import SIMULATED
from nliprobe.task.labels import LabelMap

COLUMNS = ("participant", "stage", "item", "answer")
MORE = ("position", "panel", "study")


class Given(NamedTuple):
    """One answer as it was given; ``answer`` is empty if the question was skipped, ``points`` unless it is a bid."""

    participant: str
    stage: str
    item: str
    answer: str
    points: tuple[float, ...] = ()
    position: int | None = None
    simulated: bool = False


class Feedback(NamedTuple):
    """What a participant says about a stage, or about the whole study if there is no stage."""

    participant: str
    stage: str
    question: str
    answer: str


@dataclass
class Collected:
    """All answers to a study, and what was odd about the files.

    Attributes:
        given: answers to items.
        feedback: answers about the study itself.
        notes: sentences about repeated answers.
    """

    given: list[Given] = field(default_factory=list)
    feedback: list[Feedback] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def simulated(self) -> bool:
        """Whether no person answered."""
        return any(one.simulated for one in self.given)

    @property
    def participants(self) -> list[str]:
        """The names of all participants, sorted."""
        return sorted({one.participant for one in self.given})


def read_answers(study: Study, paths: Sequence[Path]) -> Collected:
    """Read the answers to a study from files; the same answer twice counts once, and two different ones are an error.

    Raises:
        DataError: a line names an unknown stage, item or answer, belongs to another study, or contradicts an earlier
            one; or people and simulated participants are mixed.
    """
    collected = Collected()
    seen: dict[tuple[str, str, str], tuple[Given | Feedback, str]] = {}
    panels: dict[bool, str] = {}
    repeated = 0
    for path in paths:
        for file in record_files(path):
            for number, record in file.records():
                place = file.where(number)
                one = _read(study, record, place)
                key = (one.participant, one.stage, one.question if isinstance(one, Feedback) else one.item)
                if key in seen:
                    if seen[key][0] != one:
                        raise DataError(
                            f"{place}: {one.participant} answers '{key[2]}'{_of(one.stage)} a second time and "
                            f"otherwise than in {seen[key][1]}. Keep one of the two lines."
                        )
                    repeated += 1
                    continue
                seen[key] = one, place
                if isinstance(one, Feedback):
                    collected.feedback.append(one)
                    continue
                collected.given.append(one)
                panels.setdefault(one.simulated, place)
                if len(panels) > 1:
                    raise DataError(
                        f"{place}: people and simulated participants are mixed ({panels[not one.simulated]} is of the "
                        "other kind). Read them one after the other: their numbers do not mean the same."
                    )
    if not collected.given:
        names = ", ".join(map(str, paths))
        raise DataError(f"{names} holds no answer to a question: expected the columns {', '.join(COLUMNS)}.")
    if repeated:
        lines = "One line repeats" if repeated == 1 else f"{repeated:,} lines repeat"
        collected.notes.append(f"{lines} an answer that was given before, and counts once.")
    return collected


def write_answers(path: Path, study: Study, given: Iterable[Given], feedback: Iterable[Feedback] = ()) -> None:
    """Write answers as :func:`read_answers` reads them."""
    write_atomic(path, answers_csv(study, given, feedback).encode("utf-8"))


def answers_csv(study: Study, given: Iterable[Given], feedback: Iterable[Feedback] = ()) -> str:
    """Return answers as CSV, as :func:`read_answers` reads them."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow((*COLUMNS, *MORE))
    panel = ""
    for one in given:
        panel = SIMULATED if one.simulated else ""
        row = (one.participant, one.stage, one.item, answer_text(one), one.position or "", panel, study.id)
        writer.writerow([guard(str(cell)) for cell in row])
    for said in feedback:
        row = (said.participant, said.stage, said.question, said.answer, "", panel, study.id)
        writer.writerow([guard(str(cell)) for cell in row])
    return text.getvalue()


def _read(study: Study, record: Record, place: str) -> Given | Feedback:
    missing = [name for name in COLUMNS if name not in record]
    if missing:
        raise DataError(f"{place}: there is no column '{missing[0]}'. Answers have the columns {', '.join(COLUMNS)}.")
    owner = _cell(record, "study")
    if owner not in ("", study.id):
        raise DataError(f"{place}: this answers another study ({owner}, not {study.id}).")
    participant = _cell(record, "participant")
    if not participant:
        raise DataError(f"{place}: the column 'participant' is empty.")
    name, item, answer = (_cell(record, column) for column in ("stage", "item", "answer"))
    read = read_answer(study, participant, name, item, answer, place=place)
    if isinstance(read, Feedback):
        return read
    return read._replace(position=_position(study, record, place), simulated=_simulated(record, place))


def read_answer(
    study: Study, participant: str, stage: str, item: str, answer: str, *, place: str = "The answer"
) -> Given | Feedback:
    """Read one answer in the spellings of files of answers.

    Args:
        study: what was asked.
        participant: who answered.
        stage: the stage; empty where a question is about the whole study.
        item: the item, or the question of a feedback form.
        answer: what was answered; nothing if the question was skipped.
        place: where it stands, for messages.

    Raises:
        DataError: there is no such stage or item, or this is no answer to it.
    """
    if not stage:
        return _feedback(study.feedback, participant, "", item, answer, place)
    known = {one.id: one for one in study.stages}
    if stage not in known:
        raise DataError(f"{place}: the study has no stage '{stage}'. {did_you_mean(stage, known)}")
    asked = known[stage]
    if item in {question.id for question in asked.feedback}:
        return _feedback(asked.feedback, participant, stage, item, answer, place)
    if item not in asked.by_item:
        raise DataError(
            f"{place}: stage {stage} has no item '{item:.60}'. Its items go from '{asked.items[0].item}' to "
            f"'{asked.items[-1].item}'."
        )
    if asked.question is Question.BID:
        return Given(participant, stage, item, "", _points(asked, study.points, answer, place))
    return Given(participant, stage, item, _answer(asked, answer, place))


def answer_text(one: Given | Feedback) -> str:
    """Return an answer in the one spelling in which it is written; :func:`read_answer` reads it back."""
    if isinstance(one, Given) and one.points:
        return " ".join(f"{point:g}" for point in one.points)
    return one.answer


def _feedback(
    questions: Sequence[FeedbackQuestion], participant: str, stage: str, item: str, answer: str, place: str
) -> Feedback:
    known = {question.id: question for question in questions}
    if item not in known:
        raise DataError(
            f"{place}: '{item:.60}' is no question about the whole study. Name the stage of an item in the column "
            "'stage'."
        )
    offered = known[item].answers
    if answer and offered and answer not in offered:
        raise DataError(f"{place}: '{answer:.60}' is no answer to '{item}'. {did_you_mean(answer, offered)}")
    return Feedback(participant, stage, item, answer)


def _answer(stage: Stage, text: str, place: str) -> str:
    """Return an answer as the stage spells it; a label has many spellings, a bin its name or its number."""
    if not text or text in stage.answers:
        return text
    if stage.question is Question.LABEL:
        try:
            label = LabelMap().read(text)
        except DataError:
            label = None
        if label is not None and str(label) in stage.answers:
            return str(label)
    else:
        plain = text.replace("–", "-").replace("%", "").replace(" ", "")
        if plain in stage.answers:
            return plain
        if plain.isdecimal() and plain.isascii() and 1 <= int(plain) <= len(stage.answers):
            return stage.answers[int(plain) - 1]
    raise DataError(
        f"{place}: '{text:.60}' is no answer of stage {stage.id}. Expected one of {', '.join(stage.answers)}, or "
        "nothing where the question was skipped."
    )


def _points(stage: Stage, most: int, text: str, place: str) -> tuple[float, ...]:
    if not text:
        return (0.0,) * len(stage.answers)
    pieces = text.replace(";", " ").split()
    try:
        points = tuple(float(piece) for piece in pieces)
    except ValueError:
        points = ()
    if len(points) != len(stage.answers) or not all(math.isfinite(point) and 0 <= point <= most for point in points):
        raise DataError(
            f"{place}: '{text:.60}' is no bid. Expected {len(stage.answers)} numbers from 0 to {most}, one per bin, "
            "with blanks between."
        )
    if sum(points) > most:
        raise DataError(f"{place}: {sum(points):g} points are placed on the bins, but there are only {most}.")
    return points


def _position(study: Study, record: Record, place: str) -> int | None:
    text = _cell(record, "position")
    if not text:
        return None
    if not (text.isascii() and text.isdecimal()) or not 1 <= int(text) <= len(study.stages):
        raise DataError(f"{place}: '{text:.60}' under position is no place of a stage, from 1 to {len(study.stages)}.")
    return int(text)


def _simulated(record: Record, place: str) -> bool:
    panel = _cell(record, "panel")
    if panel not in ("", SIMULATED):
        raise DataError(
            f"{place}: '{panel:.60}' under panel should be '{SIMULATED}', or nothing where a person answered."
        )
    return panel == SIMULATED


def _cell(record: Record, name: str) -> str:
    value = record.get(name)
    return "" if value is None else restore(str(value).strip())


def _of(stage: str) -> str:
    return f" of stage {stage}" if stage else ""
