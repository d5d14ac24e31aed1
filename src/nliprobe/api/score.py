"""Scoring answers on a corpus, without a run folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias, cast

from nliprobe.analysis.cases import gold_labels
from nliprobe.analysis.documents import ScoreDocument
from nliprobe.analysis.facet_documents import Breakdown
from nliprobe.analysis.scored_facets import ScoredPairs, scored_breakdown
from nliprobe.analysis.summary import Scored, score_document
from nliprobe.api.pairs import FrameLike, PairsLike, is_pairs, record_of, rows_of
from nliprobe.api.resolve import Request, check_sources
from nliprobe.api.systems import GivenSystem
from nliprobe.base.errors import DataError, UsageError, flag, option
from nliprobe.corpora.file import FileOptions
from nliprobe.corpora.notices import source_notices, taken_columns
from nliprobe.engine.doctor.orders import best_order, corrected_map
from nliprobe.models.answers import AnswerReader, check_predictions, partition_of, plain
from nliprobe.models.predictions import AskedCase, Predictions, PredictionsParams
from nliprobe.store.verdict import OFF
from nliprobe.task.case import Prediction
from nliprobe.task.labels import LabelMap, Partition
from nliprobe.task.pair import Pair
from nliprobe.task.source import PairSource, Source

AnswersLike: TypeAlias = "str | Path | FrameLike | Sequence[object]"


def score(request: Request, by: Sequence[str] = ()) -> ScoreDocument:
    """Score one system on one corpus: accuracy and macro-F1, as the document ``nliprobe/score/1``.

    Args:
        request: the corpus and the system.
        by: facets to break the accuracy down by; those that the corpus names are shown anyway.
    """
    if len(request.on) != 1 or len(request.systems) != 1:
        raise UsageError(
            f"score takes exactly one corpus ({option('on')}) and one file of answers ({option('predictions')})."
        )
    [source] = request.suite().sources
    check_sources([source])
    [system] = request.build_systems(request.training())
    system.model.check()
    system.reader.enter(None)
    pairs = list(source.pairs())
    model = system.model
    labelled = [pair for pair in pairs if pair.gold is not None]
    if not labelled:
        raise _nothing_to_score(source)
    inputs = [system.reader.read_pair(pair) for pair in labelled]
    if isinstance(model, Predictions):
        # A file in order may also answer the pairs without a label.
        met = pairs if model.ordered else labelled
        cell = f"pairs of {source.name}"
        model.meet(
            AskedCase(cell, system.reader.read_pair(pair), pair.gold, as_it_is=True, corpus=source.name) for pair in met
        )
    predictions = model.predict(inputs)
    check_predictions(inputs, predictions, system.name)
    scored = [Scored(pair.gold, answer, pair.group) for pair, answer in zip(labelled, predictions, strict=True)]
    scored += [Scored(None, Prediction(None), pair.group) for pair in pairs if pair.gold is None]
    labels = system.spec.labels or request.labels
    notes = [
        *source_notices(source, pairs),
        *model.notes(),
        *_order_notes(labelled, predictions, model.partition, labels, doctor=request.doctor),
    ]
    return score_document(
        source.name,
        system.name,
        scored,
        corpus_partition=source.partition,
        system_partition=model.partition,
        notes=notes,
        unmatched=model.unmatched if isinstance(model, Predictions) else 0,
        breakdowns=_breakdowns(source, system.name, labelled, predictions, model.partition, by),
    )


def answers_of(predictions: AnswersLike, params: PredictionsParams, labels: str, name: str) -> GivenSystem | None:
    """Return the system that looks answers up in a file, a frame or records; none for a list of bare answers."""
    known = LabelMap.parse(labels) if labels else None
    if isinstance(predictions, str | Path):
        path = Path(predictions)
        return GivenSystem(Predictions.from_path(path, params, known, _spelling), name or path.name)
    if isinstance(predictions, Sequence) and (not predictions or not isinstance(predictions[0], Mapping)):
        return None
    if not isinstance(predictions, Sequence) and not _is_frame(predictions):
        return None
    title = name or "answers"
    given = enumerate(rows_of(cast("PairsLike", predictions), FileOptions()), 1)
    rows = [{name: plain(value) for name, value in record_of(row, title, number).items()} for number, row in given]
    return GivenSystem(Predictions.from_records(title, rows, params, known, _spelling), title)


def _is_frame(item: object) -> bool:
    # A series has the methods of a frame, but no columns: it is a list of bare answers.
    has_columns = any(hasattr(item, name) for name in ("columns", "column_names", "collect_schema"))
    return has_columns and is_pairs(item)


def _spelling(parameter: str, value: str) -> str:
    """Return how a parameter of ``predictions`` is given as an option of ``score``."""
    names = {"answer": "answer-column", "scores": "scores-column", "id": "id-column", "format": "file-format"}
    name = names.get(parameter, parameter.replace("_", "-"))
    return option(name, value) if value else flag(name)


def score_answers(
    source: PairSource,
    answers: Sequence[object],
    *,
    name: str = "answers",
    labels: str = "",
    doctor: bool = True,
    by: Sequence[str] = (),
) -> ScoreDocument:
    """Score answers in the order of a source's pairs, as the document ``nliprobe/score/1``.

    Args:
        source: the pairs.
        answers: one per pair: a label in any spelling, scores in the order of ``labels``, or None for no answer.
        name: what reports call the answers.
        labels: the order of scores or the meaning of codes.
        doctor: whether the order of the labels is checked; a note says if it is not.
        by: facets to break the accuracy down by.
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
        raise _nothing_to_score(source)
    partition = partition_of(known)
    return score_document(
        source.name,
        name,
        [Scored(pair.gold, answer, pair.group) for pair, answer in zip(pairs, predictions, strict=True)],
        corpus_partition=source.partition,
        system_partition=partition,
        notes=[*source_notices(source, pairs), *_order_notes(pairs, predictions, partition, labels, doctor=doctor)],
        breakdowns=_breakdowns(source, name, pairs, predictions, partition, by),
    )


