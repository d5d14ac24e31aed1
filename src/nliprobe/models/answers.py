"""Turning what a model answered into predictions, and checking predictions; this happens only here.

Errors are a :class:`DataError` with half a sentence ("unknown label 'x': ..."); adapters put the place in front of it:
a file and line, a callable, a program.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum

from nliprobe.base.errors import DataError, ModelError, UsageError
from nliprobe.base.halves import whole
from nliprobe.task.case import TOLERANCE, Input, Prediction, Shares, Status
from nliprobe.task.labels import LETTERS, THREE_WAY, LabelMap, LabelSet, Partition

LABEL_FIELDS = ("label", "prediction", "pred")
PROBABILITY_FIELDS = ("probabilities", "probs")
LOGIT_FIELDS = ("logits", "scores")
ANSWER_FIELDS = (*LABEL_FIELDS, *PROBABILITY_FIELDS, *LOGIT_FIELDS)
NO_ANSWER = Prediction(None, None, Status.NO_ANSWER)


class Scores(Enum):
    """The kind of a list of numbers: logits, probabilities, or whichever of the two it looks like."""

    LOGITS = "logits"
    PROBABILITIES = "probabilities"
    EITHER = "scores"


_SCORE_FIELDS = {
    **dict.fromkeys(PROBABILITY_FIELDS, Scores.PROBABILITIES),
    **dict.fromkeys(LOGIT_FIELDS, Scores.LOGITS),
}


class AnswerReader:
    """Turns labels in any spelling, lists of scores and records with either into predictions, by a label map."""

    def __init__(self, labels: LabelMap | None) -> None:
        self._labels = labels if labels is not None else LabelMap()
        # A file has a few spellings, a hundred thousand times.
        self._spelt: dict[str, Prediction] = {}

    def read(self, answer: object) -> Prediction:
        """Read an answer of any kind: nothing, a label, a list of scores, or a record with fields."""
        answer = plain(answer)
        if answer is None:
            return NO_ANSWER
        if isinstance(answer, Prediction):
            return answer if answer.raw is None else answer._replace(raw=whole(answer.raw))
        if isinstance(answer, LabelSet):
            return Prediction(answer) if answer else NO_ANSWER
        if isinstance(answer, Mapping):
            return self.record(answer)
        if isinstance(answer, str | int | float):
            return self.label(answer)
        return self.scores(answer, Scores.EITHER)

    def label(self, spelling: object) -> Prediction:
        """Read a label; a spelling that means "unlabelled" is no answer."""
        if isinstance(spelling, str) and spelling in self._spelt:
            return self._spelt[spelling]
        spelling = plain(spelling)
        if not isinstance(spelling, str | int | float):
            raise DataError(f"a label should be a word or a code, not {_short(spelling)}")
        labels = self._labels.read(spelling)
        read = NO_ANSWER if labels is None else Prediction(labels)
        if isinstance(spelling, str):
            self._spelt[spelling] = read
        return read

    def record(self, fields: Mapping[str, object]) -> Prediction:
        """Read a record with a label, scores, or both, which must then agree.

        Scores that disagree with the label next to them are an error, because a wrong label order looks like that.
        """
        if not any(name in fields for name in ANSWER_FIELDS):
            raise DataError(f"there is no answer: expected one of the fields {', '.join(ANSWER_FIELDS)}")
        raw = fields.get("raw")
        raw = whole(raw) if isinstance(raw, str) else None
        label = next((self.label(fields[name]).label for name in LABEL_FIELDS if fields.get(name) is not None), None)
        field = next((name for name in _SCORE_FIELDS if fields.get(name) is not None), None)
        if field is None:
            return Prediction(label, raw=raw) if label is not None else NO_ANSWER._replace(raw=raw)
        best, probabilities = self._weigh(fields[field], _SCORE_FIELDS[field])
        if label is not None and not any(block & label for block in best):
            raise DataError(
                f"the label next to them is {label}, but the highest of the {field} is that of {best[0]}: "
                "the label order (labels=...) is wrong, or one of the two should be left out"
            )
        return Prediction(label if label is not None else best[0], probabilities, raw=raw)

    def scores(self, values: object, kind: Scores) -> Prediction:
        """Read scores: numbers in the declared label order, or a mapping from label to number."""
        best, probabilities = self._weigh(values, kind)
        return Prediction(best[0], probabilities)

    def _weigh(self, values: object, kind: Scores) -> tuple[list[LabelSet], Shares]:
        """Return the labels with the highest score in the order E, N, C, and the probabilities of single labels."""
        values = plain(values)
        if isinstance(values, Mapping):
            blocks = [self._block(name) for name in values]
            numbers = _numbers(values.values(), kind)
        elif isinstance(values, Sequence) and not isinstance(values, str | bytes):
            numbers = _numbers(values, kind)
            blocks = self._order(len(numbers), kind)
        else:
            raise DataError(f"{kind.value} should be a list of numbers, not {_short(values)}")
        if len(blocks) < 2 or _partition(blocks) is None:
            names = ", ".join(str(block) for block in blocks)
            raise DataError(f"{kind.value} should be of two or three different labels, not of {names or 'none'}")
        highest = max(numbers)
        best = [block for block, number in zip(blocks, numbers, strict=True) if number == highest]
        best.sort(key=_rank)
        shares = {str(block): share for block, share in zip(blocks, _shares(numbers, kind), strict=True)}
        # A two-way model says nothing about N and C apart.
        return best, (shares.get("E"), shares.get("N"), shares.get("C"))

    def _order(self, count: int, kind: Scores) -> list[LabelSet]:
        if not self._labels.codes:
            raise DataError(
                f"{kind.value} are given, but nothing says whose they are: declare their order, "
                "for example labels=entailment,neutral,contradiction"
            )
        try:
            order = self._labels.order()
        except UsageError as error:
            raise DataError(f"{kind.value} have no order: {error}") from None
        if len(order) != count:
            raise DataError(f"there are {count} {kind.value}, but the label order names {len(order)} labels")
        return order

    def _block(self, name: object) -> LabelSet:
        block = self._labels.read(name)
        if block is None:
            raise DataError(f"a score is given for {name!r}, which is not a label")
        return block


def partition_of(labels: LabelMap | None) -> Partition:
    """Return how finely a model with this label map tells labels apart.

    These are the declared labels if they are at least two and disjoint (``entailment,not_entailment``), otherwise all
    three labels: a map of a single label only adds a spelling.
    """
    blocks = list(dict.fromkeys(labels.codes.values())) if labels is not None else []
    declared = _partition(blocks) if len(blocks) > 1 else None
    return declared if declared is not None else THREE_WAY


def partition_seen(answers: Iterable[LabelSet]) -> Partition:
    """Return how finely answers tell labels apart: three-way, except for blocks such as NC that are never split."""
    seen = set(answers)
    result = THREE_WAY
    for block in sorted(seen, key=lambda labels: labels.mask):
        if len(block) > 1 and not any(block & other for other in seen - {block}):
            result = result.join(Partition((block,)))
    return result


def check_predictions(inputs: Sequence[Input], predictions: Sequence[Prediction], model_name: str) -> None:
    """Raise an error if the number, the labels or the probabilities of a model's answers are wrong."""
    check_number(inputs, predictions, model_name)
    for asked, prediction in zip(inputs, predictions, strict=True):
        problem = problem_of(prediction)
        if problem:
            name = asked.key or asked.id
            raise ModelError(f"The model {model_name} gave an answer that cannot be used to '{name}': {problem}.")


