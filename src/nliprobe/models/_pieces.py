"""The tokens of distinct texts, kept from call to call: edited tables share nearly all their rows."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from itertools import compress, repeat
from typing import TYPE_CHECKING

from nliprobe.models._growing import with_room
from nliprobe.models.token_rows import TokenRows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# What the dictionary and the arrays take per text, beside the text itself and its tokens.
_PER_TEXT = 150


class Pieces:
    """The tokens of distinct texts, one after the other in one array.

    Attributes:
        ids: the tokens of all texts, with room for more after them.
        starts: where the tokens of each text begin, by its number.
        sizes: how many tokens each text has.
        known: what is known of each text (:mod:`~nliprobe.models._joining`).
        kept_bytes: how much memory the texts and their tokens take, nearly.
    """

    def __init__(self) -> None:
        import numpy as np

        self.ids = np.empty(1024, np.int32)
        self.starts = np.empty(64, np.int64)
        self.sizes = np.empty(64, np.int64)
        self.known = np.empty(64, np.uint8)
        self.kept_bytes = 0
        self._numbers: dict[str, int] = {}
        self._texts = self._tokens = 0

    def number(
        self, texts: Sequence[str], tokenise: Callable[[Sequence[str]], TokenRows], know: Callable[[str], int]
    ) -> NDArray[np.int32]:
        """Return the number of each text; those that are new are tokenised, each of them once."""
        import numpy as np

        numbers = np.fromiter(map(self._numbers.get, texts, repeat(-1)), np.int32, len(texts))
        missing = numbers < 0
        if missing.any():
            again = list(compress(texts, missing.tolist()))
            self._learn(list(dict.fromkeys(again)), tokenise, know)
            numbers[missing] = np.fromiter(map(self._numbers.__getitem__, again), np.int32, len(again))
        return numbers

    def add(self, rows: TokenRows, known: Sequence[int]) -> range:
        """Add the tokens of texts that nobody will look up, and return their numbers."""
        first, last = self._texts, self._texts + len(rows)
        end = self._tokens + len(rows.ids)
        self.ids = with_room(self.ids, end)
        self.starts, self.sizes = with_room(self.starts, last), with_room(self.sizes, last)
        self.known = with_room(self.known, last)
        self.ids[self._tokens : end] = rows.ids
        self.starts[first:last] = rows.starts[:-1] + self._tokens
        self.sizes[first:last] = rows.sizes
        self.known[first:last] = known
        self._texts, self._tokens = last, end
        return range(first, last)

    def _learn(
        self, texts: Sequence[str], tokenise: Callable[[Sequence[str]], TokenRows], know: Callable[[str], int]
    ) -> None:
        rows = tokenise(texts)
        numbers = self.add(rows, [know(text) for text in texts])
        self._numbers.update(zip(texts, numbers, strict=True))
        self.kept_bytes += rows.ids.nbytes + sum(map(sys.getsizeof, texts)) + _PER_TEXT * len(texts)
