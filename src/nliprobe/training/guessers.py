"""Classifiers that read hypotheses alone: the members of the ensemble that measures how far labels can be guessed.

Three that err differently: logistic regression over words and pairs of words, the same over pieces of words, and naive
Bayes over words. Accuracies in cross-validation, the members in this order and then all together: SNLI test 59.3, 59.0,
59.6, 60.4 %; MultiNLI dev-matched 49.3, 47.6, 47.1, 49.2 %; InfoTabS dev 54.4, 54.2, 53.8, 55.1 %; ANLI round 3 dev
40.8, 37.6, 40.9, 40.0 %; TabFact test 55.7, 54.4, 54.8, 55.7 %.

Logistic regression is trained by stochastic gradient descent: from 100,000 pairs it learns in 0.8 seconds and gets
64.3 % of SNLI test, where a quasi-Newton solver takes 3.1 seconds and gets 63.9 %.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix

    Codes = NDArray[np.int64]
    Shares = NDArray[np.float64]

# Words keep their apostrophes and hyphens; every other sign is its own token.
_TOKEN = re.compile(r"\w+(?:['’\-]\w+)*|[^\w\s]")
# Longer hypotheses are told apart no further.
_LONGEST = 30
# Features of a single pair cannot be learnt from.
_LEAST_TEXTS = 2
_EPOCHS = 8


class Guesser(Protocol):
    """A classifier with probabilities, as scikit-learn has them."""

    def fit(self, features: csr_matrix, labels: Codes) -> object:
        """Learn from features and the numbers of labels."""
        ...

    def predict_proba(self, features: csr_matrix) -> Shares:
        """Return the probability of every label that was learnt, in the order of their numbers."""
        ...


class Member(NamedTuple):
    """One member of the ensemble: its name in reports, what it reads, and how it learns."""

    name: str
    features: str
    bayes: bool = False


MEMBERS = (
    Member("words", "words"),
    Member("pieces of words", "pieces"),
    Member("naive Bayes", "words", bayes=True),
)


class Features(NamedTuple):
    """What members read: a row per text, by the kind of features."""

    words: csr_matrix
    words_weighted: csr_matrix
    pieces_weighted: csr_matrix

    def of(self, member: Member) -> csr_matrix:
        """Return the features that a member reads; naive Bayes counts them, the others weigh rare ones higher."""
        if member.bayes:
            return self.words
        return self.words_weighted if member.features == "words" else self.pieces_weighted

    def rows(self, which: NDArray[np.bool_]) -> Features:
        """Return the features of some texts."""
        return Features(*(matrix[which] for matrix in self))


def features(texts: Sequence[str], known: Sequence[str]) -> Features:
    """Return the features of texts, without looking at labels.

    Args:
        texts: the texts to describe.
        known: the texts whose words and pieces count; for texts outside these, others are not seen.
    """
    import numpy as np
    from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer

    matrices = []
    for analyzer, sizes in ((_words, (1, 1)), ("char_wb", (2, 4))):
        counter = CountVectorizer(analyzer=analyzer, ngram_range=sizes, binary=True, dtype=np.float64)
        try:
            learnt = counter.set_params(min_df=_LEAST_TEXTS).fit_transform(known)
        except ValueError:  # no two texts share anything, such as words of single signs
            learnt = counter.set_params(min_df=1).fit_transform(known)
        counts = learnt if texts is known else counter.transform(texts)
        matrices += [counts, TfidfTransformer().fit(learnt).transform(counts)]
    words, words_weighted, _, pieces_weighted = matrices
    return Features(words, words_weighted, pieces_weighted)


def _words(text: str) -> list[str]:
    """Return words, pairs of neighbours with the ends of the text among them, and how many words there are."""
    words = [word.lower() for word in _TOKEN.findall(text)]
    pairs = [f"{left} {right}" for left, right in pairwise(["<", *words, ">"])]
    return [*words, *pairs, f"words {min(len(words), _LONGEST)}"]


def guess(member: Member, learnt: Features, labels: Codes, asked: Features, classes: int, seed: int) -> Shares:
    """Train a member, and return its probabilities of all labels, a row per text it is asked about.

    Args:
        member: which one.
        learnt: the features of the training texts.
        labels: the numbers of their labels, two or more of them.
        asked: the features of the texts to guess.
        classes: how many labels there are; one that no training text has gets probability 0.
        seed: of the order in which training texts are visited.
    """
    import numpy as np

    guesser = _bayes() if member.bayes else _regression(len(labels), seed)
    guesser.fit(learnt.of(member), labels)
    shares = np.zeros((asked.words.shape[0], classes))
    shares[:, np.unique(labels)] = guesser.predict_proba(asked.of(member))
    return shares


def _regression(size: int, seed: int) -> Guesser:
    from sklearn.linear_model import SGDClassifier

    # The penalty is spread over the texts: with more of them, each word needs less of it.
    model: Guesser = SGDClassifier(loss="log_loss", alpha=1 / size, max_iter=_EPOCHS, tol=None, random_state=seed)
    return model


def _bayes() -> Guesser:
    return _TemperedBayes()


class _TemperedBayes:
    """Naive Bayes that takes the features of a text for less independent than they are not.

    It multiplies the evidence of n features as if each were a new observation, and is far too sure of itself: its
    mean log loss on SNLI test is 1.28, more than that of a constant answer (1.10). With the log-likelihood divided by
    the square root of n it is 0.89, like that of the other members, and the label it prefers stays the same.
    """

    def fit(self, features: csr_matrix, labels: Codes) -> object:
        import numpy as np
        from sklearn.naive_bayes import MultinomialNB

        # A word that no training text has would speak for the label with the fewest words, by smoothing alone.
        self._seen = np.asarray(features.sum(axis=0)).ravel() > 0
        self._model = MultinomialNB().fit(features[:, self._seen], labels)
        return self

    def predict_proba(self, features: csr_matrix) -> Shares:
        import numpy as np

        known = features[:, self._seen]
        joint = self._model.predict_joint_log_proba(known)
        sizes = np.asarray(known.sum(axis=1), dtype=np.float64).reshape(-1, 1)
        scaled = joint / np.sqrt(np.maximum(sizes, 1.0))
        weights = np.exp(scaled - scaled.max(axis=1, keepdims=True))
        shares: Shares = weights / weights.sum(axis=1, keepdims=True)
        return shares
