"""A language model over numbers of words: how fluent a sentence is, and which words may follow another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

# The mark before and after a sentence: no word has the number of padding.
_EDGE = 0
# The weights of trigrams, bigrams and single words (Jelinek and Mercer 1980); the last part is never zero.
_WEIGHTS = (0.6, 0.3, 0.1)


class _Counts(NamedTuple):
    """How often each key was seen; keys are sorted."""

    keys: Numbers
    counts: Numbers

    @classmethod
    def of_all(cls, keys: Numbers) -> _Counts:
        return cls(*np.unique(keys, return_counts=True))

    def of(self, keys: Numbers) -> Numbers:
        """Return the counts of some keys; 0 for one that was not seen."""
        places = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[places] == keys, self.counts[places], 0)


class Fluency:
    """A trigram model with linear interpolation, learnt from sentences.

    Args:
        sentences: as numbers of words; at least one.
        words: how many numbers there are.
    """

    def __init__(self, sentences: Sequence[Sequence[int] | NDArray[np.int32]], words: int) -> None:
        self._words = words
        before, last, word = _grams(sentences)
        self._three = _Counts.of_all((before * words + last) * words + word)
        self._two_before = _Counts.of_all(before * words + last)
        self._two = _Counts.of_all(last * words + word)
        self._one_before = np.bincount(last, minlength=words)
        self._one = np.bincount(word, minlength=words)
        inside = self._two.keys[self._two.keys % words != _EDGE]
        self._next: list[int] = (inside % words).tolist()
        self._starts: list[int] = np.searchsorted(inside, np.arange(words + 1) * words).tolist()

    def costs(self, sentences: Sequence[Sequence[int] | NDArray[np.int32]]) -> NDArray[np.float64]:
        """Return the mean of -log p over the words of each sentence and its end: the log of its perplexity."""
        before, last, word = _grams(sentences)
        parts = (
            self._three.of((before * self._words + last) * self._words + word)
            / np.maximum(1, self._two_before.of(before * self._words + last)),
            self._two.of(last * self._words + word) / np.maximum(1, self._one_before[last]),
            (self._one[word] + 1) / (self._one.sum() + self._words),
        )
        costs = -np.log(sum(weight * part for weight, part in zip(_WEIGHTS, parts, strict=True)))
        sizes = np.fromiter((len(sentence) + 1 for sentence in sentences), dtype=np.int64, count=len(sentences))
        ends = np.cumsum(sizes)
        sums: NDArray[np.float64] = np.add.reduceat(costs, ends - sizes)
        return sums / sizes

    def follower(self, word: int | None, chance: float) -> int | None:
        """Return one of the words seen after a word, or at the beginning; none if there is none.

        Args:
            word: the word before; none at the beginning of a sentence.
            chance: a number from 0 to 1 that chooses among them.
        """
        number = _EDGE if word is None else word
        start, end = self._starts[number], self._starts[number + 1]
        return self._next[start + int(chance * (end - start))] if end > start else None


def _grams(sentences: Sequence[Sequence[int] | NDArray[np.int32]]) -> tuple[Numbers, Numbers, Numbers]:
    """Return every word and end of the sentences with the two words before it."""
    sizes = np.fromiter((len(sentence) for sentence in sentences), dtype=np.int64, count=len(sentences))
    width = sizes + 3  # two edges before, one after
    flat = np.full(int(width.sum()), _EDGE, dtype=np.int64)
    begins = np.cumsum(width) - width
    predicted = np.ones(len(flat), dtype=np.bool_)
    predicted[begins] = predicted[begins + 1] = False
    inside = predicted.copy()
    inside[begins + width - 1] = False
    flat[inside] = np.concatenate([np.asarray(sentence, dtype=np.int64) for sentence in sentences])
    places = np.flatnonzero(predicted)
    return flat[places - 2], flat[places - 1], flat[places]
