"""From answers to the numbers of a transfer task, with intervals, and what needs no vectors beside them."""

from __future__ import annotations

from statistics import stdev
from typing import TYPE_CHECKING

from nliprobe.api.marks import MeasureDocument, measure_document
from nliprobe.api.transfer_documents import ChanceDocument, ConstantAnswerDocument, TaskDocument, TransferResultDocument
from nliprobe.corpora.transfer.task import TRAIN, Metric, TransferTask
from nliprobe.stats.matches import Matches, Measure, pooled_matches

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.training.transfer import Answered

    Targets = NDArray[np.float64]


def task_document(task: TransferTask, tested: Answered) -> TaskDocument:
    """Describe a task: its size, and what a constant answer and chance get on the items that are tested."""
    gold = gold_of(task, tested)
    return {
        "task": task.name,
        "title": task.title,
        "metric": task.metric.value,
        "items": len(task),
        "tested": len(gold),
        "folds": None if task.splits else len(tested.penalties),
        "classes": list(task.classes),
        "constant": _constant(task, gold),
        "chance": _chance(task, gold),
        "notes": list(task.notes),
    }


def result_document(task: TransferTask, tested: Answered, baseline: Answered | None) -> TransferResultDocument:
    """Measure the answers to a task; ``baseline`` are those of mean GloVe, if they are others."""
    gold = gold_of(task, tested)
    parts = [tested.folds == fold for fold in range(len(tested.penalties))]
    folds = [fold_value(task, gold[part], tested.answers[part]) for part in parts]
    known = [value for value in folds if value is not None]
    scores = task.metric is Metric.PEARSON
    unfinished = (
        [f"In {tested.unfinished} of {len(tested.penalties)} regressions, weights were still changing at the end."]
        if tested.unfinished
        else []
    )
    return {
        "task": task.name,
        "width": tested.width,
        "accuracy": None if scores else measure_document(_accuracy(gold, tested.answers)),
        "f1": measure_document(_f1(task, gold, tested.answers)) if task.metric is Metric.ACCURACY_F1 else None,
        "pearson": measure_document(_pearson(gold, tested.answers)) if scores else None,
        "folds": known if len(folds) > 1 else [],
        "fold_sd": stdev(known) if len(known) > 1 else None,
        "penalties": list(tested.penalties),
        "over_glove": None if baseline is None else _difference(task, gold, tested, baseline),
        "notes": unfinished,
    }


def gold_of(task: TransferTask, tested: Answered) -> Targets:
    """Return the targets of the tested items."""
    import numpy as np

    return np.array(task.targets, dtype=np.float64)[tested.places]


def fold_value(task: TransferTask, gold: Targets, answers: Targets) -> float | None:
    """Return the main measure of a task over some items."""
    measure = _pearson if task.metric is Metric.PEARSON else _accuracy
    return measure(gold, answers).value


def _accuracy(gold: Targets, answers: Targets) -> Measure:
    from nliprobe.stats.intervals import wilson

    right = int((gold == answers).sum())
    return Measure(right / len(gold), wilson(right, len(gold)), len(gold))


def _f1(task: TransferTask, gold: Targets, answers: Targets) -> Measure:
    wanted = len(task.classes) - 1
    matches = [
        Matches(int(chosen and should), int(chosen and not should), int(should and not chosen))
        for chosen, should in zip((answers == wanted).tolist(), (gold == wanted).tolist(), strict=True)
    ]
    return pooled_matches(matches, range(len(matches))).f1


def _pearson(gold: Targets, answers: Targets) -> Measure:
    from nliprobe.stats.correlation import pearson, pearson_interval

    return Measure(pearson(gold, answers), pearson_interval(gold, answers), len(gold))


def _difference(task: TransferTask, gold: Targets, tested: Answered, baseline: Answered) -> MeasureDocument:
    """Compare with mean GloVe item by item; both were tested on the same items in the same folds."""
    import numpy as np

    from nliprobe.stats.correlation import pearson, pearson_difference_interval
    from nliprobe.stats.grouped import mean_difference_interval

    if task.metric is Metric.PEARSON:
        ours, theirs = pearson(gold, tested.answers), pearson(gold, baseline.answers)
        value = None if ours is None or theirs is None else ours - theirs
        interval = pearson_difference_interval(gold, tested.answers, baseline.answers)
        return measure_document(Measure(value, interval, len(gold)))
    differences = (tested.answers == gold).astype(np.int64) - (baseline.answers == gold)
    interval = mean_difference_interval(differences, np.ones(len(gold), dtype=np.int64))
    return measure_document(Measure(float(differences.mean()), interval, len(gold)))


def _constant(task: TransferTask, gold: Targets) -> ConstantAnswerDocument:
    """Return what the most frequent class of what is learnt from gets; a constant score correlates with nothing."""
    import numpy as np

    if task.metric is Metric.PEARSON:
        return {"answer": None, "accuracy": None, "f1": None, "pearson": 0.0}
    targets = np.array(task.targets, dtype=np.float64)
    # Folds are stratified: what is most frequent in one is so in all of them.
    learnt = targets[task.places(TRAIN)] if task.splits else targets
    values, counts = np.unique(learnt, return_counts=True)
    answer = float(values[counts.argmax()])
    answers = np.full(len(gold), answer)
    return {
        "answer": task.classes[int(answer)],
        "accuracy": _accuracy(gold, answers).value,
        "f1": _f1(task, gold, answers).value if task.metric is Metric.ACCURACY_F1 else None,
        "pearson": None,
    }


def _chance(task: TransferTask, gold: Targets) -> ChanceDocument:
    if task.metric is Metric.PEARSON:
        return {"accuracy": None, "f1": None, "pearson": 0.0}
    share, wanted = 1 / len(task.classes), float((gold == len(task.classes) - 1).mean())
    # Precision is the share of the class, recall that of its answers.
    f1 = 2 * wanted * share / (wanted + share) if task.metric is Metric.ACCURACY_F1 else None
    return {"accuracy": share, "f1": f1, "pearson": None}
