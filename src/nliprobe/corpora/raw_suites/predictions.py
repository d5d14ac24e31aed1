"""Read predictions as CheckList's ``run_from_file`` does: a line per line of the raw file, in one of five forms."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from nliprobe.base.errors import DataError, NotFoundError, UsageError, did_you_mean, option, where
from nliprobe.base.records.encodings import known
from nliprobe.base.records.text import read_lines
from nliprobe.corpora._parts import path_and_options
from nliprobe.task.labels import LabelMap, LabelSet

_ORDER = "entailment,neutral,contradiction"
# How far rounded probabilities may be from a sum of 1.
_ROUNDED = 0.02


class PredictionForm(StrEnum):
    """What a line holds; CheckList's names."""

    PRED_ONLY = "pred_only"
    SOFTMAX = "softmax"
    BINARY_CONF = "binary_conf"
    PRED_AND_CONF = "pred_and_conf"
    PRED_AND_SOFTMAX = "pred_and_softmax"


@dataclass(frozen=True, slots=True)
class PredictionOptions:
    """The parameters of a file of predictions: ``preds.txt?form=pred_and_softmax``.

    Attributes:
        form: what a line holds: pred_only, softmax, binary_conf, pred_and_conf or pred_and_softmax.
        header: 1 if the first line is no prediction.
        encoding: of the file, if it is not UTF-8.
    """

    form: str = ""
    header: bool = False
    encoding: str = ""


class Answer(NamedTuple):
    """The label that was predicted, and the probabilities of all labels where the file has them."""

    label: LabelSet | None
    probabilities: dict[str, float]


def read_predictions(source: str | Path, labels: LabelMap) -> Iterator[Answer]:
    """Yield the predictions of a file, one per line and in their order."""
    path, options = path_and_options(str(source), PredictionOptions)
    file = Path(path)
    if not file.is_file():
        raise NotFoundError(f"There is no file {file}.")
    encoding = known(options.encoding) if options.encoding else ""
    lines = islice(read_lines(file, encoding), int(options.header), None)
    form = _form(options.form, file)
    order = labels.order() if labels.codes else []
    for number, line in lines:
        place = where(file, number)
        try:
            yield _read(line, form, labels, order, place)
        except UsageError:
            raise
        except DataError as error:
            text = str(error).replace(f"labels={_ORDER}", option("labels", _ORDER))
            raise DataError(text if text.startswith(place) else f"{place}: {text}.") from error


def _form(text: str, path: Path) -> PredictionForm:
    if not text:
        _, line = next(read_lines(path), (1, ""))
        raise UsageError(
            f"{path} does not say what its lines hold, the first being '{line:.60}'. Add the form that CheckList's "
            f"run_from_file was given (pred_and_softmax if it was given none), as in {path}?form=pred_and_softmax. "
            f"There are {', '.join(PredictionForm)}."
        )
    try:
        return PredictionForm(text)
    except ValueError:
        hint = did_you_mean(text, list(PredictionForm))
        raise UsageError(f"'{text}' is not a form of predictions. {hint}") from None


def _read(line: str, form: PredictionForm, labels: LabelMap, order: list[LabelSet], place: str) -> Answer:
    if form is PredictionForm.PRED_ONLY:
        return Answer(labels.read(line), {})
    words = line.split()
    if form is PredictionForm.PRED_AND_CONF:
        if len(words) != 2:
            raise DataError(f"{place}: expected a prediction and its confidence, not '{line:.60}'.")
        _numbers(words[1:], place)
        return Answer(labels.read(words[0]), {})
    if not order:
        raise UsageError(
            f"{place}: nothing says which label each probability belongs to. Give their order: "
            f"{option('labels', _ORDER)}."
        )
    shown = words[1:] if form is PredictionForm.PRED_AND_SOFTMAX else words
    values = _numbers(shown, place)
    if form is PredictionForm.BINARY_CONF and len(values) == 1:
        values = [1 - values[0], values[0]]
    if len(values) != len(order):
        raise DataError(
            f"{place}: {len(values)} probabilities for the {len(order)} labels of {option('labels')} "
            f"({', '.join(map(str, order))})."
        )
    if min(values) < 0 or abs(sum(values) - 1) > _ROUNDED:
        raise DataError(f"{place}: these are no probabilities, whose sum is 1: '{line:.60}'.")
    highest = order[max(range(len(values)), key=values.__getitem__)]
    said = labels.read(words[0]) if form is PredictionForm.PRED_AND_SOFTMAX else highest
    # The digits of a file may be few, and then their sum is not quite 1.
    probabilities = {str(label): value / sum(values) for label, value in zip(order, values, strict=True)}
    if said is not None and probabilities.get(str(said), -1.0) < max(probabilities.values()):
        raise DataError(
            f"{place}: the prediction is {said}, but the highest probability is that of {highest}: "
            f"{option('labels')} gives another order than the file."
        )
    return Answer(said, probabilities)


def _numbers(words: list[str], place: str) -> list[float]:
    try:
        values = [float(word) for word in words]
    except ValueError:
        raise DataError(f"{place}: expected numbers, not '{' '.join(words):.60}'.") from None
    if not all(map(math.isfinite, values)):
        raise DataError(f"{place}: expected numbers, not '{' '.join(words):.60}'.")
    return values
