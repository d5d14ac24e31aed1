"""Responses of participants together with what is right: a CSV file of bids on bins, or of answers to questions.

Bids have the columns stage, participant, template, b1, b2, b3, b4, b5 and true_bin: points placed on the bins of
accuracy, and the bin (1 to 5) that was right. Answers have the columns stage, participant, item, answer and truth: a
label or a bin as predicted, and as the model gave it. Two more columns may follow: the ``system`` that was foreseen,
and ``panel``, which is ``simulated`` where no person answered.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from nliprobe.base.cells import csv_text, guarded_lines, restore
from nliprobe.base.errors import DataError, did_you_mean, where
from nliprobe.base.files import write_atomic
from nliprobe.base.records.read import Quotes, Record, read_delimited

POINTS = 5
SIMULATED = "simulated"
BIDS = tuple(f"b{number}" for number in range(1, 6))
_BID_COLUMNS = ("stage", "participant", "template", *BIDS, "true_bin")
_ANSWER_COLUMNS = ("stage", "participant", "item", "answer", "truth")
_MORE = ("system", "panel")


class Bid(NamedTuple):
    """The points of one participant on the five bins of one template, and the place of the right bin from 0."""

    stage: str
    participant: str
    item: str
    points: tuple[float, ...]
    true_bin: int
    system: str = ""
    simulated: bool = False

    @property
    def score(self) -> float:
        """The points on the right bin."""
        return self.points[self.true_bin]


class Answer(NamedTuple):
    """What one participant predicted for one item, and what the model did; an empty answer is wrong."""

    stage: str
    participant: str
    item: str
    answer: str
    truth: str
    system: str = ""
    simulated: bool = False

    @property
    def right(self) -> bool:
        """Whether the participant predicted the model's answer."""
        return self.answer == self.truth


class Responses(NamedTuple):
    """A file of responses: bids, or answers."""

    path: Path
    bids: tuple[Bid, ...]
    answers: tuple[Answer, ...]

    def of(self, stages: Sequence[str]) -> Responses:
        """Return only the responses of the given stages."""
        bids = tuple(bid for bid in self.bids if bid.stage in stages)
        return Responses(self.path, bids, tuple(answer for answer in self.answers if answer.stage in stages))

    def by(self, stage: str = "") -> str:
        """Say who responded, about which system: of one stage, or of the whole file."""
        chosen = [one for one in self._all if not stage or one.stage == stage]
        who = "simulated participants" if any(one.simulated for one in chosen) else "participants"
        systems = ", ".join(sorted({one.system for one in chosen if one.system}))
        return f"{who} of {self.path.name}{f', who foresee {systems}' if systems else ''}"

    @property
    def simulated(self) -> bool:
        """Whether no person responded."""
        return any(one.simulated for one in self._all)

    @property
    def _all(self) -> list[Bid | Answer]:
        return [*self.bids, *self.answers]


def read_responses(path: Path, bid_stages: Sequence[str], answer_stages: Sequence[str]) -> Responses:
    """Read a file of either kind; its header says which it is.

    Args:
        path: the file.
        bid_stages: the stages in which bids are placed.
        answer_stages: the stages in which questions are answered.
    """
    bids: list[Bid] = []
    answers: list[Answer] = []
    seen: dict[tuple[str, str, str], int] = {}
    truths: dict[tuple[str, str], tuple[object, int]] = {}
    panels: dict[bool, int] = {}
    for number, record in read_delimited(path, ",", Quotes.CHECKED, _MORE):
        place = where(path, number)
        kind = _kind(record, place)
        response: Bid | Answer
        if kind is _BID_COLUMNS:
            response = _bid(record, bid_stages, place)
            bids.append(response)
        else:
            response = _answer(record, answer_stages, place)
            answers.append(response)
        key = (response.stage, response.participant, response.item)
        if key in seen:
            raise DataError(
                f"{place}: {response.participant} answers '{response.item}' of stage {response.stage} a second time, "
                f"after line {seen[key]}. Keep one of the two lines."
            )
        seen[key] = number
        truth = response.true_bin if isinstance(response, Bid) else response.truth
        known, line = truths.setdefault((response.stage, response.item), (truth, number))
        if known != truth:
            raise DataError(
                f"{place}: what is right about '{response.item}' of stage {response.stage} differs from line {line}. "
                "It is the same for all participants."
            )
        panels.setdefault(response.simulated, number)
        if len(panels) > 1:
            raise DataError(
                f"{place}: people and simulated participants are in one file (line {panels[not response.simulated]}). "
                "Keep them in files of their own, because their numbers do not mean the same."
            )
    if not seen:
        raise DataError(f"{path} holds no responses: expected lines below a header {','.join(_ANSWER_COLUMNS)}.")
    return Responses(path, tuple(bids), tuple(answers))