def check_number(inputs: Sequence[Input], predictions: Sequence[Prediction], model_name: str) -> None:
    """Raise an error unless there is one answer per input; otherwise answers cannot be matched to inputs."""
    if len(predictions) != len(inputs):
        short = "too few" if len(predictions) < len(inputs) else "too many"
        raise ModelError(
            f"The model {model_name} gave {short} answers: {len(predictions)} for {len(inputs)} inputs. "
            "It must give one for each, in their order."
        )


def problem_of(prediction: object) -> str:
    """Return why an answer cannot be used, or an empty text if it can."""
    if not isinstance(prediction, Prediction):
        return f"it should be a Prediction, not {_short(prediction)}"
    if prediction.status is Status.OK:
        if not isinstance(prediction.label, LabelSet) or not prediction.label:
            return f"its status is ok, but its label is {prediction.label!r}"
    elif prediction.label is not None:
        return f"its status is '{prediction.status}', but it has the label {prediction.label}"
    shares = prediction.probabilities
    if shares is None:
        return ""
    if len(shares) != len(LETTERS):
        return f"it has {len(shares)} probabilities instead of 3"
    if not are_probabilities(shares):
        known = [share for share in shares if share is not None]
        return f"{_list(known)} are not probabilities: each should be from 0 to 1, and their sum 1"
    return ""


