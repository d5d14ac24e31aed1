"""Logistic regression over vectors: standardised, with an L2 penalty that is chosen on data apart from the test.

Features are standardised by what is learnt from alone. Penalties are tried from strong to weak, each from where the one
before ended. All of them are tried: strong ones may all answer the most frequent class, and look equally good.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Features = NDArray[np.float32]
    Targets = NDArray[np.float64]
    Places = NDArray[np.int64]

# Inverse penalties, as scikit-learn's C, from strong to weak.
PENALTIES = tuple(10 ** (step / 2) for step in range(-8, 1))
# Where the largest slope of the mean loss stops training. With a hundredth of it no task of mean GloVe moves by more
# than 0.06 points, in twice the time; searched with ten times it, MPQA moves by 0.1: other penalties are chosen.
STOP = 1e-4
MOST_ROUNDS = 300


class Division(NamedTuple):
    """What is learnt from, and what is judged by it, as places in the training items."""

    learn: Places
    judge: Places


class Regression:
    """A regression over some items: ``fit`` it with a penalty, then ask for answers.

    Args:
        features: one row per item.
        targets: the number of each item's class; with ``scores``, its score.
        scores: how many whole scores there are, from 1 up, if targets are scores: each is then a share of the two
            next to it (Tai et al. 2015), and the answer is the expected score.
    """

    def __init__(self, features: Features, targets: Targets, *, scores: int = 0) -> None:
        import numpy as np
        from sklearn.linear_model import LogisticRegression

        self._mean = features.mean(axis=0, dtype=np.float64).astype(np.float32)
        spread = features.std(axis=0, dtype=np.float64).astype(np.float32)
        spread[spread == 0] = 1.0
        self._spread = spread
        self._scores = scores
        self._weights: Targets | None = None
        if scores:
            rows, self._classes, self._weights = soft_lessons(targets, scores)
            self._features = self._standard(features[rows])
        else:
            self._features, self._classes = self._standard(features), targets.astype(np.int64)
        self._model = LogisticRegression(tol=STOP, max_iter=MOST_ROUNDS, warm_start=True)

    def fit(self, penalty: float) -> bool:
        """Learn with a penalty, from where the last one ended; tell whether training came to an end."""
        from sklearn.exceptions import ConvergenceWarning

        self._model.C = penalty
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", ConvergenceWarning)
            self._model.fit(self._features, self._classes, self._weights)
        return not any(issubclass(warning.category, ConvergenceWarning) for warning in caught)

    def answers(self, features: Features) -> Targets:
        """Return the most likely class of each item, or its expected score."""
        import numpy as np

        asked = self._standard(features)
        if not self._scores:
            return np.asarray(self._model.predict(asked), dtype=np.float64)
        shares = self._model.predict_proba(asked).astype(np.float64)
        return np.asarray(shares @ (self._model.classes_ + 1.0), dtype=np.float64)

    def _standard(self, features: Features) -> Features:
        standard: Features = (features - self._mean) / self._spread
        return standard


def soft_lessons(scores: Targets, highest: int) -> tuple[Places, Places, Targets]:
    """Return rows, classes and weights that stand for scores between whole numbers.

    A score of 3.7 is class 3 with weight 0.3 and class 4 with weight 0.7 (classes are counted from 0 here, scores from
    1): cross-entropy over these is that of the sparse distribution of Tai, Socher and Manning (2015, section 4.2).

    >>> import numpy as np
    >>> rows, classes, weights = soft_lessons(np.array([3.7, 5.0]), 5)
    >>> rows.tolist(), classes.tolist(), weights.round(3).tolist()
    ([0, 0, 1], [2, 3, 4], [0.3, 0.7, 1.0])
    """
    import numpy as np

    below = np.clip(np.floor(scores), 1, highest - 1)
    upper = scores - below
    rows = np.repeat(np.arange(len(scores)), 2)
    classes = np.column_stack([below - 1, below]).ravel().astype(np.int64)
    weights = np.column_stack([1 - upper, upper]).ravel()
    used = weights > 0
    return rows[used], classes[used], weights[used]


Judge = Callable[["Targets", "Targets"], float]


def choose_penalty(
    features: Features, targets: Targets, divisions: Sequence[Division], judge: Judge, *, scores: int = 0
) -> float:
    """Return the penalty whose answers are best over all divisions; of equals, the strongest.

    Args:
        features: one row per training item; no test item is among them.
        targets: their classes or scores.
        divisions: what is learnt from, and what is judged.
        judge: says how good answers are, from targets and answers.
        scores: as for :class:`Regression`.
    """
    totals = [0.0] * len(PENALTIES)
    for division in divisions:
        regression = Regression(features[division.learn], targets[division.learn], scores=scores)
        judged, gold = features[division.judge], targets[division.judge]
        for place, penalty in enumerate(PENALTIES):
            regression.fit(penalty)
            totals[place] += judge(gold, regression.answers(judged))
    return PENALTIES[max(range(len(PENALTIES)), key=lambda place: (totals[place], -place))]