def write_bids(path: Path, bids: Sequence[Bid]) -> None:
    """Write bids as :func:`read_responses` reads them."""
    _write(path, (*_BID_COLUMNS, *_MORE), bids)


def write_answers(path: Path, answers: Sequence[Answer]) -> None:
    """Write answers as :func:`read_responses` reads them."""
    _write(path, (*_ANSWER_COLUMNS, *_MORE), answers)


def response_row(one: Bid | Answer) -> dict[str, str]:
    """Return a response by the columns of its file."""
    row = {"stage": one.stage, "participant": one.participant}
    if isinstance(one, Bid):
        points = (f"{point:g}" for point in one.points)
        row |= {"template": one.item, **dict(zip(BIDS, points, strict=True)), "true_bin": str(one.true_bin + 1)}
    else:
        row |= {"item": one.item, "answer": one.answer, "truth": one.truth}
    return row | {"system": one.system, "panel": SIMULATED if one.simulated else ""}


def _write(path: Path, columns: Sequence[str], responses: Sequence[Bid | Answer]) -> None:
    lines = guarded_lines(columns, [response_row(one) for one in responses])
    write_atomic(path, csv_text(lines).encode("utf-8"))


def _kind(record: Record, place: str) -> tuple[str, ...]:
    kind = _BID_COLUMNS if any(name in record for name in (*BIDS, "true_bin")) else _ANSWER_COLUMNS
    if missing := [name for name in kind if name not in record]:
        raise DataError(
            f"{place}: there is no column '{missing[0]}'. Bids have the columns {', '.join(_BID_COLUMNS)}, answers "
            f"{', '.join(_ANSWER_COLUMNS)}."
        )
    return kind


def _bid(record: Record, stages: Sequence[str], place: str) -> Bid:
    points = tuple(_points(record, name, place) for name in BIDS)
    if sum(points) > POINTS:
        raise DataError(f"{place}: {sum(points):g} points are placed on the bins, but there are only {POINTS}.")
    true_bin = _text(record, "true_bin", place)
    if true_bin not in ("1", "2", "3", "4", "5"):
        raise DataError(
            f"{place}: '{true_bin}' is not a bin. Expected 1 (0 to 20 %) to 5 (80 to 100 %) under true_bin."
        )
    stage = _stage(record, stages, place)
    participant, template = _text(record, "participant", place), _text(record, "template", place)
    return Bid(stage, participant, template, points, int(true_bin) - 1, *_panel(record, place))


def _answer(record: Record, stages: Sequence[str], place: str) -> Answer:
    stage = _stage(record, stages, place)
    participant, item = _text(record, "participant", place), _text(record, "item", place)
    truth = _text(record, "truth", place).casefold()
    answer = restore(str(record["answer"]).strip()).casefold()
    return Answer(stage, participant, item, answer, truth, *_panel(record, place))


def _panel(record: Record, place: str) -> tuple[str, bool]:
    panel = str(record.get("panel") or "").strip()
    if panel not in ("", SIMULATED):
        raise DataError(f"{place}: '{panel}' under panel should be '{SIMULATED}', or nothing where a person answered.")
    return restore(str(record.get("system") or "").strip()), panel == SIMULATED


def _stage(record: Record, stages: Sequence[str], place: str) -> str:
    stage = _text(record, "stage", place)
    if stage not in stages:
        raise DataError(f"{place}: there is no stage '{stage}'. {did_you_mean(stage, stages)}")
    return stage


def _points(record: Record, name: str, place: str) -> float:
    text = str(record[name]).strip()
    try:
        points = float(text or "0")
    except ValueError:
        points = math.nan
    if not 0 <= points <= POINTS:
        raise DataError(f"{place}: '{text}' under {name} is not a bid. Expected a number from 0 to {POINTS}.")
    return points


def _text(record: Record, name: str, place: str) -> str:
    text = restore(str(record[name]).strip())
    if not text:
        raise DataError(f"{place}: the column '{name}' is empty.")
    return text
