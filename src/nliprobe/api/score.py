"""Scoring a file of answers on a corpus, without a run folder."""

from __future__ import annotations

from nliprobe.analysis.documents import ScoreDocument
from nliprobe.analysis.summary import Scored, score_document
from nliprobe.api.resolve import Request
from nliprobe.base.errors import DataError, UsageError, option
from nliprobe.engine.doctor import best_order, corrected_map
from nliprobe.models.answers import check_predictions
from nliprobe.models.predictions import Predictions
from nliprobe.task.prediction import Prediction


def score(request: Request) -> ScoreDocument:
    """Accuracy and macro-F1 of one system on one corpus, as the document ``nliprobe/score/1``."""
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
    notes = model.notes()
    labels = [answer.label for answer in predictions]
    order = best_order(asked, labels, model.partition)
    if order.is_wrong(len(labelled)):
        notes.append(
            f"The labels seem to be in another order: {order.declared:,} answers are right as declared, "
            f"{order.best:,} with labels={corrected_map(system.spec.labels, order.meaning)}."
        )
    return score_document(
        source.name,
        system.name,
        scored,
        corpus_partition=source.partition,
        system_partition=model.partition,
        notes=notes,
        seed=request.seed,
    )
