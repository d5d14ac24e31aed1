"""The bag-of-words baseline: a linear support-vector machine on counts of words and word pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Self

from nliprobe.base.errors import DataError, ModelError, UsageError
from nliprobe.base.hashing import digest
from nliprobe.base.registry import Spec
from nliprobe.models import MODELS
from nliprobe.models._additive import AdditiveScorer
from nliprobe.models._ngrams import ngrams, tokens
from nliprobe.models.base import Example, Trainable
from nliprobe.models.learnable import learnable, partition_of_classes
from nliprobe.task.case import Input, Prediction
from nliprobe.task.labels import THREE_WAY, LabelMap, LabelSet, Partition

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix

# Training stops here: on InfoTabS every split scores the same to two digits at 1e-2, 1e-3 and 1e-4.
STOP = 1e-2
MOST_ROUNDS = 5000


@dataclass(frozen=True)
class SvmParams:
    """The parameters of ``svm``.

    The defaults are starting values that learn something from a few hundred pairs and from thousands. For a result,
    choose C and the weight on a dev split, as ``scripts/choose_svm.py`` does for InfoTabS.

    Attributes:
        C: the price of a training error. More training pairs allow a smaller one.
        min_count: n-grams that occur in fewer training pairs are ignored.
        premise_weight: how much an n-gram of the premise counts, compared with one of the hypothesis. A table has many
            times the words of a sentence: at 1 they drown it.
        seed: the order in which liblinear visits the training pairs.
    """

    C: float = 0.05
    min_count: int = 1
    premise_weight: float = 0.2
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse values with which nothing can be learnt."""
        if not 0 < self.C < float("inf"):
            raise UsageError(f"'svm?C' should be a positive number, not {self.C}.")
        if self.min_count < 1:
            raise UsageError(f"'svm?min_count' should be at least 1, not {self.min_count}.")
        if not 0 <= self.premise_weight < float("inf"):
            raise UsageError(f"'svm?premise_weight' should not be negative, but is {self.premise_weight}.")
        if not 0 <= self.seed < 2**32:
            raise UsageError(f"'svm?seed' should be from 0 to 4294967295, not {self.seed}.")


@MODELS.register("svm")
class Svm(Trainable):
    """A linear SVM on unigram and bigram counts, premise and hypothesis in one bag.

    Scores are sums over n-grams, so answering reads each distinct segment once and needs neither scikit-learn nor
    SciPy. Margins are not probabilities, so answers have no probabilities. Gold sets of several labels are learnt as
    :func:`nliprobe.models.learnable.learnable` says.
    """

    batch = 8192
    frees_interpreter = False  # counting words is plain Python, and most of the work
    additive = True

    def __init__(self, params: SvmParams | None = None) -> None:
        self.params = params if params is not None else SvmParams()
        self._learnt: _Learnt | None = None
        self._notes: list[str] = []

    @classmethod
    def from_spec(cls, spec: Spec, labels: LabelMap | None) -> Self:
        """Make an untrained SVM; it answers with labels itself, so it needs no label map."""
        if spec.argument:
            raise UsageError(f"'{spec.name}' takes parameters after '?', but was asked for as '{spec}'.")
        return cls(spec.build(SvmParams))

    @property
    def partition(self) -> Partition:
        """The classes learnt in training; three-way before training."""
        return partition_of_classes(self._learnt.classes) if self._learnt is not None else THREE_WAY

    def fingerprint(self) -> str:
        """Return a hash of the parameters."""
        return digest("svm", str(self.version), repr(self.params))

    def notes(self) -> list[str]:
        """Say whether training stopped before it converged."""
        return list(self._notes)

    def fit(self, examples: Sequence[Example]) -> None:
        """Learn one weight per n-gram and class."""
        classes, usable = learnable(examples)
        if len(classes) < 2:
            raise DataError(
                f"The model 'svm' needs pairs of at least two labels to learn from, but all are {classes[0]}."
            )
        matrix, vocabulary = _counts(usable, self.params)
        number = {gold: index for index, gold in enumerate(classes)}
        weights, intercept, self._notes = _train(matrix, [number[example.gold] for example in usable], self.params)
        self._learnt = _Learnt(classes, vocabulary, weights, intercept)

    def predict(self, inputs: Sequence[Input]) -> list[Prediction]:
        """Answer with the class of the highest score; ties go to the first in the order E, N, C."""
        answers = [Prediction(block) for block in self._trained().classes]
        return [answers[place] for place in self._margins(inputs).argmax(axis=1).tolist()]

    def margins(self, inputs: Sequence[Input]) -> list[list[float]]:
        """Return the score of each class, in the order of :attr:`partition`, for each input."""
        rows: list[list[float]] = self._margins(inputs).tolist()
        return rows

    def _margins(self, inputs: Sequence[Input]) -> NDArray[np.float64]:
        learnt = self._trained()
        premises = learnt.scorer.scores([asked.segments for asked in inputs])
        hypotheses = learnt.scorer.scores([(asked.hypothesis,) for asked in inputs])
        return learnt.intercept + hypotheses + self.params.premise_weight * premises

    def save(self, folder: Path) -> None:
        """Write ``vocabulary.txt``, ``weights.safetensors`` and ``config.json``."""
        from nliprobe.models._svm_files import write

        learnt = self._trained()
        write(folder, asdict(self.params), learnt.classes, learnt.vocabulary, learnt.weights, learnt.intercept)

    def load(self, folder: Path) -> None:
        """Read a trained SVM; its parameters become those it was trained with."""
        from nliprobe.models._svm_files import read

        params, classes, vocabulary, weights, intercept = read(folder)
        try:
            self.params = SvmParams(**params)  # type: ignore[arg-type]
        except (TypeError, UsageError) as error:
            raise DataError(f"{folder / 'config.json'} does not hold the parameters of an SVM: {error}") from error
        self._learnt = _Learnt(classes, vocabulary, weights, intercept)

    def _trained(self) -> _Learnt:
        if self._learnt is None:
            raise ModelError("The model 'svm' has not been trained: train it, or name a trained one.")
        return self._learnt


