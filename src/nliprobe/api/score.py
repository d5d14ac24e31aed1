"""Scoring answers on a corpus, without a run folder."""

from __future__ import annotations

from collections.abc import Sequence

from nliprobe.analysis.documents import ScoreDocument
from nliprobe.analysis.summary import Scored, score_document
from nliprobe.api.resolve import Request
from nliprobe.base.errors import DataError, UsageError, option
from nliprobe.engine.doctor import best_order, corrected_map
from nliprobe.models.answers import AnswerReader, check_predictions, partition_of
from nliprobe.models.predictions import Predictions
from nliprobe.task.labels import LabelMap
from nliprobe.task.pair import Pair
from nliprobe.task.partitions import Partition
from nliprobe.task.prediction import Prediction
from nliprobe.task.source import PairSource


def score(request: Request) -> ScoreDocument:
    """Score one system on one corpus: accuracy and macro-F1, as the document ``nliprobe/score/1``."""
    if len(request.on) != 1 or len(request.systems) != 1:
        raise UsageError(
            f"score takes exactly one corpus ({option('on')}) and one file of answers ({option('predictions')})."
        )
    [source] = request.suite().sources
    [system] = request.build_systems(request.training())
    system.reader.enter(None)
    pairs = list(source.pairs())
    model = system.model
    labelled = [pair for pair in pairs if pair.gold is not None]
    asked = labelled
    if isinstance(model, Predictions) and model.ordered and len(model) == len(pairs):
        asked = pairs  # a file in order may also answer the pairs without a label
    if not labelled:
        raise DataError(f"{source.name} has no labelled pair: there is nothing to score.")
    inputs = [system.reader.read_pair(pair) for pair in asked]
    predictions = model.predict(inputs)
    check_predictions(inputs, predictions, system.name)
    unasked = {pair.id for pair in pairs} - {pair.id for pair in asked}
    scored = [Scored(pair.gold, answer, pair.group) for pair, answer in zip(asked, predictions, strict=True)]
    scored += [Scored(None, Prediction(None), pair.group) for pair in pairs if pair.id in unasked]
    notes = [*model.notes(), *_order_notes(asked, predictions, model.partition, system.spec.labels)]
    return score_document(
        source.name,
        system.name,
        scored,
        corpus_partition=source.partition,
        system_partition=model.partition,
        notes=notes,
    )


def score_answers(
    source: PairSource, answers: Sequence[object], *, name: str = "answers", labels: str = ""
) -> ScoreDocument:
    """Score answers in the order of a source's pairs, as the document ``nliprobe/score/1``.

    Args:
        source: the pairs.
        answers: one per pair: a label in any spelling, scores in the order of ``labels``, or None for no answer.
        name: what reports call the answers.
        labels: the order of scores or the meaning of codes.
    """
    pairs = list(source.pairs())
    if len(answers) != len(pairs):
        raise DataError(f"There are {len(answers):,} answers, but {source.name} has {len(pairs):,} pairs.")
    known = LabelMap.parse(labels) if labels else None
    reader = AnswerReader(known)
    predictions: list[Prediction] = []
    for number, answer in enumerate(answers, 1):
        try:
            predictions.append(reader.read(answer))
        except DataError as error:
            raise DataError(f"{name}, number {number}: {error}.") from error
    if all(pair.gold is None for pair in pairs):
        raise DataError(f"{source.name} has no labelled pair: there is nothing to score.")
    partition = partition_of(known)
    return score_document(
        source.name,
        name,
        [Scored(pair.gold, answer, pair.group) for pair, answer in zip(pairs, predictions, strict=True)],
        corpus_partition=source.partition,
        system_partition=partition,
        notes=_order_notes(pairs, predictions, partition, labels),
    )


def _order_notes(
    pairs: Sequence[Pair], predictions: Sequence[Prediction], partition: Partition, labels: str
) -> list[str]:
    """Return a note if the answers look as if their labels were in another order."""
    order = best_order(pairs, [answer.label for answer in predictions], partition)
    if not order.is_wrong(sum(pair.gold is not None for pair in pairs)):
        return []
    return [
        f"The labels seem to be in another order: {order.declared:,} answers are right as declared, "
        f"{order.best:,} with labels={corrected_map(labels, order.meaning)}."
    ]
