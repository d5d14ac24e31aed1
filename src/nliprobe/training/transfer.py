"""How far vectors of sentences serve other tasks: logistic regression over frozen vectors.

Tasks with splits of their own are learnt from the training split and asked about the test split; others are divided
into seeded, stratified folds, and each fold is asked after learning from the rest. The penalty is chosen on the dev
split, or on folds inside of what is learnt from: nothing that is tested decides anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.base.errors import DataError
from nliprobe.corpora.transfer.task import DEV, TEST, TRAIN, Metric, TransferTask
from nliprobe.training.regression import Division, Regression, choose_penalty

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.training.regression import Features, Judge, Places, Targets

# Raised when the same vectors would give other answers.
VERSION = 1
FOLDS = 10
# Folds inside of what is learnt from, on which a penalty is chosen.
INNER = 3
# Relatedness is rated from 1 to 5.
SCORES = 5


class Answered(NamedTuple):
    """What a task's items were answered.

    Attributes:
        places: the items that were tested.
        answers: the class or score that each was answered.
        folds: the fold in which each was tested; 0 for a task with splits of its own.
        penalties: the inverse penalty of each fold.
        width: the numbers per vector.
        unfinished: folds whose training was still changing when it was stopped.
    """

    places: Places
    answers: Targets
    folds: Places
    penalties: tuple[float, ...]
    width: int
    unfinished: int


def stratified_folds(targets: NDArray[np.float64], folds: int, seed: int) -> Places:
    """Return the fold of each item: each class is shuffled and dealt out, so that folds have like sizes and shares."""
    import numpy as np

    from nliprobe.stats.draws import generator

    fold = np.empty(len(targets), dtype=np.int64)
    dealt = 0
    for target in np.unique(targets):
        places = generator(seed, "transfer folds", repr(float(target))).permutation(np.flatnonzero(targets == target))
        # Dealing goes on where the last class ended, so that no fold gets all the odd ones.
        fold[places] = (np.arange(len(places)) + dealt) % folds
        dealt += len(places)
    return fold


def pair_features(first: Features, second: Features) -> Features:
    """Return the features of pairs: distance and product of their vectors, number by number."""
    import numpy as np

    return np.hstack([np.abs(first - second), first * second])


def steps(task: TransferTask, folds: int) -> int:
    """Return how many regressions a task takes, for progress."""
    return 1 if task.splits else folds


def run_task(
    task: TransferTask,
    first: Features,
    second: Features | None,
    *,
    folds: int = FOLDS,
    seed: int = 0,
    advance: Callable[[], None] = lambda: None,
) -> Answered:
    """Learn a task from vectors, and answer its tested items.

    Args:
        task: the task.
        first: the vector of each text, or of each pair's first text.
        second: the vectors of the second texts of pairs.
        folds: how many folds a task without splits is divided into.
        seed: of all folds.
        advance: called after each regression.
    """
    import numpy as np

    features = first if second is None else pair_features(first, second)
    targets = np.array(task.targets, dtype=np.float64)
    scores = SCORES if task.metric is Metric.PEARSON else 0
    judge = _correlation if scores else _hits
    places, answers, numbers, penalties = [], [], [], []
    unfinished = 0
    for number, (learn, dev, test) in enumerate(_divided(task, targets, folds, seed)):
        penalty = _chosen(features, targets, learn, dev, judge, scores, seed)
        regression = Regression(features[learn], targets[learn], scores=scores)
        unfinished += not regression.fit(penalty)
        places.append(test)
        answers.append(regression.answers(features[test]))
        numbers.append(np.full(len(test), number))
        penalties.append(penalty)
        advance()
    return Answered(
        np.concatenate(places),
        np.concatenate(answers),
        np.concatenate(numbers),
        tuple(penalties),
        first.shape[1],
        unfinished,
    )


def _divided(task: TransferTask, targets: Targets, folds: int, seed: int) -> Iterator[tuple[Places, Places, Places]]:
    """Yield what is learnt from, what chooses the penalty if there is a split for it, and what is tested."""
    import numpy as np

    nothing = np.empty(0, dtype=np.int64)
    if task.splits:
        train, dev, test = (np.array(task.places(split), dtype=np.int64) for split in (TRAIN, DEV, TEST))
        yield train, dev, test
        return
    counts = np.unique(targets, return_counts=True)[1]
    if counts.min() < folds:
        raise DataError(
            f"'{task.name}' has a class with {counts.min()} items, too few for {folds} folds. Ask for fewer folds."
        )
    fold = stratified_folds(targets, folds, seed)
    for number in range(folds):
        yield np.flatnonzero(fold != number), nothing, np.flatnonzero(fold == number)


def _chosen(
    features: Features, targets: Targets, learn: Places, dev: Places, judge: Judge, scores: int, seed: int
) -> float:
    import numpy as np

    if len(dev):
        known = np.concatenate([learn, dev])
        divisions = [Division(np.arange(len(learn)), np.arange(len(learn), len(known)))]
    else:
        known = learn
        inner = stratified_folds(targets[learn], INNER, seed)
        divisions = [
            Division(np.flatnonzero(inner != number), np.flatnonzero(inner == number)) for number in range(INNER)
        ]
    return choose_penalty(features[known], targets[known], divisions, judge, scores=scores)


def _hits(gold: Targets, answers: Targets) -> float:
    return float((gold == answers).sum())


def _correlation(gold: Targets, answers: Targets) -> float:
    from nliprobe.stats.correlation import pearson

    # Answers that never vary say nothing.
    return pearson(gold, answers) or 0.0