def are_probabilities(shares: Shares) -> bool:
    """Tell whether the probabilities of E, N and C are from 0 to 1 and have the sum 1; a two-way model has fewer."""
    known = [share for share in shares if share is not None]
    if not known:
        return False
    total = sum(known)
    # Written so that NaN is caught, for which every comparison is false: a sum with NaN in it is NaN.
    within = min(known) >= -TOLERANCE and max(known) <= 1 + TOLERANCE
    return bool(within and total - 1 <= TOLERANCE and (len(known) < len(shares) or 1 - total <= TOLERANCE))


def plain(value: object) -> object:
    """Return arrays and scalars of numpy or torch as plain Python values, without importing either."""
    return value.tolist() if hasattr(value, "tolist") else value


def _numbers(values: Iterable[object], kind: Scores) -> list[float]:
    numbers: list[float] = []
    for value in map(plain, values):
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise DataError(f"{kind.value} should be numbers, but one is {_short(value)}")
        number = _float(value)
        if not math.isfinite(number):
            raise DataError(f"{kind.value} should be finite numbers, but one is {number}")
        numbers.append(number)
    return numbers


def _float(value: int | float) -> float:
    try:
        return float(value)
    except OverflowError:  # an integer that no float can hold
        return math.inf


def looks_like_probabilities(values: object) -> bool:
    """Tell whether scores are from 0 to 1 and have the sum 1."""
    try:
        return _are_shares(_numbers(values.values() if isinstance(values, Mapping) else values, Scores.EITHER))  # type: ignore[arg-type]
    except (DataError, TypeError):
        return False


def _are_shares(numbers: Sequence[float]) -> bool:
    return all(-TOLERANCE <= number <= 1 + TOLERANCE for number in numbers) and abs(sum(numbers) - 1) <= TOLERANCE


def _shares(numbers: list[float], kind: Scores) -> list[float]:
    likely = _are_shares(numbers)
    if kind is Scores.PROBABILITIES and not likely:
        raise DataError(f"{_list(numbers)} are not probabilities: each should be from 0 to 1, and their sum 1")
    if kind is Scores.LOGITS or not likely:
        highest = max(numbers)
        numbers = [math.exp(number - highest) for number in numbers]
    else:
        numbers = [max(number, 0.0) for number in numbers]
    total = sum(numbers)
    return [number / total for number in numbers]


def _partition(blocks: list[LabelSet]) -> Partition | None:
    try:
        return Partition.parse("|".join(str(block) for block in blocks))
    except ValueError:
        return None


def _rank(block: LabelSet) -> int:
    return LETTERS.index(str(block)[0])


def _list(numbers: Sequence[float]) -> str:
    return "[" + ", ".join(f"{number:.4g}" for number in numbers) + "]"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
