"""Mean GloVe: the mean of the vectors of a text's words, and logistic regression over pairs of such means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

from nliprobe.base.errors import DataError, ModelError, UsageError
from nliprobe.base.hashing import digest
from nliprobe.base.registry import Spec
from nliprobe.language.tokens import tokens
from nliprobe.language.vectors import Vectors, find_vectors
from nliprobe.models import MODELS
from nliprobe.models._glove_files import Learnt, read, write
from nliprobe.models.answers import AnswerReader, Scores
from nliprobe.models.base import Example, Trainable
from nliprobe.models.learnable import learnable, partition_of_classes
from nliprobe.task.case import Input, Prediction
from nliprobe.task.labels import THREE_WAY, LabelMap, Partition

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Words whose vectors are averaged at once: 20 MB for 300 dimensions.
_PIECE = 8192
# Training stops here; on SNLI at 1e-4 the same answers are right to 0.1 points.
_STOP, _MOST_ROUNDS = 1e-3, 1000


@dataclass(frozen=True)
class GloveParams:
    """The parameters of ``glove``.

    Attributes:
        vectors: a file or folder of word vectors; by default those of NLIPROBE_VECTORS or ``glove`` below the data
            folders.
        C: the inverse of the L2 penalty of the logistic regression over pairs.
    """

    vectors: str = ""
    C: float = 0.1

    def __post_init__(self) -> None:
        """Refuse a penalty with which nothing can be learnt."""
        if not 0 < self.C < float("inf"):
            raise UsageError(f"'glove?C' should be a positive number, not {self.C}.")


@MODELS.register("glove")
class Glove(Trainable):
    """Reads a text as the mean of its words' vectors; pairs by logistic regression over [u, v, |u−v|, u∗v].

    It knows no order of words, and words without a vector do not count. It embeds single texts without any training:
    it is the baseline of encoders of sentences.
    """

    batch = 8192
    frees_interpreter = False  # splitting texts into words is plain Python, and most of the work

    def __init__(self, params: GloveParams | None = None) -> None:
        self.params = params if params is not None else GloveParams()
        self._learnt: Learnt | None = None
        self._known: dict[str, tuple[int, ...]] = {}
        self._words = self._unknown = 0

    @classmethod
    def from_spec(cls, spec: Spec, labels: LabelMap | None) -> Self:
        """Make an untrained model; it answers with labels itself, so it needs no label map."""
        if spec.argument:
            raise UsageError(f"'{spec.name}' takes parameters after '?', but was asked for as '{spec}'.")
        return cls(spec.build(GloveParams))

    @property
    def partition(self) -> Partition:
        """The classes learnt in training; three-way before training."""
        return partition_of_classes(self._learnt.classes) if self._learnt is not None else THREE_WAY

    @cached_property
    def vectors(self) -> Vectors:
        """The word vectors, which are looked for when they are first needed."""
        return find_vectors(self.params.vectors)

    def fingerprint(self) -> str:
        """Return a hash of the vectors and the penalty."""
        return digest("glove", str(self.version), self.vectors.digest, repr(self.params.C))

    def check(self) -> None:
        """Find the word vectors."""
        _ = self.vectors

    def notes(self) -> list[str]:
        """Say how many words of the distinct texts that were read have no vector."""
        if not self._unknown:
            return []
        share = 100 * self._unknown / self._words
        return [
            f"{share:.1f} % of {self._words:,} words have no vector in {self.vectors.path.name}; they do not count."
        ]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the mean of the words' vectors per text; zeros for a text without any."""
        return self._means(texts)

    def fit(self, examples: Sequence[Example]) -> None:
        """Learn one weight per feature and class."""
        import numpy as np
        from sklearn.linear_model import LogisticRegression

        classes, usable = learnable(examples)
        if len(classes) < 2:
            raise DataError(
                f"The model 'glove' needs pairs of at least two labels to learn from, but all are {classes[0]}."
            )
        number = {gold: index for index, gold in enumerate(classes)}
        features = self._features([example.input for example in usable])
        mean = features.mean(axis=0, dtype=np.float64)
        spread = features.std(axis=0, dtype=np.float64)
        spread[spread == 0] = 1.0
        regression = LogisticRegression(C=self.params.C, tol=_STOP, max_iter=_MOST_ROUNDS)
        regression.fit(
            (features - mean.astype(np.float32)) / spread.astype(np.float32),
            np.array([number[example.gold] for example in usable]),
        )
        weights, intercept = regression.coef_.astype(np.float64), regression.intercept_.astype(np.float64)
        if len(weights) == 1:  # for two classes scikit-learn only keeps the second
            weights, intercept = np.vstack([np.zeros_like(weights), weights]), np.append(0.0, intercept)
        # Folded into the weights, so that answering needs no second look at the training pairs.
        weights = weights / spread
        self._words = self._unknown = 0
        self._learnt = Learnt(classes, np.ascontiguousarray(weights.T), intercept - weights @ mean)

    def predict(self, inputs: Sequence[Input]) -> list[Prediction]:
        """Answer with the most likely class, and with probabilities."""
        learnt = self._trained()
        if not inputs:
            return []
        logits = self._features(inputs) @ learnt.weights + learnt.intercept
        reader = AnswerReader(LabelMap({str(place): str(name) for place, name in enumerate(learnt.classes)}))
        return [reader.scores(row, Scores.LOGITS) for row in logits.tolist()]

    def save(self, folder: Path) -> None:
        """Write ``weights.safetensors`` and ``config.json``, which names the vectors by their digest."""
        write(folder, asdict(self.params), self._trained(), self.vectors)

    def load(self, folder: Path) -> None:
        """Read what was learnt; the vectors must be those it was learnt with."""
        self._learnt = read(folder, self.vectors)

    def _features(self, inputs: Sequence[Input]) -> NDArray[np.float32]:
        import numpy as np

        both = (text for asked in inputs for text in (asked.premise, asked.hypothesis))
        distinct = {text: place for place, text in enumerate(dict.fromkeys(both))}
        means = self._means(list(distinct))
        premises = means[[distinct[asked.premise] for asked in inputs]]
        hypotheses = means[[distinct[asked.hypothesis] for asked in inputs]]
        return np.hstack([premises, hypotheses, np.abs(premises - hypotheses), premises * hypotheses])

    def _means(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        means = np.zeros((len(texts), self.vectors.dimensions), dtype=np.float32)
        waiting: list[tuple[int, list[int]]] = []
        size = 0
        for place, text in enumerate(texts):
            words = [self._places(word) for word in tokens(text)]
            self._words += len(words)
            self._unknown += sum(not places for places in words)
            if rows := [row for places in words for row in places]:
                waiting.append((place, rows))
                size += len(rows)
            if size >= _PIECE:
                self._fill(means, waiting)
                waiting, size = [], 0
        if waiting:
            self._fill(means, waiting)
        return means

    def _fill(self, means: NDArray[np.float32], waiting: Sequence[tuple[int, list[int]]]) -> None:
        import numpy as np

        sizes = np.array([len(rows) for _, rows in waiting])
        vectors = self.vectors.take([row for _, rows in waiting for row in rows])
        sums = np.add.reduceat(vectors, np.cumsum(sizes) - sizes, axis=0)
        means[[place for place, _ in waiting]] = sums / sizes[:, None]

    def _places(self, word: str) -> tuple[int, ...]:
        """Return the rows of a word's vector; a compound without one falls into its parts."""
        known = self._known.get(word)
        if known is None:
            whole = self.vectors.place(word)
            parts = [self.vectors.place(part) for part in word.split("-")] if whole is None else [whole]
            known = self._known[word] = tuple(row for row in parts if row is not None)
        return known

    def _trained(self) -> Learnt:
        if self._learnt is None:
            raise ModelError("The model 'glove' has not been trained: train it, or name a trained one.")
        return self._learnt
