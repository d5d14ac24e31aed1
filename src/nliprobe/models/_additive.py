"""Score many texts at once by the weights of their words and word pairs, additively over their parts.

The score of a text is the sum over its n-grams, so it is the sum over its parts plus the pairs of words that cross
their borders. This holds twice: a premise is made of segments, and a segment of stretches without spaces. Edited tables
share nearly all of their segments, and edited texts nearly all of their stretches: each of both is read once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain, compress, repeat
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.models._growing import with_room
from nliprobe.models._ngrams import ngrams, tokens, whole

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# About 40 MB of rows and hypotheses; the four test splits of InfoTabS have some 8,000 distinct rows.
CACHED_TEXTS = 1 << 16
# About 30 MB.
CACHED_PAIRS = 1 << 18
# How many texts are scored at once, so that memory does not grow with a batch: 1,024 paragraphs have 100,000 stretches.
AT_ONCE = 1024
# A pair of words is kept under one number: that of the first, shifted by so many bits, and that of the second.
_BITS = 32
# Of a pair that was not looked up yet, and of one without weight.
_UNKNOWN, _NO_WEIGHT = -2, -1

# What is known grows while texts are scored.
_ALONE = Lock()


class Parts(NamedTuple):
    """Parts of texts that have been read: their scores, their first and last words, and spaces at their ends.

    Words are numbers; a part that has none has -1.
    """

    scores: NDArray[np.float64]
    first: NDArray[np.int64]
    last: NDArray[np.int64]
    opens: NDArray[np.bool_]
    closes: NDArray[np.bool_]

    @classmethod
    def none(cls, classes: int) -> Parts:
        """Return no parts."""
        import numpy as np

        words, spaces = np.empty(0, np.int64), np.empty(0, np.bool_)
        return cls(np.empty((0, classes)), words, words, spaces, spaces)

    def with_room(self, size: int) -> Parts:
        """Return the same parts in arrays that have room for so many."""
        return Parts(
            with_room(self.scores, size),
            with_room(self.first, size),
            with_room(self.last, size),
            with_room(self.opens, size),
            with_room(self.closes, size),
        )


class KnownParts:
    """Distinct parts of texts, by number, in arrays with room for more."""

    def __init__(self, classes: int) -> None:
        self.read = Parts.none(classes)
        self._numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def number(self, parts: Sequence[str], read: Callable[[Sequence[str]], Parts]) -> NDArray[np.int64]:
        """Return the number of each part; those that are new are read, each of them once."""
        import numpy as np

        numbers = np.fromiter(map(self._numbers.get, parts, repeat(-1)), np.int64, len(parts))
        missing = numbers < 0
        if missing.any():
            again = list(compress(parts, missing.tolist()))
            self._add(list(dict.fromkeys(again)), read)
            numbers[missing] = np.fromiter(map(self._numbers.__getitem__, again), np.int64, len(again))
        return numbers

    def _add(self, parts: Sequence[str], read: Callable[[Sequence[str]], Parts]) -> None:
        new, first = read(parts), len(self)
        last = first + len(parts)
        self.read = self.read.with_room(last)
        for kept, values in zip(self.read, new, strict=True):
            kept[first:last] = values
        self._numbers.update(zip(parts, range(first, last), strict=True))


class AdditiveScorer:
    """Scores texts by the weights of their n-grams, one score per class, reading each distinct part once."""

    def __init__(self, vocabulary: Mapping[str, int], weights: NDArray[np.float64]) -> None:
        self._vocabulary = vocabulary
        self._weights = weights
        self._forget()

    def scores(self, texts: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """Return the scores of texts, a row each; a text is given as the segments that it is joined from."""
        import numpy as np

        made = np.empty((len(texts), self._weights.shape[1]))
        for start in range(0, len(texts), AT_ONCE):
            with _ALONE:
                self._forget_what_is_too_much()
                made[start : start + AT_ONCE] = self._score(texts[start : start + AT_ONCE])
        return made

    def _forget(self) -> None:
        classes = self._weights.shape[1]
        self._segments, self._stretches = KnownParts(classes), KnownParts(classes)
        self._words: dict[str, int] = {}
        self._names: list[str] = []
        self._pairs: dict[int, int] = {}

    def _forget_what_is_too_much(self) -> None:
        if len(self._stretches) > CACHED_TEXTS:  # they number the words, by which all else is kept
            self._forget()
        if len(self._segments) > CACHED_TEXTS:
            self._segments = KnownParts(self._weights.shape[1])
        if len(self._pairs) > CACHED_PAIRS:
            self._pairs = {}

    def _score(self, texts: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        import numpy as np

        numbers = self._segments.number(list(chain.from_iterable(texts)), self._read_segments)
        owners = np.repeat(np.arange(len(texts)), list(map(len, texts)))
        known, left, right = self._segments.read, numbers[:-1], numbers[1:]
        apart = (known.closes[left] | known.opens[right]) & (known.last[left] >= 0) & (known.first[right] >= 0)
        touching = owners[1:][(owners[:-1] == owners[1:]) & ~apart]
        if not len(touching):
            return self._sum(known, numbers, owners, len(texts))
        joined = np.zeros(len(texts), np.bool_)
        joined[touching] = True
        alone = ~joined[owners]
        made = self._sum(known, numbers[alone], owners[alone], len(texts))
        made[joined] = self._score([whole(text) for text in compress(texts, joined.tolist())])
        return made

    def _read_segments(self, segments: Sequence[str]) -> Parts:
        import numpy as np

        stretches = [segment.split() for segment in segments]
        numbers = self._stretches.number(list(chain.from_iterable(stretches)), self._read_stretches)
        counts = np.fromiter(map(len, stretches), np.int64, len(stretches))
        known, ends, some = self._stretches.read, np.cumsum(counts), counts > 0
        first, last = np.full(len(counts), -1), np.full(len(counts), -1)
        first[some] = known.first[numbers[(ends - counts)[some]]]
        last[some] = known.last[numbers[ends[some] - 1]]
        return Parts(
            self._sum(known, numbers, np.repeat(np.arange(len(counts)), counts), len(counts)),
            first,
            last,
            np.array([segment[:1].isspace() for segment in segments]),
            np.array([segment[-1:].isspace() for segment in segments]),
        )

    def _read_stretches(self, stretches: Sequence[str]) -> Parts:
        import numpy as np

        words = [tokens(stretch) for stretch in stretches]
        places: list[int] = []
        owners: list[int] = []
        for owner, some in enumerate(words):
            known = [place for name in ngrams(some) if (place := self._vocabulary.get(name)) is not None]
            places += known
            owners += [owner] * len(known)
        return Parts(
            _total(self._weights.take(places, axis=0), np.array(owners, dtype=np.int64), len(words)),
            np.array([self._word(some[0]) for some in words]),
            np.array([self._word(some[-1]) for some in words]),
            *[np.zeros(len(words), np.bool_)] * 2,
        )

    def _sum(
        self, known: Parts, numbers: NDArray[np.int64], owners: NDArray[np.int64], texts: int
    ) -> NDArray[np.float64]:
        """Return the scores of texts from the numbers of their parts, with the pairs of words where parts meet."""
        import numpy as np

        meet = owners[:-1] == owners[1:]
        pairs = self._find_pairs(known.last[numbers[:-1][meet]], known.first[numbers[1:][meet]])
        weighed = pairs != _NO_WEIGHT
        return _total(
            np.concatenate([known.scores[numbers], self._weights[pairs[weighed]]]),
            np.concatenate([owners, owners[1:][meet][weighed]]),
            texts,
        )

    def _word(self, word: str) -> int:
        number = self._words.setdefault(word, len(self._names))
        if number == len(self._names):
            self._names.append(word)
        return number

    def _find_pairs(self, left: NDArray[np.int64], right: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return where the weights of pairs of words are."""
        import numpy as np

        keys = (left << _BITS | right).tolist()
        places = np.fromiter(map(self._pairs.get, keys, repeat(_UNKNOWN)), np.int64, len(keys))
        missing = places == _UNKNOWN
        if missing.any():
            again = list(compress(keys, missing.tolist()))
            for key in dict.fromkeys(again):
                name = f"{self._names[key >> _BITS]} {self._names[key & (1 << _BITS) - 1]}"
                self._pairs[key] = self._vocabulary.get(name, _NO_WEIGHT)
            places[missing] = np.fromiter(map(self._pairs.__getitem__, again), np.int64, len(again))
        return places


def _total(rows: NDArray[np.float64], owners: NDArray[np.int64], texts: int) -> NDArray[np.float64]:
    """Add up the rows of each owner, always in their order: a text scores the same whatever is asked beside it."""
    import numpy as np

    total = np.empty((texts, rows.shape[1]))  # of nothing, counts would be whole numbers
    for place, column in enumerate(rows.T):
        total[:, place] = np.bincount(owners, weights=column, minlength=texts)
    return total