class _Learnt:
    """The n-grams with their weights (n-grams × classes) and the intercepts."""

    def __init__(
        self,
        classes: list[LabelSet],
        vocabulary: list[str],
        weights: NDArray[np.float64],
        intercept: NDArray[np.float64],
    ) -> None:
        self.classes = classes
        self.vocabulary = vocabulary
        self.weights = weights
        self.intercept = intercept

    @cached_property
    def scorer(self) -> AdditiveScorer:
        """Scores texts; made when the first is asked, because all answers may be known."""
        return AdditiveScorer({name: index for index, name in enumerate(self.vocabulary)}, self.weights)


def _counts(examples: Sequence[Example], params: SvmParams) -> tuple[csr_matrix, list[str]]:
    """Return the matrix of counts (examples × n-grams), and the n-grams in sorted order."""
    from array import array

    import numpy as np
    from scipy.sparse import csr_matrix

    ids: dict[str, int] = {}
    premises: dict[str, list[int]] = {}
    columns, values, ends = array("i"), array("d"), array("q", [0])
    for example in examples:
        premise = example.input.premise
        if premise not in premises:  # a table has many hypotheses
            premises[premise] = _ids(premise, ids)
        hypothesis = _ids(example.input.hypothesis, ids)
        for weight, numbers in ((params.premise_weight, premises[premise]), (1.0, hypothesis)):
            columns.extend(numbers)
            values.extend([weight] * len(numbers))
        ends.append(len(columns))
    matrix = csr_matrix(
        (np.frombuffer(values), np.frombuffer(columns, dtype=np.int32), np.frombuffer(ends, dtype=np.int64)),
        shape=(len(examples), len(ids)),
    )
    matrix.sum_duplicates()
    often = np.bincount(matrix.indices, minlength=len(ids)) >= params.min_count
    vocabulary = sorted(name for name, index in ids.items() if often[index])
    if not vocabulary:
        raise DataError(f"No n-gram occurs in {params.min_count} training pairs: ask for a lower min_count.")
    return matrix[:, [ids[name] for name in vocabulary]], vocabulary


def _ids(text: str, ids: dict[str, int]) -> list[int]:
    return [ids.setdefault(name, len(ids)) for name in ngrams(tokens(text))]


def _equal_columns(matrix: csr_matrix) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for each column the number of those that equal it, from 0, and how many columns have each number.

    N-grams that always come together, such as most of a table, get the same weight. Learnt as one column times the root
    of their number, they leave all products of pairs as they are, and so all weights. Of the columns of InfoTabS two
    fifths remain, and of their numbers four fifths.
    """
    import numpy as np

    columns = matrix.tocsc()
    columns.sort_indices()
    ends = columns.indptr.tolist()
    numbers: dict[tuple[bytes, bytes], int] = {}
    places = np.array(
        [
            numbers.setdefault(
                (columns.indices[start:stop].tobytes(), columns.data[start:stop].tobytes()), len(numbers)
            )
            for start, stop in pairwise(ends)
        ]
    )
    return places, np.bincount(places)


def _train(
    matrix: csr_matrix, gold: list[int], params: SvmParams
) -> tuple[NDArray[np.float64], NDArray[np.float64], list[str]]:
    """Return the weights (n-grams × classes), the intercepts, and notes for the user."""
    import warnings

    import numpy as np
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.svm import LinearSVC

    machine = LinearSVC(C=params.C, dual=True, tol=STOP, max_iter=MOST_ROUNDS, random_state=params.seed)
    places, counts = _equal_columns(matrix)
    once = matrix[:, np.unique(places, return_index=True)[1]]
    once.data *= np.sqrt(counts)[once.indices]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ConvergenceWarning)
        machine.fit(once, gold)
    notes = []
    if any(issubclass(warning.category, ConvergenceWarning) for warning in caught):
        notes.append(f"The SVM was still changing after {MOST_ROUNDS} rounds of training; a smaller C settles sooner.")
    weights, intercept = (machine.coef_ / np.sqrt(counts))[:, places], machine.intercept_
    if len(weights) == 1:  # for two classes scikit-learn only keeps the second
        weights, intercept = np.vstack([-weights, weights]), np.concatenate([-intercept, intercept])
    return np.ascontiguousarray(weights.T, dtype=np.float64), np.asarray(intercept, dtype=np.float64), notes
