"""The words that a network knows: from texts to numbers, and from word vectors to its first layer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

from nliprobe.base.errors import DataError
from nliprobe.base.files import write_atomic
from nliprobe.language.tokens import tokens

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.language.vectors import Vectors

WORDS = "words.txt"
# Padding, and what a text without a token consists of.
PADDING, EMPTY = 0, 1
_FIRST_BUCKET = 2
# Unknown words share so many vectors by their hash (Parikh et al. 2016, section 4: 100).
BUCKETS = 100


class Vocabulary:
    """Words by number: padding is 0, an empty text 1, then come the buckets of unknown words, then the words.

    Args:
        words: the known words; the order gives their numbers.
        without_vector: which share of the words of the training texts had no vector, if it was learnt with vectors.
    """

    def __init__(self, words: Sequence[str], without_vector: float | None = None) -> None:
        self.words = tuple(words)
        self.without_vector = without_vector
        first = _FIRST_BUCKET + BUCKETS
        self._numbers = {word: number for number, word in enumerate(self.words, first)}
        self._seen: dict[str, tuple[int, ...]] = {}

    @classmethod
    def learn(cls, texts: Iterable[str], vectors: Vectors | None, most: int) -> Vocabulary:
        """Return the words of training texts, filled up with the first words of the vectors.

        A word without a vector must occur twice: what occurs once cannot be learnt. The most frequent come first.
        """
        counts = Counter(token for text in texts for token in tokens(text))
        known = [
            word
            for word, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
            if count > 1 or (vectors is not None and vectors.place(word) is not None)
        ]
        if vectors is not None and len(known) < most:
            seen = set(known)
            known += [word for word in vectors.words() if word not in seen][: most - len(known)]
        if vectors is None or not counts:
            return cls(known[:most])
        without = sum(count for word, count in counts.items() if vectors.place(word) is None)
        return cls(known[:most], without / counts.total())

    @classmethod
    def read(cls, folder: Path) -> Vocabulary:
        """Read the words that :meth:`keep` wrote."""
        path = folder / WORDS
        try:
            text = path.read_bytes().decode("utf-8", "surrogatepass")
        except (OSError, UnicodeDecodeError) as error:
            raise DataError(f"{path} does not hold the words of this network: {error}. Train it again.") from error
        return cls(text.split("\n")[:-1])

    def keep(self, folder: Path) -> None:
        """Write the words, one per line, into the folder of a trained network; no token holds a line break."""
        write_atomic(folder / WORDS, "".join(f"{word}\n" for word in self.words).encode("utf-8", "surrogatepass"))

    def __len__(self) -> int:
        return _FIRST_BUCKET + BUCKETS + len(self.words)

    def number(self, word: str) -> int:
        """Return the number of a token: its own, or that of the bucket it falls into."""
        found = self._numbers.get(word)
        # Half of a surrogate pair, which a text of a user may hold, falls into a bucket, too.
        return _FIRST_BUCKET + crc32(word.encode("utf-8", "surrogatepass")) % BUCKETS if found is None else found

    def word(self, number: int) -> str | None:
        """Return the word of a number; none for padding, the empty text and buckets."""
        place = number - _FIRST_BUCKET - BUCKETS
        return self.words[place] if place >= 0 else None

    def parts(self, token: str) -> tuple[str, ...]:
        """Return the words as which a token is read: itself, or the parts of a compound that is unknown."""
        if token in self._numbers:
            return (token,)
        return tuple(part for part in token.split("-") if part) or (token,)

    def read_text(self, text: str, longest: int) -> tuple[list[int], bool]:
        """Return the numbers of a text's tokens, and whether its end was cut; a compound may fall into its parts."""
        numbers: list[int] = []
        for token in tokens(text):
            parts = self._seen.get(token)
            if parts is None:
                parts = self._seen[token] = tuple(self.number(part) for part in self.parts(token))
            numbers.extend(parts)
        return numbers[:longest] or [EMPTY], len(numbers) > longest

    def vectors(self, given: Vectors | None, width: int, seed: int) -> NDArray[np.float32]:
        """Return a first layer: given vectors where there are some, else random ones of the same spread."""
        import numpy as np

        places = [None if given is None else given.place(word) for word in self.words]
        known = [number for number, place in enumerate(places) if place is not None]
        filled = None if given is None else given.take([place for place in places if place is not None])
        spread = 0.1 if filled is None or not len(filled) else float(filled.std())
        random = np.random.default_rng(seed)
        table = (spread * random.standard_normal((len(self), width))).astype(np.float32)
        table[PADDING] = 0.0
        if filled is not None and len(filled):
            table[np.asarray(known) + _FIRST_BUCKET + BUCKETS] = filled
        return table