def _breakdowns(
    source: PairSource,
    system: str,
    pairs: Sequence[Pair],
    answers: Sequence[Prediction],
    partition: Partition,
    by: Sequence[str],
) -> list[Breakdown]:
    """Break the accuracy down by what the user asks for and by what the corpus names."""
    labelled = [(pair, answer) for pair, answer in zip(pairs, answers, strict=True) if pair.gold is not None]
    scored = ScoredPairs(
        source.name,
        system,
        [pair for pair, _ in labelled],
        [answer for _, answer in labelled],
        source.partition.join(partition),
        gold_labels(source.partition, partition),
    )
    own = source.report_by if isinstance(source, Source) else ()
    broken_down = [scored_breakdown(scored, facet, asked=facet in by) for facet in dict.fromkeys([*by, *own])]
    return [item for item in broken_down if item is not None]


def _nothing_to_score(source: PairSource) -> DataError:
    columns = taken_columns(source)
    taken = "" if columns is None else f" Taken: {columns}. Name the label with label=COLUMN."
    return DataError(f"{source.name} has no labelled pair: there is nothing to score.{taken}")


def _order_notes(
    pairs: Sequence[Pair], predictions: Sequence[Prediction], partition: Partition, labels: str, *, doctor: bool
) -> list[str]:
    """Return a note if the answers look as if their labels were in another order, or if nobody looked."""
    if not doctor:
        return list(OFF.remarks)
    order = best_order(pairs, [answer.label for answer in predictions], partition)
    if not order.is_wrong:
        return []
    return [
        f"The labels seem to be in another order: {order.declared:,} answers are right as declared, "
        f"{order.best:,} with labels={corrected_map(labels, order.meaning)}."
    ]
