"""Turn texts into bags of the words that have vectors."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.language.vectors import Vectors
from nliprobe.language.words import known_words, lower_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# How many bags are cached; the tables of InfoTabS have 23,137 rows. When the cache is full, it is emptied.
_CACHED_BAGS = 65_536


class Bag(NamedTuple):
    """The distinct words of a text as places in a :class:`Space`, and how often each occurs."""

    places: NDArray[np.intp]
    counts: Floats
    total: int


class Space:
    """Holds the vectors of the words met so far in one matrix, and the bags of the texts met so far."""

    def __init__(self, vectors: Vectors) -> None:
        import numpy as np

        self._vectors = vectors
        # Places of what counts of a word: the word itself, its pieces, or nothing.
        self._places: dict[str, tuple[int, ...]] = {}
        self._size = 0
        self._bags: dict[str, Bag | None] = {}
        self._matrix: Floats = np.empty((1024, vectors.dimensions))
        self._squares: Floats = np.empty(1024)

    def bag(self, text: str) -> Bag | None:
        """Return the bag of a text, or None if none of its words is known."""
        try:
            return self._bags[text]
        except KeyError:
            if len(self._bags) >= _CACHED_BAGS:
                self._bags.clear()
            bag = self._bags[text] = self._make(text)
            return bag

    def of(self, places: NDArray[np.intp]) -> tuple[Floats, Floats]:
        """Return the vectors at the given places, and their squared lengths."""
        return self._matrix[places], self._squares[places]

    def _make(self, text: str) -> Bag | None:
        import numpy as np

        places: list[int] = []
        known = self._places
        for word in lower_words(text):
            word_places = known.get(word)
            places += self._look_up(word) if word_places is None else word_places
        if not places:
            return None
        # Sorted, so that the same words in another order are the same bag to the last bit.
        counted = sorted(Counter(places).items())
        columns = [place for place, _ in counted], [count for _, count in counted]
        return Bag(np.array(columns[0], dtype=np.intp), np.array(columns[1], dtype=np.float64), len(places))

    def _look_up(self, word: str) -> tuple[int, ...]:
        counting = known_words(word, lambda piece: self._vectors.place(piece) is not None)
        if counting == [word]:
            places: tuple[int, ...] = (self._add(word),)
        else:
            places = tuple([place for piece in counting for place in self._places.get(piece) or self._look_up(piece)])
        self._places[word] = places
        return places

    def _add(self, word: str) -> int:
        row = self._vectors.place(word)
        assert row is not None
        place, self._size = self._size, self._size + 1
        if place >= len(self._matrix):
            self._grow()
        vector = self._vectors.take([row])[0]
        self._matrix[place] = vector
        self._squares[place] = vector @ vector
        return place

    def _grow(self) -> None:
        import numpy as np

        self._matrix = np.concatenate([self._matrix, np.empty_like(self._matrix)])
        self._squares = np.concatenate([self._squares, np.empty_like(self._squares)])
